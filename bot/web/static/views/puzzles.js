// Puzzles: sets of positions with one right move. Nothing else on the page tells it until it is found or shown.

import { get } from "../api.js";
import { spoken } from "../lessons.js";
import { dayOf, keepDay, keepTry, progress } from "../progress.js";
import { COLOURS, readMoves } from "../rules.js";
import { Solving } from "../solving.js";
import { change, complain, say, store } from "../store.js";
import { study } from "../study.js";
import { View } from "../view.js";

/** @import { Puzzle } from "../api.js" */
/** @import { Board } from "../rules.js" */
/** @import { Action } from "../view.js" */

/** Puzzles of a set that is not a day's, and how many of them may be missed ones. */
const COUNT = 5, MAX_AGAIN = 3;
/** @type {Record<string, string>} */
const TASKS = { win: " and win", draw: " and draw", trap: ": set the trap" };

class Puzzles extends View {
  /** @type {Puzzle[]} */
  set = [];
  /** The day of the set; "" for another set. */
  day = dayOf();
  index = 0;
  /** What the first try at each puzzle of the set has led to. @type {Record<string, boolean>} */
  results = {};
  /** The days on which puzzles of the set were missed. @type {Record<string, string>} */
  missedOn = {};
  isLoading = false;
  /** The puzzle that is being solved. @type {Solving | null} */
  solving = null;

  /** Whether each puzzle of a day's set has been tried: then the day has a result. */
  get isSetDone() {
    return this.day !== "" && this.set.length > 0 && this.set.every(({ name }) => name in this.results);
  }

  get isDone() { return this.solving?.isDone ?? false; }

  /**
   * @override
   * @param {number} side
   */
  nameOf(side) {
    const isOwn = this.solving && side === this.solving.puzzle.moves.length % 2;
    return isOwn ? `You (${COLOURS[side]})` : super.nameOf(side);
  }

  /** @override */
  get pointed() {
    const { solving, game: { at, isVariation } } = this;
    return solving?.isRevealed && !isVariation && at === solving.puzzle.moves.length ? solving.puzzle.solution : null;
  }

  /** @override */
  enter() {
    if (this.solving) this.solving.lift(); else this.load(dayOf());
  }

  /** @override */
  leave() { this.solving?.cancel(); }

  /** @override */
  react() {
    const { solving, game, index } = this;
    if (solving && game.key !== keyOf(solving.puzzle)) this.choose(index); // a link has brought other moves
    this.solving?.judge();
  }

  /**
   * Load a day's set, or with "" another one: first what was missed, then new puzzles.
   * @param {string} day
   */
  async load(day) {
    if (this.isLoading) return;
    this.isLoading = true;
    change();
    try {
      const again = day ? [] : progress().missed.slice(0, MAX_AGAIN), seed = Math.floor(Math.random() * 2 ** 31);
      const path = day ? `/daily?day=${day}` : `?count=${COUNT - again.length}&seed=${seed}`;
      this.set = [...again.map(({ puzzle }) => puzzle), ...await get(`/api/puzzles${path}`)];
      this.day = day;
      this.missedOn = Object.fromEntries(again.map(({ puzzle, on }) => [puzzle.name, on]));
      const { solved } = progress(), isKept = (/** @type {Puzzle} */ { name }) => day && name in solved;
      this.results = Object.fromEntries(this.set.filter(isKept).map(({ name }) => [name, solved[name]]));
      this.choose(Math.max(0, this.set.findIndex(({ name }) => !(name in this.results))));
    } catch (error) {
      complain(error);
    } finally {
      this.isLoading = false;
      change();
    }
  }

  /** @param {number} index */
  choose(index) {
    const puzzle = this.set[index];
    this.solving?.cancel();
    this.index = index;
    this.solving = new Solving(this.game, puzzle, (isRight) => this.#count(puzzle, isRight));
    this.game.show({ main: readMoves(puzzle.moves), key: keyOf(puzzle) });
    if (store.view === this.id) say(spoken(puzzle.question));
  }

  /** Go on to the next puzzle that has not been tried; after the last one, to further ones. */
  next() {
    const order = this.set.map((_, step) => (this.index + 1 + step) % this.set.length);
    const open = order.find((index) => !(this.set[index].name in this.results));
    if (open === undefined) this.load(""); else this.choose(open);
  }

  /**
   * @override
   * @param {Board} board
   */
  isOpen(board) { return !this.isLoading && !board.isOver && (this.solving?.isOpen ?? false); }

  /**
   * @override
   * @param {number} column
   */
  drop(column) { this.solving?.try(column); }

  /**
   * @override
   * @param {number} at
   */
  go(at) { if (this.isDone) super.go(at); }

  /**
   * @override
   * @param {Board} board
   */
  status(board) {
    const { solving, isDone, isLoading } = this;
    if (isLoading) return "Puzzles are being made\u2026";
    if (!solving) return "The puzzles could not be made.";
    if (isDone && this.isSetDone) {
      return `Today: ${this.set.filter(({ name }) => this.results[name]).length} of ${this.set.length}.`;
    }
    if (isDone && board.isOver) return super.status(board);
    if (isDone) return solving.isRevealed ? `The answer: column ${solving.puzzle.solution + 1}.` : "Solved.";
    const { moves, kind } = solving.puzzle;
    return `${COLOURS[moves.length % 2]} to move${TASKS[kind]}.`;
  }

  /**
   * @override
   * @returns {Action[]}
   */
  actions() {
    const { solving, isLoading, day } = this, isDisabled = isLoading;
    const again = { id: "puzzles-again", label: "Try again", isStrong: true, act: () => this.load(day) };
    if (!solving) return isLoading ? [] : [again];
    if (!this.isDone) {
      return [{ id: "puzzle-answer", label: "Show the answer", act: () => solving.reveal(), isDisabled }];
    }
    const label = this.isSetDone ? "Practice" : "Next puzzle";
    return [
      { id: "puzzle-next", label, key: "n", isStrong: true, act: () => this.next(), isDisabled },
      { id: "puzzle-line", label: "Show why", act: () => solving.playReason(), isDisabled },
      { id: "study", label: "Study", act: () => study(this.game), isDisabled },
    ];
  }

  /**
   * Count the first try at a puzzle.
   * @param {Puzzle} puzzle
   * @param {boolean} isRight
   */
  #count(puzzle, isRight) {
    if (puzzle.name in this.results) return;
    this.results[puzzle.name] = isRight;
    keepTry(puzzle, isRight);
    if (this.isSetDone) keepDay(this.day);
  }
}

/** @param {Puzzle} puzzle */
const keyOf = ({ name }) => `puzzle ${name}`;

export const puzzles = new Puzzles("puzzles");
