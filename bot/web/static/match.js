// The match view: two agents play each other, one move at a time or continuously.

import { SingleRequest } from "./api.js";
import { $, complain, control } from "./dom.js";
import { game, play, shown, startGame, takeOver } from "./game.js";
import { moveRequest } from "./play.js";
import { position } from "./rules.js";
import { SteppingView } from "./stepping.js";
import { store } from "./store.js";

/** @import { Page } from "./app.js" */
/** @import { Board } from "./rules.js" */

/** Pause between two moves, milliseconds. */
const PAUSE_MS = 450;

export class MatchView extends SteppingView {
  #request = new SingleRequest();
  #isRunning = false;
  #timer = 0;

  /** @param {Page} page */
  constructor(page) {
    super(page);
    $("step").addEventListener("click", () => { this.#pause(); this.step(); });
    $("run").addEventListener("click", () => this.toggle());
  }

  /** @override */
  get isThinking() { return this.#request.isBusy; }

  /** @override */
  leave() {
    this.#pause();
    this.#request.cancel();
  }

  /** @override */
  isOpen() { return false; }

  /**
   * @override
   * @param {number} at
   */
  go(at) {
    this.leave();
    super.go(at);
  }

  /** @override */
  reset() {
    this.leave();
    startGame(this.#players);
    this.page.say("Empty board.");
    this.page.refresh();
  }

  /** @returns {{origin: "match", names: string[], side: null}} */
  get #players() { return { origin: "match", names: [store.a, store.b], side: null }; }

  /**
   * @override
   * @param {Board} board
   */
  status(board) {
    const [first, second] = game().origin === "match" ? game().names : [store.a, store.b];
    const names = [`Yellow (${first})`, `Red (${second})`];
    if (board.winner !== null) return `${names[board.winner]} wins with four in a row.`;
    if (board.isDraw) return "A draw: the board is full.";
    return this.isThinking ? `${names[board.toMove]} is thinking\u2026` : `${names[board.toMove]} to move.`;
  }

  /** Start, pause or go on; after a finished game, start the next one. */
  toggle() {
    if (this.#isRunning) {
      this.#pause();
      return this.page.refresh();
    }
    if (position(shown()).isOver) startGame(this.#players);
    this.#isRunning = true;
    if (!this.isThinking) this.step();
    return this.page.refresh();
  }

  /** Let the agent whose turn it is move; continue while the match is running. */
  async step() {
    const board = position(shown());
    if (board.isOver || this.isThinking) return;
    takeOver(this.#players);
    const side = board.toMove ? "b" : "a";
    const body = moveRequest(this.page, board.moves, store[side], store[`${side}depth`], store[`${side}options`]);
    const reply = this.#request.post("/api/move", body);
    this.page.refresh();
    try {
      const answer = await reply;
      if (answer === undefined) return;
      play(answer.column);
      this.page.say(`${board.toMove ? "Red" : "Yellow"} plays column ${answer.column + 1}.`, true);
    } catch (error) {
      this.#pause();
      complain(error);
    }
    const now = position(shown());
    if (now.isOver) {
      this.#pause();
      this.page.say(this.status(now), true);
    } else if (this.#isRunning) this.#timer = setTimeout(() => this.step(), PAUSE_MS);
    this.page.refresh();
  }

  #pause() {
    this.#isRunning = false;
    clearTimeout(this.#timer);
  }

  /**
   * @override
   * @param {Board} board
   */
  render(board) {
    $("run").textContent = this.#isRunning ? "Pause" : board.isOver ? "Run again" : "Run";
    control("step").disabled = board.isOver;
  }
}
