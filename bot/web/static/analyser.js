// Exact scores under the columns, the best line as ghosts, the verdict on the last move, and a whole game's review.

import { $, all, complain, html, refill } from "./dom.js";
import { Asker } from "./api.js";
import { writeMoves } from "./rules.js";
import { line, setLine, store } from "./store.js";

const PAUSE_MS = 120;
const MOST_KEPT = 300;
export const severity = (verdict) => (!verdict || verdict.kind === "best" ? "" : verdict.grave ? "grave" : "slip");
const patience = () => Math.min(60, Math.max(0.5, Number(store.patience) || 5));
const signed = (score) => (score > 0 ? `+${score}` : score < 0 ? `\u2212${-score}` : "0");

export class Analyser {
  #asker = new Asker();
  #answers = new Map();
  #reviews = new Map();
  #asked = null;
  #timer = 0;

  constructor(page) {
    this.page = page;
    for (const button of all("[data-review]")) button.addEventListener("click", () => this.review(button));
  }

  isOn() { return store.view === "analysis" || (store.analyse === "1" && store.view !== "watch"); }

  /** The answer on `board`, if it is known; otherwise it is asked for, unless the computer is about to move. */
  update(board, isThinking) {
    const key = `${writeMoves(board.moves)}/${store.patience}`;
    const answer = this.#answers.get(key);
    const isWanted = this.isOn() && !isThinking;
    if ((!isWanted || this.#asked !== key) && this.#asked !== null) {
      clearTimeout(this.#timer);
      this.#asker.cancel();
      this.#asked = null;
    }
    if (isWanted && !answer && this.#asked === null) {
      this.#asked = key;
      this.#timer = setTimeout(() => this.#ask(board, key), PAUSE_MS);
    }
    this.#draw(board, isWanted ? answer : null);
    return isWanted && answer ? answer.pv : [];
  }

  async #ask(board, key) {
    try {
      const question = { moves: writeMoves(board.moves), time_s: patience() };
      const answer = await this.#asker.ask("/api/analysis", question);
      if (answer === undefined) return;
      if (this.#answers.size > MOST_KEPT) this.#answers.clear();
      this.#answers.set(key, answer);
      if (answer.text && !board.isOver) this.page.say(`${board.toMove ? "Red" : "Yellow"} to move: ${answer.text}. Best: column ${answer.best.map((column) => column + 1).join(", ")}.`);
      this.page.refresh();
    } catch (error) {
      complain(error);
    }
  }

  #draw(board, answer) {
    $("scores").hidden = !this.isOn();
    $("line").textContent = "\u2013";
    if (this.isOn()) $("scores").replaceChildren(...board.cells.map((cells, column) => scoreBox(column, board, answer, cells.length === 6)));
    if (answer?.pv.length) $("line").textContent = `${answer.pv.map((column) => column + 1).join(" ")} (${answer.text})`;
    else if (answer && !board.isOver) $("line").textContent = "Not proven in this time; give it more.";
    const last = answer?.last;
    $("verdict").hidden = !last;
    $("verdict").className = severity(last);
    if (last) $("verdict").textContent = `Last move, column ${board.moves[board.ply - 1] + 1}: ${last.text}.`;
  }

  reviewOf(moves) { return this.#reviews.get(writeMoves(moves)) || null; }

  async review(button) {
    const moves = line().moves, view = store.view;
    if (!moves.length) return complain(new Error("There is no game to look at yet. Play some moves first."));
    const words = button.textContent;
    button.disabled = true;
    button.textContent = "Looking\u2026";
    try {
      const answer = await new Asker().ask("/api/review", { moves: writeMoves(moves), time_s: Math.min(60, 2 * patience()) });
      this.#reviews.set(writeMoves(moves), answer);
      const bad = answer.moves.filter((verdict) => severity(verdict)).length;
      this.page.say(bad ? `${bad} moves are marked.` : "No mistake is proven.");
      if (store.view === view) this.page.refresh();
    } catch (error) {
      complain(error);
    } finally {
      button.disabled = false;
      button.textContent = words;
    }
  }

  /** A clickable list of the moves on `root`, mistakes marked: those of the review, or else `verdicts` by ply. */
  listMoves(root, verdicts = {}) {
    const { moves, at } = line(), review = this.reviewOf(moves);
    refill(root, moves.map((column, ply) => {
      const verdict = review ? review.moves[ply] : verdicts[ply], kind = severity(verdict);
      const label = `Move ${ply + 1}, ${ply % 2 ? "red" : "yellow"}, column ${column + 1}${verdict ? `: ${verdict.text}` : ""}`;
      const go = () => { setLine(moves, ply + 1); this.page.refresh(); };
      const sign = kind === "grave" ? "??" : kind === "slip" ? "?" : "";
      const button = html("button", { "aria-label": label, title: label, onclick: go, "aria-current": ply + 1 === at ? "step" : null }, `${column + 1}${sign}`);
      return html("li", { class: `${ply % 2 ? "second" : "first"} ${kind}` }, button);
    }));
  }
}

function scoreBox(column, board, answer, isFull) {
  const value = answer?.columns[column];
  const name = html("span", { class: "unseen" }, `Column ${column + 1}: `);
  if (isFull || board.isOver) return html("div", { class: "score full" }, name, html("span", { class: "unseen" }, isFull ? "full" : "over"));
  if (!value) return html("div", { class: "score" }, name, "\u2026");
  const kind = value.lower > 0 ? "win" : value.upper < 0 ? "loss" : "";
  const isBest = answer.best.includes(column);
  const number = value.exact === null ? "?" : signed(value.exact);
  return html("div", { class: `score ${kind}${isBest ? " best" : ""}` }, name, number, html("small", {}, value.text));
}
