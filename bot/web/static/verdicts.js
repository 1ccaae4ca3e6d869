// What a move's verdict means: how grave a mistake is, and how accurately a side has played.

/** @import { Analysis, Review, Verdict } from "./api.js" */

/** Credit for a move that keeps the outcome but wins later or loses sooner than necessary. */
const SLIP_CREDIT = 0.5;

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
 */
export function accuracy(review, side) {
  const verdicts = review.moves.filter((verdict, ply) => verdict && ply % 2 === side);
  if (!verdicts.length) return null;
  const graves = verdicts.filter((verdict) => severity(verdict) === "grave").length;
  const slips = verdicts.filter((verdict) => severity(verdict) === "slip").length;
  return Math.round((100 * (verdicts.length - graves - (1 - SLIP_CREDIT) * slips)) / verdicts.length);
}

/**
 * Return the columns that are proven to keep the outcome.
 * @param {Analysis} answer
 */
export const keeping = ({ columns, score }) => columns.flatMap((value, column) =>
  (value && value.exact !== null && score !== null && Math.sign(value.exact) === Math.sign(score) ? [column] : []));
