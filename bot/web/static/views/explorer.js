// The explorer: the opening book as a tree, and where the games of the journals and of this browser went.

import { Answers } from "../answers.js";
import { get } from "../api.js";
import { showRecord } from "../journals.js";
import { ownGames } from "../own.js";
import { positionKey, readMoves, writeMoves } from "../rules.js";
import { complain } from "../store.js";
import { View } from "../view.js";

/** @import { Exploration, Run } from "../api.js" */

/** Plies of own games that are counted. */
const MAX_PLIES = 20;

class Explorer extends View {
  /** @type {Answers<Exploration>} */
  #answers = new Answers("/api/explore");
  /** @type {Map<string, number>} how many own games reached a position */
  #own = new Map();

  /** What is known of the position shown. */
  get answer() { return this.#answers.known(writeMoves(this.game.shown)); }

  /** @override */
  enter() {
    this.#own = countOwn();
    this.#answers.forget(); // journals may have grown
  }

  /** @override */
  leave() { this.#answers.cancel(); }

  /** @override */
  react() { this.#answers.want(writeMoves(this.game.shown)); }

  /**
   * Return how many own games reached the position after `moves`.
   * @param {number[]} moves
   */
  ownCount(moves) { return this.#own.get(positionKey(moves)) ?? 0; }

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

/** Count how many games of this browser reached each position; mirror images and orders of moves are one. */
function countOwn() {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { moves } of ownGames()) {
    const columns = readMoves(moves);
    for (let ply = 1; ply <= Math.min(columns.length, MAX_PLIES); ply++) {
      const key = positionKey(columns.slice(0, ply));
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return counts;
}

export const explorer = new Explorer("explorer");
