// The coach: what can be seen in a position, and proven reasons for the last move's mistake, played out on the board.

import { Answers } from "./answers.js";
import { analyses, analysisOf } from "./evaluator.js";
import { button, toggle } from "./fields.js";
import { lessonSentences } from "./lessons.js";
import { lineNotes, lineOf, pairNotes, place, playLine, subjectOf } from "./lines.js";
import { COLOURS, writeMoves } from "./rules.js";
import { set, settings } from "./settings.js";
import { playOn } from "./table.js";
import { html, nothing } from "./vendor/lit-html.js";

/** @import { Coaching, Sight } from "./api.js" */
/** @import { Note } from "./board.js" */
/** @import { Game } from "./game.js" */
/** @import { View } from "./view.js" */

/** Delay before a new position is asked about, milliseconds. */
const DELAY_MS = 250;
/** Search time for reasons, seconds. */
const SEARCH_S = 6;
/** Sentences that are said at first. */
const FIRST = 2;
/** How a threat is written on the board. */
const SIGNS = new Map([["playable", "!"], ["odd", "odd"], ["even", "even"], ["useless", "\u2013"]]);

/** @type {Answers<Coaching>} */
const coaching = new Answers("/api/coach", { body: () => ({ time_s: SEARCH_S }), delayMs: DELAY_MS });

/**
 * Ask for what the coach knows of the position that a view shows.
 * @param {View} view
 */
export function coach(view) {
  const isWanted = view.showsScores && !view.isThinking;
  coaching.want(isWanted ? writeMoves(subjectOf(view.game)) : null);
}

/**
 * Return what the coach writes on the board: the pairs of a line, or else the threats.
 * @param {View} view
 * @returns {Note[]}
 */
export function coachNotes(view) {
  const { game, showsScores } = view;
  if (lineOf(game)) return lineNotes(game);
  const known = showsScores && settings.areThreatsShown ? coaching.known(writeMoves(game.shown)) : undefined;
  return (known?.position?.threats ?? []).map(({ cell, player, kind }) =>
    ({ ...place(cell), text: SIGNS.get(kind) ?? "", kind: `threat ${player === 1 ? "first" : "second"}` }));
}

/**
 * Draw what the coach says: the most useful first, and the rest on request. While a line is shown, its text stays.
 * @param {View} view
 */
export function coachPanel(view) {
  const { game } = view, subject = subjectOf(game), known = coaching.known(writeMoves(subject));
  const lesson = known?.last?.verdict.kind === "best" ? null : known?.last, sight = known?.position;
  const before = subject.slice(0, lesson?.ply);
  const mistake = lesson ? lessonSentences(game, lesson, before) : [];
  const said = [...mistake, ...(sight ? facts(game, subject, sight) : [])];
  const waiting = known ? analyses.waiting : coaching.waiting;
  const quiet = known && analysisOf(view) ? "Nothing to point out here." : waiting;
  if (game.board.isOver && known && !said.length) return nothing;
  return html`<div id="coach" class="part"><h3>Coach</h3>
    <div id="coach-text" class="said" aria-live="polite">
      ${said.length ? said.slice(0, FIRST) : html`<p class="about">${quiet}</p>`}</div>
    <details class="more"><summary>More</summary>
      ${said.slice(FIRST)}
      ${lesson ? html`<div class="row">
        ${button("Take back and play on", () => playOn(before), { id: "retry", isSmall: true })}</div>` : nothing}
      ${toggle("Threats on the board", settings.areThreatsShown, (areThreatsShown) => set({ areThreatsShown }))}
      ${settings.areThreatsShown ? legend : nothing}
    </details></div>`;
}

const legend = html`<p id="threat-legend" class="legend">
  <span><b>!</b> can be played now</span>
  <span><b>odd</b> <b>even</b> its row, which decides who gets the cell when the columns run out</span>
  <span><b>\u2013</b> useless: the opponent has a threat right below</span></p>`;

/**
 * Return what can be seen in a position, a sentence each, the most urgent first.
 * @param {Game} game
 * @param {number[]} before  the moves up to the position
 * @param {Sight} sight
 */
function facts(game, before, { forced, danger, losing, zugzwang, follow_up: follow, threats }) {
  const [mover, other] = before.length % 2 ? [COLOURS[1], COLOURS[0]] : COLOURS, isAtOnce = danger.length === 1;
  const columns = losing.map((column) => column + 1).join(", "), [first] = danger;
  const show = (/** @type {string} */ label, /** @type {number[]} */ line, /** @type {Note[]} */ notes = []) =>
    button(label, () => playLine(game, { before, line, notes }), { isSmall: true });
  return [
    forced.length === 1 && html`<p>${mover} can make four in column ${forced[0] + 1}.</p>`,
    forced.length > 1 && html`<p>${mover} can force four in a row. ${show("Show it", forced)}</p>`,
    isAtOnce && html`<p>${other} threatens four in column ${first + 1}${losing.includes(first)
      ? ", and blocking it is not enough" : ""}.</p>`,
    danger.length > 1 && html`<p>${other} threatens to force four, beginning with column ${first + 1}.</p>`,
    zugzwang && html`<p>Zugzwang: every column of ${mover} lets ${other} make four above it.</p>`,
    columns && !zugzwang && !isAtOnce
      && html`<p>${losing.length === 1 ? "Column" : "Columns"} ${columns}: ${other} makes four at once.</p>`,
    follow && html`<p>Follow-up: answering every disc in the same column, ${other}
      ${follow.wins ? "makes four" : "never loses"}${follow.zugzwang ? " by zugzwang" : ""}.
      ${show("Show the pairs", [], pairNotes(follow.pairs))} ${show("Play it out", follow.line)}</p>`,
    ...COLOURS.map((colour, side) => threatsOf(colour, threats.filter(({ player }) => player === side + 1))),
  ].filter(Boolean);
}

/**
 * @param {string} colour
 * @param {Sight["threats"]} threats
 */
function threatsOf(colour, threats) {
  const names = threats.map(({ cell, kind }) => {
    const { column, row } = place(cell);
    return `column ${column + 1} row ${row + 1} (${kind})`;
  });
  return names.length > 0 && html`<p>${colour}'s threats: ${names.join(", ")}.</p>`;
}
