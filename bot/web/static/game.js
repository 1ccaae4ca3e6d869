// A game on a board: who plays it on what terms, what was played, the moves shown, how it ended, and where it is from.

import { COLOURS, COLUMNS, ROWS, position, readMoves, writeMoves } from "./rules.js";
import { isSeat } from "./settings.js";
import { change, fitted, notify, store } from "./store.js";

/** @import { Game as GameRecord } from "./api.js" */
/** @import { Seat } from "./settings.js" */

/** Views that show another view's board, and whose: each says so itself. @type {Map<string, string>} */
export const SHARED = new Map();

/**
 * How a game ended. `winner`: 0 or 1, null for a draw. `by`: "four", "full" board, or "record": the board does not show
 * it, but a journal says it.
 * @typedef {{winner: number | null, by: "four" | "full" | "record"}} Result
 */

/** The fields of a game; its methods keep them consistent. */
const BLANK = () => ({
  /** @type {[Seat, Seat] | null} who plays yellow and red; null where nobody plays here */
  seats: null,
  /** @type {number[]} the moves as they were played */
  main: [],
  /** @type {number[]} the moves shown: `main`, or a variation of it */
  moves: [],
  /** How many of `moves` are on the board. */
  at: 0,
  /** What the players of yellow and red are called. */
  names: [...COLOURS],
  /** @type {number | null} 0 or 1: in whose view the game is seen; null: nobody's, drawn in the first player's */
  side: null,
  /** Where it is from: a game of a run, a puzzle, a text; "" for a game made here. */
  key: "",
  /** @type {GameRecord | null} what its journal says */
  record: null,
  /** How many moves had been played elsewhere, or by others, when these players began: 0 for a game of their own. */
  start: 0,
  /** How many hints were given. */
  hints: 0,
  /** @type {any} the game that this one is a second try at, from its `start` first moves on, as `toJSON` wrote it */
  first: null,
  /** By which the server tells this game from others of the same opponent. */
  id: "",
  /** Whether the last change was a move that was played: only then does a disc wait for the one before to land. */
  isPaced: false,
});

/** Return a new game's id. Browsers make no UUID on a page that came over the network without encryption. */
const newId = () => `${Date.now()}-${Math.random()}`;

/** @typedef {ReturnType<typeof BLANK>} Fields */
const Readable = /** @type {new () => Readonly<Fields>} */ (/** @type {unknown} */ (Object));

/** Its fields can be read; its methods change them. */
export class Game extends Readable {
  constructor() {
    super();
    Object.assign(this, BLANK());
  }

  /** The side that is addressed as "you"; null: nobody, as where another program played for the user. */
  get you() { return this.side !== null && this.names[this.side] === "You" ? this.side : null; }

  /** The moves on the board. */
  get shown() { return this.moves.slice(0, this.at); }
  /** The position on the board. */
  get board() { return position(this.shown); }
  get isLookingBack() { return this.at < this.moves.length; }
  /** Whether the board shows moves that were not played in the game. */
  get isVariation() { return this.common < this.moves.length; }
  /** How many of the moves shown belong to the game as it was played. */
  get common() {
    const first = this.moves.findIndex((move, ply) => this.main[ply] !== move);
    return first < 0 ? this.moves.length : first;
  }

  /**
   * How the game as it was played ended; null while it is open. What a journal says counts more than the board: on the
   * course's server, a four by the 42nd disc is a draw.
   * @returns {Result | null}
   */
  get result() {
    const { winner, isOver } = position(this.main), { record, side } = this;
    if (record && record.result !== null && record.outcome !== "void") {
      const ours = side ?? 0, recorded = record.result > 0.5 ? ours : record.result < 0 ? 1 - ours : null;
      if (!isOver || recorded !== winner) return { winner: recorded, by: "record" };
    }
    return isOver ? { winner, by: winner === null ? "full" : "four" } : null;
  }

  /** How many moves came before those that are judged: a game that came as a whole is judged from its first move on. */
  get judgedFrom() { return this.start < this.main.length ? this.start : 0; }

  /** Whether the game as it was played is over. */
  get isOver() { return this.result !== null; }

  /**
   * Change some fields.
   * @param {Partial<Fields>} fields
   */
  update(fields) {
    Object.assign(this, { isPaced: false }, fields);
    change();
  }

  /**
   * Show another game, at its end.
   * @param {Partial<Fields>} [fields]
   */
  show(fields = {}) {
    const main = fields.main ?? [];
    this.update({ ...BLANK(), moves: [...main], at: main.length, ...fields, id: fields.id || newId() });
  }

