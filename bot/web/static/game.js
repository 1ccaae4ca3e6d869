// A game on a board: what was played, the moves shown, who played, and where it is from. Each view has its own board.

import { COLOURS, position, readMoves, writeMoves } from "./rules.js";
import { change, store } from "./store.js";

/** @import { Game as Record } from "./api.js" */

/** Views that show another view's board. */
const SHARED = new Map([["explorer", "analysis"]]);

/** The fields of a game that are saved; the methods of `Game` keep them consistent. */
const BLANK = () => ({
  /** @type {number[]} the moves as they were played */
  main: [],
  /** @type {number[]} the moves shown: `main`, or a variation of it */
  moves: [],
  /** How many of `moves` are on the board. */
  at: 0,
  /** Who plays yellow and red. */
  names: [...COLOURS],
  /** @type {number | null} 0 or 1: in whose view the game is seen; null: the first player's */
  side: null,
  /** Where it is from; "" for a game made here. */
  title: "",
  /** Which game of which run it is; "" for a game that is not from a journal. */
  key: "",
  /** @type {Record | null} what its journal says */
  record: null,
  /** Whether the user has played it here from the start, so that it counts as a game of theirs. */
  isMine: false,
  /** @type {number | null} what is left of the user's clock, milliseconds; null before it has run */
  left_ms: null,
  /** By which the server tells this game from others of the same opponent. */
  id: "",
});

/** Return a new game's id. Browsers make no UUID on a page that came over the network without encryption. */
export const newId = () => `${Date.now()}-${Math.random()}`;

export class Game {
  #fields = BLANK();
  /** Whether the last change was a move that was played: only then does a disc wait for the one before to land. */
  isPaced = false;

  get main() { return this.#fields.main; }
  get moves() { return this.#fields.moves; }
  get at() { return this.#fields.at; }
  get names() { return this.#fields.names; }
  get side() { return this.#fields.side; }
  get title() { return this.#fields.title; }
  get key() { return this.#fields.key; }
  get record() { return this.#fields.record; }
  get isMine() { return this.#fields.isMine; }
  get left_ms() { return this.#fields.left_ms; }
  get id() { return this.#fields.id; }

  /** The moves on the board. */
  get shown() { return this.moves.slice(0, this.at); }
  /** The position on the board. */
  get board() { return position(this.shown); }
  /** Whether the game as it was played is over. */
  get isOver() { return position(this.main).isOver; }
  get isLookingBack() { return this.at < this.moves.length; }
  /** Whether the board shows moves that were not played in the game. */
  get isVariation() { return this.common < this.moves.length; }
  /** How many of the moves shown belong to the game as it was played. */
  get common() {
    const first = this.moves.findIndex((move, ply) => this.main[ply] !== move);
    return first < 0 ? this.moves.length : first;
  }

  /**
   * Change some fields.
   * @param {Partial<ReturnType<typeof BLANK>>} fields
   */
  update(fields) {
    Object.assign(this.#fields, fields);
    this.isPaced = false;
    change();
  }

  /**
   * Show another game, at its end.
   * @param {Partial<ReturnType<typeof BLANK>>} [fields]
   */
  show(fields = {}) {
    const main = fields.main ?? [];
    this.update({ ...BLANK(), moves: [...main], at: main.length, id: newId(), ...fields });
  }

  /**
   * Show the game of another board, at the position that is shown there.
   * @param {Game} other
   */
  takeFrom(other) { this.update({ ...other.#fields, isMine: false }); }

  /**
   * Play a move of the game itself; moves after the position shown are dropped.
   * @param {number} column
   */
  play(column) {
    const moves = [...this.shown, column];
    this.update({ main: moves, moves: [...moves], at: moves.length });
    this.isPaced = true;
  }

  /**
   * Try a move: the game as played is kept. A board on which nothing was played takes all moves as its game.
   * @param {number} column
   */
  vary(column) {
    const moves = [...this.shown, column], isFree = !this.key && !this.title && !this.isVariation;
    const isSame = this.moves[this.at] === column, isOnMain = moves.every((move, ply) => this.main[ply] === move);
    if (isSame) this.update({ at: moves.length });
    else if (isOnMain) this.update({ moves: [...this.main], at: moves.length });
    else if (isFree && this.at === this.main.length) this.update({ main: moves, moves: [...moves], at: moves.length });
    else this.update({ moves, at: moves.length });
    this.isPaced = true;
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

  /** The form in which the session keeps it. */
  toJSON() { return { ...this.#fields, main: writeMoves(this.main), moves: writeMoves(this.moves) }; }

  /**
   * Take over what the session kept.
   * @param {any} saved
   */
  restore(saved) {
    const moves = readMoves(saved.moves), names = saved.names?.length === 2 ? saved.names.map(String) : BLANK().names;
    this.show({ ...saved, names, main: readMoves(saved.main), moves });
    this.walk(Number(saved.at) || 0);
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
 * @param {string | null} text
 */
export function restore(text) {
  for (const [view, saved] of Object.entries(JSON.parse(text ?? "{}"))) {
    try { gameOf(view).restore(saved); } catch { /* stored by another program */ }
  }
}
