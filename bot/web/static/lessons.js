// A lesson of the coach as elements: the verdict, its proven reasons, and buttons that play their lines.

import { html } from "./dom.js";
import { ROWS } from "./rules.js";

/** @import { Lesson, Reason } from "./api.js" */
/** @import { Note } from "./board.js" */

/** Pause between two moves of a line that is played out, milliseconds. */
export const STEP_MS = 900;

/** @param {number} cell */
export const place = (cell) => ({ column: Math.floor(cell / ROWS), row: cell % ROWS });

/**
 * Return a coach's sentence with the page's names of sides and cells.
 * @param {string} text
 */
export const withColours = (text) => text.replace(/\bX\b/g, "Yellow").replace(/\bO\b/g, "Red")
  .replace(/\bat ([a-g])([1-6])\b/g, (_, name, row) => `in column ${"abcdefg".indexOf(name) + 1}, row ${row}`);

/**
 * Return the pairs of a follow-up as notes over the board: both cells of a pair have the same letter.
 * @param {number[][]} pairs
 * @returns {Note[]}
 */
export const pairNotes = (pairs) => pairs.flatMap((pair, index) =>
  pair.map((cell) => ({ ...place(cell), text: String.fromCharCode(65 + index), kind: "pair" })));

/**
 * @typedef {(before: number[], line: number[], notes: Note[]) => void} Play  plays `line` from the position after
 *   `before`; `notes` are drawn at its end
 */

/**
 * @typedef {Pick<Lesson, "column" | "text"> & {reasons: Pick<Reason, "text" | "line" | "pairs">[]}} SavedLesson
 */

/**
 * Return a button that plays a line on the board.
 * @param {string} label
 * @param {() => void} onclick
 */
export const lineButton = (label, onclick) => html("button", { class: "small", onclick }, label);

/**
 * Return what is said about a mistake; `before` are the moves before it, `more` are further buttons.
 * @param {SavedLesson & Pick<Lesson, "line" | "better">} lesson
 * @param {number[]} before
 * @param {Play} play
 * @param {Node[]} [more]
 */
export function lessonParts({ column, text, reasons, better, line }, before, play, more = []) {
  const head = html("p", {}, html("strong", {}, `Column ${column + 1}: ${text}.`));
  const said = reasons.map((reason) => html("div", { class: "reason" }, html("p", {}, withColours(reason.text)),
    lineButton("Show it", () => play(before, reason.line, pairNotes(reason.pairs)))));
  const none = html("p", { class: "about" }, "No short reason is proven; this is the best line.");
  const buttons = [...more];
  if (better.length) {
    buttons.unshift(lineButton(`Show the better move, ${better[0] + 1}`, () => play(before, better, [])));
  }
  if (!reasons.length && line.length) {
    buttons.unshift(lineButton("Show what happens now", () => play([...before, column], line, [])));
  }
  return [head, ...(said.length ? said : [none]), html("div", { class: "row" }, ...buttons)];
}
