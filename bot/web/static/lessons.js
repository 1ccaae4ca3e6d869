// A lesson of the coach: what a person could have seen, the verdict of perfect play, and buttons that play their lines.

import { button } from "./fields.js";
import { pairNotes, playLine } from "./lines.js";
import { COLOURS } from "./rules.js";
import { html, nothing } from "./vendor/lit-html.js";

/** @import { Lesson, Reason } from "./api.js" */
/** @import { Game } from "./game.js" */

/** A reason that is this many moves away is told before the better move; a longer one only on request. */
const NEAR = 3;

/**
 * Return a coach's sentence with the page's names of sides and cells.
 * @param {string} text
 */
export const withColours = (text) => text.replace(/\bX\b/g, "Yellow").replace(/\bO\b/g, "Red")
  .replace(/\bat ([a-g])([1-6])\b/g, (_, name, row) => `in column ${"abcdefg".indexOf(name) + 1}, row ${row}`);

/**
 * Return a reason, labelled by what the move allowed or missed, with a button that plays its line.
 * @param {Game} game
 * @param {Pick<Reason, "missed" | "text" | "line" | "pairs">} reason
 * @param {number[]} before  the moves before the mistake
 */
export const reasonPart = (game, { missed, text, line, pairs }, before) => html`<div class="reason">
  <p><b>${missed ? "Missed" : "Allowed"}:</b> ${withColours(text)}
    ${button("Show it", () => playLine(game, { before, line, notes: pairNotes(pairs) }), { isSmall: true })}</p></div>`;

/**
 * Return what is said about a mistake, the most useful first: the verdict of perfect play, and a reason that a person
 * could have seen, or else the better move.
 * @param {Game} game
 * @param {Lesson} lesson
 * @param {number[]} before  the moves before the mistake
 */
export function lessonSentences(game, { ply, column, grave, text, insight, reasons, better, line }, before) {
  const show = (/** @type {number[]} */ from, /** @type {number[]} */ moves) => (moves.length
    ? button("Show it", () => playLine(game, { before: from, line: moves }), { isSmall: true }) : nothing);
  const verdict = html`<p><strong>${COLOURS[ply % 2]}'s column ${column + 1}${grave ? "" : ":"} ${text}.</strong>
    ${insight ? html`<span class="kind">${insight.kind}</span>` : nothing}</p>`;
  const best = better.length ? [html`<p>Column ${better[0] + 1} was better. ${show(before, better)}</p>`] : [];
  const told = (insight ? [insight] : reasons).map((reason) => reasonPart(game, reason, before));
  const now = line.length ? [html`<p>What happens now. ${show([...before, column], line)}</p>`] : [];
  const isNear = insight !== null || reasons.some(({ quiet }) => quiet <= NEAR);
  return isNear ? [verdict, ...told, ...best] : [verdict, ...best, ...told, ...now];
}
