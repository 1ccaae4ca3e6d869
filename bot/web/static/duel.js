// Two agents against each other, a move at a time or running.

import { $, all, complain } from "./dom.js";
import { Asker } from "./api.js";
import { position } from "./rules.js";
import { setLine, shown, store } from "./store.js";
import { Stepping } from "./analysis.js";
import { question } from "./play.js";

const PAUSE_MS = 450;

export class Duel extends Stepping {
  #asker = new Asker();
  #isRunning = false;
  #timer = 0;

  constructor(page) {
    super(page);
    Object.defineProperty(this, "isThinking", { get: () => this.#asker.isBusy });
    $("step").addEventListener("click", () => { this.#pause(); this.step(); });
    $("run").addEventListener("click", () => this.toggle());
  }

  leave() { this.#pause(); this.#asker.cancel(); }
  isOpen() { return false; }
  go(at) { this.leave(); super.go(at); }
  reset() { this.leave(); super.reset(); }

  status(board) {
    const names = [`Yellow (${store.a})`, `Red (${store.b})`];
    if (board.winner !== null) return `${names[board.winner]} wins with four in a row.`;
    if (board.isDraw) return "A draw: the board is full.";
    return this.isThinking ? `${names[board.toMove]} is thinking\u2026` : `${names[board.toMove]} to move.`;
  }

  toggle() {
    if (this.#isRunning) { this.#pause(); return this.page.refresh(); }
    if (position(shown()).isOver) setLine([]);
    this.#isRunning = true;
    if (!this.isThinking) this.step();
    this.page.refresh();
  }

  async step() {
    const board = position(shown());
    if (board.isOver || this.isThinking) return;
    const side = board.toMove ? "b" : "a";
    const asking = this.#asker.ask("/api/move", question(this.page, board.moves, store[side], store[`${side}depth`], store[`${side}options`]));
    this.page.refresh();
    try {
      const answer = await asking;
      if (answer === undefined) return;
      setLine([...board.moves, answer.column]);
      this.page.say(`${board.toMove ? "Red" : "Yellow"} plays column ${answer.column + 1}.`, true);
    } catch (error) {
      this.#pause();
      complain(error);
    }
    const now = position(shown());
    if (now.isOver) { this.#pause(); this.page.say(this.status(now), true); }
    else if (this.#isRunning) this.#timer = setTimeout(() => this.step(), PAUSE_MS);
    this.page.refresh();
  }

  #pause() { this.#isRunning = false; clearTimeout(this.#timer); }

  render(board) {
    $("run").textContent = this.#isRunning ? "Pause" : board.isOver ? "Run again" : "Run";
    $("step").disabled = board.isOver;
    this.page.analyser.listMoves(all("[data-moves=duel]")[0]);
  }
}
