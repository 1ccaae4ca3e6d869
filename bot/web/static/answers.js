// The server's answers about positions: each position is asked about once, and only the latest one at a time.

import { SingleRequest } from "./api.js";
import { complain } from "./dom.js";

/** Maximum number of answers kept. */
const MAX_KEPT = 500;

/** @template Answer */
export class Answers {
  #request = new SingleRequest();
  /** @type {Map<string, Answer>} */
  #known = new Map();
  /** @type {string | null} the position that is asked about */
  #pending = null;
  #timer = 0;

  /**
   * @param {string} path
   * @param {() => void} arrived  called when an answer can be shown
   * @param {{body?: object, delayMs?: number}} options  more of each request's body; a delay before it, milliseconds
   */
  constructor(path, arrived, { body = {}, delayMs = 0 } = {}) {
    this.path = path;
    this.arrived = arrived;
    this.body = body;
    this.delayMs = delayMs;
  }

  /**
   * Return the answer for a position, if it is known.
   * @param {string} moves
   */
  known(moves) { return this.#known.get(moves); }

  /**
   * Return the answer for a position; an unknown one is asked for, unless it is already.
   * @param {string} moves
   */
  wanted(moves) {
    const answer = this.#known.get(moves);
    if (!answer && this.#pending !== moves) this.#ask(moves);
    return answer;
  }

  /** Ask no more; what is known is kept. */
  cancel() {
    clearTimeout(this.#timer);
    this.#request.cancel();
    this.#pending = null;
  }

  forget() { this.#known.clear(); }

  /** @param {string} moves */
  #ask(moves) {
    this.cancel();
    this.#pending = moves;
    if (this.delayMs) this.#timer = setTimeout(() => this.#load(moves), this.delayMs);
    else this.#load(moves);
  }

  /** @param {string} moves */
  async #load(moves) {
    try {
      /** @type {Answer | undefined} */
      const answer = await this.#request.post(this.path, { moves, ...this.body });
      if (answer === undefined) return;
      if (this.#known.size > MAX_KEPT) this.#known.clear();
      this.#known.set(moves, answer);
      this.#pending = null;
      this.arrived();
    } catch (error) {
      complain(error);
    }
  }
}
