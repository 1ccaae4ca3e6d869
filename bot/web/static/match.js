// The match view: two agents play each other, one move at a time or continuously, one game or a series.

import { SingleRequest } from "./api.js";
import { $, complain, control, html, refill } from "./dom.js";
import { game, play, shown, startGame, takeOver } from "./game.js";
import { gameButton, showRecord } from "./journals.js";
import { moveRequest } from "./play.js";
import { canPlay, position, writeMoves } from "./rules.js";
import * as series from "./series.js";
import { SteppingView } from "./stepping.js";
import { store } from "./store.js";

/** @import { Decision } from "./api.js" */
/** @import { Page } from "./app.js" */
/** @import { Board } from "./rules.js" */

/** The pause before the next game is so many times the one between two moves. */
const GAME_PAUSES = 3;
/** Most games of a series, and most random moves at the start of one. */
const MOST_GAMES = 100, MOST_PLIES = 6;
/** Games after which repeated ones are pointed out. */
const MANY = 4;

export class MatchView extends SteppingView {
  #request = new SingleRequest();
  #isRunning = false;
  #timer = 0;

  /** @param {Page} page */
  constructor(page) {
    super(page);
    $("step").addEventListener("click", () => { this.#pause(); this.step(); });
    $("run").addEventListener("click", () => this.toggle());
    $("stop").addEventListener("click", () => this.#stop());
  }

  /** @override */
  get isThinking() { return this.#request.isBusy; }

  /** Whether a series goes on by itself, so that the end of a game is not the end. */
  get isBetweenGames() { return this.#isRunning && series.isUnderWay(); }

  /** @override */
  leave() {
    this.#pause();
    this.#request.cancel();
  }

  /** @override */
  isOpen() { return false; }

  /**
   * @override
   * @param {number} at
   */
  go(at) {
    this.leave();
    super.go(at);
  }

  /** @override */
  reset() {
    this.leave();
    startGame(this.#players);
    this.page.say("Empty board.");
    this.page.refresh();
  }

  /** @returns {{origin: "match", names: string[], side: null}} */
  get #players() {
    return { origin: "match", names: series.chosenPlayers(this.page).map(({ name }) => name), side: null };
  }

  /**
   * @override
   * @param {Board} board
   */
  status(board) {
    const isNamed = game().origin === "match" && game().names[0] !== "Yellow"; // a link has moves, but no names
    const [first, second] = isNamed ? game().names : this.#players.names;
    const names = [`Yellow (${first})`, `Red (${second})`];
    if (board.winner !== null) return `${names[board.winner]} wins with four in a row.`;
    if (board.isDraw) return "A draw: the board is full.";
    return this.isThinking ? `${names[board.toMove]} is thinking\u2026` : `${names[board.toMove]} to move.`;
  }

  /** Start, pause or go on; after a finished game or series, start the next one. */
  toggle() {
    if (this.#isRunning) {
      this.#pause();
      return this.page.refresh();
    }
    const total = numberOfGames(), isOver = position(shown()).isOver;
    if (!series.isUnderWay() && total > 1) {
      const plies = Math.min(MOST_PLIES, Math.round(Number(store.plies)) || 0);
      series.begin(this.page, { total, plies, start: plies || isOver ? [] : shown() });
    }
    if (!series.isUnderWay() && isOver) startGame(this.#players);
    this.#isRunning = true;
    if (!this.isThinking) this.step();
    return this.page.refresh();
  }

  /** Let the agent whose turn it is move; continue while the match is running. */
  async step() {
    const isSeries = series.isUnderWay();
    if (isSeries) this.#showRunningGame();
    const board = position(shown());
    if (board.isOver || this.isThinking) return;
    if (!isSeries) takeOver(this.#players);
    const { agent, depth, options } =
      isSeries ? series.playerToMove(board.toMove) : series.chosenPlayers(this.page)[board.toMove];
    const reply = this.#request.post("/api/move", moveRequest(this.page, board.moves, agent, depth, options));
    this.page.refresh();
    try {
      /** @type {Decision | undefined} */
      const answer = await reply;
      if (answer === undefined) return;
      if (!canPlay(board, answer.column)) throw new Error("The agent's move is not legal.");
      play(answer.column);
      if (!isSeries) this.page.say(`${board.toMove ? "Red" : "Yellow"} plays column ${answer.column + 1}.`, true);
      this.#goOn(isSeries && series.record(shown()));
    } catch (error) {
      this.#pause();
      complain(error);
    }
    this.page.refresh();
  }

  /**
   * After a move: wait for the next one, or end the game; the next game of a series begins by itself.
   * @param {boolean} isGameOfSeriesOver
   */
  #goOn(isGameOfSeriesOver) {
    const now = position(shown()), pause = Number(store.pace);
    if (now.isOver) this.page.say(isGameOfSeriesOver ? this.#standing() : this.status(now), true);
    const isEnd = now.isOver && !series.isUnderWay();
    if (isEnd) this.#pause();
    else if (this.#isRunning) this.#timer = setTimeout(() => this.step(), now.isOver ? GAME_PAUSES * pause : pause);
  }

  #showRunningGame() {
    const { key, names, side, moves } = series.runningGame();
    const isShown = game().key === key && game().origin === "match" && writeMoves(shown()) === writeMoves(moves);
    if (!isShown) startGame({ origin: "match", names, side, main: moves, key });
  }

  #pause() {
    this.#isRunning = false;
    clearTimeout(this.#timer);
  }

  #stop() {
    this.leave();
    series.stop();
    this.page.notify("The series is stopped.");
    this.page.refresh();
  }

  /** Return the result of the last game of the series, and the score. */
  #standing() {
    const played = series.series();
    if (!played) return "";
    const scores = played.players.map(({ name }, player) => `${name} ${points(series.scoreOf(played, player).points)}`);
    return `Game ${played.games.length} of ${played.total} is over. ${scores.join(", ")}.`;
  }

  /**
   * @override
   * @param {Board} board
   */
  render(board) {
    const isUnderWay = series.isUnderWay(), total = numberOfGames();
    const next = (series.series()?.games.length ?? 0) + 1;
    $("run").textContent = this.#isRunning ? "Pause"
      : isUnderWay ? `Go on with game ${next}`
      : total > 1 ? `Run ${total} games`
      : board.isOver ? "Run again" : "Run";
    control("step").disabled = board.isOver && !isUnderWay;
    $("stop").hidden = !isUnderWay;
    /** @type {HTMLFieldSetElement} */ ($("match-settings")).disabled = isUnderWay;
    this.#renderSeries();
  }

  /** Draw the score of the last series and its games. */
  #renderSeries() {
    const played = series.series();
    $("series").hidden = !played;
    if (!played) return;
    $("series-score").replaceChildren(...played.players.map(({ name }, player) => {
      const { won, drawn, lost, points: sum } = series.scoreOf(played, player);
      return html("div", {}, html("span", {}, name), html("strong", {}, points(sum)),
        html("span", {}, `${won} won, ${drawn} drawn, ${lost} lost`));
    }));
    $("series-about").textContent = this.#about(played);
    const records = series.seriesRun()?.all ?? [];
    refill($("series-games"), records.map((record) => gameButton(record, series.SERIES_RUN, () => {
      this.leave();
      showRecord(series.SERIES_RUN, record);
      this.page.refresh();
    })));
  }

  /** @param {series.Series} played */
  #about({ players, games, total }) {
    const next = games.length + 1, different = new Set(games.map(({ moves }) => moves)).size;
    const repeated = games.length >= MANY && different < games.length
      ? `Only ${different} of the ${games.length} games differ: let them begin with random moves.` : "";
    const now = series.isUnderWay() ? `Game ${next} of ${total}: ${players[series.firstIn(next)].name} starts.`
      : `${total === 1 ? "1 game" : `${total} games`} played. Hundreds of games: ` +
        `bot match ${players.map(({ name }) => name).join(" ")}`;
    return [now, repeated].filter(Boolean).join(" ");
  }
}

/** Return the number of games that is asked for; the address may hold anything. */
const numberOfGames = () => Math.min(MOST_GAMES, Math.round(Number(store.series)) || 1);

/**
 * Return a number of points with its half as a sign.
 * @param {number} sum
 */
const points = (sum) => (sum % 1 ? `${Math.floor(sum) || ""}\u00bd` : String(sum));
