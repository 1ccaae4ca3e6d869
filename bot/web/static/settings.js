// What the user has chosen: kept in this browser, each with its type. Games take what they need when they begin.

import { YOU, isSeat } from "./seats.js";
import { change, keep, kept } from "./store.js";

/** @import { Seat } from "./seats.js" */

const PLACE = "settings";

/** @type {{seats: [Seat, Seat], isSideRandom: boolean, clock_s: number, think_s: number, isVaried: boolean,
 *   people: string[], areScoresShown: boolean, areThreatsShown: boolean, patience_s: number, proofSide: 0 | 1,
 *   isProofPlaying: boolean, areKeysOn: boolean, isSoundOn: boolean}} */
const DEFAULTS = {
  /** Who plays yellow and red in the next game. */
  seats: [YOU, { kind: "level", level: 0 }],
  /** Whether chance decides who of the two starts. */
  isSideRandom: false,
  /** Time of each person for a whole game, seconds; 0: no clock. */
  clock_s: 0,
  /** Search time of agents for a move, seconds. */
  think_s: 2,
  /** Whether agents choose at random among equal moves. */
  isVaried: true,
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
  /** Whether the proof moves by itself. */
  isProofPlaying: true,
  /** Whether single keys act on the board. */
  areKeysOn: true,
  isSoundOn: true,
};

/** Smallest and largest values of numbers. @type {Record<string, [number, number]>} */
export const RANGES = {
  clock_s: [0, 3600], think_s: [0.1, 60], patience_s: [0.5, 60], proofSide: [0, 1],
};

/**
 * Return what can be used of some fields: those of the right type and in their range.
 * @param {Record<string, any>} given
 * @returns {Partial<typeof DEFAULTS>}
 */
export function checked(given) {
  const isGood = (/** @type {[string, any]} */ [name, value]) => {
    const usual = DEFAULTS[/** @type {keyof typeof DEFAULTS} */ (name)];
    const isPair = Array.isArray(value) && value.length === 2;
    if (name === "seats") return isPair && value.every(isSeat);
    if (name === "people") return isPair && value.every((one) => typeof one === "string");
    const [least, most] = RANGES[name] ?? [-Infinity, Infinity];
    return typeof value === typeof usual && (typeof value !== "number" || (value >= least && value <= most));
  };
  return Object.fromEntries(Object.entries(given ?? {}).filter(isGood));
}

export const settings = { ...DEFAULTS, ...checked(kept(PLACE, {})) };

/**
 * Change some settings, and keep them.
 * @param {Partial<typeof DEFAULTS>} fields
 */
export function set(fields) {
  Object.assign(settings, fields);
  keep(PLACE, settings);
  change();
}
