// The runs that can be chosen: the newest, which is followed while it grows, journals, games played here.

import { chosen } from "./address.js";
import { get } from "./api.js";
import { OUTCOMES, OWN_RUN, countsOf, hasGames, isMet, isRunning, ownRun, streakText } from "./journals.js";
import { room } from "./room.js";
import { change, complain, say } from "./store.js";

/** @import { Game as Record, Run, RunAnswer, RunSummary } from "./api.js" */

/** The name by which the address calls the newest run while it is followed. */
export const LIVE = "live";
/** Time between two looks at the newest run; the same while a journal is being read; milliseconds. */
const LOOK_MS = 800, READ_MS = 50;

/** @typedef {"live" | "yours" | "journals"} List */

class Runs {
  /** The list of games that was opened while another run stays chosen. @type {List | null} */
  opened = null;
  /** All journals; null until they are listed. @type {RunSummary[] | null} */
  journals = null;
  /** The runs whose games are known: the newest, journals, games played here. @type {Map<string, Run>} */
  known = new Map();
  /** The run that is going on, or was last. @type {Run | null} */
  newest = null;
  /** Whether the server has said which that is. */
  isKnown = false;
  /** Whether its goal has been reached just now. */
  isReached = false;
  /** The newest run as it was when the board showed all of it. @type {Run | null} */
  seen = null;
  /** Why the chosen run cannot be shown. */
  problem = "";
  /** The journal that is being asked for, and the run that `settle` has seen to. */
  #loading = "";
  #settled = "";
  /** The newest run and its end when the journals were listed. */
  #listed = "";
  #timer = 0;
  /** What belongs to an earlier turn of following is dropped. */
  #turn = 0;

  /** Whether the newest run is followed, not one of its games chosen. */
  get isLive() { return chosen.run === LIVE; }
  /** The name of the chosen run. */
  get name() { return this.isLive ? this.newest?.name ?? "" : chosen.run; }
  /** Whether the newest run may still be going on. */
  get isRunning() { return this.newest !== null && isRunning(this.newest); }
  /** @type {Record | undefined} */
  get newestGame() { return this.newest?.all.at(-1); }

  /** Which list of games is shown: that of the chosen run, unless another one was opened. @returns {List} */
  get list() {
    if (this.opened) return this.opened;
    if (this.name === OWN_RUN) return "yours";
    return this.isLive || !this.isKnown || this.name === this.newest?.name ? "live" : "journals";
  }

  /** Whether a journal is chosen whose games are still to come. */
  get isLoading() { return this.isKnown && this.name !== "" && !this.current && !this.problem; }

  /** The chosen run; null until it is loaded. */
  get current() { return this.known.get(this.name) ?? null; }

  /** The journals of runs that have ended. */
  get ended() { return (this.journals ?? []).filter((run) => !isRunning(run)); }

  /** Look again at the games played in this browser. */
  readOwn() {
    const own = room.isSpectator ? null : ownRun();
    if (own) this.known.set(OWN_RUN, own);
  }

  /**
   * Follow the newest run from now on, and read what the chosen one lacks.
   * @param {() => void} begun  called when the server has said which run is the newest
   */
  follow(begun) {
    this.leave();
    this.readOwn();
    this.opened = null;
    this.#settled = this.#listed = "";
    this.#look(this.#turn, begun);
  }

