// Book: the opening book as a tree, and where the games of the journals and of this browser went.

import { chosen, open } from "../address.js";
import { Answers } from "../answers.js";
import { ownRun } from "../own.js";
import { writeMoves } from "../rules.js";
import { Study } from "../study.js";
import { positionKey, visitsOf } from "../visits.js";

/** @import { Exploration, Game as Record } from "../api.js" */

class Book extends Study {
  /** @type {Answers<Exploration>} */
  #answers = new Answers("/api/explore");
  /** The games of this browser, by the positions that they came to. @type {Map<string, Record[]>} */
  #visits = new Map();

  get waiting() { return this.#answers.waiting; }
  /** What is known of the position shown. */
  get answer() { return this.#answers.known(writeMoves(this.game.shown)); }

  /**
   * Return the games of this browser that came to the position after some moves.
   * @param {number[]} moves
   */
  ownGames(moves) { return this.#visits.get(positionKey(moves)) ?? []; }

  /** @override */
  enter() { // journals may have grown, and games been played
    this.#answers.forget();
    this.#visits = visitsOf(ownRun()?.all ?? []);
  }

  /** @override */
  leave() { this.#answers.cancel(); }

  /** @override */
  react() {
    super.react();
    this.#answers.want(writeMoves(this.game.shown));
  }

  /** @override */
  scoreRow() {
    const columns = this.answer?.replies ?? [];
    return { columns, best: columns.flatMap((reply, column) => (reply?.best ? [column] : [])) };
  }

  /**
   * Show a game under Games.
   * @param {string} run
   * @param {number} number
   */
  show(run, number) {
    Object.assign(chosen, { run, game: String(number) });
    open("games");
  }
}

export const book = new Book("book");
