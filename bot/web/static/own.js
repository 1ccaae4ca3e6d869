// The games of this browser, kept in its local storage: those that were played to an end, and those that wait.

import { Game } from "./game.js";
import { recordOf, runOf } from "./journals.js";
import { oldGame } from "./migrate.js";
import { writeMoves } from "./rules.js";
import { writeSeat } from "./seats.js";
import { change, keep, kept } from "./store.js";

/** @import { Seat } from "./seats.js" */

/** Name of the list of these games among the runs. */
export const OWN_RUN = "own";
const ENDED = "own-games", WAITING = "waiting-games", EARLIER = "waiting-game", TURNED = "turned";
/** Most games that are kept of each kind; the oldest are left out. */
const MAX_ENDED = 1000, MAX_WAITING = 60;

/**
 * @typedef {{moves: string, side: number | null, names: string[], seats?: string[], id?: string,
 *   late?: number | null}} Kept
 */

/** @returns {Kept[]} */
export const ownGames = () => kept(ENDED, /** @type {Kept[]} */ ([])).filter((one) =>
  typeof one?.moves === "string" && one.names?.length === 2);

/**
 * Keep a game of the user that is over, once.
 * @param {Game} game
 */
export function keepOwnGame({ main, side, names, seats, id, late }) {
  const all = ownGames();
  if (all.some((one) => one.id === id)) return;
  const kept = { moves: writeMoves(main), side, names, seats: seats?.map(writeSeat), id, late };
  keep(ENDED, [...all, kept].slice(-MAX_ENDED));
}

/** For each opponent, the positions from which a lost game was turned around. @returns {Record<string, string[]>} */
const turned = () => kept(TURNED, {});

/**
 * Return how many games of the user against an opponent have been turned around.
 * @param {Seat} opponent
 */
export const turnedAgainst = (opponent) => turned()[writeSeat(opponent)]?.length ?? 0;

/**
 * Keep that a game has been turned around; from each position it counts once.
 * @param {Game} game
 */
export function keepTurned({ isTurned, origin, seats, side }) {
  if (!isTurned || !origin || !seats || side === null) return;
  const opponent = writeSeat(seats[1 - side]), from = `${origin.moves}@${origin.turn}`, known = turned();
  const others = known[opponent] ?? [];
  if (!others.includes(from)) keep(TURNED, { ...known, [opponent]: [...others, from].slice(-MAX_ENDED) });
}

/** Return these games as a run, the newest first; null if there are none. */
export const ownRun = () => runOf(OWN_RUN, "Your games", ownGames().map(
  ({ moves, side, names, seats, late }, index) =>
    ({ ...recordOf({ number: index + 1, moves, side: side ?? 0, names, late: late ?? null }), seats })).reverse());

/** The unfinished games that wait, the newest last, as `Game.toJSON` wrote them. @returns {any[]} */
export const waitingGames = () => kept(WAITING, /** @type {any[]} */ ([])).filter((one) =>
  typeof one?.id === "string" && typeof one.main === "string" && one.names?.length === 2);

/** Take over the game that the third edition let wait: there was one, under another name. */
export function recallWaiting() {
  const earlier = kept(EARLIER, /** @type {any} */ (null));
  if (!earlier) return;
  keep(EARLIER, null);
  keep(WAITING, [...waitingGames(), oldGame(earlier)]);
}

/**
 * Let an unfinished game wait.
 * @param {Game} game
 */
export function letWait(game) {
  const others = waitingGames().filter(({ id }) => id !== game.id);
  keep(WAITING, [...others, game].slice(-MAX_WAITING));
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
