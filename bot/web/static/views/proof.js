// The proof: its strategy as a tree, the diagrams over the board, and a person who tries to beat it.

import { Answers } from "../answers.js";
import { writeMoves } from "../rules.js";
import { say, store } from "../store.js";
import { View } from "../view.js";

/** @import { ProofMove, ProofPlace } from "../api.js" */
/** @import { Note } from "../board.js" */
/** @import { Board } from "../rules.js" */

/** Pause before the proof moves, milliseconds. */
const PAUSE_MS = 500;

class Proof extends View {
  /** @type {Answers<ProofPlace>} */
  #answers = new Answers("/api/proof");
  #timer = 0;
  /** The position in which the proof is about to move. @type {string | null} */
  #due = null;

  /** What the proof says of the position shown. */
  get place() { return this.#answers.known(writeMoves(this.game.shown)); }

  /** @override */
  leave() {
    this.#answers.cancel();
    this.#wait(null);
  }

  /** @override */
  react() {
    this.#answers.want(writeMoves(this.game.shown));
    this.#wait(this.#isToMove() ? writeMoves(this.game.shown) : null);
  }

  /** Whether the proof plays and is to move in the newest position. */
  #isToMove() {
    const { place, game } = this, isAsked = game.at > 0 || store.prover === "first";
    return store.proves === "1" && !game.isLookingBack && isAsked && place?.turn === "proof" && place.move !== null;
  }

  /**
   * Let the proof move in this position after a pause; null: wait no more.
   * @param {string | null} moves
   */
  #wait(moves) {
    if (moves === this.#due) return;
    clearTimeout(this.#timer);
    this.#due = moves;
    if (moves !== null) this.#timer = setTimeout(() => this.#move(), PAUSE_MS);
  }

  #move() {
    this.#due = null;
    const column = this.place?.move?.column;
    if (column === undefined) return;
    this.game.vary(column);
    say(`The proof plays column ${column + 1}.`, true);
  }

  /** @override */
  reset() {
    this.game.show();
    say(store.prover === "second" ? "Empty board. You start." : "Empty board. The proof starts.");
  }

  /**
   * @override
   * @param {string} field
   */
  changed(field) { if (field === "prover") this.reset(); }

  /** @override */
  actions() { return this.edits("Start again"); }

  /**
   * @override
   * @param {Board} board
   */
  status(board) {
    const { place } = this;
    if (board.isOver || !place) return super.status(board);
    if (place.turn === "outside") return "The proof does not cover this position.";
    if (place.turn === "proof") return board.ply === 0 ? "The proof plays first, or you do." : "The proof is to move.";
    return place.move?.wins ? "Your move: the proof wins against every reply." : "Your move: the proof never loses.";
  }

  /**
   * @override
   * @param {Board} board
   */
  notes(board) {
    const move = this.place?.move;
    return move && !board.isOver ? notesOf(move, board) : [];
  }
}

/**
 * Return what a diagram says of the empty cells: their order, and those that are played or kept without looking.
 * @param {ProofMove} move
 * @param {Board} board
 * @returns {Note[]}
 */
function notesOf({ order, follow, claim }, board) {
  const has = (/** @type {number[][]} */ cells, /** @type {number[]} */ [column, row]) =>
    cells.some(([otherColumn, otherRow]) => otherColumn === column && otherRow === row);
  return order.filter(([column, row]) => board.cells[column].length <= row).map((cell, index) => ({
    column: cell[0], row: cell[1], text: String(index + 1),
    kind: has(follow, cell) ? "follow" : has(claim, cell) ? "claim" : "order",
  }));
}

export const proof = new Proof("proof");
