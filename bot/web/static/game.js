// The one game that every view shows: what was played, the variation on the board, who played, and where it is from.

import { position, readMoves, writeMoves } from "./rules.js";

/** @import { Game as Record } from "./api.js" */

/**
 * @typedef {"play" | "match" | "journal" | "analysis" | "import"} Origin
 * @typedef {object} Game
 * @property {number[]} main  the moves as they were played
 * @property {number[]} moves  the moves shown: `main`, or a variation of it
 * @property {number} at  how many of `moves` are on the board
 * @property {Origin} origin
 * @property {string[]} names  who plays yellow and red
 * @property {number | null} side  0 or 1: in whose view the game is seen; null: the first player's
 * @property {string} title  where it is from; "" for a game made here
 * @property {string} key  which game of which run it is; "" for a game that is not from a journal
 * @property {Record | null} record  what its journal says
 */

/**
 * @param {Partial<Game>} [fields]
 * @returns {Game}
 */
const made = (fields = {}) => ({
  main: [], moves: fields.main ?? [], at: (fields.main ?? []).length, origin: "analysis", names: ["Yellow", "Red"],
  side: null, title: "", key: "", record: null, ...fields,
});

let current = made();
/** @type {Game | null} the person's unfinished game, while another game is shown */
let waiting = null;

/** Return the game. Views read it; only this module changes it. */
export const game = () => current;

/** Return the moves on the board. */
export const shown = () => current.moves.slice(0, current.at);

/** Return the person's unfinished game that another one has replaced; null if there is none. */
export const waitingGame = () => waiting;

/** Whether the board shows moves that were not played in the game. */
export const isVariation = () => current.moves.some((move, ply) => current.main[ply] !== move);

/** Return how many of the moves shown belong to the game as it was played. */
export function commonPlies() {
  const { main, moves } = current;
  const first = moves.findIndex((move, ply) => main[ply] !== move);
  return first < 0 ? moves.length : first;
}

/**
 * Show another game. An unfinished game of the person is kept, see `resume`.
 * @param {Partial<Game>} fields
 */
export function adopt(fields) {
  keepWaiting();
  current = made(fields);
}

/** Go back to the person's unfinished game. */
export function resume() {
  if (!waiting) return;
  const next = waiting;
  waiting = null;
  current = next;
}

function keepWaiting() {
  if (current.origin !== "play" || !current.main.length || position(current.main).isOver) return;
  waiting = { ...current, moves: [...current.main], at: current.main.length };
}

/**
 * Make the position shown the game, from now on played by `names`: what was to come after it is dropped.
 * @param {{origin: Origin, names: string[], side: number | null}} fields
 */
export function takeOver(fields) {
  if (current.origin !== fields.origin) adopt({ ...fields, main: shown() });
  else current = { ...current, ...fields, main: shown(), moves: shown(), title: "", key: "", record: null };
}

/**
 * Start a new game; with `main`, from the position after these moves.
 * @param {{origin: Origin, names: string[], side: number | null, main?: number[], key?: string}} fields
 */
export function startGame(fields) {
  if (current.origin !== fields.origin) keepWaiting();
  current = made(fields);
  if (fields.origin === "play") waiting = null;
}

/**
 * Play a move of the game itself; moves after the position shown are dropped.
 * @param {number} column
 */
export function play(column) {
  const moves = [...shown(), column];
  current = { ...current, main: moves, moves: [...moves], at: moves.length };
}

/**
 * Try a move: the game as played is kept.
 * @param {number} column
 */
export function vary(column) {
  const moves = [...shown(), column], isSame = current.moves[current.at] === column;
  const isOnMain = !isSame && moves.every((move, ply) => current.main[ply] === move);
  current = { ...current, moves: isSame ? current.moves : isOnMain ? [...current.main] : moves, at: moves.length };
  if (!current.main.length) Object.assign(current, { origin: "analysis", title: "", key: "", record: null });
  if (current.origin === "analysis") current.main = [...current.moves];
}

/**
 * Show other moves in place of those played, for instance a line of the coach.
 * @param {number[]} moves
 * @param {number} at
 */
export function showVariation(moves, at) {
  current = { ...current, moves: [...moves], at };
}

/**
 * Show the position after `at` moves.
 * @param {number} at
 */
export function walk(at) {
  current = { ...current, at: Math.max(0, Math.min(at, current.moves.length)) };
}

/**
 * Leave the variation: show the game as it was played, after `at` moves.
 * @param {number} [at]
 */
export function backToGame(at = Math.min(current.at, commonPlies())) {
  current = { ...current, moves: [...current.main], at: Math.max(0, Math.min(at, current.main.length)) };
}

/**
 * Take over new moves of the same game of a journal; the board follows unless an earlier position is shown.
 * @param {number[]} main
 * @param {Record} record
 */
export function grow(main, record) {
  const follows = current.at === current.main.length && !isVariation();
  current = { ...current, main, record };
  if (follows) backToGame(main.length);
}

/**
 * Set names and view of the game.
 * @param {{names: string[], side: number | null}} fields
 */
export function describeGame(fields) { Object.assign(current, fields); }

/** Return the games as text for the session storage. */
export function serialised() {
  const packed = (/** @type {Game} */ one) =>
    ({ ...one, main: writeMoves(one.main), moves: writeMoves(one.moves) });
  return JSON.stringify({ current: packed(current), waiting: waiting && packed(waiting) });
}

/**
 * Take the games back from the session storage; anything unreadable is left out.
 * @param {string | null} text
 */
export function restore(text) {
  const unpacked = (/** @type {any} */ kept) => {
    const moves = readMoves(kept.moves), at = Math.max(0, Math.min(Number(kept.at) || 0, moves.length));
    const names = Array.isArray(kept.names) && kept.names.length === 2 ? kept.names.map(String) : undefined;
    return made({ ...kept, main: readMoves(kept.main), moves, at, ...(names ? { names } : {}) });
  };
  try {
    const kept = JSON.parse(text || "{}");
    if (typeof kept.current?.moves === "string") current = unpacked(kept.current);
    waiting = typeof kept.waiting?.moves === "string" ? unpacked(kept.waiting) : null;
  } catch { /* nothing is stored, or by another program */ }
}
