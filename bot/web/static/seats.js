// Who plays a colour: you, a level for people, or a program; what the server offers of them, and how they are called.

import { get } from "./api.js";
import { COLOURS, writeMoves } from "./rules.js";

/** @import { Agent, Level } from "./api.js" */
/** @import { Terms } from "./game.js" */

/**
 * `level` 0: the level that the server offers first. `depth`: the number that the agent takes, null for its own.
 * @typedef {{kind: "you"} | {kind: "level", level: number}
 *   | {kind: "agent", agent: string, depth: number | null, options: string}} Seat
 */

/** @type {Seat} */
export const YOU = { kind: "you" };
/** The level that the server offers first. @type {Seat} */
export const FIRST_LEVEL = { kind: "level", level: 0 };
/** The course's own bot, whose name and depth are written without a colon. */
export const COURSE_BOT = "depth";

/**
 * Whether a value that was kept is a seat.
 * @param {any} value
 * @returns {value is Seat}
 */
export function isSeat(value) {
  if (value?.kind === "level") return Number.isInteger(value.level) && value.level >= 0;
  if (value?.kind !== "agent") return value?.kind === "you";
  const hasDepth = value.depth === null || (Number.isInteger(value.depth) && value.depth > 0);
  return typeof value.agent === "string" && typeof value.options === "string" && hasDepth;
}

/** Whether a person sits there. */
export const isPerson = (/** @type {Seat} */ { kind }) => kind === "you";

/** Whether two seats are the same. */
export const isSame = (/** @type {Seat} */ one, /** @type {Seat} */ other) => writeSeat(one) === writeSeat(other);

/**
 * Return a seat as text: "you", "level:5", or the name of an agent as commands take it: "uct:1000".
 * @param {Seat} seat
 */
export function writeSeat(seat) {
  if (seat.kind === "you") return "you";
  if (seat.kind === "level") return `level:${seat.level}`;
  const number = seat.depth === null ? "" : `${seat.agent === COURSE_BOT ? "" : ":"}${seat.depth}`;
  return `${seat.agent}${number}${seat.options ? `,${seat.options}` : ""}`;
}

/**
 * Return the seat that a text names; null where it names none.
 * @param {string | null | undefined} text
 * @returns {Seat | null}
 */
export function readSeat(text) {
  if (text?.toLowerCase() === "you") return YOU;
  const [, level] = /^level(?::(\d+))?$/.exec(text ?? "") ?? [null, null];
  if (level !== null) return { kind: "level", level: Number(level ?? 0) };
  const course = /^depth(\d+)$/.exec(text ?? "");
  if (course) return { kind: "agent", agent: COURSE_BOT, depth: Number(course[1]), options: "" };
  const found = /^([\w.+-]+)(?::(\d+))?(?:,(.*))?$/.exec(text ?? "");
  if (!found) return null;
  return { kind: "agent", agent: found[1], depth: Number(found[2]) || null, options: found[3] ?? "" };
}

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
 * @param {readonly string[]} people  the names of two people, where they have given them
 * @returns {[string, string]}
 */
export function playerNames(seats, people) {
  const arePeople = seats.every(isPerson);
  const name = (/** @type {number} */ side) => {
    const seat = seats[side];
    if (seat.kind === "you") return arePeople ? people[side] || COLOURS[side] : "You";
    if (seat.kind === "level") return levelOf(seat.level)?.name ?? "Level";
    return writeSeat(seat);
  };
  return [name(0), name(1)];
}

/**
 * Return the level that a seat plays; 0 for another seat.
 * @param {Seat} seat
 */
export const levelNumber = (seat) => (seat.kind === "level" ? seat.level || offer.first : 0);

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
export const seatDetail = (seat) => (seat.kind === "level" ? `level ${levelNumber(seat)}` : "");

/**
 * Return the body of a request to /api/move.
 * @param {number[]} moves
 * @param {Seat} seat  of a level or an agent
 * @param {{terms: Terms, id: string}} game  `id`: by which the server tells an agent's games apart, with the side
 */
export function moveRequest(moves, seat, { terms, id }) {
  const { agent, depth, options } = seat.kind === "agent" ? seat
    : { agent: "level", depth: levelNumber(seat), options: "" };
  const { think_s: time_s, isVaried: random } = terms, side = moves.length % 2;
  return { moves: writeMoves(moves), agent, depth, options, time_s, random, game: `${id}-${side}` };
}
