// What a move's verdict means: how grave a mistake is, and how many a side has made.

/** @import { Analysis, Review, Verdict } from "./api.js" */

/**
 * Return "grave" for a move that changed the outcome, "slip" for another mistake, "" for none.
 * @param {Verdict | null | undefined} verdict
 */
export const severity = (verdict) =>
  (!verdict || verdict.kind === "best" || verdict.kind === "kept" ? "" : verdict.grave ? "grave" : "slip");

/**
 * Say how many mistakes a side has made: "2 mistakes, 1 decisive".
 * @param {Review} review
 * @param {number} side
 * @param {number} start  moves before those that are counted
 */
export function mistakesOf({ moves }, side, start) {
  const own = moves.map(severity).filter((kind, ply) => kind && ply >= start && ply % 2 === side);
  const grave = own.filter((kind) => kind === "grave").length;
  if (!own.length) return "no mistake";
  return `${own.length} ${own.length === 1 ? "mistake" : "mistakes"}${grave ? `, ${grave} decisive` : ""}`;
}

/**
 * Return the columns that are proven to keep the outcome.
 * @param {Analysis} answer
 */
export const keeping = ({ columns, score }) => columns.flatMap((value, column) =>
  (value && value.exact !== null && score !== null && Math.sign(value.exact) === Math.sign(score) ? [column] : []));
