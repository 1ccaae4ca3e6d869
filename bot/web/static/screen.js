// The screen of every game: names, rail, board, scores, ribbon and actions, at the same places in every view. The
// ribbon has a cell for each of at most 42 moves: its height is the exact score, its marks are the key moments.

import { describe } from "./board.js";
import { severity } from "./lines.js";
import { COLOURS, COLUMNS, IN_SENTENCE, ROWS, canPlay } from "./rules.js";
import { seatDetail } from "./settings.js";
import { $, banner, notify, takeBack } from "./store.js";
import { html, nothing, render, svg } from "./vendor/lit-html.js";

/** @import { Analysis, Review } from "./api.js" */
/** @import { BoardView, Note } from "./board.js" */
/** @import { Game } from "./game.js" */
/** @import { Board } from "./rules.js" */
/** @import { View } from "./view.js" */

/**
 * What is known of a view's game: the exact scores of the position shown, the game's review, and `scores` after each
 * number of moves; nothing where they may not be seen.
 * @typedef {{answer: Analysis | undefined, review: Review | null, scores: readonly (number | null)[],
 *   notes: Note[], headline?: string, isReady?: boolean}} Known
 */

/** Characters of a headline in its usual type: on a phone, more would not fit below the board. */
const LONG = 70;

/**
 * What the last click was for, and after how many moves the board was then: the second half of a double click must meet
 * neither the button that comes in its place, nor the board after the computer's reply.
 */
let clicked = "";

/**
 * Draw the screen for a view.
 * @param {View} view
 * @param {BoardView} boardView
 * @param {Known} known
 */
export function drawScreen(view, boardView, { answer, review, scores, notes, headline = view.headline, isReady = true }) {
  const { game } = view, { board } = game, below = game.side ?? 0;
  const best = board.isOver ? [] : answer?.pv ?? [];
  boardView.show(board, {
    ghosts: best, pointed: view.guide?.pointed ?? view.pointed,
    notes: [...notes, ...view.notes(board)], isPaced: game.isPaced, label: describe(board),
  });
  render(playerBar(view, 1 - below), $("bar-above"));
  render(playerBar(view, below), $("bar-below"));
  render(columns(view), $("columns"));
  const row = view.showsScores ? answer : null;
  document.body.classList.toggle("long", headline.length > LONG);
  const said = html`<p class="said" aria-hidden="true">${headline}</p>`; // where the panel is below
  render(row === null ? said : scoreRow(board, row), $("scores"));
  render(ribbon(view, review, scores), $("ribbon-place"));
  render(isReady ? actionRow(view) : nothing, $("actions"));
  render(notice(), $("notice"));
}

/** The notice, with what takes back that which it tells. */
function notice() {
  const back = html`<button id="take-back" @click=${takeBack}>Bring it back</button>`;
  return banner.notice && html`<span>${banner.notice}</span>${banner.undo ? back : nothing}`;
}

/**
 * The bar of a player: colour, name, and what is up to this player or has become of the game.
 * @param {View} view
 * @param {number} side
 */
function playerBar(view, side) {
  const { game, isThinking } = view, name = game.names[side], seat = game.seats?.[side], state = stateOf(view, side);
  const isTheirs = name.toLowerCase() === IN_SENTENCE[side];
  return html`<i class="dot ${side ? "second" : "first"}" aria-hidden="true"></i>
    <b class="name">${name}</b><span class="unseen">${isTheirs ? "" : IN_SENTENCE[side]}</span>
    <span class="detail">${seat ? seatDetail(seat) : ""}</span>
    <span class="state ${isThinking ? "busy" : state}">${state}</span>`;
}

/**
 * Return what is said beside a player's name.
 * @param {View} view
 * @param {number} side
 */
export function stateOf({ game, isThinking, takesDiscs, isLeft }, side) {
  const { result, board, isLookingBack, isVariation } = game;
  if (result && !isLookingBack && !isVariation) {
    if (result.winner === null) return "drawn";
    return result.winner === side ? "won" : "lost";
  }
  const isIdle = board.ply === 0 && !takesDiscs && !isThinking; // nothing is shown yet, or nobody has begun
  if (board.isOver || board.toMove !== side || isIdle || isLeft) return "";
  return isThinking ? "thinking\u2026" : "to move";
}

