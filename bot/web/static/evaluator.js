// Exact scores under the columns, the best line, the verdict on the last move, and the review of a whole game.

import { SingleRequest } from "./api.js";
import { $, all, complain, html, refill } from "./dom.js";
import { ROWS, writeMoves } from "./rules.js";
import { line, setLine, store } from "./store.js";

/** @import { Analysis, Review, Verdict } from "./api.js" */
/** @import { Page } from "./app.js" */
/** @import { Board } from "./rules.js" */

/** Delay before a new position is analysed, milliseconds: stepping through a game sends no requests. */
const DELAY_MS = 120;
/** Maximum number of analyses kept. */
const MAX_KEPT = 300;

/**
 * Return "grave" for a move that changed the outcome, "slip" for another mistake, "" for none.
 * @param {Verdict | null | undefined} verdict
 */
export const severity = (verdict) => (!verdict || verdict.kind === "best" ? "" : verdict.grave ? "grave" : "slip");

/** The chosen search time, seconds. */
const searchTime = () => Math.min(60, Math.max(0.5, Number(store.patience) || 5));

/** @param {number} score */
const signed = (score) => (score > 0 ? `+${score}` : score < 0 ? `\u2212${-score}` : "0");

export class Evaluator {
  #request = new SingleRequest();
  /** @type {Map<string, Analysis>} */
  #analyses = new Map();
  /** @type {Map<string, Review>} */
  #reviews = new Map();
  /** @type {string | null} the position being analysed */
  #pending = null;
  #timer = 0;

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    for (const button of all("[data-review]")) {
      button.addEventListener("click", () => this.review(/** @type {HTMLButtonElement} */ (button)));
    }
  }

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
   * Return the review of a game, if it has been made.
   * @param {number[]} moves
   */
  reviewOf(moves) { return this.#reviews.get(writeMoves(moves)) ?? null; }

  /**
   * Review the current game; `button` is disabled in the meantime.
   * @param {HTMLButtonElement} button
   */
  async review(button) {
    const moves = line().moves, view = store.view;
    if (!moves.length) return complain(new Error("There are no moves to review. Play some first, or choose a game."));
    const label = button.textContent;
    button.disabled = true;
    button.textContent = "Searching\u2026";
    try {
      const body = { moves: writeMoves(moves), time_s: Math.min(60, 2 * searchTime()) };
      /** @type {Review | undefined} */
      const answer = await new SingleRequest().post("/api/review", body);
      if (answer === undefined) return undefined;
      this.#reviews.set(writeMoves(moves), answer);
      const count = answer.moves.filter((verdict) => severity(verdict)).length;
      const mistakes = count === 1 ? "mistake is" : "mistakes are";
      this.page.say(count ? `${count} ${mistakes} marked.` : "No mistake was found.");
      if (store.view === view) this.page.refresh();
    } catch (error) {
      complain(error);
    } finally {
      button.disabled = false;
      button.textContent = label;
    }
    return undefined;
  }

  /**
   * List the moves as buttons in `root`, mistakes marked: those of the review, or else `verdicts` by ply.
   * @param {HTMLElement} root
   * @param {Record<string, Verdict>} [verdicts]
   */
  listMoves(root, verdicts = {}) {
    const { moves, at } = line(), review = this.reviewOf(moves);
    refill(root, moves.map((column, ply) => {
      const verdict = review ? review.moves[ply] : verdicts[ply], kind = severity(verdict);
      const player = ply % 2 ? "red" : "yellow";
      const label = `Move ${ply + 1}, ${player}, column ${column + 1}${verdict ? `: ${verdict.text}` : ""}`;
      const sign = kind === "grave" ? "??" : kind === "slip" ? "?" : "";
      const button = html("button", {
        "aria-label": label, title: label, "aria-current": ply + 1 === at ? "step" : null,
        onclick: () => { setLine(moves, ply + 1); this.page.refresh(); },
      }, `${column + 1}${sign}`);
      return html("li", { class: `${ply % 2 ? "second" : "first"} ${kind}` }, button);
    }));
  }
}

/**
 * @param {number} column
 * @param {Board} board
 * @param {Analysis | undefined} answer
 */
function scoreBox(column, board, answer) {
  const isFull = board.cells[column].length === ROWS;
  const unseen = (/** @type {string} */ text) => html("span", { class: "unseen" }, text);
  const name = unseen(`Column ${column + 1}: `);
  if (isFull || board.isOver) return html("div", { class: "score full" }, name, unseen(isFull ? "full" : "over"));
  const value = answer?.columns[column];
  if (!answer || !value) return html("div", { class: "score" }, name, "\u2026");
  const kind = value.lower > 0 ? "win" : value.upper < 0 ? "loss" : "";
  const best = answer.best.includes(column) ? " best" : "";
  const number = value.exact === null ? "?" : signed(value.exact);
  return html("div", { class: `score ${kind}${best}` }, name, number, html("small", {}, value.text));
}
