// The proof: its strategy as a tree, the diagrams over the board, and a person who tries to beat it.

import { Answers } from "./answers.js";
import { $, html, refill } from "./dom.js";
import { shown, startGame, vary } from "./game.js";
import { writeMoves } from "./rules.js";
import { store } from "./store.js";
import { SteppingView } from "./stepping.js";

/** @import { ProofMove, ProofPlace, ProofReply } from "./api.js" */
/** @import { Note } from "./board.js" */
/** @import { Board } from "./rules.js" */

/** Pause before the proof moves, milliseconds. */
const PAUSE_MS = 500;

export class ProofView extends SteppingView {
  /** @type {Answers<ProofPlace>} */
  #answers = new Answers("/api/proof", () => this.page.refresh());
  #timer = 0;

  /** @param {import("./app.js").Page} page */
  constructor(page) {
    super(page);
    $("proof-restart").addEventListener("click", () => this.reset());
  }

  /** @override */
  leave() {
    this.#answers.cancel();
    clearTimeout(this.#timer);
    this.page.annotate([]);
  }

  /** @override */
  reset() {
    startGame({ origin: "analysis", names: ["Yellow", "Red"], side: null });
    this.page.say(store.prover === "second" ? "Empty board. You start." : "Empty board. The proof starts.");
    this.page.refresh();
  }

  /** @override */
  changed(/** @type {string} */ field) { if (field === "prover") this.reset(); }

  /** @override */
  status(/** @type {Board} */ board) {
    const place = this.#answers.known(writeMoves(board.moves));
    if (board.isOver || !place) return super.status(board);
    if (place.turn === "outside") return "The proof does not cover this position.";
    if (place.turn === "proof") return board.ply === 0 ? "The proof plays first, or you do." : "The proof is to move.";
    return place.move?.wins ? "Your move: the proof wins against every reply." : "Your move: the proof never loses.";
  }

  /** @override */
  render(/** @type {Board} */ board) {
    const place = this.#answers.wanted(writeMoves(board.moves));
    if (!place) return;
    this.#explain(place, board);
    this.#listReplies(place.replies, place.turn === "opponent" ? "Replies" : "");
    this.page.annotate(place.move && !board.isOver ? notesOf(place.move, board) : []);
    this.#moveSoon(place, board);
  }

  /**
   * Let the proof move, if it plays and the position shown is the newest one.
   * @param {ProofPlace} place
   * @param {Board} board
   */
  #moveSoon(place, board) {
    clearTimeout(this.#timer);
    const isNewest = !this.canRedo, isFirst = board.ply === 0;
    if (place.turn !== "proof" || !place.move || store.proves !== "1" || !isNewest) return;
    if (isFirst && store.prover === "second") return;
    const { column } = place.move, key = writeMoves(board.moves);
    this.#timer = setTimeout(() => {
      if (store.view !== "proof" || writeMoves(shown()) !== key) return;
      vary(column);
      this.page.say(`The proof plays column ${column + 1}.`, true);
      this.page.refresh();
    }, PAUSE_MS);
  }

  /**
   * @param {ProofPlace} place
   * @param {Board} board
   */
  #explain({ turn, move }, board) {
    const outside = store.prover === "second" && board.ply < 2
      ? "As the second player, the proof covers the first moves that it can answer; try another column."
      : "No claim of the proof covers this position. Start again, or take a move back.";
    const entries = move?.entries ? `${move.entries.toLocaleString("en")} entries of the proof follow from here.` : "";
    const lines = turn === "outside" ? [outside] : move ? [...move.sentences, entries] : [];
    $("proof-text").replaceChildren(...lines.filter(Boolean).map((line) => html("p", {}, line)));
    $("proof-legend").hidden = !move?.diagram || board.isOver;
  }

  /**
   * @param {ProofReply[]} replies
   * @param {string} heading
   */
  #listReplies(replies, heading) {
    const most = Math.max(1, ...replies.map(({ entries }) => entries));
    $("proof-replies-head").hidden = !heading;
    refill($("proof-replies"), replies.map((reply) => {
      const { column, answer, diagram, entries, ends } = reply;
      const what = ends ? "ends the game" : answer === null ? "not covered" : `answer ${answer + 1}`;
      const size = diagram ? "a diagram decides" : entries ? `${entries.toLocaleString("en")} entries` : "";
      const bar = html("i", { class: "bar" });
      bar.style.setProperty("--share", String(entries / most));
      return html("li", {}, html("button", {
        class: "reply", onclick: () => this.drop(column), "aria-label": `Reply ${column + 1}: ${what}. ${size}`,
      }, html("b", {}, String(column + 1)), html("span", { class: "tag" }, what),
      html("span", { class: "about" }, size), bar));
    }));
  }
}

/**
 * Return what a diagram says of the empty cells: their order, and those that are played or kept without looking.
 * @param {ProofMove} move
 * @param {Board} board
 * @returns {Note[]}
 */
function notesOf({ order, follow, claim }, board) {
  const isEmpty = (/** @type {number[]} */ [column, row]) => board.cells[column].length <= row;
  const has = (/** @type {number[][]} */ cells, /** @type {number[]} */ [column, row]) =>
    cells.some(([otherColumn, otherRow]) => otherColumn === column && otherRow === row);
  return order.filter(isEmpty).map((cell, index) => ({
    column: cell[0], row: cell[1], text: String(index + 1),
    kind: has(follow, cell) ? "follow" : has(claim, cell) ? "claim" : "order",
  }));
}
