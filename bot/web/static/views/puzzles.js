// Puzzles: sets of positions to solve, and their panel: why an answer is right; then the set, the lessons, the rating
// and the days. Nothing else on the page tells a right move until it is found or shown.

import { get } from "../api.js";
import { segments } from "../fields.js";
import { course } from "../guide.js";
import { lineOf, spoken } from "../lines.js";
import { study } from "./scores.js";
import { copy } from "../share.js";
import { Solving, dayOf, hardestGrade, keepDay, keepFinished, keepTry, progress, streak } from "../solving.js";
import { change, complain, isKeeping, showBoard, store } from "../store.js";
import { html, nothing } from "../vendor/lit-html.js";

/** @import { Lesson, Puzzle } from "../api.js" */
/** @import { Action } from "../view.js" */

/**
 * The five of the day, others without end, or the exercises of a lesson.
 * @typedef {"today" | "more" | "lessons"} Kind
 */

/** Puzzles of a set. */
const COUNT = 5;

class Puzzles extends Solving {
  /** @type {Kind} */
  kind = "today";
  /** The day of today's set. */
  day = "";
  /** Where others find such a page, if that is known. @type {string | null} */
  url = null;
  /** @type {Lesson[]} */
  lessons = [];
  /** The lesson whose exercises the set is. @type {Lesson | null} */
  lesson = null;
  /**
   * Whether the first try at each puzzle of the set was right, null where a later one was just now.
   * @type {Record<string, boolean | null>}
   */
  results = {};
  /** The names of the set's puzzles that are solved, or whose answer was shown. @type {string[]} */
  finished = [];
  /** The set that is being loaded; the latest one counts. @type {object | null} */
  #loading = null;
  /** Whether the day's set was finished just now: that is said with joy once. */
  isJoyful = false;

  /** Whether each puzzle of a day's set is finished: then the day counts, and has a result. */
  get isSetDone() { return this.kind === "today" && this.set.length > 0 && this.#openFrom(0) === undefined; }
  /** Whether the result can be seen: after the last answer, which is played out on the board. */
  get showsResult() { return this.isSetDone && !(lineOf(this.game) && this.game.isLookingBack); }
  /** How many puzzles of the set were solved at the first try. */
  get right() { return this.set.filter(({ name }) => this.results[name]).length; }
  /** How many are to be practised. */
  get missed() {
    const { missed } = progress();
    return this.set.filter(({ name }) => missed.some(({ puzzle }) => puzzle.name === name)).length;
  }

  get isLoading() { return this.#loading !== null; }

  /** @override */
  enter() {
    if (course.wanted) this.load("lessons");
    else if (this.set.length) this.lift();
    else this.load("today");
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
      this.#open("today", set, progress().finished, progress().solved);
    };
  }

  /** Load what was missed last and new puzzles, from easy to hard; the hardest ones climb with the rating. */
  async #loadMore() {
    const again = progress().missed.slice(-COUNT), seed = Math.floor(Math.random() * 2 ** 31);
    const wanted = `count=${COUNT - again.length}&seed=${seed}&hardest=${hardestGrade()}`;
    const others = again.length < COUNT ? await get(`/api/puzzles?${wanted}`) : [];
    const set = [...again.map(({ puzzle }) => puzzle), ...others];
    return () => this.#open("more", set.sort((one, other) => one.plies - other.plies), []);
  }

