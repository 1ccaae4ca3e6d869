// Play: people, levels and agents in two seats; hint and clock; then the key moments of the game.

import { SingleRequest } from "../api.js";
import { review, reviewOf } from "../evaluator.js";
import { Guide } from "../guide.js";
import { leaveLine, lineOf } from "../lines.js";
import { moveRequest, settled } from "../opponents.js";
import { forgetWaiting, keepOwnGame, keepTurned, letWait } from "../own.js";
import { canPlay, writeMoves } from "../rules.js";
import { YOU, isPerson, isSame } from "../seats.js";
import { set, settings } from "../settings.js";
import { change, complain, notify, say } from "../store.js";
import { begin, beginNext, changeSides, followSetup, takeUp, turnAround } from "../table.js";
import { View } from "../view.js";

/** @import { Analysis, Decision } from "../api.js" */
/** @import { Board } from "../rules.js" */
/** @import { Seat } from "../seats.js" */
/** @import { Action } from "../view.js" */

/** Search time for a hint, seconds. */
const HINT_S = 3;
/** Time between two looks at a clock, milliseconds. */
const TICK_MS = 250;
/** Longest fall of a disc, milliseconds: the pause after an agent's move begins when its disc has landed. */
const FALL_MS = 470;

class Play extends View {
  /** Whether two agents go on by themselves. */
  isRunning = false;
  /** @override */
  guide = new Guide(this.game, { review: reviewOf, turnAround });
  #request = new SingleRequest();
  #hint = new SingleRequest();
  /** @type {{moves: string, column: number} | null} */
  #hinted = null;
  #pause = 0;
  /** The id of the game that was on the board last. */
  #followed = "";
  /** The state of the game in which the browser keeps it. */
  #kept = "";
  #tick = 0;
  #ticked = 0;

