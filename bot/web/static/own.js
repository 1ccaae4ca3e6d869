// The games that were played to an end in this browser, kept in its local storage.

import { position, readMoves, writeMoves } from "./rules.js";
import { keep, kept } from "./store.js";

/** @import { Game as Record, Run } from "./api.js" */
/** @import { Game } from "./game.js" */

/** Name of the list of these games among the runs. */
export const OWN_RUN = "own";
const PLACE = "own-games", MAX_KEPT = 200;

/** @typedef {{moves: string, side: number | null, names: string[], id?: string}} Kept */

/** @returns {Kept[]} */
export const ownGames = () => kept(PLACE, /** @type {Kept[]} */ ([])).filter((one) => typeof one?.moves === "string");

/**
 * Keep a game of the user that is over, once.
 * @param {Game} game
 */
export function keepOwnGame({ main, side, names, id }) {
  const all = ownGames();
  if (all.some((one) => one.id === id)) return;
  keep(PLACE, [...all, { moves: writeMoves(main), side, names, id }].slice(-MAX_KEPT));
}

/**
 * Return these games as a run, the newest first; null if there are none.
 * @returns {Run | null}
 */
export function ownRun() {
  const all = ownGames().map(asRecord).reverse();
  if (!all.length) return null;
  const count = (/** @type {string} */ outcome) => all.filter((one) => one.outcome === outcome).length;
  return {
    name: OWN_RUN, server: "", player: "", time: "", engine: "Your games", goal: 1, started: all.length,
    played: all.length, won: count("won"), drawn: count("drawn"), lost: count("lost"), end: "", damaged: 0,
    streak: 0, all,
  };
}

/**
 * @param {Kept} kept
 * @param {number} index
 * @returns {Record}
 */
function asRecord({ moves, side, names }, index) {
  const board = position(readMoves(moves)), ours = side ?? 0;
  const result = board.winner === null ? 0.5 : board.winner === ours ? 1 : -1;
  return {
    number: index + 1, result, outcome: result === 1 ? "won" : result < 0 ? "lost" : "drawn",
    we_started: ours === 0, moves, about: {}, verdicts: {}, notes: [], problems: [], names,
  };
}
