// The watch view: a running `bot play`, live.

import { $, complain, html, refill } from "./dom.js";
import { game, grow } from "./game.js";
import { OUTCOMES, gameButton, keyOf, showRecord } from "./journals.js";
import { readMoves } from "./rules.js";
import { SteppingView } from "./stepping.js";
import { store } from "./store.js";

/** @import { Game, Run, RunUpdate } from "./api.js" */
/** @import { Page } from "./app.js" */
/** @import { Board } from "./rules.js" */

/** States of a run that may still be going on. */
const RUNNING = ["live", "silent"];
const LOST = "The live connection is lost. The page keeps trying to reconnect.";
/** Maximum number of dots of the streak. */
const MAX_DOTS = 40;
/** @type {Record<string, string>} */
const STATES = { live: "running now", silent: "silent for a while: it is waiting for its server, or was killed" };

export class WatchView extends SteppingView {
  /** @type {EventSource | null} */
  #source = null;
  /** @type {Run | RunUpdate | null} */
  #run = null;
  /** @type {Map<number, Game>} */
  #games = new Map();
  /** @type {number | null} the chosen game; null: the newest */
  #chosen = null;

  /** @override */
  isOpen() { return false; }
  /** @override */
  reset() {}

  /** @param {Page} page */
  constructor(page) {
    super(page);
    // Browsers open few connections to one server: a hidden page must not keep one.
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.leave();
      else if (store.view === "watch" && !this.#source) this.enter();
    });
  }

  /** @override */
  enter() {
    const source = (this.#source = new EventSource("/api/live"));
    /** @type {(kind: string, act: (data: any) => void) => void} */
    const on = (kind, act) => source.addEventListener(kind, (event) => act(JSON.parse(event.data)));
    on("waiting", () => { this.#run = null; this.page.refresh(); });
    on("run", (run) => this.#take(run));
    on("game", (run) => this.#take(run));
    on("fault", ({ error }) => complain(new Error(error)));
    source.addEventListener("open", () => complain(null));
    source.addEventListener("error", () => complain(new Error(LOST)));
    this.page.refresh();
  }

  /** @override */
  leave() {
    this.#source?.close();
    this.#source = null;
  }

  /**
   * Take over a new run, or the changed games of the current one.
   * @param {Run | RunUpdate} run
   */
  #take(run) {
    const isNew = "all" in run;
    if (isNew) {
      this.#games.clear();
      this.#chosen = null;
    }
    let said = false;
    for (const record of isNew ? run.all : run.changed) {
      const before = this.#games.get(record.number);
      this.#games.set(record.number, record);
      if (isNew || record.result === null || (before && before.result !== null)) continue;
      // A quick game may be over when it is first seen, and two may end between two updates.
      this.page.say(`Game ${record.number} ${OUTCOMES[record.outcome]}. Streak ${run.streak} of ${run.goal}.`, said);
      said = true;
    }
    this.#run = run;
    // A game of one's own is not replaced by a run that has ended.
    if (RUNNING.includes(run.end) || !game().moves.length || game().key.startsWith(`${run.name}#`)) this.#show();
    this.page.refresh();
  }

  get #newest() { return Math.max(...this.#games.keys()); }
  get #record() { return this.#games.get(this.#chosen ?? this.#newest); }

  /** Put the chosen game on the board, or what it has grown by. */
  #show() {
    const record = this.#record, run = this.#run;
    if (!record || !run) return;
    if (game().key === keyOf(run.name, record)) grow(readMoves(record.moves), record);
    else showRecord(run.name, record);
  }

  /**
   * @override
   * @param {Board} board
   */
  status(board) {
    const run = this.#run, { record, key } = game();
    if (!run) return game().moves.length ? super.status(board) : "No run to watch yet.";
    if (!record || !key.startsWith(`${run.name}#`)) return this.#games.size ? super.status(board) : "No game yet.";
    if (record.result !== null) return `Game ${record.number}: ${OUTCOMES[record.outcome]}.`;
    if (!RUNNING.includes(run.end)) return `Game ${record.number} was left unfinished.`;
    return `Game ${record.number}: ${(board.toMove === 0) === record.we_started ? "the bot" : "the opponent"} to move.`;
  }

  /** @override */
  render() {
    const run = this.#run;
    $("watch-all").hidden = !run;
    if (!run) {
      const command = html("code", {}, "python -m bot play");
      $("watch-run").replaceChildren("Start ", command, " in another terminal. Its games appear here.");
      return;
    }
    this.#renderRun(run);
    refill($("watch-games"), [...this.#games.values()].map((record) => gameButton(record, run.name, () => {
      this.#chosen = record.number === this.#newest ? null : record.number;
      this.#show();
      this.page.refresh();
    })));
    $("watch-notes").replaceChildren(...(this.#record?.notes ?? []).map((note) => html("li", {}, note)));
  }

  /** @param {Run | RunUpdate} run */
  #renderRun({ engine, player, server, end, streak, goal, won, drawn, lost }) {
    $("watch-run").textContent = `${engine}${player ? ` as ${player}` : ""} at ${server}, ${STATES[end] ?? end}.`;
    $("watch-score").textContent = `Streak ${streak} of ${goal}: ${won} won, ${drawn} drawn, ${lost} lost in this run`;
    $("streak").setAttribute("aria-label", `Streak: ${streak} of ${goal} games without a loss`);
    const dots = Array.from({ length: Math.min(goal, MAX_DOTS) }, (_, index) => index < streak);
    $("streak").replaceChildren(...dots.map((isOn) => html("i", { class: isOn ? "on" : "" })));
  }
}
