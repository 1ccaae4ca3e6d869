// Play: people, levels and programs in two seats, with hints; then the end of the game and its key moments.

import { SingleRequest } from "../api.js";
import { chanceOf, coaching, review, reviewOf, wantChance } from "../evaluator.js";
import { Guide } from "../guide.js";
import { beaten, keepOwnGame, keepUnfinished, unfinished } from "../journals.js";
import { leaveLine, lineOf, place, spoken } from "../lines.js";
import { canPlay, writeMoves } from "../rules.js";
import { isPerson, levelNumber, moveRequest, offer, set, settings } from "../settings.js";
import { change, complain, dismiss, say, showBoard } from "../store.js";
import { backToFirst, begin, beginNext, firstGame, followSetup, swapSides, turnAround } from "../table.js";
import { View } from "../view.js";

/** @import { Decision, Hint } from "../api.js" */
/** @import { Note } from "../board.js" */
/** @import { Board } from "../rules.js" */
/** @import { Seat } from "../settings.js" */
/** @import { Action } from "../view.js" */

/** Search time for a hint, seconds. */
const HINT_S = 3;
/** Time between the moves of two programs, milliseconds: a disc falls for at most 470. */
const PAUSE_MS = 920;
/** What the button says that gives the first, second and third step of a hint. */
const HINTS = ["Hint", "Where?", "Which column?"];

class Play extends View {
  /** Whether two programs go on by themselves. */
  isRunning = false;
  /** @override */
  guide = new Guide(this.game, { review: reviewOf, chance: chanceOf, coaching, turnAround });
  #request = new SingleRequest();
  #hint = new SingleRequest();
  /** @type {(Hint & {moves: string, told: number}) | null} the hint for a position, and how many steps are told */
  #hinted = null;
  #pause = 0;
  /** The id of the game that was on the board last. */
  #followed = "";
  /** The state of the game in which the browser keeps it. */
  #kept = "";

  /** @override */
  get isThinking() { return this.#request.isBusy; }
  /** @override */
  get mayScore() { return this.game.isOver || !this.seats.some(isPerson); }
  /** The hint for the position on the board. */
  get #given() {
    return !this.game.isOver && this.#hinted?.moves === writeMoves(this.game.shown) ? this.#hinted : null;
  }
  /** What the hint points at. @override @returns {Note[]} */
  notes() {
    const { cells, told } = this.#given ?? { cells: [], told: 0 };
    return (cells[told - 1] ?? []).map((cell) => ({ ...place(cell), text: "", kind: "hint" }));
  }

  /** Who plays yellow and red in the game on the board. */
  get seats() { return this.game.seats ?? settings.seats; }
  /** The one who plays against the user. */
  get opponent() { return this.seats[1 - (this.game.side ?? 0)]; }
  /** Whether the only person has won. @override */
  get hasWon() { return this.game.side !== null && this.game.result?.winner === this.game.side; }
  /** From where the opponent would have let the user off in this game, or in the first one if this is a second try. */
  get chances() { return chanceOf(firstGame() ?? this.game); }
  /** Whether two programs play. */
  get #isMatch() { return !this.seats.some(isPerson); }
  /** Whether the game can go on from the position shown. */
  get #isAtEnd() { return !this.game.isOver && !this.game.isLookingBack && !this.game.isVariation; }
  /** Who is to move. */
  get #mover() { return this.seats[this.game.board.toMove]; }

  /** @override */
  enter() {
    const { id } = this.game, waiting = id ? null : unfinished();
    if (typeof waiting?.main === "string") this.game.restore({ ...waiting, id: "" }); // another tab may still play it
    else if (!id) beginNext();
    this.#followed = this.game.id;
    if (this.game.isVariation) this.game.backToMain(this.game.main.length);
    this.#continue();
  }

  /** @override */
  leave() {
    this.#keep();
    this.#halt();
    this.#hint.cancel();
  }

