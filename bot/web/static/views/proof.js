// Proof: a strategy that needs no search, what it says of the board, and a person who tries to beat it.

import { Answers, WAITING } from "../evaluator.js";
import { segments } from "../fields.js";
import { writeMoves } from "../rules.js";
import { Study } from "./scores.js";
import { set, settings } from "../settings.js";
import { say } from "../store.js";
import { html, nothing } from "../vendor/lit-html.js";

/** @import { ProofPlace, ProofReply } from "../api.js" */
/** @import { Board } from "../rules.js" */
/** @import { Action } from "../view.js" */

const SIDES = /** @type {const} */ ([[0, "Yellow, first"], [1, "Red, second"]]);
/** What the proof says of a position that it does not cover as the side that it plays. @type {ProofPlace} */
const OUTSIDE = { turn: "outside", move: null, replies: [] };

class Proof extends Study {
  /** @type {Answers<ProofPlace>} */
  #answers = new Answers("/api/proof");
  /** Whether the proof moves when it can: on a board that came from elsewhere, not before something is played. */
  #isDue = false;

  /** What the proof says of the position shown. */
  get place() {
    const known = this.#answers.known(writeMoves(this.game.shown)), { isOver, toMove } = this.game.board;
    const side = known?.turn === "proof" ? toMove : 1 - toMove;
    return !known || isOver || side === settings.proofSide ? known : OUTSIDE;
  }

  /** The column that the proof is to play; null where it is not its move. */
  get next() { return this.place?.turn === "proof" ? this.place.move?.column ?? null : null; }

  /** @override */
  get pointed() { return this.#isDue ? null : this.next; }

  /** @override */
  enter() { this.#isDue = !this.game.moves.length; }

  /** @override */
  leave() { this.#answers.cancel(); }

  /** @override */
  react() {
    super.react();
    this.#answers.want(writeMoves(this.game.shown));
    if (this.#isDue && this.next !== null && !this.game.isLookingBack) this.letComputerMove();
  }

  /** Play the proof's move. */
  letComputerMove() {
    const column = this.next;
    if (column === null) return;
    this.#isDue = false;
    this.game.vary(column);
    say(`The proof plays column ${column + 1}.`, true);
  }

  /**
   * @override
   * @param {number} column
   */
  drop(column) {
    this.#isDue = true;
    super.drop(column);
  }

  /** Take back a move, with the proof's reply to it. @override */
  undo() {
    super.undo();
    const { at, board } = this.game;
    if (at && board.toMove === settings.proofSide) this.go(at - 1);
  }

  /** @override */
  empty() {
    this.#isDue = true;
    super.empty();
  }

  /**
   * @override
   * @returns {Action[]}
   */
  actions() {
    const [undo, empty, play] = super.actions(), act = () => this.letComputerMove();
    const move = { id: "proof-move", label: "Play on against it", key: "c", act, isStrong: true };
    return [undo, empty, this.pointed === null ? play : move];
  }

  /**
   * @override
   * @param {Board} board
   */
  status(board) {
    const { place, next } = this, promise = place?.move?.wins ? "wins against every reply" : "never loses";
    if (place?.move && board.winner === settings.proofSide) {
      return `The proof won in ${board.ply} moves. Empty board to try again.`;
    }
    if (board.isOver || !place) return super.status(board);
    if (next !== null) return `The proof plays column ${next + 1}.`;
    if (place.turn === "opponent") return `Your move: the proof ${promise}.`;
    return board.ply ? "It has no answer to this position." : "Your move: you begin.";
  }
}

export const proof = new Proof("proof");

export function proofPanel() {
  const { place } = proof, replies = place?.replies ?? [];
  const outside = settings.proofSide
    ? "As Red it has an answer to every first disc but one in the middle column. This game began there, or left its plan."
    : "As Yellow it has an answer to every move of yours in games that it began itself. This game began otherwise.";
  const why = place?.turn === "outside" ? outside : place?.move?.sentences[0]; // the headline says the promise
  const play = (/** @type {0 | 1} */ proofSide) => {
    set({ proofSide });
    proof.empty();
  };
  const list = html`<div class="part"><h3>Your replies</h3>
    <ul id="proof-replies" class="replies">${listed(replies)}</ul></div>`;
  return html`<div class="part">
      <p class="about">${settings.proofSide ? "Red need not lose, unless Yellow begins in column 4."
    : "Yellow can always win."} This list holds a stored answer to each of your moves.</p>
      <p id="proof-text" aria-live="polite">${place ? why : WAITING}</p></div>
    <div class="part form">
      ${segments("The proof plays", settings.proofSide, SIDES, play)}
    </div>
    ${replies.length ? list : nothing}`;
}

/** @param {ProofReply[]} replies */
const listed = (replies) => replies.map(({ column, answer, ends }) => {
  const known = answer === null ? "no answer known" : `it plays ${answer + 1}`;
  return html`<li><button class="reply" @click=${() => proof.drop(column)}><b>You ${column + 1}</b>
    <span class="about">\u2192 ${ends ? "the game ends" : known}</span></button></li>`;
});
