// Two agents: they play each other, one move at a time or continuously.

import { SingleRequest } from "../api.js";
import { moveRequest, playerOf } from "../opponents.js";
import { COLOURS, canPlay } from "../rules.js";
import { change, complain, say, store } from "../store.js";
import { View } from "../view.js";

/** @import { Decision } from "../api.js" */
/** @import { Board } from "../rules.js" */

/** Longest fall of a disc, milliseconds: the pause after a move begins when its disc has landed. */
const FALL_MS = 470;

/** Return the two agents that are chosen. */
const chosenPlayers = () => ["a", "b"].map(playerOf);

class Match extends View {
  #request = new SingleRequest();
  #isRunning = false;
  #timer = 0;

  /** @override */
  get isThinking() { return this.#request.isBusy; }

  /** @override */
  enter() { if (!this.game.id) this.game.show(); }

  /** @override */
  leave() {
    this.#pause();
    this.#request.cancel();
  }

  /** @override */
  react() {
    const { game } = this, names = chosenPlayers().map(({ name }) => name);
    if (!game.isOver && String(names) !== String(game.names)) game.update({ names });
  }

  /**
   * @override
   * @param {Board} board
   */
  isOpen(board) {
    return !board.isOver && !this.#isRunning && !this.isThinking;
  }

  /**
   * @override
   * @param {number} column
   */
  drop(column) {
    say(`${COLOURS[this.game.at % 2]} plays column ${column + 1}.`);
    this.game.play(column);
  }

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
    super.reset();
  }

  /**
   * @override
   * @param {Board} board
   */
  status(board) {
    const [first, second] = this.game.names, names = [`Yellow (${first})`, `Red (${second})`];
    return this.isThinking ? `${names[board.toMove]} is thinking\u2026` : super.status(board, names);
  }

  /**
   * @override
   * @param {Board} board
   */
  actions(board) {
    const { isOver, main } = this.game, label = this.#isRunning ? "Pause" : isOver && board.isOver ? "Rematch" : "Run";
    return [
      { id: "run", label, key: " ", isStrong: true, act: () => this.toggle() },
      { id: "step", label: "One move", key: "s", isDisabled: board.isOver, act: () => { this.#pause(); this.step(); } },
      { id: "new", label: "New game", key: "n", isDisabled: !main.length, act: () => this.reset() },
    ];
  }

  /** Start, pause or go on; after a finished game, start the next one. */
  toggle() {
    if (this.#isRunning) return this.#pause();
    if (this.game.board.isOver) this.game.show();
    this.#isRunning = true;
    return this.isThinking ? change() : this.step();
  }

  /** Let the agent whose turn it is move; continue while the match is running. */
  async step() {
    const { board, id } = this.game;
    if (board.isOver || this.isThinking) return;
    const player = chosenPlayers()[board.toMove];
    try {
      const reply = this.#request.post("/api/move", moveRequest(board.moves, player, `${id}-${board.toMove}`));
      change();
      /** @type {Decision | undefined} */
      const answer = await reply;
      if (answer === undefined) return;
      if (!canPlay(board, answer.column)) throw new Error("The agent's move is not legal.");
      this.game.play(answer.column);
      this.game.isPaced = false; // the pause between two moves paces them
      say(`${COLOURS[board.toMove]} plays column ${answer.column + 1}.`, true);
      this.#goOn();
    } catch (error) {
      this.#pause();
      complain(error);
    }
  }

  /** After a move: wait for the next one, or end the game. */
  #goOn() {
    const { board } = this.game, pause = Number(store.pace);
    if (board.isOver) {
      say(this.status(board), true);
      this.#pause();
    } else if (this.#isRunning) this.#timer = setTimeout(() => this.step(), pause && FALL_MS + pause);
  }

  #pause() {
    this.#isRunning = false;
    clearTimeout(this.#timer);
    change();
  }
}

export const match = new Match("match");
