// Exact scores under the columns, the best line, the verdict on the last move, and the review of a whole game.

import { SingleRequest } from "./api.js";
import { $, complain } from "./dom.js";
import { writeMoves } from "./rules.js";
import { scoreBox } from "./scores.js";
import { store } from "./store.js";
import { severity } from "./verdicts.js";

/** @import { Analysis, Review } from "./api.js" */
/** @import { Page } from "./app.js" */
/** @import { Board } from "./rules.js" */

/** Delay before a new position is analysed, milliseconds: stepping through a game sends no requests. */
const DELAY_MS = 120;
/** Maximum number of analyses kept. */
const MAX_KEPT = 300;

/** The chosen search time, seconds. */
const searchTime = () => Math.min(60, Math.max(0.5, Number(store.patience) || 5));

export class Evaluator {
  #request = new SingleRequest();
  /** @type {Map<string, Analysis>} */
  #analyses = new Map();
  /** @type {Map<string, Review>} */
  #reviews = new Map();
  /** @type {string | null} the position being analysed */
  #pending = null;
  #timer = 0;

  /** @type {Set<string>} games that are being reviewed */
  #reviewing = new Set();

  /** @param {Page} page */
  constructor(page) { this.page = page; }

  /** Whether the scores are shown. */
  get isOn() { return store.view === "analysis" || (store.analyse === "1" && store.view !== "watch"); }

  /**
   * Show the analysis of `board`, and return its best line. An unknown one is requested, unless the computer is about
   * to move.
   * @param {Board} board
   * @param {boolean} isThinking
   */
  update(board, isThinking) {
    const key = `${writeMoves(board.moves)}/${store.patience}`;
    const answer = this.#analyses.get(key);
    const isWanted = this.isOn && !isThinking;
    if ((!isWanted || this.#pending !== key) && this.#pending !== null) {
      clearTimeout(this.#timer);
      this.#request.cancel();
      this.#pending = null;
    }
    if (isWanted && !answer && this.#pending === null) {
      this.#pending = key;
      this.#timer = setTimeout(() => this.#analyse(board, key), DELAY_MS);
    }
    this.#draw(board, isWanted ? answer : undefined);
    return isWanted && answer ? answer.pv : [];
  }

  /**
   * @param {Board} board
   * @param {string} key
   */
  async #analyse(board, key) {
    try {
      const body = { moves: writeMoves(board.moves), time_s: searchTime() };
      /** @type {Analysis | undefined} */
      const answer = await this.#request.post("/api/analysis", body);
      if (answer === undefined) return;
      if (this.#analyses.size > MAX_KEPT) this.#analyses.clear();
      this.#analyses.set(key, answer);
      if (answer.text && !board.isOver) {
        const best = answer.best.map((column) => column + 1).join(", ");
        this.page.say(`${board.toMove ? "Red" : "Yellow"} to move: ${answer.text}. Best: column ${best}.`);
      }
      this.page.refresh();
    } catch (error) {
      complain(error);
    }
  }

  /**
   * @param {Board} board
   * @param {Analysis | undefined} answer
   */
  #draw(board, answer) {
    $("scores").hidden = !this.isOn;
    if (this.isOn) {
      $("scores").replaceChildren(...board.cells.map((_, column) => scoreBox(column, board, answer)));
    }
    $("line").textContent = "\u2013";
    if (answer?.pv.length) $("line").textContent = `${[...writeMoves(answer.pv)].join(" ")} (${answer.text})`;
    else if (answer && !board.isOver) $("line").textContent = "Not solved within the search time. Allow more time.";
    const last = answer?.last;
    $("verdict").hidden = !last;
    $("verdict").className = severity(last);
    if (last) $("verdict").textContent = `Last move, column ${board.moves[board.ply - 1] + 1}: ${last.text}.`;
  }

  /**
   * Return the analysis of a position, if it is known and shown.
   * @param {number[]} moves
   */
  analysisOf(moves) {
    return (this.isOn && this.#analyses.get(`${writeMoves(moves)}/${store.patience}`)) || null;
  }

  /**
   * Return the review of a game, if it has been made.
   * @param {number[]} moves
   */
  reviewOf(moves) { return this.#reviews.get(writeMoves(moves)) ?? null; }

  /** @param {number[]} moves */
  isReviewing(moves) { return this.#reviewing.has(writeMoves(moves)); }

  /**
   * Review a game, unless that has been done.
   * @param {number[]} moves
   */
  async review(moves) {
    const key = writeMoves(moves);
    if (!moves.length) return complain(new Error("There are no moves to review. Play some first, or choose a game."));
    if (this.#reviews.has(key) || this.#reviewing.has(key)) return undefined;
    this.#reviewing.add(key);
    this.page.refresh();
    try {
      const body = { moves: key, time_s: Math.min(60, 2 * searchTime()) };
      /** @type {Review | undefined} */
      const answer = await new SingleRequest().post("/api/review", body);
      if (answer === undefined) return undefined;
      if (this.#reviews.size > MAX_KEPT) this.#reviews.clear();
      this.#reviews.set(key, answer);
      const count = answer.moves.filter((verdict) => severity(verdict)).length;
      const mistakes = count === 1 ? "mistake is" : "mistakes are";
      this.page.say(count ? `${count} ${mistakes} marked.` : "No mistake was found.", true);
    } catch (error) {
      complain(error);
    } finally {
      this.#reviewing.delete(key);
      this.page.refresh();
    }
    return undefined;
  }
}
