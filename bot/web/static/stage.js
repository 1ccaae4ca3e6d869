// The stage: the board with all that stands around it, for whichever view is open.

import { BoardView, describe } from "./board.js";
import { coachNotes } from "./coach.js";
import { $ } from "./dom.js";
import { analysisOf, isScored } from "./evaluator.js";
import { toggle } from "./fields.js";
import { evaluationBar } from "./gameCard.js";
import { COLUMNS, ROWS, canPlay } from "./rules.js";
import { scoreRow } from "./scores.js";
import { sound } from "./sound.js";
import { notify } from "./store.js";
import { html, nothing, render } from "./vendor/lit-html.js";
import { analysis } from "./views/analysis.js";
import { play } from "./views/play.js";

/** @import { Board } from "./rules.js" */
/** @import { View } from "./view.js" */

const boardView = new BoardView($("board"));

/**
 * Drop a disc, where the view allows it.
 * @param {View} view
 * @param {number} column
 */
export function drop(view, column) {
  const { board } = view.game;
  if (!view.isOpen(board)) return;
  if (canPlay(board, column)) view.drop(column); else notify(`Column ${column + 1} is full.`);
}

/**
 * Draw the stage for a view.
 * @param {View} view
 * @param {boolean} isReady
 */
export function drawStage(view, isReady) {
  const { game } = view, { board } = game, answer = analysisOf(view), isOpen = view.isOpen(board);
  const scores = view.scoreRow(board) ?? answer, hasRow = isScored(view) || view.scoreRow(board) !== null;
  const ghosts = view === analysis ? analysis.line : board.isOver ? [] : answer?.pv ?? [];
  boardView.show(board, {
    ghosts, isOpen, pointed: view.pointed, notes: [...coachNotes(view), ...view.notes(board)], isPaced: game.isPaced, label: describe(board),
    onFallen: sound,
  });
  document.body.classList.toggle("thinking-now", view.isThinking);
  $("well").classList.toggle("scored", hasRow);
  render(headline(view, board, isReady), $("headline"));
  render(evaluationBar(view, answer), $("evaluation"));
  render(columns(view, board, isOpen), $("columns"));
  const pick = view === analysis ? (/** @type {number} */ column) => analysis.pick(column) : undefined;
  render(hasRow ? scoreRow(board, scores ?? undefined, pick) : nothing, $("scores"));
  render(tools(view, board), $("tools"));
}

/**
 * @param {View} view
 * @param {Board} board
 * @param {boolean} isReady
 */
function headline(view, board, isReady) {
  const player = board.winner ?? (board.isDraw ? null : board.toMove);
  const dot = player === null ? "" : player ? "second" : "first", text = isReady ? view.status(board) : "One moment\u2026";
  return html`<p id="status" class=${view.isThinking ? "thinking" : ""}><span class=${`dot ${dot}`} aria-hidden="true">
    </span><span id="status-text" title=${text}>${text}</span></p>
    ${view === play && play.clock_ms !== null ? clock(play.clock_ms) : nothing}`;
}

/** @param {number} left_ms */
function clock(left_ms) {
  const seconds = Math.ceil(left_ms / 1000);
  return html`<span id="clock" role="timer" aria-label="Your clock" class=${seconds <= 20 ? "short" : ""}>
    ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}</span>`;
}

/**
 * The columns: buttons that lie over the board, each with its number above.
 * @param {View} view
 * @param {Board} board
 * @param {boolean} isOpen
 */
const columns = (view, board, isOpen) => Array.from({ length: COLUMNS }, (_, column) => {
  const count = board.cells[column].length;
  const content = count === ROWS ? "full" : `${count} ${count === 1 ? "disc" : "discs"}`;
  const aim = (/** @type {boolean} */ on) => () => boardView.aim(column, on);
  return html`<button ?disabled=${!canPlay(board, column) || (!isOpen && !view.isThinking)} data-column=${column}
    aria-label=${`Column ${column + 1}, ${content}`} @click=${() => drop(view, column)} @pointerenter=${aim(true)}
    @pointerleave=${aim(false)} @focus=${aim(true)} @blur=${aim(false)}>${column + 1}</button>`;
});

/**
 * What can be done below the board, and the steps through the game. Both rows keep their height.
 * @param {View} view
 * @param {Board} board
 */
function tools(view, board) {
  const { at, moves } = view.game, isBack = view.isForLookingBack || view.game.isLookingBack;
  const step = (/** @type {string} */ go, /** @type {string} */ label, /** @type {string} */ sign,
    /** @type {number} */ to) => html`<button data-go=${go} aria-label=${label} @click=${() => view.go(to)}
      ?disabled=${to < 0 || to > moves.length || to === at}>${sign}</button>`;
  const slide = (/** @type {Event} */ { target }) => view.go(Number(/** @type {HTMLInputElement} */ (target).value));
  const actions = view.actions(board);
  return html`${actions.length || view.scoring === "request" ? html`<div class="actions">
    ${actions.map(({ id, label, act, key, isStrong, isDisabled }) => html`<button id=${id} @click=${act}
      class=${isStrong ? "strong" : ""} ?disabled=${isDisabled} aria-keyshortcuts=${key === " " ? "Space" : key ?? nothing}>${label}</button>`)}
    ${view.scoring === "request" ? toggle("Analysis", "analyse") : nothing}
  </div>` : nothing}
  ${view.hasCard || view.isForLookingBack ? html`<div id="navigator">
    ${step("first", "First position", "\u21E4", 0)}${step("back", "One move back", "\u2190", at - 1)}
    <input type="range" id="slider" min="0" max=${moves.length} .value=${String(at)} aria-label="Move"
      aria-valuetext=${`Move ${at} of ${moves.length}`} class=${isBack ? "" : "unseen-slider"} @input=${slide}
      ?disabled=${!isBack}>
    ${step("on", "One move on", "\u2192", at + 1)}${step("last", "Last position", "\u21E5", moves.length)}
  </div>` : nothing}`;
}

/** Show the board and the headline alone, in large type: for a projector. */
export const toggleProjector = () => document.body.classList.toggle("projector");
