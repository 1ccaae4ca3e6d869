// Exact scores: of the position shown, and of a whole game with its mistakes. Reviews survive a reload.

import { Answers, RETRY_MS } from "./answers.js";
import { SingleRequest } from "./api.js";
import { subjectOf } from "./lines.js";
import { COLOURS, writeMoves } from "./rules.js";
import { levelNumber } from "./seats.js";
import { settings } from "./settings.js";
import { change, complain, keep, kept, say, store } from "./store.js";

/** @import { Analysis, Chance, Review } from "./api.js" */
/** @import { Game } from "./game.js" */
/** @import { View } from "./view.js" */

/** Delay before a new position is analysed, milliseconds. */
const DELAY_MS = 120;
const PLACE = "reviews", MAX_REVIEWS = 60;
/** The highest level whose games say where it would have let one off; those above see through positions. */
const MEASURED = 7;
/** Most time for the review of a game, seconds. */
const MOST_S = 60;

/** @type {Answers<Analysis>} */
export const analyses = new Answers("/api/analysis", {
  delayMs: DELAY_MS, body: () => ({ time_s: settings.patience_s }),
});

/**
 * Return the analysis of the position on a view's board, if it is shown and known.
 * @param {View} view
 */
export const analysisOf = (view) =>
  (view.showsScores && !view.isThinking ? analyses.known(writeMoves(view.game.shown)) : undefined);

/** @type {[string, Review][]} the newest last */
let reviews = kept(PLACE, /** @type {any[]} */ ([])).filter((one) => one?.[1]?.moments && one[1].turns);
/** @type {Set<string>} games that are being reviewed */
const reviewing = new Set();

/**
 * Return the review of a game, if it has been made.
 * @param {number[]} moves
 */
export function reviewOf(moves) {
  const key = writeMoves(moves);
  return reviews.find(([known]) => known === key)?.[1] ?? null;
}

/**
 * Return what is known of the exact score after each number of moves of a game, in the first player's view.
 * @param {Game} game
 * @returns {(number | null)[]}
 */
export function scoresOf({ main, moves, common }) {
  const reviewed = reviewOf(main)?.scores ?? [];
  const scoreAfter = (/** @type {number} */ count) => {
    const score = analyses.known(writeMoves(moves.slice(0, count)))?.score ?? null;
    return score === null || count % 2 === 0 ? score : -score;
  };
  return Array.from({ length: moves.length + 1 }, (_, count) =>
    (count <= common ? reviewed[count] : null) ?? scoreAfter(count));
}

/**
 * Review a game, unless that has been done.
 * @param {number[]} moves
 */
export async function review(moves) {
  const key = writeMoves(moves);
  if (!moves.length || reviewOf(moves) || reviewing.has(key)) return;
  const { view } = store;
  reviewing.add(key);
  change();
  try {
    const body = { moves: key, time_s: Math.min(MOST_S, 2 * settings.patience_s) };
    /** @type {Review} */
    const answer = await new SingleRequest().post("/api/review", body);
    reviews = [...reviews, /** @type {[string, Review]} */ ([key, answer])].slice(-MAX_REVIEWS);
    keep(PLACE, reviews.filter(([, { scores }]) => !scores.includes(null))); // the others had too little time
    if (store.view === view) say("The game is reviewed.", true);
  } catch (error) {
    complain(error);
    await new Promise((resolve) => { setTimeout(resolve, RETRY_MS); }); // then it may be asked for once more
  } finally {
    reviewing.delete(key);
    change();
  }
}

/** @type {Answers<Chance>} */
const chances = new Answers("/api/chance");

/**
 * Return what the question is about from where a level would have let the user off; null where the user has not lost to
 * one.
 * @param {Game} game
 */
function lostTo({ seats, side, result }) {
  const level = seats && side !== null && result?.winner === 1 - side ? levelNumber(seats[1 - side]) : 0;
  return level ? { side: side ?? 0, level } : null;
}

/**
 * Ask from where a level would have let the user off, once the game is reviewed.
 * @param {Game} game
 */
export function wantChance(game) {
  const lost = reviewOf(game.main) && lostTo(game);
  if (lost) chances.want(writeMoves(game.main), lost);
}

/**
 * Return from where a level would have let the user off; undefined where that is not measured, null while it is.
 * @param {Game} game
 */
export function chanceOf(game) {
  const lost = lostTo(game);
  return lost && lost.level <= MEASURED ? chances.known(writeMoves(game.main), lost) ?? null : undefined;
}

/** The analysis that was read out last. */
let read = "";

/**
 * Ask for the analysis of the position that a view shows, and read it out when it is there.
 * @param {View} view
 */
export function evaluate(view) {
  const { board } = view.game, moves = writeMoves(board.moves), isWanted = view.showsScores && !view.isThinking;
  analyses.want(isWanted ? moves : null);
  const answer = analysisOf(view);
  if (!answer?.text || board.isOver || read === moves || subjectOf(view.game).length !== board.ply) return;
  read = moves;
  say(`${COLOURS[board.toMove]} to move: ${answer.text}. ${bestText(answer)}.`);
}

/**
 * Name the best columns.
 * @param {Analysis} answer
 */
export function bestText({ best, columns }) {
  if (best.length > 1 && best.length === columns.filter(Boolean).length) return "All columns lead to the same";
  const named = best.map((column) => column + 1).join(", ");
  return `Best: ${best.length > 1 ? "columns" : "column"} ${named || "\u2026"}`;
}
