// The scores of the columns, as they are shown below the board.

import { html } from "./dom.js";
import { ROWS } from "./rules.js";

/** @import { Analysis } from "./api.js" */
/** @import { Board } from "./rules.js" */

/** @param {number} score */
const signed = (score) => (score > 0 ? `+${score}` : score < 0 ? `\u2212${-score}` : "0");

/**
 * Return the box below a column.
 * @param {number} column
 * @param {Board} board
 * @param {Pick<Analysis, "columns" | "best"> | undefined} answer
 */
export function scoreBox(column, board, answer) {
  const isFull = board.cells[column].length === ROWS;
  const unseen = (/** @type {string} */ text) => html("span", { class: "unseen" }, text);
  const name = unseen(`Column ${column + 1}: `);
  if (isFull || board.isOver) return html("div", { class: "score full" }, name, unseen(isFull ? "full" : "over"));
  const value = answer?.columns[column];
  if (!answer || !value) return html("div", { class: "score" }, name, "\u2026");
  const kind = value.lower > 0 ? "win" : value.upper < 0 ? "loss" : "";
  const best = answer.best.includes(column) ? " best" : "";
  const number = value.exact === null ? "?" : signed(value.exact);
  return html("div", { class: `score ${kind}${best}` }, name, number, html("small", {}, ...inTwoLines(value.text)));
}

/**
 * Return a column's label with its break: "win in 21" is wider than a phone's column.
 * @param {string} text
 */
function inTwoLines(text) {
  const [noun, distance] = text.split(" in ");
  return distance ? [noun, " ", html("span", { class: "distance" }, `in ${distance}`)] : [text];
}
