// The panel of the puzzles: why an answer is right; then the set, the lessons, the rating and the days.

import { $ } from "../dom.js";
import { button, segments } from "../fields.js";
import { spoken } from "../lessons.js";
import { dayOf, daysAgo, isKeeping, progress, streak } from "../progress.js";
import { copy } from "../share.js";
import { html, nothing } from "../vendor/lit-html.js";
import { learntOf, puzzles } from "./puzzles.js";

/** @import { Puzzle } from "../api.js" */

/** @type {Record<string, string>} */
const KINDS = { win: "only win", draw: "save the draw", trap: "trap" };
/** Class, words and sign of a first try that was right, or was not. */
const RESULTS = new Map([
  [true, ["won", ", solved", "\u2713 "]], [false, ["lost", ", not solved at once", "\u00d7 "]],
]);
/** How the results look in a text: told apart by their shapes, not by colours alone. */
const MARKS = new Map([[true, "\u2705"], [false, "\u274c"]]);
const SETS = /** @type {const} */ ([["today", "Today"], ["more", "Practice"], ["lessons", "Lessons"]]);
const WEEK = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"], WEEKS = [0, 1, 2, 3, 4];

export function puzzlesPanel() {
  const { solving, set, kind, lesson, isLoading, isDone, isSetDone } = puzzles;
  const on = solving && puzzles.missedOn[solving.puzzle.name];
  const { first = "", reason = "" } = isDone && !isLoading ? solving?.answer ?? {} : {};
  const said = isSetDone ? first : reason; // below the board, the day's result has taken the first sentence's place
  const shareButton = button("Share", share, { id: "share-result", isSmall: true });
  return html`${isSetDone ? html`<div class="row">${shareButton}</div>` : nothing}
    <div id="puzzle">
      ${isLoading ? html`<p class="about">The first set takes some seconds.</p>` : nothing}
      ${kind === "lessons" && lesson && !isDone ? html`<p id="lesson-about">${spoken(lesson.about)}</p>` : nothing}
      ${said ? html`<p id="puzzle-said" class=${solving?.isRevealed ? "" : "good"}>${said}</p>` : nothing}
      ${on && kind === "more" ? html`<p id="puzzle-again" class="about">Missed ${daysAgo(on)}.</p>` : nothing}
    </div>
    <div class="part">
      ${segments("", kind, SETS, (one) => puzzles.load(one))}
      <div id="puzzle-list" class=${`games ${puzzles.isJoyful ? "joy" : ""}`}>${
        set.length ? set.map(listed) : waiting}</div>
      ${kind === "lessons" ? lessonList() : standing()}
    </div>`;
}

/** The places of a day's puzzles while they are made. */
const waiting = Array.from({ length: 5 }, (_, index) =>
  html`<button disabled>${index + 1}<small>\u2026</small></button>`);

/** Rating and streak, where they are kept, and the days. */
function standing() {
  const { rating, missed } = progress(), days = streak();
  const inRow = days ? `${days} ${days === 1 ? "day" : "days"} in a row.`
    : "Finish all five each day to keep a streak.";
  return html`<p id="puzzle-score" class="about">Rating ${rating}.
      ${isKeeping ? inRow : "This browser keeps nothing: rating and days end when the page closes."}
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
  return html`<table id="calendar"><caption>The last five weeks</caption>
    <tr>${WEEK.map((name) => html`<th scope="col" abbr=${name}>${name.slice(0, 2)}</th>`)}</tr>
    ${WEEKS.map((week) => html`<tr>${WEEK.map((_, day) => cell(week * WEEK.length + day))}</tr>`)}</table>`;
}

const lessonList = () => html`<ul id="lesson-list" class="list">${puzzles.lessons.map((lesson) => {
  const done = learntOf(lesson), all = lesson.exercises.length;
  return html`<li><button aria-pressed=${lesson === puzzles.lesson} @click=${() => puzzles.openLesson(lesson)}>
    <span>${lesson.name}</span><span class="about">${done === all ? "\u2713 done" : `${done} of ${all}`}</span>
    </button></li>`;
})}</ul>`;

/** Copy the result of the day as text. */
function share() {
  const { set, results, day, url } = puzzles, found = set.map(({ name }) => results[name]), days = streak();
  const date = new Date(`${day}T12:00`).toLocaleDateString("en-GB", { dateStyle: "long" });
  const marks = found.map((isRight) => MARKS.get(isRight)).join("");
  const lines = [`Connect Four puzzles, ${date}`, `${marks} ${found.filter(Boolean).length} of ${found.length}`,
    days > 1 ? `${days} days in a row` : "", url ?? ""];
  return copy(lines.filter(Boolean).join("\n"), "The result is copied.");
}

/**
 * @param {Puzzle} puzzle
 * @param {number} index
 */
function listed({ name, kind, grade }, index) {
  const result = puzzles.results[name], [state, words, sign] = RESULTS.get(result) ?? ["", "", ""];
  const open = () => {
    puzzles.choose(index);
    $("board").scrollIntoView({ block: "nearest" }); // on a phone, the list is far below the board
  };
  const label = `${puzzles.kind === "lessons" ? "Exercise" : "Puzzle"} ${index + 1}`;
  return html`<button class=${state} aria-pressed=${index === puzzles.index} @click=${open}
    aria-label=${`${label}${grade ? `: ${KINDS[kind]}, grade ${grade}` : ""}${words}`}>
    ${sign}${index + 1}<small>${"\u2605".repeat(grade)}</small></button>`;
}