  /** @override */
  react() {
    const { game } = this, state = `${game.id} ${writeMoves(game.main)} ${game.hints} ${game.isOver}`;
    followSetup();
    if (game.id !== this.#followed) { // another game has been put on the board
      this.#followed = game.id;
      this.#halt();
      this.#continue();
    }
    if (state !== this.#kept) this.#keep();
    this.#kept = state;
    if (!game.isOver) return;
    if (!game.start && !this.#isMatch) keepOwnGame(game);
    review(game.main);
    wantChance(firstGame() ?? game);
  }

  /**
   * @override
   * @param {number[]} moves
   */
  adopt(moves) { begin(settings.seats, moves); }

  /** @override */
  isOpen() {
    const mayDrop = isPerson(this.#mover) || (this.#isMatch && !this.isRunning);
    return this.#isAtEnd && !this.isThinking && mayDrop;
  }

  /**
   * @override
   * @param {Board} board
   */
  status(board) {
    const { game } = this, mover = game.names[board.toMove];
    const where = `move ${board.ply} of ${game.moves.length}`, isBack = game.isLookingBack || game.isVariation;
    if (isBack) return `Looking back: ${where}.`;
    if (this.#given) return this.#hintText;
    if (this.isThinking) return `${mover} is thinking\u2026`;
    if (!game.main.length && !isPerson(this.#mover)) return `Press Start: ${mover} begins.`;
    if (game.first && this.isOpen()) return `Second try from move ${game.start + 1}: your move.`;
    const isStuck = this.#isAtEnd && game.main.length > 0 && !isPerson(this.#mover) && !this.#isMatch;
    return isStuck ? `${mover} has not moved.` : super.status(board);
  }

  /**
   * @override
   * @returns {Action[]}
   */
  actions() {
    const isDisabled = !this.game.main.length;
    const act = () => { beginNext(); showBoard(); };
    const fresh = { id: "new", label: "New game", key: "n", act, isDisabled };
    if (this.game.isOver) return this.#endActions(fresh);
    const forward = { ...this.backToGame, act: () => this.go(this.game.main.length), isStrong: true };
    if (this.game.isLookingBack) return [forward, fresh];
    if (this.#isMatch) return [...this.#matchActions(), fresh];
    if (isDisabled && isPerson(this.#mover)) return []; // the set-up has the room
    const undo = { id: "undo", label: "Undo", key: "u", act: () => this.undo(), isDisabled: this.#lastOwnTurn() < 0 };
    const told = this.#given?.told ?? 0, label = HINTS[told % HINTS.length];
    const isUsed = !this.isOpen() || told === HINTS.length;
    const hint = { id: "hint", label, key: "h", act: () => this.hint(), isDisabled: isUsed };
    if (this.seats.every(isPerson)) return [undo, fresh];
    if (isPerson(this.#mover) || this.isThinking) return [undo, hint, this.game.first ? this.#toFirst : fresh];
    const start = { id: "continue", label: "Start", key: "c", isStrong: true, act: () => this.#ask() };
    return this.game.main.length ? [{ ...start, label: "Let it move" }, undo, fresh] : [start];
  }

  /**
   * What can be done at the end of a game: after a win the next level comes first, else the key moments.
   * @param {Action} fresh
   * @returns {Action[]}
   */
  #endActions(fresh) {
    const { game, guide, moments, chances, seats } = this, level = levelNumber(this.opponent);
    const isSetUp = settings.seats.every((seat) => seats.includes(seat));
    const again = isSetUp ? { label: "Rematch", act: () => this.start(seats) } : { label: "New game" };
    const rematch = { ...fresh, id: "rematch", ...again };
    const done = beaten();
    const next = this.hasWon && level && offer.levels.find(({ number }) => number > level && !done.has(number));
    if (next && !game.first) {
      const act = () => this.start(/** @type {[Seat, Seat]} */ (seats.map((seat) =>
        (isPerson(seat) ? seat : `level:${next.number}`))));
      const climb = { id: "next-level", label: `Next: ${next.name}`, isStrong: true, act };
      return [climb, rematch, { ...moments, isStrong: false }];
    }
    if (game.first) {
      const retry = { id: "turn", label: "Try again", isStrong: true, act: () => turnAround(game, game.start) };
      const strong = this.hasWon ? { ...rematch, isStrong: true } : retry; // a whole game once it has been won
      return [strong, { ...moments, label: "Moments", isStrong: false }, this.#toFirst];
    }
    const isLookedAt = guide.isFinished, start = chances?.[0];
    const look = { ...moments, isStrong: !isLookedAt };
    if (start) {
      const act = () => turnAround(game, start.ply);
      return [look, { id: "turn", label: "Turn it around", isStrong: isLookedAt, act }, rematch];
    }
    const swap = { id: "swap", label: "Swap sides", act: () => { swapSides(); this.start(settings.seats); } };
    return [look, { ...rematch, isStrong: isLookedAt }, swap];
  }

  /** What leads back to the game that this one is a second try at. @returns {Action} */
  get #toFirst() { return { id: "first", label: "First game", act: backToFirst }; }

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
    dismiss(); // what it could bring back would be in the place of this game
    this.game.play(column);
    say(`${who === "You" ? "You play" : `${who} plays`} column ${column + 1}.`, true);
    this.#continue();
  }

  /** @override */
  undo() {
    if (lineOf(this.game)) return leaveLine(this.game);
    const at = this.#lastOwnTurn();
    if (at < 0 || this.game.isOver) return undefined;
    this.#request.cancel();
    this.game.takeBack(at);
    return say("Move taken back. Your move.");
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

  /** Let two programs go on by themselves, or pause. */
  toggle() {
    if (this.isRunning) return this.#halt();
    this.isRunning = true;
    return this.#ask();
  }

  /** What the hint says by now. */
  get #hintText() {
    const { steps, told } = this.#given ?? { steps: [], told: 0 };
    return spoken(steps[told - 1] ?? "No hint: this position could not be solved in time.", this.game.board.toMove)
      .replace(/^Column(.\d) (?=keeps)/, "Best: column$1. It ");
  }

  /** Give the next step of a hint for the position on the board: whether there is a threat, where, and the column. */
  async hint() {
    const { game } = this, moves = writeMoves(game.shown), given = this.#given;
    if (!this.isOpen()) return;
    try {
      /** @type {Hint | undefined} */
      const hint = given ?? await this.#hint.post("/api/hint", { moves, time_s: HINT_S });
      if (hint === undefined || moves !== writeMoves(game.shown)) return;
      this.#hinted = { ...hint, moves, told: hint.steps.length ? (given?.told ?? 0) + 1 : HINTS.length };
      if (!given && hint.steps.length) game.update({ hints: game.hints + 1 });
      say(this.#hintText);
      change();
    } catch (error) {
      complain(error);
    }
  }

  /** Let the browser keep a person's game, so that it outlives its tab; until it is over. */
  #keep() {
    const { game } = this;
    if (game.main.length && this.seats.some(isPerson)) keepUnfinished(game.isOver ? null : game);
  }

  /** Stop what would move: a search, and two programs that go on by themselves. */
  #halt() {
    this.isRunning = false;
    clearTimeout(this.#pause);
    this.#request.cancel();
    change();
  }

  /** Return the number of moves before the last turn of a person; -1 if there was none. */
  #lastOwnTurn() {
    const { game, seats } = this, least = game.first ? game.start : 0; // a second try has its own first turn
    let at = game.at - 1;
    while (at >= least && !isPerson(seats[at % 2])) at--;
    return at < least ? -1 : at;
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
      const reply = this.#request.post("/api/move", moveRequest(board.moves, seat, game.id));
      change();
      /** @type {Decision | undefined} */
      const answer = await reply;
      if (answer === undefined || writeMoves(game.shown) !== writeMoves(board.moves)) return;
      if (!canPlay(board, answer.column)) throw new Error("The program's move is not legal. Start a new game.");
      game.play(answer.column);
      if (this.#isMatch) game.update({ isPaced: false }); // the pause between two moves paces them
      say(`${game.names[side]} plays column ${answer.column + 1}.`, true);
      if (game.isOver) say(this.status(game.board), true);
      if (this.isRunning) this.#goOn();
    } catch (error) {
      this.#halt();
      complain(error);
    }
  }

  /** After a move of two programs: wait for the next one, or end the game. */
  #goOn() {
    if (this.game.isOver) this.#halt();
    else this.#pause = setTimeout(() => this.#ask(), PAUSE_MS);
  }
}

export const play = new Play("play");
