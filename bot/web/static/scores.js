// The scores of the columns, as they are shown below the board.

import { ROWS } from "./rules.js";
import { html, nothing } from "./vendor/lit-html.js";

/** @import { Board } from "./rules.js" */

/**
 * What stands below the columns.
 * @typedef {{columns: (Pick<import("./api.js").ColumnScore, "lower" | "upper" | "exact" | "text"> | null)[],
 *   best: number[]}} ScoreRow
 */

/** @param {number} score */
export const signed = (score) => (score > 0 ? `+${score}` : score < 0 ? `\u2212${-score}` : "0");

/**
 * Return the row of boxes below the columns.
 * @param {Board} board
 * @param {ScoreRow | undefined} answer
 * @param {(column: number) => void} [pick]
 */
export const scoreRow = (board, answer, pick) => board.cells.map((cells, column) => {
  const isFull = cells.length === ROWS, name = html`<span class="unseen">Column ${column + 1}: </span>`;
  if (isFull || board.isOver) {
    return html`<div class="score full">${name}<span class="unseen">${isFull ? "full" : "over"}</span></div>`;
  }
  const value = answer?.columns[column];
  if (!answer || !value) return html`<div class="score">${name}\u2026</div>`;
  const kind = value.lower > 0 ? "win" : value.upper < 0 ? "loss" : "";
  const classes = `score ${kind} ${answer.best.includes(column) ? "best" : ""}`;
  const number = value.exact === null ? "?" : signed(value.exact);
  const content = html`${name}${number}<small>${inTwoLines(value.text)}</small>`;
  return pick
    ? html`<button class=${classes} @click=${() => pick(column)} title="Show the line">${content}</button>`
    : html`<div class=${classes}>${content}</div>`;
});

/**
 * Return a column's label with its break: "win in 21" is wider than a phone's column.
 * @param {string} text
 */
function inTwoLines(text) {
  const [noun, distance] = text.split(" in ");
  return html`${noun}${distance ? html` <span class="distance">in ${distance}</span>` : nothing}`;
}
