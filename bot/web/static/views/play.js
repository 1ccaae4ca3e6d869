// Play: a person against a level or an agent, with hint and clock.

import { open } from "../address.js";
import { SingleRequest } from "../api.js";
import { review as makeReview } from "../evaluator.js";
import { leaveLine } from "../lines.js";
import { levelNumber, moveRequest, opponentName } from "../opponents.js";
import { keepOwnGame } from "../own.js";
import { IN_SENTENCE, canPlay, position, writeMoves } from "../rules.js";
import { copyLink } from "../share.js";
import { change, complain, keep, kept, notify, say, store } from "../store.js";
import { View } from "../view.js";
import { review } from "./review.js";

/** @import { Analysis, Decision } from "../api.js" */
/** @import { Board } from "../rules.js" */

/** Search time for a hint, seconds. */
const HINT_S = 3;
/** Time between two looks at the clock, milliseconds. */
const TICK_MS = 250;
/** Where the browser keeps the user's unfinished game while another position is played on. */
const WAITING = "waiting-game";

class Play extends View {
  /** What the computer's last search found. @type {Decision | null} */
  lastSearch = null;
  /** Whether another opponent than a level has been chosen: the list of them then stays open. */
  hasOthers = false;
  #request = new SingleRequest();
  #hint = new SingleRequest();
  /** @type {{moves: string, column: number} | null} */
  #hinted = null;
  #tick = 0;
  #ticked = 0;

