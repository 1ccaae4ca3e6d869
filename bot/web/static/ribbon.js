// The ribbon: one cell for each of at most 42 moves. Its height is the exact score, its marks are the key moments.

import { COLUMNS, IN_SENTENCE, ROWS } from "./rules.js";
import { html, nothing, svg } from "./vendor/lit-html.js";
import { severity } from "./verdicts.js";

/** @import { Review } from "./api.js" */
/** @import { Game } from "./game.js" */
/** @import { View } from "./view.js" */

/** Cells: the position before the first move, and the moves. */
export const CELLS = COLUMNS * ROWS + 1;
/** Part of its cell that a bar takes; where the line of a draw is, and the marks below it, pixels from the top. */
const BAR = 0.72, MIDDLE = 26, MARKS = 54;
/** Height of a move whose score is hidden, pixels. */
const PIP = 8;
/** Height of the soonest and of the latest win, and of a draw, pixels. */
const SOONEST = 24, LATEST = 7, DRAW = 3;
/** Score of the soonest win. */
const MOST = 18;

/**
 * A cell of the ribbon. `rise`: how far its bar reaches, 0 at least, and `isUp`: whether to the upper side;
 * `rise` null: the score is hidden or not known.
 * @typedef {{ply: number, side: number, rise: number | null, isHollow: boolean, isUp: boolean,
 *   mark: "" | "slip" | "grave"}} Cell
 */

/**
 * Return how far a bar reaches for a score, whoever it is good for.
 * @param {number} score
 */
export function rise(score) {
  if (score === 0) return DRAW;
  return LATEST + ((SOONEST - LATEST) * (Math.min(MOST, Math.abs(score)) - 1)) / (MOST - 1);
}

/**
 * Return the cells of a game's moves. Above the line, the side is ahead in whose view the game is seen.
 * @param {Pick<Game, "main" | "moves" | "common" | "side">} game
 * @param {Review | null} review  null while scores are hidden, or not known
 * @param {readonly number[]} moments  plies of the moves that are key moments
 * @param {readonly (number | null)[]} scores  after each number of moves, in the first player's view
 * @returns {Cell[]}
 */
export function cellsOf({ moves, common, side }, review, moments = [], scores = review?.scores ?? []) {
  const sign = side === 1 ? -1 : 1, isScored = scores.some((score) => score !== null);
  return moves.map((_, ply) => {
    const isPlayed = ply < common, score = scores[ply + 1] ?? null;
    const verdict = isPlayed ? review?.moves[ply] ?? null : null;
    return {
      ply, side: ply % 2, rise: score === null ? null : rise(score), isUp: (score ?? 0) * sign >= 0,
      isHollow: score === null && isScored,
      mark: moments.includes(ply) ? severity(verdict) || "slip" : "",
    };
  });
}

/**
 * Return the number of moves that a place along the ribbon stands for.
 * @param {number} share  0 at its left edge, 1 at its right edge
 * @param {number} count  moves of the game
 */
export const plyAt = (share, count) => Math.max(0, Math.min(count, Math.floor(share * CELLS)));

/**
 * Draw the ribbon of a view's game.
 * @param {View} view
 * @param {{review: Review | null, scores?: readonly (number | null)[], moments?: readonly number[]}} known  nothing
 *   while scores are hidden
 */
export function ribbon(view, { review, scores, moments }) {
  const { game, hidesAhead } = view, { moves, at, common } = game, cells = cellsOf(game, review, moments, scores);
  const shown = hidesAhead ? cells.slice(0, at).map((cell) => ({ ...cell, mark: /** @type {const} */ ("") })) : cells;
  const scrub = (/** @type {PointerEvent} */ event) => {
    const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    const to = plyAt((event.clientX - box.left) / box.width, moves.length);
    if (to !== view.game.at) view.go(to);
  };
  const begin = (/** @type {PointerEvent} */ event) => {
    /** @type {Element} */ (event.currentTarget).setPointerCapture(event.pointerId);
    scrub(event);
  };
  const drag = (/** @type {PointerEvent} */ event) => { if (event.buttons) scrub(event); };
  const label = "Moves of the game";
  return html`<div id="ribbon" class="ribbon" role="slider" tabindex="0" aria-label=${label} aria-valuemin="0"
    aria-valuemax=${moves.length} aria-valuenow=${at} aria-valuetext=${describeCell(game, review)}
    @pointerdown=${begin} @pointermove=${drag}>
    <svg class=${moves.length ? "" : "blank"} aria-hidden="true">
      <line class="axis" x2="100%" y1=${MIDDLE} y2=${MIDDLE} />
      ${empty(shown.length + 1)}
      <rect class="now" x=${along(at)} y="1" width=${along(1)} height=${2 * MIDDLE - 2} rx="4" />
      <circle class="start" cx=${along(0.5)} cy=${MIDDLE} r="3" />
      ${shown.map((cell) => drawCell(cell, cell.ply < at, cell.ply >= common))}
    </svg></div>`;
}

/** @param {number} cells  their number from the left edge */
const along = (cells) => `${(100 * cells) / CELLS}%`;

/** @param {number} first  of the cells that are still empty */
const empty = (first) => svg`<line class="empty" x1=${along(first)} x2="100%" y1=${MIDDLE} y2=${MIDDLE}
  pathLength=${2 * (CELLS - first)} />`;

/**
 * @param {Cell} cell
 * @param {boolean} isShown  whether its move is on the board
 * @param {boolean} isTried  whether its move was not played in the game
 */
function drawCell({ ply, side, rise: reach, isHollow, isUp, mark }, isShown, isTried) {
  const height = reach ?? PIP, left = ply + 1 + (1 - BAR) / 2;
  let top = isUp ? MIDDLE - height : MIDDLE;
  if (reach === null) top = MIDDLE - height / 2;
  const ways = `${isShown ? "" : "ahead"} ${isTried ? "tried" : ""} ${isHollow ? "hollow" : ""}`;
  const classes = `cell ${side ? "second" : "first"} ${ways}`;
  return svg`<rect class=${classes} x=${along(left)} y=${top} width=${along(BAR)} height=${height} rx="3"
      data-ply=${ply + 1} />
    ${mark ? svg`<svg x=${along(ply + 1.5)} y=${MARKS} overflow="visible"><path class=${`moment ${mark}`}
      data-mark=${ply + 1} d="M0 0l5 8h-10z" /></svg>` : nothing}`;
}

/**
 * Describe the move that is shown last: what the ribbon says to those who do not see it.
 * @param {Game} game
 * @param {Review | null} review
 */
function describeCell({ moves, at, common }, review) {
  if (at === 0) return `Before the first of ${moves.length} moves`;
  const ply = at - 1, verdict = ply < common ? review?.moves[ply] : null;
  const said = severity(verdict) ? `, ${verdict?.text}` : "", tried = ply < common ? "" : ", not played in the game";
  return `Move ${at} of ${moves.length}: ${IN_SENTENCE[ply % 2]}, column ${moves[ply] + 1}${tried}${said}`;
}
