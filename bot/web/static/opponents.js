// Levels and agents: what the server offers, how they are called, and what is sent to let one of them move.

import { get } from "./api.js";
import { writeMoves } from "./rules.js";
import { isPerson, writeSeat } from "./seats.js";

/** @import { Agent, Level } from "./api.js" */
/** @import { Terms } from "./game.js" */
/** @import { Seat } from "./seats.js" */

/** What the server offers. @type {{agents: Agent[], levels: Level[], first: number}} */
export const offer = { agents: [], levels: [], first: 1 };

/** Load the agents and levels. */
export async function loadOpponents() {
  const [agents, { levels, default: first }] = await Promise.all([get("/api/agents"), get("/api/levels")]);
  Object.assign(offer, { agents, levels, first });
}

/** @param {string} name */
export const agentOf = (name) => offer.agents.find((agent) => agent.name === name);

/**
 * Return the level with this number, or the one that is offered first.
 * @param {number} number
 */
export const levelOf = (number) =>
  offer.levels.find((level) => level.number === number) ?? offer.levels.find((level) => level.number === offer.first);

/**
 * Return a seat with all that it leaves open filled in: a game must not change when the server's offer does.
 * @param {Seat} seat
 * @returns {Seat}
 */
export function settled(seat) {
  if (seat.kind === "level") return { kind: "level", level: levelOf(seat.level)?.number ?? seat.level };
  if (seat.kind === "agent" && seat.depth === null) return { ...seat, depth: agentOf(seat.agent)?.depth ?? null };
  return seat;
}

/**
 * Return what the players of two seats are called.
 * @param {readonly Seat[]} seats
 * @returns {[string, string]}
 */
export function playerNames(seats) {
  const arePeople = seats.every(isPerson);
  const name = (/** @type {Seat} */ seat, /** @type {string} */ colour) => {
    if (seat.kind === "you") return arePeople ? colour : "You";
    if (seat.kind === "level") return levelOf(seat.level)?.name ?? "Level";
    return writeSeat(seat);
  };
  return [name(seats[0], "Yellow"), name(seats[1], "Red")];
}

/**
 * Return what a level does, in a sentence; "" until the levels are known.
 * @param {number} number
 */
export function aboutLevel(number) {
  const level = levelOf(number);
  return level ? `${level.name} ${level.about}.` : "";
}

/**
 * Return what stands beside a player's name.
 * @param {Seat} seat
 */
export const seatDetail = (seat) => (seat.kind === "level" ? `level ${seat.level || offer.first}` : "");

/**
 * Return the body of a request to /api/move.
 * @param {number[]} moves
 * @param {Seat} seat  of a level or an agent
 * @param {{terms: Terms, id: string}} game  `id`: by which the server tells an agent's games apart, with the side
 */
export function moveRequest(moves, seat, { terms, id }) {
  const { agent, depth, options } = seat.kind === "agent" ? seat
    : { agent: "level", depth: seat.kind === "level" ? seat.level || offer.first : null, options: "" };
  const { think_s: time_s, isVaried: random } = terms, side = moves.length % 2;
  return { moves: writeMoves(moves), agent, depth, options, time_s, random, game: `${id}-${side}` };
}
