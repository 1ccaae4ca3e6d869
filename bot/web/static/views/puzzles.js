// Puzzles: sets of positions to solve. Nothing else on the page tells a right move until it is found or shown.

import { get } from "../api.js";
import { course } from "../course.js";
import { spoken } from "../lessons.js";
import { lineOf } from "../lines.js";
import { dayOf, hardestGrade, keepDay, keepExercise, keepTry, progress } from "../progress.js";
import { COLOURS, readMoves } from "../rules.js";
import { Solving, questionOf } from "../solving.js";
import { change, complain, say, store } from "../store.js";
import { study } from "../study.js";
import { View } from "../view.js";

/** @import { CourseLesson, Puzzle } from "../api.js" */
/** @import { Board } from "../rules.js" */
/** @import { Action } from "../view.js" */

/**
 * The five of the day, others without end, or the exercises of a lesson.
 * @typedef {"today" | "more" | "lessons"} Kind
 */

/** Puzzles of a set that is not a day's, and how many of them may be missed ones. */
const COUNT = 5, MAX_AGAIN = 3;

class Puzzles extends View {
  /** @type {Kind} */
  kind = "today";
  /** @type {Puzzle[]} */
  set = [];
  /** The day of today's set. */
  day = "";
  /** Where others find such a page, if that is known. @type {string | null} */
  url = null;
  /** @type {CourseLesson[]} */
  lessons = [];
  /** The lesson whose exercises the set is. @type {CourseLesson | null} */
  lesson = null;
  index = 0;
  /** What the first try at each puzzle of the set has led to. @type {Record<string, boolean>} */
  results = {};
  /** The days on which puzzles of the set were missed. @type {Record<string, string>} */
  missedOn = {};
  /** The set that is being loaded; the latest one counts. @type {object | null} */
  #loading = null;
  /** Whether the day's set was finished just now: that is said with joy once. */
  isJoyful = false;
  /** The puzzle that is being solved. @type {Solving | null} */
  solving = null;

  /** Whether each puzzle of a day's set has been tried: then the day has a result. */
  get isSetDone() {
    return this.kind === "today" && this.set.length > 0 && this.set.every(({ name }) => name in this.results);
  }

