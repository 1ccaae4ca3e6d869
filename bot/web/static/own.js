// The games of this browser, kept in its local storage: those that were played to an end, and those that wait.

import { Game } from "./game.js";
import { recordOf, runOf } from "./journals.js";
import { position, readMoves, writeMoves } from "./rules.js";
import { readSeat, writeSeat } from "./seats.js";
import { change, keep, kept } from "./store.js";

/** Name of the list of these games among the runs. */
export const OWN_RUN = "own";
const ENDED = "own-games", WAITING = "waiting-games";
/** Most games that are kept of each kind; the oldest are left out. */
const MAX_ENDED = 1000, MAX_WAITING = 60;
/** Fewest moves of a game that waits. */
const LEAST = 6;

/**
 * @typedef {{moves: string, side: number | null, names: string[], seats?: string[], id?: string,
 *   late?: number | null, hints?: number}} Kept
 */

/** @returns {Kept[]} */
export const ownGames = () => kept(ENDED, /** @type {Kept[]} */ ([])).filter((one) =>
  typeof one?.moves === "string" && one.names?.length === 2);

/**
 * Keep a game of the user that is over, once.
 * @param {Game} game
 */
export function keepOwnGame({ main, side, names, seats, id, late, hints }) {
  const all = ownGames();
  if (all.some((one) => one.id === id)) return;
  const kept = { moves: writeMoves(main), side, names, seats: seats?.map(writeSeat), id, late, hints };
  keep(ENDED, [...all, kept].slice(-MAX_ENDED));
}

/**
 * Return the side that won a game that was kept; null for a draw.
 * @param {Kept} game
 */
const winnerOf = ({ moves, late }) => (typeof late === "number" ? 1 - late : position(readMoves(moves)).winner);

/** Return the numbers of the levels that the user has beaten without a hint. */
export function beaten() {
  const won = ownGames().filter((one) => !one.hints && one.side !== null && winnerOf(one) === one.side);
  const seats = won.map(({ seats: both, side }) => readSeat(both?.[1 - (side ?? 0)]));
  return new Set(seats.map((seat) => (seat?.kind === "level" ? seat.level : 0)));
}

/**
 * Return how many games each of two people has won, in the games that they have played one after the other.
 * @param {string[]} names
 */
export function standing(names) {
  const score = [0, 0];
  for (const one of ownGames().reverse()) {
    if (one.side !== null || String([...one.names].sort()) !== String([...names].sort())) break;
    const winner = winnerOf(one);
    if (winner !== null) score[names.indexOf(one.names[winner])]++;
  }
  return score;
}

/** Return these games as a run, the newest first; null if there are none. */
export const ownRun = () => runOf(OWN_RUN, "Your games", ownGames().map(
  ({ moves, side, names, seats, late }, index) =>
    ({ ...recordOf({ number: index + 1, moves, side: side ?? 0, names, late: late ?? null }), seats })).reverse());

/** The unfinished games that wait, the newest last, as `Game.toJSON` wrote them. @returns {any[]} */
export const waitingGames = () => kept(WAITING, /** @type {any[]} */ ([])).filter((one) =>
  typeof one?.id === "string" && typeof one.main === "string" && one.names?.length === 2);

/**
 * Let an unfinished game wait, if it is worth that; return whether it does.
 * @param {Game} game
 */
export function letWait(game) {
  if (game.isOver || game.main.length < LEAST) return false;
  const others = waitingGames().filter(({ id }) => id !== game.id);
  keep(WAITING, [...others, game].slice(-MAX_WAITING));
  return true;
}

/**
 * Take a waiting game off the list; null if another tab has taken it.
 * @param {string} id
 */
export function takeWaiting(id) {
  const found = waitingGames().find((one) => one.id === id) ?? null;
  forgetWaiting(id);
  change();
  return found;
}

/**
 * Keep a game no longer among those that wait.
 * @param {string} id
 */
export function forgetWaiting(id) {
  const all = waitingGames(), others = all.filter((one) => one.id !== id);
  if (others.length < all.length) keep(WAITING, others);
}