  /** @override */
  get isThinking() { return this.#request.isBusy; }
  /** @override */
  get mayScore() { return this.game.isOver || !this.seats.some(isPerson); }
  /** @override */
  get pointed() {
    return !this.game.isOver && this.#hinted?.moves === writeMoves(this.game.shown) ? this.#hinted.column : null;
  }

  /** Who plays yellow and red in the game on the board. */
  get seats() { return this.game.seats ?? settings.seats; }
  /** Whether two agents play. */
  get #isMatch() { return !this.seats.some(isPerson); }
  /** Whether the game can go on from the position shown. */
  get #isAtEnd() { return !this.game.isOver && !this.game.isLookingBack && !this.game.isVariation; }
  /** Who is to move. */
  get #mover() { return this.seats[this.game.board.toMove]; }

  /**
   * @override
   * @param {number} side
   */
  clock_ms(side) {
    const { terms, left_ms } = this.game;
    return terms.clock_s && isPerson(this.seats[side]) ? left_ms[side] : null;
  }

  /** @override */
  enter() {
    if (!this.game.id) beginNext();
    this.#followed = this.game.id;
    if (this.game.isVariation) this.game.backToMain(this.game.main.length);
    this.#continue();
  }

  /** @override */
  leave() {
    this.#keep();
    this.#halt();
    this.#hint.cancel();
    this.#stopClock();
  }

  /** @override */
  react() {
    const { game } = this, state = `${game.id} ${writeMoves(game.main)} ${game.isOver}`;
    followSetup();
    if (game.id !== this.#followed) { // taken back by a notice
      this.#halt();
      this.#goOnWith();
    }
    if (state !== this.#kept) this.#keep();
    this.#kept = state;
    const runsDown = this.#isAtEnd && game.main.length > 0 && this.clock_ms(game.board.toMove) !== null;
    if (!runsDown) this.#stopClock();
    else if (!this.#tick) {
      this.#ticked = performance.now();
      this.#tick = setInterval(() => this.#runClock(), TICK_MS);
    }
    if (!game.isOver) return;
    if (!game.start && !this.#isMatch) keepOwnGame(game);
    keepTurned(game);
    review(game.main);
  }

  /**
   * @override
   * @param {number[]} moves
   */
  adopt(moves) { begin(settings.seats, moves); }

  /** @override */
  isOpen() {
    const { game } = this, mayDrop = isPerson(this.#mover) || (this.#isMatch && !this.isRunning);
    return !game.isOver && !game.board.isOver && !game.isVariation && !this.isThinking && mayDrop;
  }

  /**
   * @override
   * @param {Board} board
   */
  status(board) {
    const { game } = this, mover = game.names[board.toMove];
    const where = `move ${board.ply} of ${game.moves.length}`, isBack = game.isLookingBack || game.isVariation;
    if (isBack) return this.isOpen() ? `${super.status(board)} The board shows ${where}.` : `Looking back: ${where}.`;
    if (this.isThinking) return `${mover} is thinking\u2026`;
    const { origin } = game;
    if (origin?.turn === game.at && this.isOpen()) return `Move ${game.at + 1} again: play it better.`;
    const isStuck = this.#isAtEnd && game.main.length > 0 && !isPerson(this.#mover) && !this.#isMatch;
    return isStuck ? `${mover} has not moved.` : super.status(board);
  }

  /**
   * @override
   * @returns {Action[]}
   */
  actions() {
    const isDisabled = !this.game.main.length;
    const fresh = { id: "new", label: "New game", key: "n", act: () => this.reset(), isDisabled };
    if (this.game.isOver) {
      const isSetUp = settings.seats.every((seat) => this.seats.some((one) => isSame(one, settled(seat))));
      const rematch = isSetUp ? { label: "Rematch", act: () => this.start(this.seats) } : { label: "New game" };
      const isLookedAt = this.game.isTurned || this.guide.isFinished;
      return [
        { ...this.moments, isStrong: !isLookedAt },
        { ...fresh, id: "rematch", isStrong: isLookedAt, ...rematch },
        { id: "swap", label: "Swap sides", act: () => this.start([this.seats[1], this.seats[0]]) },
      ];
    }
    if (this.#isMatch) return [...this.#matchActions(), fresh];
    const undo = { id: "undo", label: "Undo", key: "u", act: () => this.undo(), isDisabled: this.#lastOwnTurn() < 0 };
    const redo = { id: "redo", label: "Redo", key: "r", act: () => this.redo() };
    const hint = { id: "hint", label: "Hint", key: "h", act: () => this.hint(), isDisabled: !this.isOpen() };
    if (this.game.isLookingBack) return [undo, redo, fresh];
    if (isPerson(this.#mover) || this.isThinking) return [undo, hint, fresh];
    const start = { id: "continue", label: "Start", key: "c", isStrong: true, act: () => this.#ask() };
    return this.game.main.length ? [{ ...start, label: "Let it move" }, undo, fresh] : [start];
  }

  /** @returns {Action[]} */
  #matchActions() {
    const step = () => { this.#halt(); this.#ask(); };
    const begun = this.game.main.length ? "Run" : "Start", label = this.isRunning ? "Pause" : begun;
    return [
      { id: "run", label, key: " ", isStrong: true, act: () => this.toggle() },
      { id: "step", label: "One move", key: "s", act: step },
    ];
  }

  /**
   * @override
   * @param {number} column
   */
  drop(column) {
    const who = this.game.names[this.game.board.toMove];
    this.#hint.cancel();
    this.game.play(column);
    say(`${who === "You" ? "You play" : `${who} plays`} column ${column + 1}.`, true);
    this.#continue();
  }

  /** @override */
  undo() {
    if (lineOf(this.game)) return leaveLine(this.game);
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
    while (next < moves.length && !isPerson(this.seats[next % 2])) next++;
    this.game.walk(next);
    this.#continue();
  }

  /**
   * @override
   * @param {number} at
   */
  go(at) {
    this.#halt();
    super.go(at);
    this.#continue();
  }

  /** Begin a game as it is set up; the one on the board waits if it is not over. */
  reset() {
    this.#halt();
    beginNext();
    this.#goOnWith();
  }

  /**
   * Begin a game of these seats, which are set up from now on.
   * @param {[Seat, Seat]} seats
   */
  start(seats) {
    this.#halt();
    set({ seats });
    begin(seats);
    this.#followed = this.game.id;
    this.isRunning = this.#isMatch;
    this.#ask();
  }

  /**
   * Take up a game that waits.
   * @param {string} id
   */
  resume(id) {
    this.#halt();
    takeUp(id);
    this.#goOnWith();
  }

  /** Go on with another game than before. */
  #goOnWith() {
    this.#followed = this.game.id;
    this.#continue();
  }

  /**
   * Let the computer move for the side to move; a person whose turn it was takes the other side.
   * @override
   */
  letComputerMove() {
    const { game } = this, { board } = game;
    if (!this.#isAtEnd || this.isThinking) return;
    if (isPerson(this.#mover)) {
      const computer = [this.seats[1 - board.toMove], ...settings.seats].find((seat) => !isPerson(seat));
      if (!computer) return;
      const seats = /** @type {[Seat, Seat]} */ (board.toMove ? [YOU, computer] : [computer, YOU]);
      changeSides(seats);
    }
    this.#ask();
  }

  /** Let two agents go on by themselves, or pause. */
  toggle() {
    if (this.isRunning) return this.#halt();
    this.isRunning = true;
    return this.#ask();
  }

  /** Point at a best move in the position shown. */
  async hint() {
    const moves = writeMoves(this.game.shown);
    if (!this.isOpen()) return;
    try {
      /** @type {Analysis | undefined} */
      const answer = await this.#hint.post("/api/analysis", { moves, time_s: HINT_S });
      if (answer === undefined || moves !== writeMoves(this.game.shown)) return;
      const [best] = answer.best;
      if (best === undefined) return notify("No hint: the position is not solved in time.");
      this.#hinted = { moves, column: best };
      notify(`Hint: column ${best + 1}.`);
    } catch (error) {
      complain(error);
    }
  }

  /** Let the browser keep a person's game as one that waits, so that it outlives its tab; until it is over. */
  #keep() {
    const { game } = this;
    if (!game.main.length || !this.seats.some(isPerson)) return;
    if (game.isOver) forgetWaiting(game.id); else letWait(game);
  }

  /** Stop what would move: a search, and two agents that go on by themselves. */
  #halt() {
    this.isRunning = false;
    clearTimeout(this.#pause);
    this.#request.cancel();
    change();
  }

  #runClock() {
    const { game } = this, now = performance.now(), side = game.board.toMove, left_ms = [...game.left_ms];
    left_ms[side] = Math.max(0, left_ms[side] - (now - this.#ticked));
    this.#ticked = now;
    const late = left_ms[side] === 0 && !game.isOver ? side : null;
    game.tick(left_ms, late);
    if (late !== null) say(this.status(game.board));
  }

  #stopClock() {
    if (this.#tick) clearInterval(this.#tick);
    this.#tick = 0;
  }

  /** Return the number of moves before the last turn of a person; -1 if there was none. */
  #lastOwnTurn() {
    let at = this.game.at - 1;
    while (at >= 0 && !isPerson(this.seats[at % 2])) at--;
    return at;
  }

  /** Let the computer move if it is its turn, unless a game begins: then the user says when. */
  #continue() {
    const { game } = this;
    if (game.isOver) return say(this.status(game.board), true);
    if (this.#isAtEnd && game.main.length && (!this.#isMatch || this.isRunning)) return this.#ask();
    return undefined;
  }

  /** Let the computer move if it is to move in the position shown. */
  async #ask() {
    const { game } = this, { board } = game, seat = this.#mover, side = board.toMove;
    if (game.isOver || board.isOver || this.isThinking || isPerson(seat)) return;
    complain(null);
    try {
      const reply = this.#request.post("/api/move", moveRequest(board.moves, seat, game));
      change();
      /** @type {Decision | undefined} */
      const answer = await reply;
      if (answer === undefined || writeMoves(game.shown) !== writeMoves(board.moves)) return;
      if (!canPlay(board, answer.column)) throw new Error("The agent's move is not legal. Start a new game.");
      game.play(answer.column);
      if (this.#isMatch) game.isPaced = false; // the pause between two moves paces them
      say(`${game.names[side]} plays column ${answer.column + 1}.`, true);
      if (game.isOver) say(this.status(game.board), true);
      if (this.isRunning) this.#goOn();
    } catch (error) {
      this.#halt();
      complain(error);
    }
  }

  /** After a move of two agents: wait for the next one, or end the game. */
  #goOn() {
    const { isOver, terms: { pace_ms } } = this.game;
    if (isOver) this.#halt();
    else this.#pause = setTimeout(() => this.#ask(), pace_ms && FALL_MS + pace_ms);
  }
}

export const play = new Play("play");
