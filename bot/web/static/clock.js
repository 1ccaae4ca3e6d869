// The person's clock: an optional time limit for all moves of a game together.

import { $ } from "./dom.js";
import { store } from "./store.js";

/** Time between two updates, milliseconds. */
const TICK_MS = 250;

/** Counts down while it is running; calls `onEnd` once when no time is left. */
export class Clock {
  #left_ms = 0;
  #timer = 0;
  #last = 0;
  /** Whether a game has been started. */
  isSet = false;

  /** @param {() => void} onEnd */
  constructor(onEnd) { this.onEnd = onEnd; }

  /** Whether a time limit is set and used up. */
  get isOver() { return this.#limit_ms > 0 && this.#left_ms <= 0; }
  get #limit_ms() { return (Number(store.clock) || 0) * 60_000; }

  /** Start a new game's clock, stopped. */
  reset() {
    this.stop();
    this.isSet = true;
    this.#left_ms = this.#limit_ms;
    this.#draw();
  }

  /** Run the clock, if there is one. */
  run() {
    if (this.#timer || !this.#limit_ms || this.isOver) return;
    this.#last = performance.now();
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  stop() {
    if (this.#timer) this.#tick();
    clearInterval(this.#timer);
    this.#timer = 0;
  }

  #tick() {
    const now = performance.now();
    this.#left_ms = Math.max(0, this.#left_ms - (now - this.#last));
    this.#last = now;
    this.#draw();
    if (this.#left_ms > 0) return;
    clearInterval(this.#timer);
    this.#timer = 0;
    this.onEnd();
  }

  #draw() {
    const seconds = Math.ceil(this.#left_ms / 1000);
    $("clock").hidden = !this.#limit_ms || store.view !== "play";
    $("clock").textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    $("clock").classList.toggle("short", seconds <= 20);
  }
}
