// A running `play`, live.

import { $, all, complain, html, refill } from "./dom.js";
import { drawGraph } from "./graph.js";
import { readMoves } from "./rules.js";
import { line, setLine, store } from "./store.js";
import { Stepping } from "./analysis.js";
import { WORDS, journalPoints } from "./replay.js";

const LIVE = ["live", "silent"];

export class Watch extends Stepping {
  hasNavigator = false;
  #source = null;
  #run = null;
  #games = new Map();
  #chosen = null; // null: always the newest

  get canUndo() { return false; }
  get canRedo() { return false; }
  isOpen() { return false; }
  undo() {} redo() {} reset() {} go() {}

  constructor(page) {
    super(page);
    // A browser has few connections to one server for all its pages: a hidden page must not keep one.
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.leave();
      else if (store.view === "watch" && !this.#source) this.enter();
    });
  }

  enter() {
    this.#source = new EventSource("/api/live");
    this.#source.addEventListener("waiting", () => { this.#run = null; this.page.refresh(); });
    this.#source.addEventListener("run", (event) => this.#take(JSON.parse(event.data), true));
    this.#source.addEventListener("game", (event) => this.#take(JSON.parse(event.data), false));
    this.#source.addEventListener("fault", (event) => complain(new Error(JSON.parse(event.data).error)));
    this.#source.addEventListener("open", () => complain(null));
    this.#source.addEventListener("error", () => complain(new Error("The live connection is lost; the page keeps trying.")));
    this.page.refresh();
  }

  leave() { this.#source?.close(); this.#source = null; }

  #take(run, isNew) {
    if (isNew) { this.#games.clear(); this.#chosen = null; }
    for (const game of run.all ?? run.changed) {
      const before = this.#games.get(game.number);
      this.#games.set(game.number, game);
      if (!isNew && game.result !== null && before?.result === null) this.page.say(`Game ${game.number} ${WORDS[game.outcome]}. Streak ${run.streak} of ${run.goal}.`);
    }
    this.#run = run;
    this.#show();
  }

  #game() { return this.#games.get(this.#chosen ?? Math.max(...this.#games.keys())); }

  #show() {
    const moves = readMoves(this.#game()?.moves);
    setLine(moves);
    this.page.refresh();
  }

  status(board) {
    const game = this.#run && this.#game();
    if (!game) return "No run to watch yet.";
    if (game.result !== null) return `Game ${game.number}: ${WORDS[game.outcome]}.`;
    if (!LIVE.includes(this.#run.end)) return `Game ${game.number} was left unfinished.`;
    return `Game ${game.number}: ${(board.toMove === 0) === game.we_started ? "the bot" : "the opponent"} to move.`;
  }

  render() {
    const run = this.#run, graph = all("[data-graph=watch]")[0];
    if (!run) {
      $("watch-run").textContent = "Start `python -m bot play` in another terminal: it appears here by itself.";
      for (const id of ["streak", "watch-notes", "watch-games"]) $(id).replaceChildren();
      $("watch-tally").textContent = "";
      return graph.replaceChildren();
    }
    $("watch-run").textContent = `${run.engine} as ${run.player} at ${run.server}, ${run.end === "live" ? "running now" : run.end === "silent" ? "silent for a while: it waits, or was killed" : run.end}.`;
    $("watch-tally").textContent = `Streak ${run.streak} of ${run.goal}: ${run.won} won, ${run.drawn} drawn, ${run.lost} lost in this run`;
    $("streak").setAttribute("aria-label", `Streak: ${run.streak} of ${run.goal} games without a loss`);
    $("streak").replaceChildren(...Array.from({ length: Math.min(run.goal, 40) }, (_, index) => html("i", { class: index < run.streak ? "on" : "" })));
    const game = this.#game(), newest = Math.max(...this.#games.keys());
    refill($("watch-games"), [...this.#games.values()].map((entry) => html("button", {
      class: entry.outcome, "aria-pressed": String(entry === game), "aria-label": `Game ${entry.number}, ${WORDS[entry.outcome]}`,
      onclick: () => { this.#chosen = entry.number === newest ? null : entry.number; this.#show(); },
    }, String(entry.number))));
    $("watch-notes").replaceChildren(...(game?.notes ?? []).map((note) => html("li", {}, note)));
    if (!game) return graph.replaceChildren();
    drawGraph(graph, journalPoints(game), { plies: line().moves.length, whose: "the bot's" });
  }
}
