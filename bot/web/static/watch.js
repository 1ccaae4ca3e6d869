// The watch view: a running `bot play`, live.

import { $, all, complain, html, refill } from "./dom.js";
import { drawGraph } from "./graph.js";
import { OUTCOMES, journalPoints } from "./replay.js";
import { readMoves } from "./rules.js";
import { SteppingView } from "./stepping.js";
import { line, setLine, store } from "./store.js";

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
  /** @override */
  hasNavigator = false;
  /** @type {EventSource | null} */
  #source = null;
  /** @type {Run | RunUpdate | null} */
  #run = null;
  /** @type {Map<number, Game>} */
  #games = new Map();
  /** @type {number | null} the chosen game; null: the newest */
  #chosen = null;

  /** @override */
  get canUndo() { return false; }
  /** @override */
  get canRedo() { return false; }
  /** @override */
  isOpen() { return false; }
  /** @override */
  undo() {}
  /** @override */
  redo() {}
  /** @override */
  reset() {}
  /** @override */
  go() {}

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
    for (const game of isNew ? run.all : run.changed) {
      const before = this.#games.get(game.number);
      this.#games.set(game.number, game);
      if (isNew || game.result === null || (before && before.result !== null)) continue;
      // A quick game may be over when it is first seen, and two may end between two updates.
      this.page.say(`Game ${game.number} ${OUTCOMES[game.outcome]}. Streak ${run.streak} of ${run.goal}.`, said);
      said = true;
    }
    this.#run = run;
    this.#show();
  }

  get #newest() { return Math.max(...this.#games.keys()); }
  get #game() { return this.#games.get(this.#chosen ?? this.#newest); }

  #show() {
    setLine(readMoves(this.#game?.moves));
    this.page.refresh();
  }

  /**
   * @override
   * @param {Board} board
   */
  status(board) {
    const run = this.#run, game = run && this.#game;
    if (!run || !game) return "No run to watch yet.";
    if (game.result !== null) return `Game ${game.number}: ${OUTCOMES[game.outcome]}.`;
    if (!RUNNING.includes(run.end)) return `Game ${game.number} was left unfinished.`;
    return `Game ${game.number}: ${(board.toMove === 0) === game.we_started ? "the bot" : "the opponent"} to move.`;
  }

  /** @override */
  render() {
    const run = this.#run, graph = all("[data-graph=watch]")[0];
    if (!run) {
      $("watch-run").textContent = "Start `python -m bot play` in another terminal. Its games appear here.";
      for (const id of ["streak", "watch-notes", "watch-games"]) $(id).replaceChildren();
      $("watch-score").textContent = "";
      return graph.replaceChildren();
    }
    this.#renderRun(run);
    const game = this.#game;
    refill($("watch-games"), [...this.#games.values()].map((entry) => this.#button(entry)));
    $("watch-notes").replaceChildren(...(game?.notes ?? []).map((note) => html("li", {}, note)));
    if (!game) return graph.replaceChildren();
    return drawGraph(graph, journalPoints(game), { plies: line().moves.length, side: "the bot's" });
  }

  /** @param {Run | RunUpdate} run */
  #renderRun({ engine, player, server, end, streak, goal, won, drawn, lost }) {
    $("watch-run").textContent = `${engine} as ${player} at ${server}, ${STATES[end] ?? end}.`;
    $("watch-score").textContent = `Streak ${streak} of ${goal}: ${won} won, ${drawn} drawn, ${lost} lost in this run`;
    $("streak").setAttribute("aria-label", `Streak: ${streak} of ${goal} games without a loss`);
    const dots = Array.from({ length: Math.min(goal, MAX_DOTS) }, (_, index) => index < streak);
    $("streak").replaceChildren(...dots.map((isOn) => html("i", { class: isOn ? "on" : "" })));
  }

  /** @param {Game} game */
  #button(game) {
    return html("button", {
      class: game.outcome, "aria-pressed": String(game === this.#game),
      "aria-label": `Game ${game.number}, ${OUTCOMES[game.outcome]}`,
      onclick: () => { this.#chosen = game.number === this.#newest ? null : game.number; this.#show(); },
    }, String(game.number));
  }
}
