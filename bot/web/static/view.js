// What all views have in common: a board of their own, and stepping through the game on it.

import { gameOf } from "./game.js";
import { COLOURS } from "./rules.js";
import { say } from "./store.js";

/** @import { Note } from "./board.js" */
/** @import { Board } from "./rules.js" */
/** @import { ScoreRow } from "./scores.js" */

/**
 * A button below the board. `key`: the key that does the same.
 * @typedef {{id: string, label: string, act: () => void, key?: string, isStrong?: boolean,
 *   isDisabled?: boolean}} Action
 */

/**
 * A model: the state of a view and what can be done in it, without any markup. Its panel draws it.
 *
 * `app.js` calls `enter` and `leave` when the view changes, `react` after every change, and asks for all else when it
 * draws; so nothing but `react`, `enter` and what the user does may change anything.
 */
export class View {
  /** Whether the slider is always there; else only while an earlier position is shown. */
  isForLookingBack = false;
  /** Whether exact scores can be shown: "always", on "request", or "never". */
  scoring = "request";
  /** Whether spectators may use it. */
  isForSpectators = false;
  /** Whether graph, moves and the ways out of the page are shown. */
  get hasCard() { return true; }

  /** @param {string} id  its name in the address */
  constructor(id) { this.id = id; }

  get game() { return gameOf(this.id); }
  /** Whether it waits for a move of the computer. */
  get isThinking() { return false; }

  /** @returns {number[] | null} the columns of the line that is drawn on the board; null: the best one that is known */
  get line() { return null; }
  /** Whether the line behind each column's score can be shown. */
  hasLines = false;
  /** @returns {number | null} what is left of the user's clock, milliseconds; null without one */
  get clock_ms() { return null; }
  /** @returns {number | null} the column that a hint points at */
  get pointed() { return null; }

  /** The view becomes visible, or the server is back. */
  enter() {}
  /** The view is hidden, or the page closes. */
  leave() {}
  /** Something has changed: ask the server for what is needed, start timers, keep what is to be kept. */
  react() {}

  /**
   * Whether the user may drop a disc.
   * @param {Board} board
   */
  isOpen(board) { return !board.isOver; }

  /**
   * The user drops a disc.
   * @param {number} column
   */
  drop(column) {
    say(`${COLOURS[this.game.at % 2]} plays column ${column + 1}.`);
    this.game.vary(column);
  }

  /**
   * Show the position after `at` moves.
   * @param {number} at
   */
  go(at) {
    this.game.walk(at);
    const { moves, at: now } = this.game;
    say(now ? `Move ${now}: column ${moves[now - 1] + 1}.` : "First position.");
  }

  undo() { this.go(this.game.at - 1); }
  redo() { this.go(this.game.at + 1); }

  /**
   * Show the line behind a column's score.
   * @param {number} _column
   */
  pick(_column) {}

  /** Let the computer move for the side to move. */
  letComputerMove() {}

  /** Start a new game. */
  reset() {
    this.game.show();
    say("Empty board.");
  }

  /**
   * The buttons below the board.
   * @param {Board} _board
   * @returns {Action[]}
   */
  actions(_board) { return []; }

  /**
   * The buttons of a board that is filled by hand.
   * @param {string} label  of the one that empties it
   * @returns {Action[]}
   */
  edits(label) {
    return [
      { id: "undo", label: "Undo", key: "u", act: () => this.undo(), isDisabled: this.game.at === 0 },
      { id: "new", label, key: "n", act: () => this.reset() },
    ];
  }

  /**
   * The line above the board.
   * @param {Board} board
   * @param {string[]} [names]  who plays yellow and red
   */
  status(board, names = COLOURS) {
    if (board.winner !== null) return `${names[board.winner]} wins with four in a row.`;
    if (board.isDraw) return "A draw: the board is full.";
    return `${names[board.toMove]} to move.`;
  }

  /**
   * What is written into cells of the board.
   * @param {Board} _board
   * @returns {Note[]}
   */
  notes(_board) { return []; }

  /**
   * What stands below the columns in place of exact scores, if anything.
   * @param {Board} _board
   * @returns {ScoreRow | null}
   */
  scoreRow(_board) { return null; }

  /**
   * The user has changed a setting.
   * @param {string} _field
   */
  changed(_field) {}
}