  /** Load the lesson that a key moment leads to, or the first one that is not done. */
  async #loadLessons() {
    this.lessons = await get("/api/lessons");
    const fits = this.lessons.find(({ kinds }) => kinds.includes(course.wanted));
    course.wanted = "";
    return () => this.openLesson(fits ?? this.lessons.find((lesson) => !isLearnt(lesson)) ?? this.lessons[0]);
  }

  /** @param {Lesson} lesson */
  openLesson(lesson) {
    const { exercises } = progress();
    this.lesson = lesson;
    this.#open("lessons", lesson.exercises, exercises, Object.fromEntries(exercises.map((name) => [name, true])));
  }

  /**
   * Show a set, at its first puzzle that is not finished.
   * @param {Kind} kind
   * @param {Puzzle[]} set
   * @param {string[]} finished  names
   * @param {Record<string, boolean>} [results]  by name
   */
  #open(kind, set, finished, results) {
    Object.assign(this, { kind, set, finished: [...finished], results: { ...results } });
    this.choose(this.#openFrom(0) ?? 0);
  }

  /**
   * Return the place of the set's first puzzle, counted from `start` on and round, that is not finished.
   * @param {number} start
   */
  #openFrom(start) {
    const { set, finished } = this;
    return set.map((_, step) => (start + step) % set.length).find((one) => !finished.includes(set[one].name));
  }

  /**
   * @override
   * @param {number} index
   */
  choose(index) {
    this.isJoyful = false;
    super.choose(index);
    if (store.view === this.id) showBoard();
  }

  /** What comes next: a puzzle of the set that is not finished, another lesson, or further puzzles. */
  get following() {
    const { index, kind, lessons, missed } = this, open = this.#openFrom(index + 1);
    if (open !== undefined) return { label: "Next", act: () => this.choose(open) };
    const at = this.lesson ? lessons.indexOf(this.lesson) : -1, others = [...lessons.slice(at + 1), ...lessons];
    const lesson = kind === "lessons" ? others.find((one) => !isLearnt(one)) : undefined;
    if (lesson) {
      const next = isLearnt(lessons[at]) ? "Lesson done. Next" : "Next";
      const label = `${lesson === this.lesson ? "Again" : next}: ${lesson.name}`;
      return { label, act: () => this.openLesson(lesson) };
    }
    const practice = missed ? `Practise the ${missed === 1 ? "one" : missed} you missed` : "Practice";
    return { label: kind === "more" ? "New set" : practice, act: () => this.load("more") };
  }

  /**
   * @override
   * @param {number} at
   */
  go(at) { if (this.isDone) super.go(at); }

  /** @override */
  get headline() {
    if (this.isLoading) return "Puzzles are being made: the first set takes some seconds.";
    if (!this.set.length) return "The puzzles could not be made.";
    const isNew = this.isJoyful && !lineOf(this.game); // the lines of an answer say their moves
    return isNew ? `${super.headline} That makes ${this.right} of ${this.set.length}.` : super.headline;
  }

  /**
   * @override
   * @returns {Action[]}
   */
  actions() {
    const { set, isLoading, kind, following, showsResult, right } = this;
    const again = { id: "puzzles-again", label: "Try again", isStrong: true, act: () => this.load(kind) };
    if (!set.length) return isLoading ? [] : [again];
    const isBest = showsResult && right === set.length;
    const result = { id: "share-result", label: "Share", isStrong: isBest, act: share }, shared = showsResult ? [result] : [];
    if (!this.isDone) {
      return [...shared, { id: "puzzle-answer", label: "Show the answer", act: () => this.reveal() }];
    }
    const next = { id: "puzzle-next", ...following, key: "n", isStrong: !isBest };
    return [...isBest ? [result, next] : [next, ...shared],
      { id: "puzzle-line", label: "Show why", act: () => this.playReason() },
      { id: "study", label: "Study", act: () => study(this.game) },
    ].slice(0, 3);
  }

  /**
   * Count a try: of a puzzle the first one, of an exercise the last one; and keep what is finished, of exercises those
   * that were solved.
   * @override
   * @param {boolean} isRight
   */
  count(isRight) {
    const { puzzle, kind, results, finished, isDone } = this, { name } = puzzle, isExercise = kind === "lessons";
    if (finished.includes(name) || (isExercise && !isDone)) return;
    if (!isExercise && !(name in results)) keepTry(puzzle, isRight);
    results[name] ??= isRight;
    if (!isDone) return;
    if (isRight && !results[name]) results[name] = null;
    finished.push(name);
    if (kind !== "more" && (isRight || !isExercise)) keepFinished(isExercise ? "exercises" : "finished", name);
    if (!this.isSetDone) return;
    keepDay(this.day);
    this.isJoyful = true;
  }
}

/**
 * Return how many exercises of a lesson are solved.
 * @param {Lesson} lesson
 */
const learntOf = ({ exercises }) =>
  exercises.filter(({ name }) => progress().exercises.includes(name)).length;

/** @param {Lesson} lesson */
const isLearnt = (lesson) => learntOf(lesson) === lesson.exercises.length;

export const puzzles = new Puzzles("puzzles");

/** @type {Record<string, string>} */
const KINDS = { win: "only win", draw: "save the draw", trap: "trap" };
/** Class, words and sign of a puzzle whose first try was right, or only a later one, or none so far. */
const RESULTS = new Map([
  [true, ["won", ", solved", "\u2713 "]], [null, ["lost", ", solved at a later try", "(\u2713) "]],
  [false, ["lost", ", not solved at once", "\u00d7 "]],
]);
const SETS = /** @type {const} */ ([["today", "Today"], ["more", "Practice"], ["lessons", "Lessons"]]);
const WEEK = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"], WEEKS = [0, 1, 2, 3, 4];

export const puzzlesSegments = () => segments("", puzzles.kind, SETS, (one) => puzzles.load(one));

