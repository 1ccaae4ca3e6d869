// What a move's verdict means: how grave a mistake is, and how accurately a side has played.

/** @import { Analysis, Review, Verdict } from "./api.js" */

/** What a move counts by the severity of its mistake: a slip wins later or loses sooner than necessary. */
const CREDITS = { "": 1, slip: 0.5, grave: 0 };

/**
 * Return "grave" for a move that changed the outcome, "slip" for another mistake, "" for none.
 * @param {Verdict | null | undefined} verdict
 */
export const severity = (verdict) =>
  (!verdict || verdict.kind === "best" || verdict.kind === "kept" ? "" : verdict.grave ? "grave" : "slip");

/**
 * Return the accuracy of one side, 0..100: a best move counts 1, a slower win or sooner loss 1/2, a move that changed
 * the outcome 0. Null if none of its moves was reviewed.
 * @param {Review} review
 * @param {number} side
 * @param {number} start  moves before those that are counted
 */
export function accuracy(review, side, start) {
  const credits = review.moves.flatMap((verdict, ply) =>
    (verdict && ply >= start && ply % 2 === side ? CREDITS[severity(verdict)] : []));
  return credits.length ? Math.round((100 * credits.reduce((sum, credit) => sum + credit)) / credits.length) : null;
}

/**
 * Return the columns that are proven to keep the outcome.
 * @param {Analysis} answer
 */
export const keeping = ({ columns, score }) => columns.flatMap((value, column) =>
  (value && value.exact !== null && score !== null && Math.sign(value.exact) === Math.sign(score) ? [column] : []));
