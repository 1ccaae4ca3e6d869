// Who plays a colour: you, a level for people, or a program; what the server offers of them, and how they are called.
// And what the user has chosen: kept in this browser, each with its type. Games take what they need when they begin.

import { get } from "./api.js";
import { COLOURS, writeMoves } from "./rules.js";
import { change, fitted, keep, kept } from "./store.js";

/** @import { Agent, Level } from "./api.js" */

/**
 * A seat, as commands write it: "you", "level:5", or an agent: "uct:1000", "kang-h1:4,features=3".
 * @typedef {string} Seat
 */

export const YOU = "you", FIRST_LEVEL = "level:2";
/** The course's own bot, whose name and depth are written without a colon. */
export const COURSE_BOT = "depth";
const FORM = /^(you|level:\d+|(?!(you|level)\b)[\w.+-]+(:\d+)?(,.*)?)$/;

/** Whether a value that was kept, or stands in an address, is a seat. */
export const isSeat = (/** @type {unknown} */ value) => typeof value === "string" && FORM.test(value);

/** Whether a person sits there. */
export const isPerson = (/** @type {Seat} */ seat) => seat === YOU;

/**
 * Return the agent of a seat, the number that it takes, null for its own, and its options.
 * @param {Seat} seat
 */
export function readAgent(seat) {
  const [, agent, depth, options] = /^(depth(?=\d)|[^:,]+):?(\d*),?(.*)$/.exec(seat) ?? ["", seat, "", ""];
  return { agent, depth: Number(depth) || null, options };
}

/**
 * Return the seat of an agent.
 * @param {ReturnType<typeof readAgent>} parts
 * @returns {Seat}
 */
export function agentSeat({ agent, depth, options }) {
  const number = depth === null ? "" : `${agent === COURSE_BOT ? "" : ":"}${depth}`;
  return `${agent}${number}${options && `,${options}`}`;
}

/** What the server offers. @type {{agents: Agent[], levels: Level[]}} */
export const offer = { agents: [], levels: [] };

/** Load the agents and levels. */
export async function loadOpponents() {
  const [agents, levels] = await Promise.all([get("/api/agents"), get("/api/levels")]);
  Object.assign(offer, { agents, levels });
}

/** @param {string} name */
export const agentOf = (name) => offer.agents.find((agent) => agent.name === name);

/** @param {number} number */
const levelOf = (number) => offer.levels.find((level) => level.number === number);

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
    if (isPerson(seat)) return arePeople ? people[side] || COLOURS[side] : "You";
    return isLevel(seat) ? levelOf(levelNumber(seat))?.name ?? "Level" : seat;
  };
  return [name(0), name(1)];
}

/** Whether a level plays there. */
export const isLevel = (/** @type {Seat} */ seat) => /^level\b/.test(seat);

/**
 * Return the level that a seat plays; 0 for another seat.
 * @param {Seat} seat
 */
export const levelNumber = (seat) => (isLevel(seat) ? readAgent(seat).depth ?? 0 : 0);

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
export const seatDetail = (seat) => (isLevel(seat) ? `level ${levelNumber(seat)}` : "");

/**
 * Return the body of a request to /api/move.
 * @param {number[]} moves
 * @param {Seat} seat  of a level or an agent
 * @param {string} id  of the game, by which the server tells an agent's games apart, with the side
 */
export function moveRequest(moves, seat, id) {
  const { think_s: time_s } = settings, side = moves.length % 2;
  return { moves: writeMoves(moves), ...readAgent(seat), time_s, random: true, game: `${id}-${side}` };
}

const PLACE = "settings";

/** @type {{seats: [Seat, Seat], think_s: number, people: string[], areScoresShown: boolean,
 *   areThreatsShown: boolean, patience_s: number, proofSide: 0 | 1, areKeysOn: boolean}} */
const DEFAULTS = {
  /** Who plays yellow and red in the next game. */
  seats: [YOU, FIRST_LEVEL],
  /** Search time of agents for a move, seconds. */
  think_s: 2,
  /** What two people are called who play on this device, yellow first. */
  people: ["", ""],
  /** Whether scores and coach are shown wherever they may be. */
  areScoresShown: false,
  /** Whether the coach writes threats on the board. */
  areThreatsShown: false,
  /** Search time for scores, seconds. */
  patience_s: 5,
  /** The side that the proof plays. */
  proofSide: 0,
  /** Whether single keys act on the board. */
  areKeysOn: true,
};

/** Least and most time for a search, seconds. */
export const LEAST_S = 0.1, MOST_S = 60;

/** What was kept, if it can be used: each field of the right type, and all within their ranges. */
export const settings = fitted(kept(PLACE, {}), DEFAULTS);
const areInRange = [settings.think_s, settings.patience_s].every((value) => value >= LEAST_S && value <= MOST_S);
if (!areInRange || !settings.seats.every(isSeat)) Object.assign(settings, DEFAULTS);

/**
 * Change some settings, and keep them.
 * @param {Partial<typeof DEFAULTS>} fields
 */
export function set(fields) {
  Object.assign(settings, fields);
  keep(PLACE, settings);
  change();
}
