// The panel of the puzzles: the question and what was said of the last try; then the set, the rating and the sets.

import { button } from "../fields.js";
import { dayOf, progress, streak } from "../progress.js";
import { html, nothing } from "../vendor/lit-html.js";
import { puzzles } from "./puzzles.js";

/** @import { Puzzle } from "../api.js" */

/** @type {Record<string, string>} */
const KINDS = { win: "only win", draw: "save the draw", trap: "trap" };

export function puzzlesPanel() {
  const { solving, set, day, index, isLoading, missedOn } = puzzles, { rating, missed } = progress();
  const hint = isLoading ? "The first set takes some seconds." : "Click a column, or press its number.";
  const puzzle = solving?.puzzle, on = puzzle && missedOn[puzzle.name], days = streak();
  return html`<section class="card" id="puzzle">
    <h2>${day ? "Today's puzzle" : "Puzzle"} ${puzzle ? `${index + 1} of ${set.length}` : nothing}</h2>
    ${on ? html`<p id="puzzle-again" class="about">Again: you missed this one on ${on}.</p>` : nothing}
    ${puzzle ? html`<p id="puzzle-question"><strong>${taskOf(puzzle)}</strong></p>` : nothing}
    <p id="puzzle-said" aria-live="polite">${(!isLoading && solving?.said) || hint}</p>
  </section>
  <section class="card">
    <p id="puzzle-score" class="about">Rating ${rating}.
      ${days ? `${days} ${days === 1 ? "day" : "days"} in a row.` : "All five of a day begin a streak."}
      ${missed.length ? `${missed.length} missed: first under \u201cMore puzzles\u201d.` : nothing}</p>
    <div id="puzzle-list" class="games">${set.map(listed)}</div>
    <div class="row">
      ${button("Today's puzzles", () => puzzles.load(dayOf()), { id: "puzzles-daily", disabled: isLoading })}
      ${button("More puzzles", () => puzzles.load(""), { id: "puzzles-more", disabled: isLoading })}
    </div>
  </section>`;
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
  const result = puzzles.results[name], state = result === undefined ? "" : result ? "won" : "lost";
  const open = () => {
    puzzles.choose(index);
    scrollTo({ top: 0 }); // on a phone, the list is far below the board
  };
  const words = state === "won" ? ", solved" : state ? ", not solved at once" : "";
  return html`<button class=${state} aria-pressed=${index === puzzles.index} @click=${open}
    aria-label=${`Puzzle ${index + 1}: ${KINDS[kind]}, grade ${grade}${words}`}>
    ${index + 1} ${"\u2605".repeat(grade)}</button>`;
}
