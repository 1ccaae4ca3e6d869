// The replay view: the games of any journal, of an opened file, and of this browser.

import { get } from "./api.js";
import { $, complain, control, html, refill } from "./dom.js";
import { game } from "./game.js";
import { describeRecord, gameButton, hasGames, keyOf, runName, showRecord, slowest } from "./journals.js";
import { OWN_RUN, ownRun } from "./own.js";
import { SERIES_RUN, seriesRun } from "./series.js";
import { store } from "./store.js";
import { SteppingView } from "./stepping.js";

/** @import { Game, Run, RunSummary } from "./api.js" */
/** @import { Page } from "./app.js" */
/** @import { Board } from "./rules.js" */

/** Which games an entry of the filter lets through, other than those of one outcome. */
const FILTERS = new Map([["defeats", ["lost", "illegal"]]]);
/** What is kept in this browser: how it is called, and where it comes from. */
const LOCAL_RUNS = new Map([[SERIES_RUN, { title: "Series of two agents", load: seriesRun }],
  [OWN_RUN, { title: "Played in this browser", load: ownRun }]]);

export class ReplayView extends SteppingView {
  /** @type {Run | null} */
  #run = null;
  /** @type {Map<string, Run>} files opened by the user, by name */
  #opened = new Map();

  /** @param {Page} page */
  constructor(page) {
    super(page);
    const runs = control("runs");
    runs.addEventListener("change", () => {
      store.run = runs.value;
      store.game = "";
      this.#load(true);
    });
  }

  /**
   * Show a run that is not in the server's folder.
   * @param {Run} run
   */
  open(run) {
    this.#opened.set(run.name, run);
    store.run = run.name;
    store.game = store.filter = store.slow = "";
    this.page.open("replay");
    this.#load(true);
  }

  /** @override */
  async enter() {
    this.page.refresh();
    try {
      /** @type {RunSummary[]} */
      const all = await get("/api/runs"), local = [...LOCAL_RUNS.values()].flatMap(({ load }) => load() ?? []);
      const kept = all.filter((run) => run.error || hasGames(run));
      const runs = [...this.#opened.values(), ...kept, ...local];
      $("journal").hidden = $("filters").hidden = !runs.length;
      if (!runs.length) {
        const command = html("code", {}, "python -m bot play");
        $("run-about").replaceChildren("Play a game here, open a file, or start ", command, ". It is listed here.");
        return this.page.refresh();
      }
      const option = (/** @type {RunSummary} */ run) =>
        html("option", { value: run.name }, LOCAL_RUNS.get(run.name)?.title ?? runName(run));
      $("runs").replaceChildren(...runs.map(option));
      const wanted = game().key.split("#");
      const isLinked = runs.some((run) => run.name === store.run);
      if (!isLinked) [store.run, store.game] = runs.some((run) => run.name === wanted[0]) ? wanted : [first(runs), ""];
      control("runs").value = store.run;
      await this.#load(!game().moves.length || (isLinked && store.game !== "" && !game().key));
    } catch (error) {
      complain(error);
    }
    return undefined;
  }

  /**
   * Load the chosen run; with `shows`, show the chosen game of it, or else its first one.
   * @param {boolean} shows
   */
  async #load(shows) {
    complain(null);
    let run = LOCAL_RUNS.get(store.run)?.load() ?? this.#opened.get(store.run);
    try {
      run ??= /** @type {Run} */ (await get(`/api/runs/${encodeURIComponent(store.run)}`));
    } catch (error) {
      this.#run = null;
      complain(error);
      $("games").replaceChildren();
      $("run-about").textContent = "";
      return this.page.refresh();
    }
    if (run.name !== store.run) return undefined; // another run was chosen in the meantime
    this.#run = run;
    const result = `${run.won} won, ${run.drawn} drawn, ${run.lost} lost`;
    const as = run.player ? ` as ${run.player}` : "";
    const who = run.server ? `${run.engine}${as} at ${run.server}` : run.engine;
    $("run-about").textContent = `${who}: ${result}${run.end ? `; ${run.end}` : ""}.`;
    const wanted = run.all.find((record) => String(record.number) === store.game);
    if (shows) return this.#choose(wanted ?? this.#listed[0] ?? null);
    return this.page.refresh();
  }

  /** The games that the filters let through. */
  get #listed() {
    const outcomes = FILTERS.get(store.filter) ?? (store.filter ? [store.filter] : null), least = Number(store.slow);
    return (this.#run?.all ?? []).filter((record) =>
      (!outcomes || outcomes.includes(record.outcome)) && (!least || slowest(record) >= least));
  }

  /** @param {Game | null} record */
  #choose(record) {
    store.game = record ? String(record.number) : "";
    if (record && this.#run) showRecord(this.#run.name, record);
    this.page.refresh();
  }

  /**
   * @override
   * @param {string} field
   */
  changed(field) {
    if ((field === "filter" || field === "slow") && this.#run) this.#choose(this.#listed[0] ?? null);
  }

  /**
   * @override
   * @param {Board} board
   */
  status(board) {
    const { record, main, names } = game();
    if (!record) return game().moves.length ? super.status(board) : this.#emptyStatus;
    if (board.winner !== null) return `${names[board.winner]} wins with four in a row.`;
    if (board.isDraw) return "A draw: the board is full.";
    return `Game ${record.number}, move ${board.ply} of ${main.length}: ${inSentence(names[board.toMove])} to move.`;
  }

  get #emptyStatus() { return $("journal").hidden ? "No game to replay yet." : "Choose a run and a game."; }

  /** @override */
  render() {
    const listed = this.#listed, run = this.#run, { record, at } = game();
    refill($("games"), listed.map((one) => gameButton(one, run?.name ?? "", () => this.#choose(one))));
    if (run && !listed.length) $("games").textContent = "This run has no such game.";
    const isOfRun = run && record && game().key === keyOf(run.name, record);
    $("game-about").textContent = isOfRun && !LOCAL_RUNS.has(run.name) ? describeRecord(record, at) : "";
  }
}

/**
 * Return the name of the newest run with games, or else of the newest one that can be read.
 * @param {RunSummary[]} runs
 */
function first(runs) {
  const readable = runs.filter((run) => !run.error);
  return (readable.find((run) => run.played || run.end === "live") ?? readable[0] ?? runs[0]).name;
}

/** @param {string} name */
const inSentence = (name) => name.replace(/^The /, "the ");