/**
 * Return what acts on a click of a button of a view's screen.
 * @param {View} view
 * @param {string | number} id  of the button
 * @param {() => void} act
 */
const pressed = (view, id, act) => (/** @type {MouseEvent} */ { detail }) => {
  if (detail > 1 && clicked !== `${id} ${view.game.at}`) return;
  act();
  clicked = `${id} ${view.game.at}`;
};

/**
 * Drop a disc, where the view allows it.
 * @param {View} view
 * @param {number} column
 */
export function drop(view, column) {
  if (!view.takesDiscs) return;
  if (canPlay(view.game.board, column)) view.take(column); else notify(`Column ${column + 1} is full.`);
}

/**
 * The columns: buttons that lie over the board, each with its number on the rail above.
 * @param {View} view
 */
function columns(view) {
  const { board } = view.game, { takesDiscs, keepsColumns } = view;
  const disc = takesDiscs ? html`<i class="dot ${board.toMove ? "second" : "first"}"></i>` : nothing;
  return Array.from({ length: COLUMNS }, (_, column) => {
    const count = board.cells[column].length;
    const content = count === ROWS ? "full" : `${count} ${count === 1 ? "disc" : "discs"}`;
    return html`<button ?disabled=${takesDiscs ? !canPlay(board, column) : !keepsColumns} data-column=${column}
      aria-label="Column ${column + 1}, ${content}" @click=${pressed(view, column, () => drop(view, column))}>
      ${disc}<span>${column + 1}</span></button>`;
  });
}

/** @param {View} view */
const actionRow = (view) => view.buttons.map((action) => html`<button id=${action.id} ?disabled=${action.isDisabled}
  class=${action.isStrong ? "strong" : ""} aria-keyshortcuts=${action.key === " " ? "Space" : action.key ?? nothing}
  @click=${pressed(view, action.id, action.act)}>${action.label}</button>`);

/** Cells: the position before the first move, and the moves. */
const CELLS = COLUMNS * ROWS + 1;
/** Part of its cell that a bar takes; where the line of a draw is, and the marks below it, pixels from the top. */
const BAR = 0.72, MIDDLE = 26, MARKS = 54;
/** Height of a move whose score is hidden, pixels. */
const PIP = 8;
/** Height of the soonest and of the latest win, and of a draw, pixels. */
const SOONEST = 24, LATEST = 7, DRAW = 3;
/** Score of the soonest win. */
const MOST = 18;

/**
 * Return how far a bar reaches for a score, whoever it is good for.
 * @param {number} score
 */
function rise(score) {
  if (score === 0) return DRAW;
  return LATEST + ((SOONEST - LATEST) * (Math.min(MOST, Math.abs(score)) - 1)) / (MOST - 1);
}

/**
 * Draw the ribbon of a view's game. Above the line, the side is ahead in whose view the game is seen.
 * @param {View} view
 * @param {Review | null} review  null while scores are hidden, or not known
 * @param {readonly (number | null)[]} scores  after each number of moves, in the first player's view
 */
function ribbon(view, review, scores) {
  const { game, hidesAhead, guide } = view, { moves, at, common, side } = game;
  const shown = hidesAhead ? moves.slice(0, at) : moves, isScored = scores.some((score) => score !== null);
  const cells = shown.map((_, ply) => {
    const score = scores[ply + 1] ?? null, isMoment = !hidesAhead && guide?.marked.includes(ply);
    const isHollow = score === null && isScored, isUp = (score ?? 0) * (side === 1 ? -1 : 1) >= 0;
    const ways = `${ply < at ? "" : "ahead"} ${ply < common ? "" : "tried"} ${isHollow ? "hollow" : ""}`;
    const mark = isMoment ? severity(ply < common ? review?.moves[ply] : null) || "slip" : "";
    return drawCell(ply, score, isUp, ways, mark);
  });
  const go = (/** @type {MouseEvent} */ { currentTarget, clientX }) => {
    const box = /** @type {Element} */ (currentTarget).getBoundingClientRect();
    view.go(Math.floor(((clientX - box.left) / box.width) * CELLS));
  };
  return html`<div id="ribbon" class="ribbon" role="slider" tabindex="0" aria-label="Moves of the game" aria-valuemin="0"
    aria-valuemax=${moves.length} aria-valuenow=${at} aria-valuetext=${describeCell(game, review)} @click=${go}>
    <svg class=${moves.length ? "" : "blank"} aria-hidden="true">
      <line class="axis" x2="100%" y1=${MIDDLE} y2=${MIDDLE} />
      ${empty(shown.length + 1)}
      <rect class="now" x=${along(at)} y="1" width=${along(1)} height=${2 * MIDDLE - 2} rx="4" />
      <circle class="start" cx=${along(0.5)} cy=${MIDDLE} r="3" />
      ${cells}
    </svg></div>`;
}

