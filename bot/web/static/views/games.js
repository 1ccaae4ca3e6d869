// Games: the run that is going on, no faster than people can follow; journals, opened files, games played here.

import { chosen } from "../address.js";
import { review, reviewOf } from "../evaluator.js";
import { ending } from "../game.js";
import { Guide } from "../guide.js";
import { keyOf, showRecord } from "../journals.js";
import { live } from "../live.js";
import { toggleProjector } from "../projector.js";
import { OWN_RUN } from "../own.js";
import { enterRoom, room } from "../room.js";
import { readMoves, writeMoves } from "../rules.js";
import { LIVE, runs } from "../runs.js";
import { change, complain, store } from "../store.js";
import { study } from "../study.js";
import { playOn, turnAround } from "../table.js";
import { View } from "../view.js";

/** @import { Game as Record } from "../api.js" */
/** @import { Board } from "../rules.js" */
/** @import { Action } from "../view.js" */

/**
 * Least time between two moves on the board; the same while the board is behind by a game, or by more than `FEW` moves;
 * between a game's last move and the next game; and between two games while the run is too quick to show each;
 * milliseconds.
 */
const STEP_MS = 800, QUICK_MS = 200, REST_MS = 2400, SKIP_MS = 1200;
/** Moves that may arrive together: ours and the answer, twice. */
const FEW = 4;
/** Time between two looks at the number of spectators, milliseconds. */
const LOOK_MS = 5000;

class Games extends View {
  /** @override */
  isForSpectators = true;
  /** @override */
  guide = new Guide(this.game, {
    review: reviewOf,
    get turnAround() { return room.isSpectator ? null : turnAround; },
  });
  #timer = 0;
  #steppedAt = 0;
  #looks = 0;

