// A lesson of the coach: what a person could have seen, the verdict of perfect play, and buttons that play their lines.

import { button } from "./fields.js";
import { pairNotes, playLine } from "./lines.js";
import { html, nothing } from "./vendor/lit-html.js";

/** @import { Insight, Lesson, Reason } from "./api.js" */
/** @import { Game } from "./game.js" */

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
    ${button("Show it", () => playLine(game, { before, line, notes: pairNotes(pairs) }), { small: true })}</p></div>`;

/**
 * Return what is said about a mistake: first what a person could have seen, then what perfect play says.
 * @param {Game} game
 * @param {Pick<Lesson, "column" | "text" | "line" | "better"> & {insight?: Insight | null,
 *   reasons: Pick<Reason, "missed" | "text" | "line" | "pairs">[]}} lesson
 * @param {number[]} before  the moves before the mistake
 * @param {unknown} [more]  further buttons
 */
export function lessonParts(game, { column, text, insight, reasons, better, line }, before, more = nothing) {
  const isSeen = insight || reasons.length;
  const show = (/** @type {string} */ label, /** @type {number[]} */ from, /** @type {number[]} */ moves) =>
    (moves.length ? button(label, () => playLine(game, { before: from, line: moves }), { small: true }) : nothing);
  return html`<p><strong>Column ${column + 1}: ${insight ? `${insight.kind}; ` : ""}${text}.</strong></p>
    ${insight ? reasonPart(game, insight, before) : reasons.map((reason) => reasonPart(game, reason, before))}
    ${isSeen ? nothing : html`<p class="about">No short reason is proven; this is the best line.</p>`}
    <div class="row">${show(`Show the better move, ${better[0] + 1}`, before, better)}
      ${isSeen ? nothing : show("Show what happens now", [...before, column], line)} ${more}</div>`;
}
