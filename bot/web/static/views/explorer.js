// The explorer: the opening book as a tree, and where the games of the journals went.

import { Answers } from "../answers.js";
import { get } from "../api.js";
import { showRecord } from "../journals.js";
import { writeMoves } from "../rules.js";
import { complain } from "../store.js";
import { View } from "../view.js";

/** @import { Exploration, Run } from "../api.js" */

class Explorer extends View {
  /** @type {Answers<Exploration>} */
  #answers = new Answers("/api/explore");

  /** What is known of the position shown. */
  get answer() { return this.#answers.known(writeMoves(this.game.shown)); }

  /** @override */
  enter() { this.#answers.forget(); } // journals may have grown

  /** @override */
  leave() { this.#answers.cancel(); }

  /** @override */
  react() { this.#answers.want(writeMoves(this.game.shown)); }

  /** @override */
  scoreRow() {
    const replies = this.answer?.replies ?? [];
    return { columns: replies, best: replies.flatMap((reply, column) => (reply?.best ? [column] : [])) };
  }

  /** @override */
  actions() { return this.edits("Empty board"); }

  /**
   * Show a game of a journal, at the position shown now.
   * @param {string} run
   * @param {number} number
   */
  async open(run, number) {
    const { at } = this.game;
    try {
      /** @type {Run} */
      const whole = await get(`/api/runs/${encodeURIComponent(run)}`);
      const record = whole.all.find((one) => one.number === number);
      if (record) showRecord(this.game, run, record);
      this.go(at);
    } catch (error) {
      complain(error);
    }
  }
}

export const explorer = new Explorer("explorer");