  /**
   * Show another game, and offer to bring this one back where it would be lost.
   * @param {Partial<Fields>} fields
   * @param {string} text  what has been done
   */
  replace(fields, text) {
    const before = { ...this };
    this.show(fields);
    if (before.moves.length) notify(text, () => this.update(before));
  }

  /**
   * Play the next move of the game itself.
   * @param {number} column
   */
  play(column) {
    const main = [...this.main, column];
    this.update({ main, moves: [...main], at: main.length, isPaced: true });
  }

  /**
   * Take back all moves of the game after the first `count`.
   * @param {number} count
   */
  takeBack(count) {
    const main = this.main.slice(0, count), start = Math.min(this.start, count);
    this.update({ main, moves: [...main], at: count, start });
  }

  /**
   * Try a move: the game as played is kept. A board on which nothing was played takes all moves as its game.
   * @param {number} column
   */
  vary(column) {
    const tried = [...this.shown, column], isFree = !this.key && !this.isVariation && this.at === this.main.length;
    let { main } = this, moves = tried;
    if (this.moves[this.at] === column) moves = this.moves;
    else if (tried.every((move, ply) => main[ply] === move)) moves = main;
    else if (isFree) main = tried;
    this.update({ main, moves: [...moves], at: tried.length, isPaced: true });
  }

  /**
   * Show other moves in place of those played, for instance a line of the coach.
   * @param {number[]} moves
   * @param {number} at
   */
  showVariation(moves, at) { this.update({ moves: [...moves], at }); }

  /**
   * Show the position after `at` moves.
   * @param {number} at
   */
  walk(at) { this.update({ at: Math.max(0, Math.min(at, this.moves.length)) }); }

  /**
   * Leave the variation: show the game as it was played, after `at` moves.
   * @param {number} [at]
   */
  backToMain(at = Math.min(this.at, this.common)) {
    this.update({ moves: [...this.main], at: Math.max(0, Math.min(at, this.main.length)) });
  }

  /** The form in which the browser keeps it. */
  toJSON() { return { ...this, main: writeMoves(this.main), moves: writeMoves(this.moves) }; }

  /**
   * Take over what the browser kept.
   * @param {any} saved
   */
  restore(saved) {
    const main = readMoves(saved.main), moves = readMoves(saved.moves), fields = fitted(saved, BLANK());
    const { seats, side, at } = fields;
    const areSeats = Array.isArray(seats) && seats.length === 2 && seats.every(isSeat);
    this.show({
      ...fields, main, moves, seats: areSeats ? seats : null,
      side: side === 0 || side === 1 ? side : null,
    });
    this.walk(at);
  }
}

/** @type {Map<string, Game>} */
const games = new Map();

/**
 * Return the game on a view's board.
 * @param {string} [view]
 */
export function gameOf(view = store.view) {
  const board = SHARED.get(view) ?? view;
  const known = games.get(board) ?? new Game();
  games.set(board, known);
  return known;
}

/** Return all games as text for the session storage. */
export const serialised = () => JSON.stringify(Object.fromEntries(games));

/**
 * Take the games back from what `serialised` returned; anything unreadable is left out.
 * @param {Record<string, any>} saved
 */
export function restore(saved) {
  for (const [view, one] of Object.entries(saved)) {
    try { gameOf(view).restore(one); } catch { /* stored by another program */ }
  }
}

/**
 * Return how a game ended, in words, or "".
 * @param {Game} game
 * @param {string[]} [names]
 */
export function ending(game, names = game.names) {
  const { result, record } = game;
  if (!result) return "";
  if (result.by === "full") return "A draw: the board is full.";
  if (result.by === "four") return `${wins(names[result.winner ?? 0])} with four in a row.`;
  if (record?.outcome === "illegal") return `${wins(names[result.winner ?? 0])}: the last move was illegal.`;
  if (result.winner !== null) return `${wins(names[result.winner])} by the journal.`;
  const isLastDiscFour = position(game.main).winner !== null && game.main.length === COLUMNS * ROWS;
  return isLastDiscFour ? "Drawn by the course's rule: the four came with the last disc." : "A draw by the journal.";
}

/** Say how many hints were given. @param {Game} game */
export const withHints = ({ hints }) => (hints ? `, with ${hints} ${hints === 1 ? "hint" : "hints"}` : "");

const wins = (/** @type {string} */ name) => (name === "You" ? "You win" : `${name} wins`);