  /** The person's side: 0 starts. */
  get human() { return this.game.side ?? (Number(store.human) ? 1 : 0); }
  /** @override */
  get pointed() { return this.#hinted?.moves === writeMoves(this.game.shown) ? this.#hinted.column : null; }
  /** @override */
  get isThinking() { return this.#request.isBusy; }
  /** The user's unfinished game that was left to play on from another position. */
  get waiting() { return kept(WAITING, /** @type {any} */ (null)); }

  /** Whether the clock has run down. */
  get isTimeOver() { return this.clock_ms === 0; }
  /** @override */
  get clock_ms() {
    const limit_ms = (Number(store.clock) || 0) * 60_000;
    return limit_ms && this.game.isMine ? Math.min(limit_ms, this.game.left_ms ?? limit_ms) : null;
  }

  /** @override */
  enter() {
    if (!this.game.id || (!this.game.main.length && !this.game.isMine)) this.start(this.human);
    if (this.game.isVariation) this.game.backToMain(this.game.main.length);
    this.#continue();
  }

  /** @override */
  leave() {
    this.#request.cancel();
    this.#hint.cancel();
    this.#stopClock();
  }

  /** @override */
  react() {
    const { game } = this, { board } = game;
    this.hasOthers ||= store.agent !== "level";
    const isKept = game.isOver && game.names.includes("You");
    if (!isKept && String(this.#players) !== String(game.names)) game.update({ names: this.#players });
    if (!this.isOpen(board) || this.clock_ms === null) this.#stopClock();
    else if (!this.#tick) {
      this.#ticked = performance.now();
      this.#tick = setInterval(() => this.#runClock(), TICK_MS);
    }
    if (!game.isOver) return;
    if (game.isMine) keepOwnGame(game);
    makeReview(game.main);
  }

  /**
   * @override
   * @param {Board} board
   */
  isOpen(board) {
    const isHalted = this.isThinking || this.isTimeOver || this.game.isVariation;
    return !board.isOver && !isHalted && board.toMove === this.human;
  }

  /**
   * @override
   * @param {Board} board
   */
  status(board) {
    const who = opponentName();
    if (board.isDraw) return "A draw: the board is full, without four in a row.";
    if (board.winner === this.human) return "You win with four in a row.";
    if (board.winner !== null) return "The computer wins with four in a row.";
    if (this.isTimeOver) return "Your time is over: the computer wins.";
    if (this.isThinking) return `${who} is thinking\u2026`;
    if (this.game.isVariation) return `A line of the coach: move ${board.ply}.`;
    if (board.toMove !== this.human && this.game.isLookingBack) return `Looking back: move ${board.ply}.`;
    if (board.toMove !== this.human) return "The computer has not moved: let it move again.";
    return board.ply < 2 ? `Your move: you are ${IN_SENTENCE[this.human]}.` : "Your move.";
  }

  /**
   * @override
   * @param {Board} board
   */
  actions(board) {
    const fresh = { id: "new", label: "New game", key: "n", act: () => this.reset() };
    if (this.game.isOver && !this.game.isLookingBack) {
      return [
        { id: "review", label: "Review", isStrong: true, act: () => review.examine(this.game) },
        { ...fresh, id: "rematch", label: "Rematch", act: () => this.start(this.human) },
        { id: "swap", label: "Swap", act: () => this.start(1 - this.human) },
        { id: "share", label: "Share", act: copyLink },
      ];
    }
    return [
      { id: "undo", label: "Undo", key: "u", act: () => this.undo(), isDisabled: this.#lastOwnTurn() < 0 },
      { id: "hint", label: "Hint", key: "h", act: () => this.hint(), isDisabled: !this.isOpen(board) },
      { ...fresh, isStrong: this.isTimeOver },
    ];
  }

  /**
   * @override
   * @param {number} column
   */
  drop(column) {
    this.#hint.cancel();
    this.game.play(column);
    say(`You play column ${column + 1}.`, true);
    this.#continue();
  }

  /** @override */
  undo() {
    if (this.game.isVariation) return leaveLine(this.game);
    const at = this.#lastOwnTurn();
    if (at < 0) return undefined;
    this.#request.cancel();
    this.game.walk(at);
    return say("Move taken back. Your move.");
  }

  /** @override */
  redo() {
    const { moves, at } = this.game;
    if (this.isThinking || at === moves.length) return;
    let next = at + 1;
    while (next < moves.length && next % 2 !== this.human) next++;
    this.game.walk(next);
    this.#continue();
  }

  /**
   * @override
   * @param {number} at
   */
  go(at) {
    this.#request.cancel();
    super.go(at);
    this.#continue();
  }

  /** @override */
  reset() {
    const starts = store.starts === "random" ? ["human", "computer"][Math.floor(Math.random() * 2)] : store.starts;
    this.start(starts === "computer" ? 1 : 0);
  }

  /**
   * Start a new game with the person as this side.
   * @param {number} side
   */
  start(side) {
    this.#request.cancel();
    this.lastSearch = null;
    complain(null);
    change({ human: String(side) });
    this.game.show({ isMine: true, side, names: this.#players });
    say(side ? "New game. The computer starts." : "New game. You start.");
    this.#continue();
  }

  /**
   * Play on from the position after `moves`, as the side to move; an unfinished game waits meanwhile.
   * @param {number[]} moves
   */
  playFrom(moves) {
    const { game } = this, side = position(moves).toMove;
    this.#request.cancel();
    if (game.isMine && game.main.length && !game.isOver) keep(WAITING, game);
    change({ human: String(side) });
    game.show({ main: moves, side });
    open("play");
    notify(`Your move: you are ${IN_SENTENCE[side]}.`);
  }

  /** Go back to the unfinished game. */
  resume() {
    const { waiting } = this;
    if (!waiting) return change(); // another tab has taken it
    this.#request.cancel();
    this.game.restore(waiting);
    change({ human: String(this.game.side) });
    keep(WAITING, null);
    return this.#continue();
  }

  /**
   * Let the computer move for the side to move; on the empty board it becomes the first player.
   * @override
   */
  letComputerMove() {
    const { board } = this.game;
    if (board.isOver || this.isThinking || this.isTimeOver || this.game.isVariation) return;
    const { main, shown } = this.game, side = 1 - board.toMove;
    change({ human: String(side) });
    this.game.update({ side, main: shown, moves: shown, isMine: this.game.isMine && !main.length });
    this.#continue();
  }

  /**
   * @override
   * @param {string} field
   */
  changed(field) {
    if (field === "clock") this.game.update({ left_ms: null });
    if (field === "starts" && this.game.moves.length <= 1) this.reset();
  }

  /** Point at a best move in the position shown. */
  async hint() {
    const { board } = this.game, moves = writeMoves(board.moves);
    if (!this.isOpen(board)) return;
    try {
      /** @type {Analysis | undefined} */
      const answer = await this.#hint.post("/api/analysis", { moves, time_s: HINT_S });
      if (answer === undefined || moves !== writeMoves(this.game.shown)) return;
      const [best] = answer.best;
      if (best === undefined) return notify("No hint: the position is not solved in time.");
      this.#hinted = { moves, column: best };
      notify(`Hint: column ${best + 1}, ${answer.text}.`);
    } catch (error) {
      complain(error);
    }
  }

  #runClock() {
    const now = performance.now();
    this.game.update({ left_ms: Math.max(0, (this.clock_ms ?? 0) - (now - this.#ticked)) });
    this.#ticked = now;
    if (this.isTimeOver) notify("Your time is over: the computer wins.");
  }

  #stopClock() {
    if (this.#tick) this.#runClock();
    clearInterval(this.#tick);
    this.#tick = 0;
  }

  get #players() { return this.human ? [opponentName(), "You"] : ["You", opponentName()]; }

  /** Return the number of moves before the person's last turn; -1 if there was none. */
  #lastOwnTurn() {
    let at = this.game.at - 1;
    while (at >= 0 && at % 2 !== this.human) at--;
    return at;
  }

  /** Let the computer move if it is its turn at the game's end. */
  async #continue() {
    const { board } = this.game;
    if (board.isOver) return say(this.status(board), true);
    const isAside = this.game.isLookingBack || this.game.isVariation;
    if (board.toMove === this.human || isAside || this.isTimeOver) return undefined;
    complain(null);
    const player = { agent: store.agent, options: store.options,
      depth: store.agent === "level" ? levelNumber() : store.depth };
    try {
      const reply = this.#request.post("/api/move", moveRequest(board.moves, player, this.game.id));
      change();
      /** @type {Decision | undefined} */
      const answer = await reply;
      if (answer === undefined || writeMoves(this.game.main) !== writeMoves(board.moves)) return undefined;
      if (!canPlay(board, answer.column)) throw new Error("The agent's move is not legal. Start a new game.");
      this.lastSearch = answer;
      if (this.game.isVariation) this.game.backToMain(board.ply); // a line of the coach ends
      this.game.play(answer.column);
      say(`The computer plays column ${answer.column + 1}.`, true);
      if (this.game.isOver) say(this.status(this.game.board), true);
    } catch (error) {
      complain(error);
    }
    return undefined;
  }
}

export const play = new Play("play");
