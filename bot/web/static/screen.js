// The screen of every game: names, rail, board, scores, ribbon and actions, at the same places in every view.

import { describe } from "./board.js";
import { $ } from "./dom.js";
import { ribbon } from "./ribbon.js";
import { COLUMNS, IN_SENTENCE, ROWS, canPlay } from "./rules.js";
import { scoreRow } from "./scores.js";
import { seatDetail } from "./seats.js";
import { notify } from "./store.js";
import { html, nothing, render } from "./vendor/lit-html.js";

/** @import { Analysis, Review } from "./api.js" */
/** @import { BoardView, Note } from "./board.js" */
/** @import { Action, View } from "./view.js" */

/**
 * What is known of a view's game: the exact scores of the position shown, and the game's review; neither where they may
 * not be seen. `scores`: after each number of moves; `moments`: plies of its key moments.
 * @typedef {{answer: Analysis | undefined, review: Review | null, scores?: readonly (number | null)[],
 *   moments?: readonly number[], notes?: Note[], isReady?: boolean,
 *   onFallen?: (kind: "disc" | "four", delay_s: number) => void}} Known
 */

/** Time left at which a clock warns, seconds. */
const SHORT_S = 20;
/** Characters of a headline in its usual type: on a phone, more would not fit below the board. */
const LONG = 70;

/** What the last click was for: the second half of a double click must not meet the button that comes in its place. */
let clicked = "";
/** After how many moves the board was when a column had been clicked. */
let reached = 0;

/**
 * Draw the screen for a view.
 * @param {View} view
 * @param {BoardView} boardView
 * @param {Known} known
 */
export function drawScreen(view, boardView, { answer, review, scores, moments, notes = [], isReady = true, onFallen }) {
  const { game, isThinking } = view, { board } = game, below = game.side ?? 0;
  const best = board.isOver ? [] : answer?.pv ?? [];
  boardView.show(board, {
    ghosts: view.line ?? best, isOpen: view.takesDiscs, pointed: view.guide?.pointed ?? view.pointed,
    notes: [...notes, ...view.notes(board)], isPaced: game.isPaced, label: describe(board), onFallen,
  });
  document.body.classList.toggle("thinking-now", isThinking);
  render(playerBar(view, 1 - below), $("bar-above"));
  render(playerBar(view, below), $("bar-below"));
  render(columns(view, boardView), $("columns"));
  const pick = view.hasLines ? (/** @type {number} */ column) => view.pick(column) : undefined;
  const row = view.scoreRow(board) ?? (view.showsScores ? answer : null);
  const headline = isReady ? view.headline : "One moment\u2026";
  document.body.classList.toggle("long", headline.length > LONG);
  const said = html`<p class="said" aria-hidden="true">${headline}</p>`; // where the panel is below
  render(row === null ? said : scoreRow(board, row, pick), $("scores"));
  render(ribbon(view, { review, scores, moments }), $("ribbon-place"));
  render(actionRow(isReady ? view.buttons : []), $("actions"));
}

/**
 * The bar of a player: colour, name, clock, and what is up to this player or has become of the game.
 * @param {View} view
 * @param {number} side
 */
function playerBar(view, side) {
  const { game, isThinking } = view, name = view.nameOf(side), seat = game.seats?.[side], state = stateOf(view, side);
  const left_ms = view.clock_ms(side), isTheirs = name.toLowerCase() === IN_SENTENCE[side];
  return html`<i class=${`dot ${side ? "second" : "first"}`} aria-hidden="true"></i>
    <b class="name">${name}</b>${isTheirs ? nothing : html`<span class="unseen">${IN_SENTENCE[side]}</span>`}
    <span class="detail">${seat ? seatDetail(seat) : ""}</span>
    <span class=${`state ${isThinking ? "busy" : state}`}>${state}</span>
    ${left_ms === null ? nothing : clock(left_ms, name)}`;
}

/**
 * Return what is said beside a player's name.
 * @param {View} view
 * @param {number} side
 */
function stateOf({ game, isThinking, takesDiscs, isLeft }, side) {
  const { result, board, isLookingBack, isVariation } = game;
  if (result && !isLookingBack && !isVariation) {
    if (result.winner === null) return "drawn";
    return result.winner === side ? "won" : result.by === "time" ? "lost on time" : "lost";
  }
  const isIdle = board.ply === 0 && !takesDiscs && !isThinking; // nothing is shown yet, or nobody has begun
  if (board.isOver || board.toMove !== side || isIdle || isLeft) return "";
  return isThinking ? "thinking\u2026" : "to move";
}

/**
 * @param {number} left_ms
 * @param {string} name
 */
function clock(left_ms, name) {
  const seconds = Math.ceil(left_ms / 1000);
  return html`<span class=${`clock ${seconds <= SHORT_S ? "short" : ""}`} role="timer" aria-label=${`Clock of ${name}`}>
    ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}</span>`;
}

/**
 * Do what a button says, unless this is the second half of a double click on another one.
 * @param {number} count  clicks in a row
 * @param {Action} action
 */
function press(count, { id, act }) {
  if (count > 1 && clicked !== id) return;
  clicked = id;
  act();
}

/**
 * Drop a disc, unless this is the second half of a double click and the computer has moved between the two.
 * @param {number} count  clicks in a row
 * @param {View} view
 * @param {number} column
 */
function click(count, view, column) {
  if (count > 1 && view.game.at !== reached) return;
  drop(view, column);
  reached = view.game.at;
}

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
 * @param {BoardView} boardView
 */
function columns(view, boardView) {
  const { board } = view.game, { takesDiscs } = view, isOpen = takesDiscs || view.isThinking;
  const disc = takesDiscs ? html`<i class=${`dot ${board.toMove ? "second" : "first"}`}></i>` : nothing;
  return Array.from({ length: COLUMNS }, (_, column) => {
    const count = board.cells[column].length;
    const content = count === ROWS ? "full" : `${count} ${count === 1 ? "disc" : "discs"}`;
    // A finger does not hover: its disc would stay above the board after the tap.
    const aim = (/** @type {boolean} */ isOn) => (/** @type {PointerEvent} */ { pointerType, target }) => {
      const isKey = !pointerType && /** @type {Element} */ (target).matches(":focus-visible");
      if (!isOn || isKey || pointerType === "mouse") boardView.aim(column, isOn);
    };
    return html`<button ?disabled=${!canPlay(board, column) || !isOpen} data-column=${column}
      aria-label=${`Column ${column + 1}, ${content}`} @pointerenter=${aim(true)} @pointerleave=${aim(false)}
      @click=${(/** @type {MouseEvent} */ { detail }) => click(detail, view, column)}
      @focus=${aim(true)} @blur=${aim(false)}>${disc}<span>${column + 1}</span></button>`;
  });
}

/** @param {Action[]} actions */
const actionRow = (actions) => actions.map((action) => html`<button id=${action.id} ?disabled=${action.isDisabled}
  class=${action.isStrong ? "strong" : ""} aria-keyshortcuts=${action.key === " " ? "Space" : action.key ?? nothing}
  @click=${(/** @type {MouseEvent} */ { detail }) => press(detail, action)}>${action.label}</button>`);
