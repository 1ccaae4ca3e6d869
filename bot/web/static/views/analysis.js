// Analysis: both sides by hand, with exact scores, and the line behind each of them.

import { open } from "../address.js";
import { analyses } from "../evaluator.js";
import { canPlay, problemIn, readMoves, writeMoves } from "../rules.js";
import { change, complain } from "../store.js";
import { View } from "../view.js";
import { Answers } from "../answers.js";

/** @import { Analysis as Answer } from "../api.js" */
/** @import { Game } from "../game.js" */

class Analysis extends View {
  /** @override */
  scoring = "always";
  /** @type {{moves: string, column: number} | null} the position and column whose line is wanted */
  #picked = null;
  /** @type {Answers<Answer>} */
  #lines = new Answers("/api/analysis", { body: analyses.body });

  /** The column whose line is shown, or null: the best one. */
  get picked() { return this.#picked?.moves === writeMoves(this.game.shown) ? this.#picked.column : null; }

  /** @override */
  hasLines = true;
  /** @override */
  get line() {
    const { board } = this.game, column = this.picked;
    if (column === null || !canPlay(board, column)) return null;
    return [column, ...(this.#lines.known(this.#after(column))?.pv ?? [])];
  }

  /** @override */
  leave() {
    analyses.cancel();
    this.#lines.cancel();
  }

  /** @override */
  react() { this.#lines.want(this.picked === null ? null : this.#after(this.picked)); }

  /**
   * Show a game here, at the position that is shown of it.
   * @param {Game} game
   */
  examine(game) {
    open(this.id);
    this.game.takeFrom(game);
  }

  /**
   * Show the line that begins with a column; once more, the best line again.
   * @override
   * @param {number} column
   */
  pick(column) {
    this.#picked = column === this.picked ? null : { moves: writeMoves(this.game.shown), column };
    change();
  }

  /**
   * Show the position after moves that were typed.
   * @param {string} text
   */
  setMoves(text) {
    const problem = problemIn(text);
    complain(problem ? new Error(problem) : null);
    this.game.show({ main: readMoves(text) });
  }

  /** @override */
  actions() { return this.edits("Empty board"); }

  /** @param {number} column */
  #after(column) { return `${writeMoves(this.game.shown)}${column + 1}`; }
}

export const analysis = new Analysis("analysis");
