// The exact scores of the columns: as they stand below the board, and as a sentence about the position.

import { COLOURS, COLUMNS, ROWS } from "./rules.js";
import { html, nothing } from "./vendor/lit-html.js";

/** @import { ColumnScore } from "./api.js" */
/** @import { Board } from "./rules.js" */

/**
 * What stands below the columns.
 * @typedef {{columns: (Pick<ColumnScore, "lower" | "upper" | "exact" | "text"> | null)[], best: number[]}} ScoreRow
 */

/** A score is this less the number of discs that the winner will have played. */
const MOST = (COLUMNS * ROWS) / 2 + 1;

/** @param {{lower: number, upper: number}} value */
function kindOf({ lower, upper }) {
  if (lower > 0) return "win";
  return upper < 0 ? "loss" : "";
}

/**
 * Return what perfect play leads to, and in how many discs of the winner, in a sentence or two.
 * @param {Board} board  unfinished
 * @param {ScoreRow | undefined} answer
 */
export function outcome({ toMove, ply }, answer) {
  const mover = `${COLOURS[toMove]} to move`, known = answer?.columns.filter((value) => value !== null) ?? [];
  if (!known.length) return `${mover}.`;
  const lower = Math.max(...known.map((value) => value.lower)), upper = Math.max(...known.map((value) => value.upper));
  if (lower === 0 && upper === 0) return `${mover}: a draw.`;
  if (lower <= 0 && upper >= 0) return `${mover}: not solved within the search time.`;
  const played = Math.floor((ply + (upper < 0 ? 1 : 0)) / 2), left = MOST - Math.abs(lower) - played;
  const distance = lower === upper ? ` in ${left}` : "";
  return `${mover}. ${COLOURS[lower > 0 ? toMove : 1 - toMove]} wins${distance}.`;
}

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
  const classes = `score ${kindOf(value)} ${answer.best.includes(column) ? "best" : ""}`;
  const [noun, distance] = value.text.split(" in ");
  const content = html`${name}${noun} ${distance ? html`<small>in ${distance}</small>` : nothing}`;
  return pick
    ? html`<button class=${classes} @click=${() => pick(column)} title="Show the line">${content}</button>`
    : html`<div class=${classes}>${content}</div>`;
});
