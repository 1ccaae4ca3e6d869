// Games: the run that is going on, no faster than people can follow; journals, games played here.

import { chosen, open } from "../address.js";
import { coaching, mistakesPart, review, reviewOf } from "../evaluator.js";
import { button, scoresToggle } from "../fields.js";
import { ending } from "../game.js";
import { Guide } from "../guide.js";
import {
  OWN_RUN, counted, gameButton, gameTitle, inOrder, inThisRun, isLost, isMet, isRunning, keyOf, showRecord, streakText,
  whenBegun,
} from "../journals.js";
import { isProjector, room, toggleProjector } from "../room.js";
import { readMoves, writeMoves } from "../rules.js";
import { LIVE, runs } from "../runs.js";
import { study } from "./scores.js";
import { $, change, complain, showBoard } from "../store.js";
import { turnAround } from "../table.js";
import { html, nothing } from "../vendor/lit-html.js";
import { View } from "../view.js";

/** @import { Game as Record, Judged, Run, RunSummary } from "../api.js" */
/** @import { Board } from "../rules.js" */
/** @import { List } from "../runs.js" */
/** @import { Action } from "../view.js" */

/**
 * Least time between two moves on the board; the same while the board is behind by a game, or by more than `FEW` moves;
 * between a game's last move and the next game; and between two games while the run is too quick to show each;
 * milliseconds.
 */
const STEP_MS = 800, QUICK_MS = 200, REST_MS = 2400, SKIP_MS = 1200;
/** Moves that may arrive together: ours and the answer, twice. */
const FEW = 4;
/** Games of a run that are listed at first; the others follow when they are wanted. */
const MOST_LISTED = 150;
/** Most dots of a streak; of a higher goal, each dot stands for several games. */
const MAX_DOTS = 40;
/** The lists of games in their order. */
const LISTS = /** @type {const} */ (["live", "yours", "journals"]);
/** What is said of a run by how it ended. @type {{[end: string]: string}} */
const STATES = {
  silent: "Silent for a while: it is waiting for its server, or was killed.", finished: "The run has ended.",
  interrupted: "The run was interrupted.", error: "The run ended with an error.", "broken off": "The run broke off.",
};

class Games extends View {
  /** @override */
  isForSpectators = true;
  /** @override */
  guide = new Guide(this.game, {
    review: reviewOf, coaching,
    get turnAround() { return room.isSpectator ? null : turnAround; },
  });
  #timer = 0;
  #steppedAt = 0;
  /** The run of which all games are listed. */
  listsAll = "";

  /** @override */
  get mayScore() { return !room.isSpectator && this.game.main.length > 0; }
  /** @override */
  get isLeft() {
    const { record, isOver, isLookingBack, isVariation } = this.game;
    return record !== null && !isOver && !isLookingBack && !isVariation && !this.#isNewest;
  }
  /** Whether the board follows a run that is going on. */
  get #isFollowing() { return runs.isLive && runs.isRunning; }
  /** Whether the board shows the newest game of a run that is going on. */
  get #isNewest() { return runs.isRunning && this.game.key === keyOf(runs.newest?.name ?? "", runs.newestGame); }

  /** The chosen run as far as the board has come. */
  get run() {
    const { record, isOver, isLookingBack } = this.game;
    return this.hidesAhead && record ? runs.upTo(record.number, isOver && !isLookingBack) : runs.current;
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
    runs.follow(() => {
      runs.settle();
      if (runs.isLive && runs.newestGame && !this.game.isVariation) this.#show(runs.newestGame);
    });
  }

  /** @override */
  leave() {
    runs.leave();
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
    const record = runs.current?.all.find((one) => this.shows(one)), { game } = this, main = readMoves(record?.moves);
    if (!record || (writeMoves(main) === writeMoves(game.main) && record.result === game.record?.result)) return;
    game.update({ main, record });
    if (!game.isVariation) game.backToMain(game.at);
  }