/** @param {number} cells  their number from the left edge */
const along = (cells) => `${(100 * cells) / CELLS}%`;

/** @param {number} first  of the cells that are still empty */
const empty = (first) => svg`<line class="empty" x1=${along(first)} x2="100%" y1=${MIDDLE} y2=${MIDDLE}
  pathLength=${2 * (CELLS - first)} />`;

/**
 * @param {number} ply
 * @param {number | null} score  null: it is hidden or not known
 * @param {boolean} isUp  whether its bar reaches to the upper side
 * @param {string} ways  whether its move is not on the board, or was not played in the game, or its score is missing
 * @param {"" | "slip" | "grave"} mark
 */
function drawCell(ply, score, isUp, ways, mark) {
  const height = score === null ? PIP : rise(score), left = ply + 1 + (1 - BAR) / 2;
  let top = isUp ? MIDDLE - height : MIDDLE;
  if (score === null) top = MIDDLE - height / 2;
  const triangle = svg`<svg x=${along(ply + 1.5)} y=${MARKS} overflow="visible"><path class="moment ${mark}"
    data-mark=${ply + 1} d="M0 0l5 8h-10z" /></svg>`;
  return svg`<rect class="cell ${ply % 2 ? "second" : "first"} ${ways}" x=${along(left)} y=${top} width=${along(BAR)}
    height=${height} rx="3" data-ply=${ply + 1} />${mark ? triangle : nothing}`;
}

/**
 * Describe the move that is shown last: what the ribbon says to those who do not see it.
 * @param {Game} game
 * @param {Review | null} review
 */
export function describeCell({ moves, at, common }, review) {
  if (at === 0) return `Before the first of ${moves.length} moves`;
  const ply = at - 1, verdict = ply < common ? review?.moves[ply] : null;
  const said = severity(verdict) ? `, ${verdict?.text}` : "", tried = ply < common ? "" : ", not played in the game";
  return `Move ${at} of ${moves.length}: ${IN_SENTENCE[ply % 2]}, column ${moves[ply] + 1}${tried}${said}`;
}

/**
 * Return what perfect play leads to, and in how many discs of the winner, in a sentence or two.
 * @param {Board} board  unfinished
 * @param {Analysis | undefined} answer
 */
export function outcome({ toMove }, answer) {
  const mover = `${COLOURS[toMove]} to move`, [kind, distance] = answer?.text?.split(" in ") ?? [];
  if (!answer) return `${mover}.`;
  if (!kind) return `${mover}: not solved within the search time.`;
  return kind === "draw" ? `${mover}: a draw.`
    : `${mover}. ${COLOURS[kind === "win" ? toMove : 1 - toMove]} wins in ${distance}.`;
}

/**
 * Return the row of boxes below the columns.
 * @param {Board} board
 * @param {Analysis | undefined} answer
 */
const scoreRow = (board, answer) => board.cells.map((cells, column) => {
  const isFull = cells.length === ROWS, name = html`<span class="unseen">Column ${column + 1}: </span>`;
  if (isFull || board.isOver) {
    return html`<div class="score full">${name}<span class="unseen">${isFull ? "full" : "over"}</span></div>`;
  }
  const value = answer?.columns[column];
  if (!answer || !value) return html`<div class="score">${name}\u2026</div>`;
  const [noun, distance] = value.text.split(" in ");
  const classes = `score ${noun} ${answer.best.includes(column) ? "best" : ""}`;
  return html`<div class=${classes}>${name}${noun} ${distance ? html`<small>in ${distance}</small>` : nothing}</div>`;
});