  /** @param {string} id */
  constructor(id) {
    super(id);
    // Browsers open few connections to one server: a hidden page must not keep one.
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.leave();
      else if (store.view === this.id && !live.isConnected) this.enter();
    });
  }

  /** @override */
  get mayScore() { return !room.isSpectator && this.game.main.length > 0; }
  /** @override */
  get isLeft() {
    const { record, isOver, isLookingBack, isVariation } = this.game;
    return record !== null && !isOver && !isLookingBack && !isVariation && !this.#isNewest;
  }
  /** Whether the board follows a run that is going on. */
  get #isFollowing() { return runs.isLive && live.isRunning; }
  /** Whether the board shows the newest game of a run that is going on. */
  get #isNewest() { return live.isRunning && this.game.key === keyOf(live.run?.name ?? "", live.newest); }

  /** The chosen run as far as the board has come. */
  get run() {
    const { record, isOver, isLookingBack } = this.game;
    return this.hidesAhead && record ? live.upTo(record.number, isOver && !isLookingBack) : runs.current;
  }
  /** @override */
  get hidesAhead() { return this.#isFollowing; }

  /**
   * Whether the board shows this game of the chosen run.
   * @param {Record | undefined} record
   */
  shows(record) { return this.game.key === keyOf(runs.name, record); }

  /** @override */
  enter() {
    this.leave();
    runs.begin();
    live.connect(() => {
      runs.load();
      runs.settle();
      if (runs.isLive && live.newest && !this.game.isVariation) this.#show(live.newest);
    });
    const look = () => { if (room.link) enterRoom().catch(() => {}); };
    this.#looks = setInterval(look, LOOK_MS);
    look();
  }

  /** @override */
  leave() {
    live.disconnect();
    clearInterval(this.#looks);
    clearTimeout(this.#timer);
  }

  /** @override */
  react() {
    clearTimeout(this.#timer);
    runs.settle();
    this.#refresh();
    if (runs.isLive) this.#keepUp(); else this.#showChosen();
    if (this.game.isOver && this.mayScore && !this.#isFollowing) review(this.game.main); // for the ribbon's heights
  }

  /** Add to the game on the board what is known of it by now; the board stays where it is. */
  #refresh() {
    const { game } = this, record = runs.current?.all.find((one) => this.shows(one));
    const main = readMoves(record?.moves);
    if (!record || (writeMoves(main) === writeMoves(game.main) && record.result === game.record?.result)) return;
    game.update({ main, record });
    if (!game.isVariation) game.backToMain(game.at);
  }

  /** Show the chosen game, or else the first one of the run. */
  #showChosen() {
    const all = runs.current?.all, wanted = all?.find(({ number }) => String(number) === chosen.game);
    const record = wanted ?? all?.[0], isGone = runs.problem && !this.game.key.startsWith(`${runs.name}#`);
    if (isGone || all?.length === 0) this.#clear();
    if (!record || (wanted && this.shows(wanted))) return;
    chosen.game = String(record.number);
    this.#show(record);
  }

  /** Bring the board to where the run is, as slowly as people can follow. */
  #keepUp() {
    const isFree = live.isKnown && !this.game.isVariation && !this.guide.isActive, next = isFree ? this.#next() : null;
    if (isFree && !next) live.seen = live.run;
    if (!next) return;
    const act = () => {
      this.#steppedAt = performance.now();
      next.act();
    };
    const wait_ms = this.#steppedAt + next.after_ms - performance.now();
    if (next.after_ms === 0) act(); else this.#timer = setTimeout(act, wait_ms);
  }

  /** Return what the board shows next, and how long after its last step; null: it shows the newest position. */
  #next() {
    const { game } = this, { newest } = live, { record } = game;
    if (!newest) return game.key ? { after_ms: 0, act: () => this.#clear() } : null;
    const toNewest = () => this.#show(newest), { isRunning } = live;
    const ahead = newest.number - (record?.number ?? 0), left = game.moves.length - game.at, isFar = left > FEW;
    if (!record && isRunning) return { after_ms: 0, act: () => this.#show(newest, 0) }; // the run's first game
    if (!record || !this.shows(record)) return { after_ms: 0, act: toNewest };
    if (!isRunning && (ahead || isFar)) return { after_ms: 0, act: toNewest };
    if (ahead > 1) return { after_ms: SKIP_MS, act: toNewest };
    if (left) return { after_ms: ahead || isFar ? QUICK_MS : STEP_MS, act: () => game.walk(game.at + 1) };
    return ahead ? { after_ms: REST_MS, act: () => this.#show(newest, 0) } : null;
  }

  /** Empty the board, unless it is. */
  #clear() { if (this.game.main.length || this.game.key) this.game.show(); }

  /**
   * Show a game of the chosen run, at its end; or at the position of the link that has led here.
   * @param {Record} record
   * @param {number} [at]
   */
  #show(record, at) {
    const { game } = this, isLinked = !game.key && game.at && record.moves.startsWith(writeMoves(game.main));
    const shown = isLinked ? game.at : at;
    this.#steppedAt = performance.now();
    showRecord(game, runs.name, record, runs.current?.engine);
    if (shown !== undefined) game.walk(shown);
  }

  /**
   * Choose a run; the one that is going on, or was last, is followed: the board shows its newest position.
   * @param {string | undefined} name
   */
  choose(name) {
    complain(null);
    Object.assign(chosen, { run: name === live.run?.name ? LIVE : name, game: "" });
    if (runs.isLive && live.newest) this.#show(live.newest);
    change();
  }

  /**
   * Show a list of games; of the journals, one is still to be chosen.
   * @param {import("../runs.js").List} list
   */
  open(list) {
    if (list === "live") this.choose(live.run?.name);
    if (list === "yours") this.choose(OWN_RUN);
    runs.opened = list;
    change();
  }

  /**
   * Choose a game of the chosen run; any but the newest of a run that is going on stays until the user leaves it.
   * @param {Record} record
   */
  view(record) {
    if (live.isRunning && record === live.newest) return this.choose(live.run?.name);
    this.#stay(record);
    return this.#show(record);
  }

  /**
   * Stay with a game, whatever arrives.
   * @param {Record | null} record
   */
  #stay(record) { if (record) Object.assign(chosen, { run: runs.name, game: String(record.number) }); }

  /**
   * @override
   * @param {number} at
   */
  go(at) {
    const { game } = this, isForward = at > game.at;
    super.go(at);
    if (this.#isNewest && !game.isLookingBack && !game.isVariation) Object.assign(chosen, { run: LIVE, game: "" });
    else if (!isForward && game.record && this.shows(game.record)) this.#stay(game.record);
  }

  /**
   * @override
   * @param {number[]} moves
   */
  adopt(moves) { this.game.show({ main: moves }); }

  /**
   * @override
   * @param {Board} board
   */
  isOpen(board) { return !board.isOver && this.mayScore && !this.#isFollowing; }

  /**
   * @override
   * @param {Board} board
   * @returns {Action[]}
   */
  actions(board) {
    const { game } = this, { isRunning } = live, isFollowing = this.#isFollowing;
    const toLive = { id: "follow", label: "Live", isStrong: !game.isOver, act: () => this.choose(live.run?.name) };
    const projector = { id: "projector", label: "Projector", key: "f", act: toggleProjector };
    const moments = { ...this.moments, act: () => {
      this.#stay(game.record);
      this.guide.open();
    } };
    const toStudy = { id: "study", label: "Study", act: () => study(game) };
    const rest = { id: "play-on", label: "Play on from here", act: () => playOn(game.shown) };
    const shown = runs.isLive ? [projector] : [], last = board.isOver ? shown : [rest];
    if (game.isVariation) return [{ ...this.backToGame, isStrong: true }, toStudy, ...last];
    if (isFollowing) return [projector];
    if (!this.mayScore) return isRunning ? [toLive, projector] : [];
    if (isRunning) return game.isOver ? [moments, toStudy, toLive] : [toLive, toStudy, ...last];
    return game.isOver ? [moments, toStudy, ...last] : [toStudy, ...last];
  }

  /**
   * @override
   * @param {Board} board
   */
  status(board) {
    const { game } = this, { record, main, at } = game;
    if (!record) return main.length ? super.status(board) : this.#emptiness();
    let place = "";
    if (game.isVariation) place = ", other moves";
    else if (game.isLookingBack && at) place = `, move ${at}`;
    return `Game ${record.number}${place}\u00a0\u00b7\u00a0${this.#said(board, record)}`;
  }

  /**
   * Say what is on the board; at a game's end, how it ended by its record.
   * @param {Board} board
   * @param {Record} record
   */
  #said(board, record) {
    const { game } = this, { names } = game;
    if (!game.isLookingBack && !game.isVariation) {
      if (record.outcome === "void") return "Void: the server lost the game, so it does not count.";
      if (game.isOver) return ending(game);
      if (!this.#isNewest) return "Left unfinished.";
    }
    if (board.winner !== null) return `${names[board.winner]} has four in a row.`;
    return board.isOver ? "The board is full." : `${names[board.toMove]} to move.`;
  }

  /** Return why the board is empty, in words. */
  #emptiness() {
    if (runs.problem) return runs.name === OWN_RUN ? "No games yet." : "This run cannot be shown.";
    if (runs.current) return live.isRunning ? "The first game has not begun." : "This run has no games.";
    return live.isKnown && (runs.isLive || !chosen.run) ? "No games yet." : "Loading the games\u2026";
  }
}

export const games = new Games("games");
