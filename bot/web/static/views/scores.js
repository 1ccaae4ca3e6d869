// Scores: both sides by hand, with the exact score of every column, and the line behind each of them.

import { Answers } from "../answers.js";
import { analyses, reviewOf } from "../evaluator.js";
import { Guide } from "../guide.js";
import { lineOf, subjectOf } from "../lines.js";
import { problemIn, readMoves, writeMoves } from "../rules.js";
import { change } from "../store.js";
import { Study } from "../study.js";
import { turnAround } from "../table.js";

/** @import { Analysis } from "../api.js" */

class Scores extends Study {
  /** @override */
  isForScores = true;
  /** @override */
  hasLines = true;
  /** @override */
  guide = new Guide(this.game, { review: reviewOf, turnAround });
  /** @type {{moves: string, column: number} | null} the position and column whose line is wanted */
  #picked = null;
  /** What is wrong with the moves that were typed, and the position in which they were. */
  #typed = { moves: "", problem: "" };
  /** @type {Answers<Analysis>} */
  #lines = new Answers("/api/analysis", { body: analyses.body });

  /** The position that the panel's line belongs to: it stays while the line is played out. */
  get subject() { return subjectOf(this.game); }
  /** What is known of this position. */
  get answer() { return analyses.known(writeMoves(this.subject)); }
  /** The column whose line is wanted; null: the best one. */
  get picked() { return this.#picked?.moves === writeMoves(this.subject) ? this.#picked.column : null; }
  /** The line that is wanted. */
  get wanted() {
    const { picked } = this;
    return picked === null ? this.answer?.pv ?? [] : [picked, ...(this.#lines.known(this.#after(picked))?.pv ?? [])];
  }

  /** @override */
  get line() { return this.picked === null || lineOf(this.game) || !this.showsScores ? null : this.wanted; }
  /** What is wrong with the moves that were typed; "" once the board has changed. */
  get problem() { return this.#typed.moves === writeMoves(this.game.shown) ? this.#typed.problem : ""; }

  /** @override */
  leave() {
    analyses.cancel();
    this.#lines.cancel();
  }

  /** @override */
  react() {
    this.#lines.want(this.picked === null ? null : this.#after(this.picked));
    super.react();
  }

  /**
   * Show the line that begins with a column; once more, the best line again. A line on the board ends there.
   * @override
   * @param {number} column
   */
  pick(column) {
    const { game, picked } = this;
    if (lineOf(game)) game.showVariation(game.shown, game.at);
    this.#picked = column === picked ? null : { moves: writeMoves(game.shown), column };
    change();
  }

  /**
   * Show the position after moves that were typed, if all of them can be played.
   * @param {string} text
   */
  setMoves(text) {
    const problem = problemIn(text), moves = writeMoves(this.game.shown), main = readMoves(text);
    this.#typed = { moves, problem };
    if (problem || writeMoves(main) === moves) change();
    else this.game.replace({ main }, "The board shows the moves that were typed.");
  }

  /** @override */
  actions() {
    const { game, isEnded, moments } = this, isOpen = game.isVariation || !isEnded;
    const [undo, empty, play] = super.actions();
    return [undo, empty, isOpen ? play : moments];
  }

  /** @param {number} column */
  #after(column) { return `${writeMoves(this.subject)}${column + 1}`; }
}

export const scores = new Scores("scores");
