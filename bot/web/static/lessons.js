// The coach's sentences on the page: its names of sides and cells, and buttons that play the lines behind them.

import { button } from "./fields.js";
import { pairNotes, playLine } from "./lines.js";
import { COLOURS } from "./rules.js";
import { html, nothing } from "./vendor/lit-html.js";
import { mistakesOf } from "./verdicts.js";

/** @import { Lesson, Reason, Review } from "./api.js" */
/** @import { Game } from "./game.js" */

/** A reason that is this many moves away is told before the better move; a longer one only on request. */
const NEAR = 3;

/**
 * Return a coach's sentence with the page's names of sides and cells: X and O become "you" and colours.
 * @param {string} text
 * @param {number | null} [you]  the side that is addressed; null: none
 */
export const spoken = (text, you = null) => text
  .replace(/(^|[.?!] |\b)([XO])('s)?(?!\w)/g, (_, start, letter, owns = "", at) => {
    const side = "XO".indexOf(letter), isFirst = at === 0 || start !== "", pronoun = owns ? "your" : "you";
    const name = side === you ? pronoun : `${COLOURS[side]}${owns && "\u2019s"}`;
    return `${start}${isFirst ? name[0].toUpperCase() : name[0]}${name.slice(1)}`;
  })
  .replace(/\b(at )?([a-g])([1-6])\b/g, (_, at, name, row) =>
    `${at ? "in " : ""}column ${"abcdefg".indexOf(name) + 1}, row ${row}`);

/**
 * Return a button that plays a line, if there is one.
 * @param {Game} game
 * @param {number[]} before  the moves before the line
 * @param {number[]} line
 * @param {number[][]} [pairs]
 */
export const lineButton = (game, before, line, pairs = []) => (line.length
  ? button("Show it", () => playLine(game, { before, line, notes: pairNotes(pairs) }), { isSmall: true }) : nothing);

/**
 * Return a reason, or what can be seen in a position, with a button that plays its line.
 * @param {Game} game
 * @param {Pick<Reason, "text" | "line" | "pairs">} reason
 * @param {number[]} before  the moves before the line
 * @param {number | null} [you]  the side that is addressed
 */
export const reasonLine = (game, { text, line, pairs }, before, you = game.you) =>
  html`<p class="reason">${spoken(text, you)} ${lineButton(game, before, line, pairs)}</p>`;

/**
 * Return what is said about a mistake, the most useful first: what happened, a reason that a person could have seen,
 * or else the better move.
 * @param {Game} game
 * @param {Lesson} lesson
 * @param {number[]} before  the moves before the mistake
 */
export function lessonSentences(game, { column, text, name, reasons, better, line, is_visible: isVisible }, before) {
  const happened = html`<p><strong>${spoken(text, game.you)}</strong>
    ${name ? html`<span class="kind">${name}</span>` : nothing}</p>`;
  const best = better.length
    ? [html`<p>Column ${better[0] + 1} was better. ${lineButton(game, before, better)}</p>`] : [];
  const why = reasons.map((reason) => reasonLine(game, reason, before));
  const now = line.length ? [html`<p>What happens now. ${lineButton(game, [...before, column], line)}</p>`] : [];
  const isNear = isVisible || reasons.some(({ quiet }) => quiet <= NEAR);
  return isNear ? [happened, ...why, ...best] : [happened, ...best, ...why, ...now];
}

/**
 * How many mistakes both sides have made; dots until that is known.
 * @param {Game} game
 * @param {Review | null} review
 */
export function mistakesPanel({ names, start, main }, review) {
  const first = start < main.length ? start : 0;
  return html`<div id="mistakes">${names.map((name, side) => html`<p><b>${name}:</b>
      ${review ? mistakesOf(review, side, first) : "\u2026"}</p>`)}
    ${first ? html`<p class="about">Counted from move ${first + 1} on, where this game began.</p>` : nothing}</div>`;
}