export function puzzlesPanel() {
  const { puzzle, set, kind, lesson, isLoading, showsResult, right } = puzzles;
  const name = html`<h3>${lesson?.name}</h3>`;
  const result = html`<h2 id="day-result" role="status">Today:\u00a0${right}\u00a0of\u00a0${set.length}</h2>`;
  return html`${showsResult ? result : nothing}
    <div id="puzzle">
      ${kind === "lessons" ? name : nothing}
      ${puzzle && !isLoading ? task() : nothing}
    </div>
    <div class="part">
      <div id="puzzle-list" class="games ${puzzles.isJoyful ? "joy" : ""}">${
        set.map(listed)}</div>
      ${kind === "lessons" ? html`<ul id="lesson-list" class="list">${puzzles.lessons.map(lessonRow)}</ul>` : standing()}
    </div>`;
}

/** What is asked, and in its place what the answer is and why; below the day's result, why only where that is asked. */
function task() {
  const { kind, lesson, isDone, isRevealed, question, answer: { first, reason }, showsResult, isExplained } = puzzles;
  const why = showsResult && !isExplained ? "" : reason; // the result has the room
  if (isDone) return html`<p id="puzzle-said" class=${isRevealed ? "" : "good"}><b>${first}</b> ${why}</p>`;
  const about = html`<p id="lesson-about">${spoken(lesson?.about ?? "")}</p>`;
  return html`<h2 id="puzzle-task">${question}</h2>${kind === "lessons" ? about : nothing}`;
}

/** Rating and streak, where they are kept, and the days. */
function standing() {
  const { rating, missed } = progress(), days = streak();
  const inRow = days ? `${days} ${days === 1 ? "day" : "days"} in a row.`
    : "Finish all five each day to keep a streak.";
  return html`<p id="puzzle-score" class="about">Rating ${rating}.
      ${isKeeping() ? inRow : "This browser keeps nothing: rating and days end when the page closes."}
      ${missed.length ? `To repeat in Practice: ${missed.length}.` : nothing}</p>
    ${puzzles.kind === "today" ? calendar() : nothing}`;
}

/** The days of this week and the four before, the finished ones marked. */
function calendar() {
  const { days } = progress(), first = new Date();
  first.setDate(first.getDate() - ((first.getDay() + 6) % WEEK.length) - WEEK.length * 4);
  const cell = (/** @type {number} */ number) => {
    const date = new Date(first);
    date.setDate(first.getDate() + number);
    const day = dayOf(date), isDone = days.includes(day);
    return html`<td class=${isDone ? "done" : ""} aria-current=${day === dayOf() ? "date" : nothing}>${
      date.getDate()}${isDone ? html`<span class="unseen"> finished</span>` : nothing}</td>`;
  };
  const names = WEEK.map((name) => html`<th scope="col" abbr=${name}>${name.slice(0, 2)}</th>`);
  const weeks = WEEKS.map((week) => html`<tr>${WEEK.map((_, day) => cell(week * WEEK.length + day))}</tr>`);
  return html`<table id="calendar"><caption>The last five weeks</caption><tr>${names}</tr>${weeks}</table>`;
}

/** @param {Lesson} lesson */
function lessonRow(lesson) {
  const done = learntOf(lesson), all = lesson.exercises.length;
  return html`<li><button aria-pressed=${lesson === puzzles.lesson} @click=${() => puzzles.openLesson(lesson)}>
    <span>${lesson.name}</span><span class="about">${done === all ? "\u2713 done" : `${done} of ${all}`}</span>
    </button></li>`;
}

/** Copy the result of the day as text. */
function share() {
  const { set, results, day, url, right } = puzzles, days = streak();
  const date = new Date(`${day}T12:00`).toLocaleDateString("en-GB", { dateStyle: "long" });
  // Told apart by their shapes, not by colours alone.
  const marks = set.map(({ name }) => (results[name] ? "\u2705" : "\u274c")).join("");
  const lines = [`Connect Four puzzles, ${date}`, `${marks} ${right} of ${set.length}`,
    days > 1 ? `${days} days in a row` : "", url ?? ""];
  return copy(lines.filter(Boolean).join("\n"), "The result is copied.");
}

/**
 * @param {Puzzle} puzzle
 * @param {number} index
 */
function listed({ name, kind, grade }, index) {
  const [state, words, sign] = RESULTS.get(puzzles.results[name]) ?? ["", "", ""];
  const label = grade ? `Puzzle ${index + 1}: ${KINDS[kind]}, grade ${grade}` : `Exercise ${index + 1}`;
  return html`<button class=${state} aria-pressed=${index === puzzles.index} @click=${() => puzzles.choose(index)}
    aria-label="${label}${words}">
    ${sign}${index + 1}<small>${"\u2605".repeat(grade)}</small></button>`;
}
