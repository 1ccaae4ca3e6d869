// The server's answers about positions: each position is asked about once, and only the latest one at a time.

import { SingleRequest } from "./api.js";
import { change, complain } from "./store.js";

/** Maximum number of answers kept. */
const MAX_KEPT = 500;
/** Time after which what has failed may be asked again, milliseconds. */
export const RETRY_MS = 3000;

/** @template Answer */
export class Answers {
  #request = new SingleRequest();
  /** @type {Map<string, Answer>} */
  #known = new Map();
  /** @type {string | null} the question that is being asked */
  #pending = null;
  #timer = 0;
  /** Whether the last question failed, so that the page shows an error. */
  #hasFailed = false;

  /**
   * @param {string} path
   * @param {{body?: () => object, delayMs?: number}} options  more of each request's body; a delay before it,
   *   milliseconds: stepping through a game then sends no requests
   */
  constructor(path, { body = () => ({}), delayMs = 0 } = {}) {
    this.path = path;
    this.body = body;
    this.delayMs = delayMs;
  }

  /**
   * Return the answer for a position, if it is known.
   * @param {string} moves
   * @param {object} [more]  of the request's body
   */
  known(moves, more) { return this.#known.get(this.#question(moves, more)); }

  /**
   * Ask for the answer for a position, unless it is known or asked for; `null`: ask no more. Drawing follows.
   * @param {string | null} moves
   * @param {object} [more]  of the request's body
   */
  want(moves, more) {
    const question = moves === null ? null : this.#question(moves, more);
    if (question === this.#pending) return;
    this.cancel();
    if (question === null || this.#known.has(question)) return;
    this.#pending = question;
    this.#timer = setTimeout(() => this.#ask(question), this.delayMs);
  }

  /** Ask no more; what is known is kept. */
  cancel() {
    clearTimeout(this.#timer);
    this.#request.cancel();
    this.#pending = null;
  }

  /** What is said in place of an answer that is not known yet. */
  get waiting() { return this.#hasFailed ? "No answer. Trying again\u2026" : "One moment\u2026"; }

  forget() { this.#known.clear(); }

  /**
   * @param {string} moves
   * @param {object} [more]
   */
  #question(moves, more) { return JSON.stringify({ moves, ...this.body(), ...more }); }

  /** @param {string} question */
  async #ask(question) {
    try {
      /** @type {Answer | undefined} */
      const answer = await this.#request.post(this.path, JSON.parse(question));
      if (answer === undefined) return;
      if (this.#known.size > MAX_KEPT) this.#known.clear();
      this.#known.set(question, answer);
      this.#pending = null;
      if (this.#hasFailed) complain(null);
      this.#hasFailed = false;
      change();
    } catch (error) {
      this.#hasFailed = true;
      complain(error);
      this.#timer = setTimeout(() => { this.cancel(); change(); }, RETRY_MS);
    }
  }
}
