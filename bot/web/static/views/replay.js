// Replay: the games of any journal, of an opened file, and of this browser.

import { open } from "../address.js";
import { get } from "../api.js";
import { hasGames, keyOf, showRecord, slowest } from "../journals.js";
import { OWN_RUN, ownRun } from "../own.js";
import { room } from "../room.js";
import { writeMoves } from "../rules.js";
import { change, complain, store } from "../store.js";
import { View } from "../view.js";

/** @import { Game as Record, Run, RunSummary } from "../api.js" */
/** @import { Board } from "../rules.js" */

/** Which games an entry of the filter lets through, other than those of one outcome. */
const FILTERS = new Map([["defeats", ["lost", "illegal"]]]);

class Replay extends View {
  /** @override */
  isForSpectators = true;
  /** @override */
  isForLookingBack = true;
  /** All runs that can be chosen. @type {RunSummary[]} */
  runs = [];
  /** The chosen one; null until it is loaded. @type {Run | null} */
  run = null;
  /** Files opened by the user, by name. @type {Map<string, Run>} */
  #opened = new Map();

  /** The games of the run that the filters let through. */
  get listed() {
    const outcomes = FILTERS.get(store.filter) ?? (store.filter ? [store.filter] : null), least = Number(store.slow);
    return (this.run?.all ?? []).filter((record) =>
      (!outcomes || outcomes.includes(record.outcome)) && (!least || slowest(record) >= least));
  }

  /**
   * Whether the board shows this game of the chosen run.
   * @param {Record} record
   */
  shows(record) { return this.run !== null && this.game.key === keyOf(this.run.name, record); }

  /**
   * Show a run that is not in the server's folder.
   * @param {Run} run
   */
  open(run) {
    const isOpen = store.view === this.id;
    this.#opened.set(run.name, run);
    open(this.id, { run: run.name, game: "", filter: "", slow: "" });
    if (isOpen) this.enter();
  }

  /** @override */
  async enter() {
    this.scoring = room.isSpectator ? "never" : "request";
    try {
      /** @type {RunSummary[]} */
      const all = await get("/api/runs"), own = ownRun() ?? [];
      this.runs = [...this.#opened.values(), ...all.filter((run) => run.error || hasGames(run))].concat(own);
      if (!this.runs.some((run) => run.name === store.run)) change({ run: first(this.runs), game: "" });
      if (store.run) await this.#load();
    } catch (error) {
      complain(error);
    }
    change();
  }

  /** Load the chosen run, and show the chosen game of it, or else its first one, unless the board shows it. */
  async #load() {
    complain(null);
    const name = store.run, known = name === OWN_RUN ? ownRun() : this.#opened.get(name);
    try {
      /** @type {Run} */
      const run = known ?? await get(`/api/runs/${encodeURIComponent(name)}`);
      if (name !== store.run) return; // another run was chosen in the meantime
      this.run = run;
    } catch (error) {
      this.run = null;
      throw error;
    }
    const wanted = this.run.all.find((record) => String(record.number) === store.game) ?? this.listed[0] ?? null;
    const isShown = wanted && this.shows(wanted) && wanted.moves === writeMoves(this.game.main);
    if (!isShown) this.choose(wanted);
  }

  /**
   * Show a game of the run.
   * @param {Record | null} record
   */
  choose(record) {
    change({ game: record ? String(record.number) : "" });
    if (record && this.run) showRecord(this.game, this.run.name, record);
  }

  /**
   * @override
   * @param {string} field
   */
  changed(field) {
    if (field === "run") {
      change({ game: "" });
      this.#load().catch(complain);
    } else if (field === "filter" || field === "slow") this.choose(this.listed[0] ?? null);
  }

  /**
   * @override
   * @param {Board} board
   */
  status(board) {
    const { record, main, names } = this.game;
    if (!record && main.length) return super.status(board);
    if (!record) return this.runs.length ? "Choose a run and a game." : "No game to replay yet.";
    if (board.isOver) return super.status(board, names).replace("You wins", "You win");
    const player = names[board.toMove].replace(/^The /, "the ");
    return `Game ${record.number}, move ${board.ply} of ${main.length}: ${player} to move.`;
  }
}

export const replay = new Replay("replay");

/**
 * Return the name of the newest run with games, or else of the newest one that can be read; "" if there is none.
 * @param {RunSummary[]} runs
 */
function first(runs) {
  const readable = runs.filter((run) => !run.error);
  return (readable.find((run) => run.played || run.end === "live") ?? readable[0] ?? runs[0])?.name ?? "";
}