  /** Show the chosen game, or else the first one of the run. */
  #showChosen() {
    const all = runs.current?.all, wanted = all?.find(({ number }) => String(number) === chosen.game);
    const record = wanted ?? (runs.current && inOrder(runs.current)[0]);
    const isGone = runs.problem && !this.game.key.startsWith(`${runs.name}#`);
    if (isGone || all?.length === 0) this.#clear();
    if (!record || (wanted && this.shows(wanted))) return;
    chosen.game = String(record.number);
    this.#show(record);
  }

  /** Bring the board to where the run is, as slowly as people can follow. */
  #keepUp() {
    const isFree = runs.isKnown && !this.game.isVariation && !this.guide.isActive, next = isFree ? this.#next() : null;
    if (isFree && !next) runs.seen = runs.newest;
    if (!next) return;
    const [after_ms, step] = next, act = () => {
      this.#steppedAt = performance.now();
      step();
    };
    if (after_ms === 0) act();
    else this.#timer = setTimeout(act, this.#steppedAt + after_ms - performance.now());
  }

  /**
   * Return how long after the board's last step the next one comes, milliseconds, and what it does; null: the board
   * shows the newest position.
   * @returns {[number, () => void] | null}
   */
  #next() {
    const { game } = this, newest = runs.newestGame, { record } = game;
    if (!newest) return game.key ? [0, () => this.#clear()] : null;
    const toNewest = () => this.#show(newest), { isRunning } = runs;
    const ahead = newest.number - (record?.number ?? 0), left = game.moves.length - game.at, isFar = left > FEW;
    const toBegin = () => this.#show(newest, 0);
    if (!record && isRunning) return [0, toBegin]; // the run's first game
    if (!record || !this.shows(record) || (!isRunning && (ahead || isFar))) return [0, toNewest];
    if (ahead > 1) return [SKIP_MS, toNewest];
    if (left) return [ahead || isFar ? QUICK_MS : STEP_MS, () => game.walk(game.at + 1)];
    return ahead ? [REST_MS, toBegin] : null;
  }

  /** Empty the board, unless it is. */
  #clear() { if (this.game.main.length || this.game.key) this.game.show(); }

  /**
   * Show a game of the chosen run, at its end or after `at` moves.
   * @param {Record} record
   * @param {number} [at]
   */
  #show(record, at) {
    this.#steppedAt = performance.now();
    showRecord(this.game, runs.name, record, runs.current?.engine);
    if (at !== undefined) this.game.walk(at);
  }

  /**
   * Choose a run; the one that is going on, or was last, is followed: the board shows its newest position.
   * @param {string | undefined} name
   */
  choose(name) {
    complain(null);
    Object.assign(chosen, { run: name === runs.newest?.name && runs.isRunning ? LIVE : name, game: "" });
    if (runs.isLive && runs.newestGame) this.#show(runs.newestGame);
    change();
  }

  /**
   * Show a list of games with its run; of the journals, the newest one.
   * @param {List} list
   */
  open(list) {
    const journal = runs.ended.find(({ engine, error }) => engine && !error)?.name ?? LIVE;
    if (list !== "journals" || runs.list !== list) this.choose({ live: LIVE, yours: OWN_RUN, journals: journal }[list]);
    runs.opened = list;
    change();
    if (list === "journals") $("segments").scrollIntoView(); // on a phone, they are below the board
  }

  /**
   * List all games of a run, not only the first ones.
   * @param {Run} run
   */
  listAll({ name }) {
    this.listsAll = name;
    change();
  }

  /**
   * Choose a game of the chosen run; any but the newest of a run that is going on stays until the user leaves it.
   * @param {Record} record
   */
  view(record) {
    if (runs.isRunning && record === runs.newestGame) return this.choose(LIVE);
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
   * @param {Board} board
   */
  isOpen(board) { return !board.isOver && this.mayScore && !this.#isFollowing; }

  /**
   * @override
   * @returns {Action[]}
   */
  actions() {
    const { game } = this, { isRunning } = runs;
    const toLive = { id: "follow", label: "Live", isStrong: !game.isOver, act: () => this.open("live") };
    const projector = { id: "projector", label: "Projector", key: "f", act: toggleProjector };
    const moments = { ...this.moments, act: () => {
      this.#stay(game.record);
      this.guide.open();
    } };
    const toStudy = { id: "study", label: "Study", act: () => study(game) };
    const last = runs.isLive ? [projector] : [];
    if (game.isVariation) return [{ ...this.backToGame, isStrong: true }, toStudy, ...last];
    if (this.#isFollowing) return [projector];
    if (runs.name === OWN_RUN && runs.problem) {
      return [{ id: "play", label: "Play a game", isStrong: true, act: () => open("play") }];
    }
    if (!this.mayScore) return isRunning ? [toLive, projector] : [];
    if (isRunning) return game.isOver ? [moments, toStudy, toLive] : [toLive, toStudy];
    return game.isOver ? [moments, toStudy, ...last] : [toStudy, ...last];
  }

  /**
   * @override
   * @param {Board} board
   */
  status(board) {
    const { game } = this, { record, main, at } = game;
    if (runs.isLoading) return this.emptiness;
    if (!record) return main.length ? super.status(board) : this.emptiness;
    let place = "";
    if (game.isVariation) place = ", other moves";
    else if (game.isLookingBack && at) place = `, move\u00a0${at}`;
    return `Game\u00a0${record.number}${place}\u00a0\u00b7\u00a0${this.#said(board, record)}`;
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

  /** Why the board is empty, in words. */
  get emptiness() {
    if (runs.problem) return runs.name === OWN_RUN ? runs.problem : "This run cannot be shown.";
    if (runs.current) return runs.isRunning ? "The first game has not begun." : "This run has no games.";
    return runs.isKnown && (runs.isLive || !chosen.run) ? "No games yet." : "Loading the games\u2026";
  }
}

export const games = new Games("games");

/** The lists of games; a spectator has none of an own. */
export function gamesSegments() {
  const titles = { live: runs.isRunning ? "Live" : "Last run", yours: "Yours", journals: "Journals" };
  const lists = LISTS.filter((list) => list !== "yours" || !room.isSpectator);
  const segment = (/** @type {List} */ list) => html`<button id="list-${list}"
    aria-current=${list === runs.list ? "true" : nothing} @click=${() => games.open(list)}>${titles[list]}</button>`;
  return html`<nav id="segments" aria-label="Lists of games">${lists.map(segment)}</nav>`;
}

export function gamesPanel() {
  const { list } = runs, { game, run } = games;
  if (games.guide.isActive) return nothing;
  const scores = games.mayScore ? scoresToggle() : nothing, shown = html`<div class="part">${chosenRun(run)}</div>`;
  if (list === "journals") return html`${journalsPart()}${scores}`;
  if (list === "live") return html`${scores}${shown}${room.link ? roomPart() : nothing}`;
  return html`${scores}${shown}${game.isOver ? mistakesPart(game) : nothing}`;
}

/** The runs that have ended; the chosen one is open. */
function journalsPart() {
  const { name, ended } = runs, open = ended.findIndex((run) => run.name === name) + 1;
  const rows = (/** @type {RunSummary[]} */ some) => (some.length ? html`<ul class="list">${some.map((run) =>
    html`<li>${row(run)}</li>`)}</ul>` : nothing);
  return html`<div class="part">
    ${rows(ended.slice(0, open))}${open || runs.problem ? chosenRun(runs.current) : nothing}${rows(ended.slice(open))}
    ${ended.length ? nothing : noJournals()}
  </div>`;
}

/** Why there are no journals. */
function noJournals() {
  if (!runs.journals) return html`<p class="about" role="status">Loading the journals\u2026</p>`;
  if (room.isSpectator || runs.newest) return html`<p class="about">Games appear here when their run has ended.</p>`;
  return html`<p class="about">Start <code>python -m bot play</code> in another terminal: its games appear here.</p>`;
}

/** @param {RunSummary} run */
function row(run) {
  const { name, engine, error, damaged, listed } = run;
  if (error || !engine) {
    return html`<button disabled><b>${name}</b><span class="about">${error ? "damaged" : "being read"}</span>
      <small>${error}</small></button>`;
  }
  return html`<button data-run=${name} aria-current=${name === runs.name ? "true" : nothing}
    @click=${() => games.choose(name)}><b>${whenBegun(run)}</b>
    <span class="about">${counted(run)}${listed === false ? " so far" : ""}</span>
    <small>${engine}${damaged ? ", with damaged lines" : ""}</small></button>`;
}

/**
 * The chosen run: how it stands, and its games.
 * @param {Run | null} run  null until it is loaded
 */
function chosenRun(run) {
  if (!run && runs.name === OWN_RUN) return nothing; // the headline says it
  if (!run) return html`<p class="about" role="status">${runs.problem || games.emptiness}</p>`;
  const all = inOrder(run), some = games.listsAll === run.name ? all : all.slice(0, MOST_LISTED);
  const left = all.length - some.length;
  const state = run.server ? runState(run) : nothing, isBelow = runs.list === "journals"; // there, the row tells most
  const lost = all === run.all ? [] : some.filter(isLost), others = some.slice(lost.length);
  const chip = (/** @type {Record} */ record) => gameButton(record, games.shows(record), () => {
    games.view(record);
    showBoard();
    $("ribbon").focus({ preventScroll: true }); // so that arrows step through the game
  });
  const soFar = html`<p class="about" role="status">${all.length} games so far; reading on\u2026</p>`;
  return html`${isBelow ? nothing : state}
    ${run.listed === false ? soFar : nothing}
    <div id="games" class="games ${run.server ? "" : "rows"}">
      ${lost.length ? html`<span>Lost</span>${lost.map(chip)}
        <span>${others.length ? "Others" : ""}</span>` : nothing}${others.map(chip)}</div>
    ${left ? button(`Show ${left.toLocaleString("en")} more games`, () => games.listAll(run), { isSmall: true })
      : nothing}
    ${isBelow ? state : nothing}`;
}

/**
 * How a run stands: whatever is said here is of the run, not of the game on the board.
 * @param {Run} run
 */
function runState(run) {
  const { engine, player, server, end, verdict } = run;
  const about = html`<p class="run-verdict about">${verdict}</p>`;
  const met = html`<p class="run-verdict good">${verdict || streakText(run)}</p>`;
  const place = server === "embedded" ? "the embedded server" : server, who = player ? `, playing as ${player},` : "";
  return html`${isMet(run) ? met : nothing}
    <p class="run-score about">${inThisRun(run)}.
      ${run.by.includes("server") ? "The streak is counted by the journals." : nothing}
      <span class="run-state">${STATES[end] ?? ""}</span></p>
    <details class="more"><summary>About this run</summary>
      <p class="run-about about">${engine}${who} at ${place}.</p>
      ${verdict && !isMet(run) && !isRunning(run) ? about : nothing}
    </details>`;
}

/** The way in for spectators. */
const roomPart = () => html`<div class="part" id="room"><h3>For the class</h3>
  <p>Everyone in the room can watch at this address.</p>
  <p id="room-link">${room.link}</p></div>`;

/** The game on the board among those of its run, and the run's streak as dots: all are lit when the goal is reached. */
export function standing() {
  const { record, at } = games.game, run = games.run, isShown = record ? games.shows(record) : runs.isRunning;
  if (!run?.server || !isShown) return isProjector() ? leave() : nothing;
  const { streak, goal } = run, count = Math.min(goal, MAX_DOTS), lit = Math.floor((streak * count) / goal);
  const isReached = runs.isReached && run === runs.newest;
  const isLarge = isProjector() && streak >= goal, move = isProjector() && at ? `, move\u00a0${at}` : "";
  const dots = Array.from({ length: count }, (_, index) => html`<i class=${index < lit ? "on" : ""}></i>`);
  return html`<p class="standing-text">${record ? gameTitle(run, record.number) + move : "No game yet"}</p>
    <p class="standing-score ${isLarge ? "good" : ""}">${streakText(run)}</p>
    <div class="streak ${isReached ? "reached" : ""}" role="img"
      aria-label="${streakText(run)}: games in a row without a loss">${dots}</div>
    ${isProjector() ? projected(run, isLarge) : nothing}`;
}

/**
 * What only the projector shows: what the run has brought, unless its goal is reached, and the way in for spectators.
 * @param {Judged} run
 * @param {boolean} isReached
 */
function projected(run, isReached) {
  const link = html`<div class="row">
    <img id="projector-code" src=${room.code} alt="The spectators\u2019 link as a QR code">
    <p id="projector-link">${room.link}</p></div>`;
  return html`${isReached ? nothing : html`<p class="standing-score">${inThisRun(run)}</p>`}
    ${room.link ? link : nothing}${leave()}`;
}

const leave = () => html`<button id="projector-end" class="quiet" aria-label="Leave the projector"
  @click=${toggleProjector}>\u2715</button>`;
