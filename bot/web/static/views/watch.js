// Watch: the run of `bot play` that is going on, or was the last, no faster than people can follow.

import { get } from "../api.js";
import { OUTCOMES, isRunning, keyOf, showRecord } from "../journals.js";
import { enterRoom, room } from "../room.js";
import { readMoves } from "../rules.js";
import { change, complain, say, store } from "../store.js";
import { View } from "../view.js";

/** @import { Game as Record, Run, RunUpdate } from "../api.js" */
/** @import { Board } from "../rules.js" */

/** Minimum time between two moves on the board, and between a game's last move and the next game, milliseconds. */
const STEP_MS = 800, REST_MS = 2400;
/** Time between two looks at the number of spectators, milliseconds. */
const LOOK_MS = 5000;

/**
 * Return how a run stands, in words.
 * @param {{streak: number, goal: number, by: string}} run
 */
export const standing = ({ streak, goal, by }) =>
  (streak > goal ? `Streak ${streak}, goal ${goal}` : `Streak ${streak} of ${goal}`) +
  (by ? ", counted by the journals" : "");

class Watch extends View {
  /** @override */
  isForSpectators = true;
  /** @override */
  scoring = "never";
  /** @override */
  isForLookingBack = true;
  /** @type {Run | RunUpdate | null} */
  run = null;
  /** The games of the run by number. @type {Map<number, Record>} */
  games = new Map();
  /** Whether the board follows the run; else the user is looking back, and nothing that arrives moves the board. */
  isLive = true;
  /** @type {EventSource | null} */
  #source = null;
  #timer = 0;
  #steppedAt = 0;
  #looks = 0;

  /** @param {string} id */
  constructor(id) {
    super(id);
    // Browsers open few connections to one server: a hidden page must not keep one.
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.leave();
      else if (store.view === this.id && !this.#source) this.enter();
    });
  }

  /** @type {Record | undefined} */
  get #newest() { return this.games.get(Math.max(...this.games.keys())); }
  /** Whether the board shows the newest game. */
  get #isNewest() { return this.#newest !== undefined && this.shows(this.#newest); }
  /** Whether the run has moves that the board has not shown. */
  get #isBehind() { return this.game.isLookingBack || (this.#newest !== undefined && !this.#isNewest); }

  /**
   * Whether the board shows this game of the run.
   * @param {Record} record
   */
  shows(record) { return this.run !== null && this.game.key === keyOf(this.run.name, record); }

  /** @override */
  enter() {
    this.leave();
    const source = (this.#source = new EventSource("/api/live"));
    /** @type {(kind: string, act: (data: any) => void) => void} */
    const on = (kind, act) => source.addEventListener(kind, (event) => act(JSON.parse(event.data)));
    on("waiting", () => {
      this.run = null;
      this.games.clear();
      if (this.isLive) this.follow();
      change();
    });
    on("run", (run) => this.#take(run, run.all));
    on("game", (run) => this.#take(run, run.changed));
    on("fault", ({ error }) => complain(new Error(error)));
    // The browser connects again by itself, unless it is refused; a request tells which, and waits for the server.
    source.addEventListener("error", () => { get("/api/room").catch(complain); });
    const look = () => { if (room.link) enterRoom().catch(() => {}); };
    this.#looks = setInterval(look, LOOK_MS);
    look();
  }

  /** @override */
  leave() {
    this.#source?.close();
    this.#source = null;
    clearInterval(this.#looks);
    clearTimeout(this.#timer);
    this.#timer = 0;
  }

  /** @override */
  react() {
    if (this.#timer || !this.#source || !this.isLive || !this.#isBehind) return;
    const pause_ms = this.game.isLookingBack || !this.game.main.length ? STEP_MS : REST_MS;
    this.#timer = setTimeout(() => this.#step(), Math.max(0, this.#steppedAt + pause_ms - performance.now()));
  }

  /** Show the next move of the game on the board; after its end, begin with the newest game. */
  #step() {
    this.#timer = 0;
    if (!this.isLive) return;
    this.#steppedAt = performance.now();
    if (this.game.isLookingBack) this.game.walk(this.game.at + 1);
    else if (this.#newest) this.#show(this.#newest, 0);
  }

  /**
   * Take over a new run with all its games, or the changed games of the current one.
   * @param {Run | RunUpdate} run
   * @param {Record[]} records
   */
  #take(run, records) {
    const isNew = "all" in run;
    if (isNew) this.games.clear();
    let said = false;
    for (const record of records) {
      const isOver = record.result !== null && (this.games.get(record.number)?.result ?? null) === null;
      this.games.set(record.number, record);
      if (isNew || !isOver) continue;
      // A quick game may be over when it is first seen, and two may end between two updates.
      say(`Game ${record.number} ${OUTCOMES[record.outcome]}. ${standing(run)}.`, said);
      said = true;
    }
    this.run = run;
    const grown = records.find((record) => this.shows(record)), { at } = this.game;
    if (grown) {
      const main = readMoves(grown.moves);
      this.game.update({ main, moves: [...main], at: Math.min(at, main.length), record: grown });
    }
    if (isNew && this.isLive) this.follow();
    change();
  }

  /**
   * @param {Record} record
   * @param {number} [at]
   */
  #show(record, at = record.moves.length) {
    this.#steppedAt = performance.now();
    showRecord(this.game, this.run?.name ?? "", record);
    this.game.walk(at);
  }

  /** Show the newest position, and from now on what follows. */
  follow() {
    this.isLive = true;
    if (this.#newest) this.#show(this.#newest); else this.game.show();
  }

  /**
   * Show a game of the run; another one than the newest stays until the user leaves it.
   * @param {Record} record
   */
  choose(record) {
    this.#show(record);
    this.isLive = this.#isNewest;
  }

  /**
   * @override
   * @param {number} at
   */
  go(at) {
    const isForward = at > this.game.at;
    super.go(at);
    this.isLive = (this.isLive && isForward) || (this.#isNewest && !this.game.isLookingBack);
  }

  /** @override */
  isOpen() { return false; }

  /**
   * @override
   * @returns {import("../view.js").Action[]}
   */
  actions() {
    const label = this.run && !isRunning(this.run) ? "Newest game" : "Live";
    return [{ id: "live-pill", label, act: () => this.follow(), isStrong: !this.isLive,
      isDisabled: this.isLive && !this.#isBehind }];
  }

  /**
   * @override
   * @param {Board} board
   */
  status(board) {
    const { run, game } = this, { record } = game;
    if (!record) return game.main.length ? super.status(board) : run ? "No game yet." : "No run to watch yet.";
    if (!game.isLookingBack && record.result !== null) return `Game ${record.number}: ${OUTCOMES[record.outcome]}.`;
    const isGoingOn = run !== null && isRunning(run) && this.#isNewest;
    if (!game.isLookingBack && !isGoingOn) return `Game ${record.number} was left unfinished.`;
    return `Game ${record.number}: ${(board.toMove === 0) === record.we_started ? "the bot" : "the opponent"} to move.`;
  }
}

export const watch = new Watch("watch");
