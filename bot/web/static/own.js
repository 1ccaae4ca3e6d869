// The games that were played to an end in this browser, kept in its local storage.

import { game } from "./game.js";
import { position, readMoves, writeMoves } from "./rules.js";

/** @import { Game, Run } from "./api.js" */

/** Name of the list of these games among the runs. */
export const OWN_RUN = "own";
const PLACE = "own-games", MAX_KEPT = 200;

/** @typedef {{moves: string, side: number | null, names: string[]}} Kept */

/** @returns {Kept[]} */
export function ownGames() {
  try {
    const kept = JSON.parse(localStorage.getItem(PLACE) || "[]");
    return Array.isArray(kept) ? kept.filter((one) => typeof one?.moves === "string") : [];
  } catch {
    return [];
  }
}

/** The game that was kept last; drawing it again keeps it once. */
let last = "";

/** Keep the game shown if it is over and was played here; a series keeps its own games. */
export function keepOwnGame() {
  const { main, origin, side, names, key } = game(), moves = writeMoves(main);
  if (key || moves === last || (origin !== "play" && origin !== "match") || !position(main).isOver) return;
  last = moves;
  const kept = ownGames();
  if (kept.at(-1)?.moves === moves) return;
  try { localStorage.setItem(PLACE, JSON.stringify([...kept, { moves, side, names }].slice(-MAX_KEPT))); }
  catch { /* private mode */ }
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
 * @returns {Game}
 */
function asRecord({ moves, side, names }, index) {
  const board = position(readMoves(moves)), ours = side ?? 0;
  const result = board.winner === null ? 0.5 : board.winner === ours ? 1 : -1;
  return {
    number: index + 1, result, outcome: result === 1 ? "won" : result < 0 ? "lost" : "drawn",
    we_started: ours === 0, moves, about: {}, verdicts: {}, notes: [], problems: [], names,
  };
}