  get isDone() { return this.solving?.isDone ?? false; }
  get isLoading() { return this.#loading !== null; }

  /** @override */
  get pointed() {
    const { solving, game: { at, isVariation } } = this;
    return solving?.isRevealed && !isVariation && at === solving.puzzle.moves.length ? solving.puzzle.solution : null;
  }

  /** @override */
  enter() {
    if (course.wanted) this.load("lessons");
    else if (this.solving) this.solving.lift();
    else this.load("today");
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
   * Load a set, and show it unless another one has been asked for meanwhile.
   * @param {Kind} kind
   */
  async load(kind) {
    const loading = (this.#loading = {});
    change();
    try {
      const show = await { today: this.#loadToday, more: this.#loadMore, lessons: this.#loadLessons }[kind].call(this);
      if (this.#loading === loading) show();
    } catch (error) {
      complain(error);
    } finally {
      if (this.#loading === loading) this.#loading = null;
      change();
    }
  }

  async #loadToday() {
    const day = dayOf(), { puzzles: set, url } = await get(`/api/puzzles/daily?day=${day}`);
    return () => {
      Object.assign(this, { day, url });
      this.#open("today", set, progress().solved);
    };
  }

  /** Load what was missed and new puzzles, from easy to hard; the hardest ones climb with the rating. */
  async #loadMore() {
    const again = progress().missed.slice(0, MAX_AGAIN), seed = Math.floor(Math.random() * 2 ** 31);
    const wanted = `count=${COUNT - again.length}&seed=${seed}&hardest=${hardestGrade()}`;
    const set = [...again.map(({ puzzle }) => puzzle), ...await get(`/api/puzzles?${wanted}`)];
    return () => {
      this.missedOn = Object.fromEntries(again.map(({ puzzle, on }) => [puzzle.name, on]));
      this.#open("more", set.sort((one, other) => one.plies - other.plies), {});
    };
  }

  /** Load the lesson that a key moment leads to, or the first one that is not done. */
  async #loadLessons() {
    this.lessons = await get("/api/lessons");
    const fits = this.lessons.find(({ kinds }) => kinds.includes(course.wanted));
    course.wanted = "";
    return () => this.openLesson(fits ?? this.lessons.find((lesson) => !isLearnt(lesson)) ?? this.lessons[0]);
  }

  /** @param {CourseLesson} lesson */
  openLesson(lesson) {
    this.lesson = lesson;
    this.#open("lessons", lesson.exercises, Object.fromEntries(progress().exercises.map((name) => [name, true])));
  }

  /**
   * Show a set, at its first puzzle that has not been tried.
   * @param {Kind} kind
   * @param {Puzzle[]} set
   * @param {Record<string, boolean>} known  results by name
   */
  #open(kind, set, known) {
    const kept = set.filter(({ name }) => name in known).map(({ name }) => [name, known[name]]);
    Object.assign(this, { kind, set, results: Object.fromEntries(kept) });
    this.choose(Math.max(0, set.findIndex(({ name }) => !(name in this.results))));
  }

  /** @param {number} index */
  choose(index) {
    const puzzle = this.set[index], side = puzzle.moves.length % 2;
    this.solving?.cancel();
    Object.assign(this, { index, isJoyful: false });
    this.solving = new Solving(this.game, puzzle, (isRight) => this.#count(puzzle, isRight));
    const names = COLOURS.map((colour, one) => (one === side ? "You" : colour));
    this.game.show({ main: readMoves(puzzle.moves), key: keyOf(puzzle), side, names });
    if (store.view === this.id) say(spoken(questionOf(puzzle), side));
  }

  /** What comes next: a puzzle of the set that has not been tried, another lesson, or further puzzles. */
  get following() {
    const { set, index, results, kind, lessons } = this;
    const open = set.map((_, step) => (index + 1 + step) % set.length).find((one) => !(set[one].name in results));
    if (open !== undefined) return { label: "Next", act: () => this.choose(open) };
    const lesson = kind === "lessons" ? lessons.find((one) => !isLearnt(one)) : undefined;
    if (lesson) return { label: "Next lesson", act: () => this.openLesson(lesson) };
    return { label: kind === "more" ? "New set" : "Practice", act: () => this.load("more") };
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

  /** @override */
  notes() { return this.solving?.notes ?? []; }

  /** @override */
  get headline() {
    const { solving, isLoading, isDone, isSetDone, set, game } = this;
    if (isLoading) return "Puzzles are being made\u2026";
    if (!solving) return "The puzzles could not be made.";
    if (!isDone || !isSetDone || lineOf(game) || game.isLookingBack) return solving.headline;
    const right = set.filter(({ name }) => this.results[name]).length;
    return right === set.length ? `All ${right} at the first try. Splendid!`
      : `Done! ${right} of ${set.length} at the first try.`;
  }

  /**
   * @override
   * @returns {Action[]}
   */
  actions() {
    const { solving, isLoading, kind, following } = this, isDisabled = isLoading;
    const again = { id: "puzzles-again", label: "Try again", isStrong: true, act: () => this.load(kind) };
    if (!solving) return isLoading ? [] : [again];
    if (!this.isDone) {
      return [{ id: "puzzle-answer", label: "Show the answer", act: () => solving.reveal(), isDisabled }];
    }
    return [
      { id: "puzzle-next", ...following, key: "n", isStrong: true, isDisabled },
      { id: "puzzle-line", label: "Show why", act: () => solving.playReason(), isDisabled },
      { id: "study", label: "Study", act: () => study(this.game), isDisabled },
    ];
  }

  /**
   * Count a try: of a puzzle the first one, of an exercise the right one.
   * @param {Puzzle} puzzle
   * @param {boolean} isRight
   */
  #count(puzzle, isRight) {
    const isExercise = puzzle.kind === "lesson";
    if (puzzle.name in this.results || (isExercise && !isRight)) return;
    this.results[puzzle.name] = isRight;
    if (isExercise) return keepExercise(puzzle.name);
    keepTry(puzzle, isRight);
    if (!this.isSetDone) return;
    keepDay(this.day);
    this.isJoyful = true;
  }
}

/** @param {Puzzle} puzzle */
const keyOf = ({ name }) => `puzzle ${name}`;

/**
 * Return how many exercises of a lesson are solved.
 * @param {CourseLesson} lesson
 */
export const learntOf = ({ exercises }) =>
  exercises.filter(({ name }) => progress().exercises.includes(name)).length;

/** @param {CourseLesson} lesson */
const isLearnt = (lesson) => learntOf(lesson) === lesson.exercises.length;

export const puzzles = new Puzzles("puzzles");
