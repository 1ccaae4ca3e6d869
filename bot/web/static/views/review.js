// Review: the guided way through the mistakes of a game.

import { open } from "../address.js";
import { Answers } from "../answers.js";
import { review as makeReview, reviewOf } from "../evaluator.js";
import { Guide } from "../guide.js";
import { betterColumn } from "../guidePanel.js";
import { lineNotes, lineOf } from "../lines.js";
import { COLOURS, writeMoves } from "../rules.js";
import { change } from "../store.js";
import { View } from "../view.js";
import { play } from "./play.js";

/** @import { Analysis, Coaching } from "../api.js" */
/** @import { Game } from "../game.js" */

class Review extends View {
  /** @override */
  scoring = "never";
  guide = new Guide(this.game, ({ main }) => reviewOf(main));
  /** @type {Answers<Analysis>} */
  #positions = new Answers("/api/analysis", { body: () => ({ time_s: 6 }) });
  /** @type {Answers<Coaching>} */
  #lessons = new Answers("/api/coach", { body: () => ({ time_s: 6 }) });
  /** @override */
  get hasCard() { return this.guide.isFinished && this.game.main.length > 0; }
  /** The game whose first question has been asked. */
  #begun = "";

  /** The analysis of the position before the mistake in question. */
  get answer() { return this.#positions.known(this.#movesTo(0)); }
  /** What the coach says of the mistake in question. */
  get lesson() { return this.#lessons.known(this.#movesTo(1))?.last; }

  /**
   * Go through the mistakes of a game.
   * @param {Pick<Game, "main" | "names" | "side" | "title" | "key" | "record">} game
   */
  examine({ main, names, side, title, key, record }) {
    open(this.id);
    this.game.show({ main: [...main], names, side, title, key, record });
    this.#begun = "";
    change();
  }

  /** @override */
  leave() {
    this.#positions.cancel();
    this.#lessons.cancel();
  }

  /** @override */
  react() {
    const { guide, game } = this, { main } = game, moves = writeMoves(main);
    if (!main.length) return;
    makeReview(main);
    if (guide.review && this.#begun !== moves) {
      this.#begun = moves;
      guide.begin();
    }
    const hasReason = guide.ply === null || guide.review?.insights[guide.ply];
    this.#positions.want(guide.ply === null ? null : this.#movesTo(0));
    this.#lessons.want(hasReason ? null : this.#movesTo(1));
    guide.judge(this.answer);
  }

  /** @override */
  isOpen() { return this.guide.isOpen; }

  /**
   * @override
   * @param {number} column
   */
  drop(column) { this.guide.try(column); }

  /** @override */
  get pointed() { return this.guide.isTold && !lineOf(this.game) ? betterColumn(this.guide, this.answer) : null; }

  /** @override */
  actions() {
    const { guide, game } = this, again = () => { play.start(play.human); open("play"); };
    if (!game.main.length || !guide.isFinished) return guide.actions;
    return [{ id: "new", label: "New game", key: "n", isStrong: true, act: again }, ...guide.actions];
  }

  /** @override */
  notes() { return lineNotes(this.game); }

  /**
   * @override
   * @param {import("../rules.js").Board} board
   */
  status(board) {
    if (!this.game.main.length) return "Choose a game to review.";
    const mover = COLOURS[board.toMove], { guide } = this;
    if (guide.verdict === "wrong") return `Not column ${(guide.tried ?? 0) + 1}. ${mover}: find a better move.`;
    return guide.isOpen ? `${mover}: find a better move.` : super.status(board);
  }

  /**
   * Return the moves up to the mistake in question, and `more` after.
   * @param {number} more
   */
  #movesTo(more) { return writeMoves(this.game.main.slice(0, (this.guide.ply ?? 0) + more)); }
}

export const review = new Review("review");
