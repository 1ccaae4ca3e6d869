// The runs that can be chosen: the one that is going on, journals, opened files, and the games played here.

import { chosen } from "./address.js";
import { get } from "./api.js";
import { hasGames } from "./journals.js";
import { live } from "./live.js";
import { openedRuns } from "./opened.js";
import { OWN_RUN, ownRun } from "./own.js";
import { room } from "./room.js";
import { change, complain } from "./store.js";

/** @import { Run, RunSummary } from "./api.js" */

/** The name by which the address calls the run that is followed. */
export const LIVE = "live";
/** @typedef {"live" | "yours" | "journals"} List */

class Runs {
  /** The list of games that was opened while another run stays chosen. @type {List | null} */
  opened = null;
  /** All journals; null until they are listed. @type {RunSummary[] | null} */
  journals = null;
  /** The games played in this browser. @type {Run | null} */
  own = null;
  /** Why the list or the chosen run cannot be shown. */
  problem = "";
  /** Journals that have been loaded, by name. @type {Map<string, Run>} */
  #loaded = new Map();
  #asked = "";

  /** Whether the run that is going on is followed, not one of its games chosen. */
  get isLive() { return chosen.run === LIVE; }
  /** The name of the chosen run. */
  get name() { return this.isLive ? live.run?.name ?? "" : chosen.run; }

  /** Which list of games is shown: that of the chosen run, unless another one was opened. @returns {List} */
  get list() {
    const { name } = this;
    if (this.opened) return this.opened;
    if (name === OWN_RUN) return "yours";
    const isOfServer = this.isLive || name === live.run?.name || !live.isKnown;
    return isOfServer ? "live" : "journals";
  }

  /** The chosen run; null until it is loaded. */
  get current() {
    const { name } = this;
    if (name === live.run?.name) return live.run;
    return name === OWN_RUN ? this.own : openedRuns.get(name) ?? this.#loaded.get(name) ?? null;
  }

  /** Begin anew: what failed is asked for again. */
  begin() {
    this.own = room.isSpectator ? null : ownRun();
    this.#asked = "";
  }

  /** Load the list of the journals. */
  load() {
    this.#read("/api/runs", (/** @type {RunSummary[]} */ all) => {
      this.journals = all.filter((run) => run.error || hasGames(run));
    });
  }

  /** Choose a run where none is, the one that is going on, or was last, or else the games played here; load it. */
  settle() {
    if (!chosen.run && live.run && hasGames(live.run)) chosen.run = LIVE;
    if (!chosen.run && live.isKnown && this.own) chosen.run = OWN_RUN;
    const { name } = this;
    if (name === this.#asked) return;
    this.#asked = name;
    this.problem = "";
    this.opened = null;
    if (name === OWN_RUN && !this.own) this.problem = "No games have been played in this browser yet.";
    if (/^\.+$/.test(name)) this.problem = "This journal is not in the folder.";
    if (!name || name === OWN_RUN || this.problem || this.current) return;
    this.#read(`/api/runs/${encodeURIComponent(name)}`, (run) => this.#loaded.set(name, run));
  }

  /**
   * @param {string} path
   * @param {(answer: any) => void} take
   */
  async #read(path, take) {
    const asked = this.#asked;
    try {
      take(await get(path));
    } catch (error) {
      complain(error);
      if (asked === this.#asked) this.problem = error instanceof Error ? error.message : String(error);
    }
    change();
  }
}

export const runs = new Runs();
