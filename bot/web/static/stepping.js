// What all views that step through the game have in common.

import { game, shown, startGame, vary, walk } from "./game.js";

/** @import { Board } from "./rules.js" */
/** @import { Page } from "./app.js" */

/**
 * A view of the game. `page.refresh` asks it for its status and draws it.
 * @typedef {object} View
 * @property {boolean} isThinking  whether it waits for a move of the computer
 * @property {boolean} canUndo
 * @property {boolean} canRedo
 * @property {() => unknown} enter  the view becomes visible
 * @property {() => void} leave  the view is hidden, or the page closes
 * @property {(board: Board) => boolean} isOpen  whether the user may drop a disc
 * @property {(column: number) => void} drop  the user drops a disc
 * @property {() => void} undo
 * @property {() => void} redo
 * @property {() => void} reset  start a new game
 * @property {(at: number) => void} go  show the position after `at` moves
 * @property {(board: Board) => string} status  the line above the board
 * @property {(board: Board) => void} render  draw the view's own panel
 * @property {(field: string) => void} changed  the user has changed a setting
 */

/** @implements {View} */
export class SteppingView {
  /** @param {Page} page */
  constructor(page) { this.page = page; }

  get isThinking() { return false; }
  get canUndo() { return game().at > 0; }
  get canRedo() { return game().at < game().moves.length; }

  /** @returns {unknown} */
  enter() { return this.page.refresh(); }

  leave() {}

  /** @param {Board} board */
  isOpen(board) { return !board.isOver; }

  undo() { this.go(game().at - 1); }
  redo() { this.go(game().at + 1); }

  /** @param {number} at */
  go(at) {
    walk(at);
    this.page.sayPosition();
    this.page.refresh();
  }

  /** @param {number} column */
  drop(column) {
    const player = shown().length % 2 ? "Red" : "Yellow";
    vary(column);
    this.page.say(`${player} plays column ${column + 1}.`);
    this.page.refresh();
  }

  reset() {
    startGame({ origin: "analysis", names: ["Yellow", "Red"], side: null });
    this.page.say("Empty board.");
    this.page.refresh();
  }

  /** @param {Board} board */
  status(board) {
    const names = ["Yellow", "Red"];
    if (board.winner !== null) return `${names[board.winner]} wins with four in a row.`;
    if (board.isDraw) return "A draw: the board is full.";
    return `${names[board.toMove]} to move.`;
  }

  /** @param {Board} _board */
  render(_board) {}

  /** @param {string} _field */
  changed(_field) {}
}
