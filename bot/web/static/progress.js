// What this browser keeps of the puzzles that were tried: the rating, the days in a row, and those that were missed.

import { isLike, keep, kept } from "./store.js";

/** @import { Puzzle } from "./api.js" */

/**
 * `solved`: by name, whether the first try was right; `days`: those whose set is done; `missed`: the puzzles that come
 * back, with the day on which each was missed, the longest ago first.
 * @typedef {{rating: number, solved: Record<string, boolean>, days: string[],
 *   missed: {puzzle: Puzzle, on: string}[]}} Progress
 */

const DAY_MS = 86_400_000;
const PLACE = "puzzles", FIRST_RATING = 1000, MAX_DAYS = 400, MAX_MISSED = 60;
/** Largest change of the rating by one puzzle. */
const MOST = 32;
/** Rating of the puzzles of a grade. */
const ratingOf = (/** @type {number} */ grade) => 600 + 250 * grade;

/** @returns {Progress} */
export function progress() {
  const usual = { rating: FIRST_RATING, solved: {}, days: [], missed: [] }, known = Object.entries(kept(PLACE, {}));
  const good = known.filter(([name, value]) => isLike(value, usual[/** @type {keyof typeof usual} */ (name)] ?? null));
  const { missed, ...rest } = /** @type {Progress} */ ({ ...usual, ...Object.fromEntries(good) });
  return { ...rest, missed: missed.filter((one) => typeof one?.puzzle?.moves === "string") };
}

/** Return a day as YYYY-MM-DD, in local time. */
export const dayOf = (date = new Date()) => date.toLocaleDateString("sv");

/**
 * Return how many days ago a day was.
 * @param {string} day
 */
export const daysSince = (day) => Math.round((Date.parse(dayOf()) - Date.parse(day)) / DAY_MS);

/** Return the number of days in a row, up to today or yesterday, whose set is done. */
export function streak() {
  const { days } = progress(), date = new Date();
  if (!days.includes(dayOf(date))) date.setDate(date.getDate() - 1);
  let count = 0;
  while (days.includes(dayOf(date))) {
    count++;
    date.setDate(date.getDate() - 1);
  }
  return count;
}

/**
 * Keep the first try at a puzzle of a set. Only the first one ever counts for the rating; a puzzle is missed until a
 * first try is right.
 * @param {Puzzle} puzzle
 * @param {boolean} isRight
 */
export function keepTry(puzzle, isRight) {
  const { rating, solved, days, missed } = progress(), { name, grade } = puzzle;
  const others = missed.filter((one) => one.puzzle.name !== name);
  const expected = 1 / (1 + 10 ** ((ratingOf(grade) - rating) / 400));
  keep(PLACE, {
    rating: name in solved ? rating : Math.round(rating + MOST * (Number(isRight) - expected)),
    solved: { [name]: isRight, ...solved }, days,
    missed: isRight ? others : [...others, { puzzle, on: dayOf() }].slice(-MAX_MISSED),
  });
}

/**
 * Keep that the set of a day is done.
 * @param {string} day
 */
export function keepDay(day) {
  const known = progress();
  keep(PLACE, { ...known, days: [...known.days, day].slice(-MAX_DAYS) });
}
