// Two agents: they play each other, one move at a time or continuously, one game or a series.

import { SingleRequest } from "../api.js";
import { showRecord } from "../journals.js";
import { moveRequest } from "../opponents.js";
import { COLOURS, canPlay, writeMoves } from "../rules.js";
import * as series from "../series.js";
import { change, complain, notify, say, store } from "../store.js";
import { View } from "../view.js";

/** @import { Decision, Game as Record } from "../api.js" */
/** @import { Board } from "../rules.js" */

/** Longest fall of a disc, milliseconds: the pause after a move begins when its disc has landed. */
const FALL_MS = 470;
/** The pause before the next game is so many times the one between two moves. */
const GAME_PAUSES = 3;
/** Most games of a series, and most random moves at the start of one. */
export const MOST_GAMES = 100, MOST_PLIES = 4;

class Match extends View {
  #request = new SingleRequest();
  #isRunning = false;
  #timer = 0;

  /** @override */
  get isThinking() { return this.#request.isBusy; }
  /** The number of games that is asked for; the address may hold anything. */
  get total() { return Math.min(MOST_GAMES, Math.round(Number(store.series)) || 1); }
  get #names() { return series.chosenPlayers().map(({ name }) => name); }

  /** @override */
  enter() { if (!this.game.id) this.game.show(); }

  /** @override */
  leave() {
    this.#pause();
    this.#request.cancel();
  }

  /** @override */
  react() {
    const { game } = this, names = this.#names, isOfSeries = series.isUnderWay() || game.key !== "";
    if (!isOfSeries && !game.isOver && String(names) !== String(game.names)) game.update({ names });
  }

  /**
   * @override
   * @param {Board} board
   */
  isOpen(board) {
    return !board.isOver && !this.#isRunning && !this.isThinking && !series.isUnderWay();
  }

  /**
   * @override
   * @param {number} column
   */
  drop(column) {
    this.#beginFromPosition();
    say(`${COLOURS[this.game.at % 2]} plays column ${column + 1}.`);
    this.game.play(column);
  }

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
    super.reset();
  }

  /**
   * Show a game of the last series.
   * @param {Record} record
   */
  choose(record) {
    this.leave();
    showRecord(this.game, series.SERIES_RUN, record);
  }

  /**
   * @override
   * @param {Board} board
   */
  status(board) {
    const [first, second] = this.game.names, names = [`Yellow (${first})`, `Red (${second})`];
    return this.isThinking ? `${names[board.toMove]} is thinking\u2026` : super.status(board, names);
  }

  /**
   * @override
   * @param {Board} board
   */
  actions(board) {
    const { isOver, main } = this.game, isUnderWay = series.isUnderWay();
    const label = this.#isRunning ? "Pause" : isUnderWay ? "Go on" : this.total > 1 ? `Run ${this.total} games`
      : isOver && board.isOver ? "Rematch" : "Run";
    return [
      { id: "run", label, key: " ", isStrong: true, act: () => this.toggle() },
      { id: "step", label: "One move", key: "s", isDisabled: board.isOver && !isUnderWay,
        act: () => { this.#pause(); this.step(); } },
      isUnderWay ? { id: "stop", label: "Stop", act: () => this.#stop() }
        : { id: "new", label: "New game", key: "n", isDisabled: !main.length, act: () => this.reset() },
    ];
  }

  /** Start, pause or go on; after a finished game or series, start the next one. */
  toggle() {
    if (this.#isRunning) return this.#pause();
    const { board } = this.game, { total } = this;
    if (!series.isUnderWay() && total > 1) {
      const plies = Math.min(MOST_PLIES, Math.round(Number(store.plies)) || 0);
      series.begin({ total, plies, start: plies || board.isOver ? [] : board.moves });
    }
    if (!series.isUnderWay() && board.isOver) this.game.show();
    this.#isRunning = true;
    return this.isThinking ? change() : this.step();
  }

  /** Let the agent whose turn it is move; continue while the match is running. */
  async step() {
    const isSeries = series.isUnderWay();
    if (isSeries) this.#showRunningGame(); else this.#beginFromPosition();
    const { board, id } = this.game;
    if (board.isOver || this.isThinking) return;
    const player = isSeries ? series.playerToMove(board.toMove) : series.chosenPlayers()[board.toMove];
    try {
      const reply = this.#request.post("/api/move", moveRequest(board.moves, player, `${id}-${board.toMove}`));
      change();
      /** @type {Decision | undefined} */
      const answer = await reply;
      if (answer === undefined) return;
      if (!canPlay(board, answer.column)) throw new Error("The agent's move is not legal.");
      this.game.play(answer.column);
      this.game.isPaced = false; // the pause between two moves paces them
      if (!isSeries) say(`${COLOURS[board.toMove]} plays column ${answer.column + 1}.`, true);
      this.#goOn(isSeries && series.record(this.game.main));
    } catch (error) {
      this.#pause();
      complain(error);
    }
  }

  /**
   * After a move: wait for the next one, or end the game; the next game of a series begins by itself.
   * @param {boolean} isGameOfSeriesOver
   */
  #goOn(isGameOfSeriesOver) {
    const { board } = this.game, pause = Number(store.pace), landed = pause && FALL_MS + pause;
    if (board.isOver) say(isGameOfSeriesOver ? standing() : this.status(board), true);
    if (board.isOver && !series.isUnderWay()) this.#pause();
    else if (this.#isRunning) {
      this.#timer = setTimeout(() => this.step(), board.isOver ? GAME_PAUSES * landed : landed);
    }
  }

  /** Show the game of the series that is being played, unless the board shows it. */
  #showRunningGame() {
    const running = series.runningGame(), { id, shown } = this.game;
    if (id !== running.id || writeMoves(shown) !== writeMoves(running.main)) this.game.show(running);
  }

  /** Outside a series, a game of one is left: its position begins a new game. */
  #beginFromPosition() {
    if (this.game.key) this.game.show({ main: this.game.shown });
  }

  #pause() {
    this.#isRunning = false;
    clearTimeout(this.#timer);
    change();
  }

  #stop() {
    series.stop();
    this.reset();
    notify("The series is stopped.");
  }
}

export const match = new Match("match");

/** Return the result of the last game of the series, and the score. */
function standing() {
  const { players = [], games = [], total } = series.series() ?? {};
  const scores = players.map(({ name }, player) => `${name} ${points(series.scoreOf(player).points)}`);
  return `Game ${games.length} of ${total} is over. ${scores.join(", ")}.`;
}

/**
 * Return a number of points with its half as a sign.
 * @param {number} sum
 */
export const points = (sum) => (sum % 1 ? `${Math.floor(sum) || ""}\u00bd` : String(sum));
