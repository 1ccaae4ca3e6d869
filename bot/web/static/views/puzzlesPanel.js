// The panel of the puzzles: the question and what was said of the last try; then the set, the rating and the sets.

import { $ } from "../dom.js";
import { button, segments } from "../fields.js";
import { resultPicture } from "../picture.js";
import { dayOf, daysSince, progress, streak } from "../progress.js";
import { copy, copyPicture } from "../share.js";
import { complain } from "../store.js";
import { html, nothing } from "../vendor/lit-html.js";
import { puzzles } from "./puzzles.js";

/** @import { Puzzle } from "../api.js" */

/** @type {Record<string, string>} */
const KINDS = { win: "only win", draw: "save the draw", trap: "trap" };

/** Class, words and sign of a first try that was right, or was not. */
const RESULTS = new Map([
  [true, ["won", ", solved", "\u2713 "]], [false, ["lost", ", not solved at once", "\u00d7 "]],
]);
const SETS = /** @type {const} */ ([["today", "Today"], ["more", "Practice"]]);

export function puzzlesPanel() {
  const { solving, set, day, isLoading, isDone } = puzzles, { rating, missed } = progress();
  const said = isLoading ? "The first set takes some seconds." : saidOf(), days = streak();
  const puzzle = solving?.puzzle, on = puzzle && puzzles.missedOn[puzzle.name];
  const tone = said.startsWith("Right") ? "good" : "";
  return html`${puzzles.isSetDone ? result() : nothing}<div id="puzzle">
      ${puzzle && solving.isFirst && !isDone ? html`<p id="puzzle-question">${taskOf(puzzle)}</p>` : nothing}
      ${said ? html`<p id="puzzle-said" class=${tone} aria-live="polite">${said}</p>` : nothing}
      ${on ? html`<p id="puzzle-again" class="about">Missed ${daysSince(on)} days ago.</p>` : nothing}
    </div>
    <div class="part">
      ${segments("", day ? "today" : "more", SETS, (one) => puzzles.load(one === "today" ? dayOf() : ""))}
      <div id="puzzle-list" class="games">${set.length ? set.map(listed) : waiting}</div>
      ${day ? nothing : html`<div class="row">
        ${button("New set", () => puzzles.load(""), { id: "puzzles-more", isSmall: true, isDisabled: isLoading })}
        </div>`}
      <p id="puzzle-score" class="about">Rating ${rating}.
        ${days ? `${days} ${days === 1 ? "day" : "days"} in a row.` : "Finish all five each day to keep a streak."}
        ${missed.length ? `To repeat in Practice: ${missed.length}.` : nothing}</p>
    </div>`;
}

/** The places of a day's puzzles while they are made. */
const waiting = Array.from({ length: 5 }, (_, index) =>
  html`<button disabled>${index + 1}<small>\u2026</small></button>`);

/** The result of a day's set, to share. */
function result() {
  const { set, results, day } = puzzles, found = set.map(({ name }) => results[name]), days = streak();
  const date = new Date(`${day}T12:00`).toLocaleDateString("en-GB", { dateStyle: "long" });
  const title = `Connect Four puzzles, ${date}`, count = found.filter(Boolean).length;
  const note = `${count} of ${found.length} at the first try${days > 1 ? `, ${days} days in a row` : ""}`;
  const text = `${title}\n${found.map((isRight) => (isRight ? "\u{1f7e1}" : "\u{1f534}")).join("")}\n${note}`;
  const picture = () => resultPicture(title, found, note)
    .then((made) => copyPicture(made, `puzzles-${day}.png`)).catch(complain);
  return html`<div id="puzzle-result" class="row">
    ${button("Copy as text", () => copy(text, "The result is copied."), { id: "copy-result", isSmall: true })}
    ${button("Copy as picture", picture, { id: "copy-picture", isSmall: true })}</div>`;
}

/** What was said of the last try; in few words under the day's result. */
function saidOf() {
  const said = puzzles.solving?.said ?? "";
  return puzzles.isDone && puzzles.isSetDone ? /^(Right\. )?[^.]*\./.exec(said)?.[0] ?? said : said;
}

/**
 * Return what is to be done; the line above the board says who moves.
 * @param {Puzzle} puzzle
 */
const taskOf = ({ question }) => question.replace(/^. to move\. /, "");

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
  return html`<button class=${state} aria-pressed=${index === puzzles.index} @click=${open}
    aria-label=${`Puzzle ${index + 1}: ${KINDS[kind]}, grade ${grade}${words}`}>
    ${sign}${index + 1}<small>${"\u2605".repeat(grade)}</small></button>`;
}
