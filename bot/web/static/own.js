// The games that were played to an end in this browser, kept in its local storage.

import { recordOf, runOf } from "./journals.js";
import { writeMoves } from "./rules.js";
import { keep, kept } from "./store.js";

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

/** Return these games as a run, the newest first; null if there are none. */
export const ownRun = () => runOf(OWN_RUN, "Your games", ownGames().map(({ moves, side, names }, index) =>
  recordOf({ number: index + 1, moves, side: side ?? 0, names })).reverse());
