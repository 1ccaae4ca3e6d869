// The run of `bot play` that is going on, or was the last one, as the server sends it while it is written.

import { get } from "./api.js";
import { OUTCOMES, countsOf, isMet, isRunning, streakText } from "./journals.js";
import { change, complain, keep, kept, say } from "./store.js";

/** @import { Game as Record, Run, RunUpdate } from "./api.js" */

/** Where the name of the run is kept whose goal was celebrated last: a reload does not repeat it. */
const PLACE = "celebrated";

class LiveRun {
  /** Whether the server has said if there is a run. */
  isKnown = false;
  /** @type {Run | null} */
  run = null;
  /** Whether the goal has been reached just now. */
  isReached = false;
  /** The run as it was when the board showed all of it. @type {Run | null} */
  seen = null;
  /** @type {EventSource | null} */
  #source = null;

  get isConnected() { return this.#source !== null; }
  /** Whether the run may still be going on. */
  get isRunning() { return this.run !== null && isRunning(this.run); }
  /** @type {Record | undefined} */
  get newest() { return this.run?.all.at(-1); }

  /**
   * Return the run as it was when the board had come to a game: what stands beside a board must not tell more than it.
   * @param {number} number  of the game on the board
   * @param {boolean} isEnded  whether the board shows its end
   */
  upTo(number, isEnded) {
    const { run, seen, newest } = this, isAll = isEnded && number === newest?.number;
    if (!run || !seen || isAll) return run;
    const counted = new Set(seen.all.filter(({ result }) => result !== null).map((game) => game.number));
    const all = run.all.filter((game) => game.number <= number).map((game) =>
      (game.number === number && !isEnded ? { ...game, result: null, outcome: "running" } : game));
    let { streak } = seen;
    for (const { number: one, result } of all) {
      if (result === null || counted.has(one)) continue;
      streak = result < 0 ? 0 : streak + 1;
    }
    return { ...run, ...countsOf(all), all, streak, verdict: "", met: null };
  }

  /**
   * Follow the run from now on.
   * @param {() => void} begun  called when the server has said which run there is
   */
  connect(begun) {
    this.disconnect();
    const source = (this.#source = new EventSource("/api/live"));
    /** @type {(kind: string, act: (data: any) => void) => void} */
    const on = (kind, act) => source.addEventListener(kind, (event) => {
      act(JSON.parse(event.data));
      change();
    });
    const begin = (/** @type {Run | null} */ run) => {
      this.isKnown = true;
      this.run = this.seen = run;
      begun();
    };
    on("waiting", () => begin(null));
    on("run", begin);
    on("game", (/** @type {RunUpdate} */ update) => this.#take(update));
    on("fault", ({ error }) => complain(new Error(error)));
    // The browser connects again by itself, unless it is refused; a request tells which, and waits for the server.
    source.addEventListener("error", () => { get("/api/room").catch(complain); });
  }

  disconnect() {
    this.#source?.close();
    this.#source = null;
    this.isReached = false;
  }

  /**
   * Take over the changed games of the run.
   * @param {RunUpdate} update
   */
  #take({ changed, ...summary }) {
    const before = this.run, games = new Map(before?.all.map((game) => [game.number, game]));
    let said = false;
    for (const record of changed) {
      const isOver = record.result !== null && (games.get(record.number)?.result ?? null) === null;
      games.set(record.number, record);
      if (!isOver) continue;
      // A quick game may be over when it is first seen, and two may end between two updates.
      say(`Game ${record.number} ${OUTCOMES[record.outcome]}. ${streakText(summary)}.`, said);
      said = true;
    }
    this.run = { ...summary, all: [...games.values()] };
    if (summary.met === null && before && isMet(before)) { // not read again yet
      Object.assign(this.run, { verdict: before.verdict, met: true });
    }
    if (!isMet(summary) || kept(PLACE, "") === summary.name) return;
    keep(PLACE, summary.name);
    this.isReached = true;
    say(summary.verdict, said);
  }
}

export const live = new LiveRun();