  leave() {
    clearTimeout(this.#timer);
    this.#turn++;
    this.isReached = false;
  }

  /**
   * @param {number} turn
   * @param {() => void} begun
   */
  async #look(turn, begun) {
    const { newest } = this;
    let isWhole = true;
    try {
      /** @type {RunAnswer} */
      const answer = await get(`/api/live?since=${newest?.at ?? ""}`);
      if (turn !== this.#turn) return;
      this.#take(answer, begun);
      const listed = `${this.newest?.name} ${this.isRunning}`; // a run stands among them as soon as it has ended
      if (listed !== this.#listed || !this.journals?.every(isListed)) await this.#list();
      this.#listed = listed;
      isWhole = await this.#load(this.name) && (!this.newest || isListed(this.newest));
    } catch (error) {
      if (turn === this.#turn) complain(error);
    }
    if (turn === this.#turn) this.#timer = setTimeout(() => this.#look(turn, begun), isWhole ? LOOK_MS : READ_MS);
  }

  async #list() {
    /** @type {RunSummary[]} */
    const all = await get("/api/runs");
    this.journals = all.filter((run) => run.error || !isListed(run) || hasGames(run));
    change();
  }

  /**
   * Load the chosen run, and what is still to be read of it; return whether it is whole.
   * @param {string} name
   */
  async #load(name) {
    const known = this.known.get(name), isWhole = known && isListed(known);
    const isElsewhere = !name || name === OWN_RUN || name === this.newest?.name;
    if (isElsewhere || isWhole || this.problem || this.#loading === name) return true;
    this.#loading = name;
    try {
      const run = merged(known, await get(`/api/runs/${encodeURIComponent(name)}?since=${known?.at ?? ""}`));
      if (run) this.known.set(name, run);
      change();
      return run?.listed === true;
    } catch (error) {
      if (name === this.name) {
        complain(error);
        this.problem = error instanceof Error ? error.message : String(error);
      }
      return true;
    } finally {
      this.#loading = "";
    }
  }

  /** Choose a run where none is: the one that is going on, or was last, or else the games played here. */
  settle() {
    if (!chosen.run && this.newest && hasGames(this.newest)) chosen.run = LIVE;
    if (!chosen.run && this.isKnown && this.known.has(OWN_RUN)) chosen.run = OWN_RUN;
    const { name } = this;
    if (name === this.#settled) return;
    this.#settled = name;
    this.problem = "";
    if (name === OWN_RUN && !this.current) this.problem = "No games yet.";
    if (/^\.+$/.test(name)) this.problem = "This journal is not in the folder.";
    if (this.isKnown) this.#load(name);
  }

  /**
   * Return the newest run as it was when the board had come to a game: what stands beside a board must not tell more.
   * @param {number} number  of the game on the board
   * @param {boolean} isEnded  whether the board shows its end
   */
  upTo(number, isEnded) {
    const { newest, seen, newestGame } = this;
    if (!newest || !seen || (isEnded && number === newestGame?.number)) return newest;
    const counted = new Set(seen.all.filter(({ result }) => result !== null).map((game) => game.number));
    const all = newest.all.filter((game) => game.number <= number).map((game) =>
      (game.number === number && !isEnded ? { ...game, result: null, outcome: "running" } : game));
    let { streak } = seen;
    for (const { number: one, result } of all) {
      if (result === null || counted.has(one)) continue;
      streak = result < 0 ? 0 : streak + 1;
    }
    return { ...newest, ...countsOf(all), all, streak, verdict: "", met: null };
  }

  /**
   * Take over the newest run, or what has changed in it.
   * @param {RunAnswer} answer
   * @param {() => void} begun
   */
  #take(answer, begun) {
    const before = this.newest, isFirst = !this.isKnown;
    if (answer.run === undefined) return;
    this.isKnown = true;
    this.newest = merged(before, answer);
    if (this.newest) this.known.set(this.newest.name, this.newest);
    if (answer.whole || isFirst) this.seen = this.newest;
    if (answer.whole || isFirst) begun();
    else if (before && this.newest?.listed) this.#announce(before, this.newest, answer.games);
    change();
  }

  /**
   * Say how the last game ended; celebrate the goal, once.
   * @param {Run} before
   * @param {Run} now
   * @param {Record[]} changed
   */
  #announce(before, now, changed) {
    const open = new Set(before.all.filter(({ result }) => result !== null).map(({ number }) => number));
    const last = changed.filter((one) => one.result !== null && !open.has(one.number)).at(-1);
    if (last) say(`Game ${last.number} ${OUTCOMES[last.outcome]}. ${streakText(now)}.`);
    if (now.met === null && isMet(before)) Object.assign(now, { verdict: before.verdict, met: true }); // not read again
    if (!isMet(now) || isMet(before)) return;
    this.isReached = true;
    say(now.verdict, Boolean(last));
  }
}

/** @param {RunSummary} run */
const isListed = ({ listed }) => listed !== false;

/**
 * Return a run with what an answer has changed.
 * @param {Run | null | undefined} before
 * @param {RunAnswer} answer
 * @returns {Run | null}
 */
function merged(before, { at, run, games, whole }) {
  if (!run) return run === undefined ? before ?? null : null;
  const all = new Map(whole || !before ? [] : before.all.map((game) => [game.number, game]));
  for (const game of games) all.set(game.number, game);
  return { ...run, at, all: [...all.values()].sort((one, other) => one.number - other.number) };
}

export const runs = new Runs();
