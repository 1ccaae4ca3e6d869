// What this browser keeps of puzzles and lessons: the rating, the days, what was missed, and the exercises done.

import { fitted, keep, kept } from "./store.js";

/** @import { Puzzle } from "./api.js" */

/**
 * `solved`: by name, whether the first try was right; `days`: those whose set is done; `missed`: the puzzles that come
 * back, with the day on which each was missed, the longest ago first; `exercises`: those of lessons that were solved.
 * @typedef {{rating: number, solved: Record<string, boolean>, days: string[],
 *   missed: {puzzle: Puzzle, on: string}[], exercises: string[]}} Progress
 */

const DAY_MS = 86_400_000;
const PLACE = "puzzles", FIRST_RATING = 1000, MAX_DAYS = 400, MAX_MISSED = 60;
/** Largest change of the rating by one puzzle. */
const MOST = 32;
/** How far above one's rating the hardest puzzles of Practice are. */
const AHEAD = 150;
const GRADES = [1, 2, 3, 4, 5];
/** Rating of the puzzles of a grade. */
const ratingOf = (/** @type {number} */ grade) => 600 + 250 * grade;

/** @returns {Progress} */
export function progress() {
  /** @type {Progress} */
  const usual = { rating: FIRST_RATING, solved: {}, days: [], missed: [], exercises: [] };
  const { missed, ...rest } = fitted(kept(PLACE, {}), usual);
  return { ...rest, missed: missed.filter((one) => typeof one?.puzzle?.moves === "string") };
}

/** Return the hardest grade that suits the rating: it climbs with it. */
export const hardestGrade = () =>
  Math.max(1, ...GRADES.filter((grade) => ratingOf(grade) <= progress().rating + AHEAD));

/** Return a day as YYYY-MM-DD, in local time. */
export const dayOf = (date = new Date()) => date.toLocaleDateString("sv");

/**
 * Return when a day was, in words.
 * @param {string} day
 */
export function daysAgo(day) {
  const days = Math.round((Date.parse(dayOf()) - Date.parse(day)) / DAY_MS);
  return ["today", "yesterday"][days] ?? `${days} days ago`;
}

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
  const known = progress(), { rating, solved, missed } = known, { name, grade } = puzzle;
  const others = missed.filter((one) => one.puzzle.name !== name);
  const expected = 1 / (1 + 10 ** ((ratingOf(grade) - rating) / 400));
  keep(PLACE, {
    ...known,
    rating: name in solved ? rating : Math.round(rating + MOST * (Number(isRight) - expected)),
    solved: { [name]: isRight, ...solved },
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

/**
 * Keep that an exercise of a lesson is solved.
 * @param {string} name
 */
export function keepExercise(name) {
  const known = progress();
  keep(PLACE, { ...known, exercises: [...new Set([...known.exercises, name])] });
}
