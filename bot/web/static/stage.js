// The stage: the board with all that stands around it, for whichever view is open.

import { BoardView, describe } from "./board.js";
import { coachNotes } from "./coach.js";
import { $ } from "./dom.js";
import { analysisOf, isScored, reviewOf } from "./evaluator.js";
import { columns, evaluationBar, statusLine, tools } from "./parts.js";
import { scoreRow } from "./scores.js";
import { sound } from "./sound.js";
import { html, nothing, render } from "./vendor/lit-html.js";

/** @import { View } from "./view.js" */

const boardView = new BoardView($("board"));

/**
 * Draw the stage for a view.
 * @param {View} view
 * @param {boolean} isReady
 */
export function drawStage(view, isReady) {
  const { game } = view, { board } = game, answer = analysisOf(view), isOpen = view.isOpen(board);
  const scores = view.scoreRow(board) ?? answer, hasRow = isScored(view) || view.scoreRow(board) !== null;
  boardView.show(board, {
    ghosts: view.line ?? (board.isOver ? [] : answer?.pv ?? []), isOpen, pointed: view.pointed,
    notes: [...coachNotes(view), ...view.notes(board)], isPaced: game.isPaced, label: describe(board), onFallen: sound,
  });
  document.body.classList.toggle("thinking-now", view.isThinking);
  $("well").classList.toggle("scored", hasRow);
  render(html`${statusLine(view, isReady ? undefined : "One moment\u2026")}
    ${view.clock_ms === null ? nothing : clock(view.clock_ms)}`, $("headline"));
  render(evaluationBar(game, reviewOf(game.main), answer), $("evaluation"));
  render(columns(view, boardView), $("columns"));
  const pick = view.hasLines ? (/** @type {number} */ column) => view.pick(column) : undefined;
  render(hasRow ? scoreRow(board, scores ?? undefined, pick) : nothing, $("scores"));
  render(tools(view), $("tools"));
}

/** @param {number} left_ms */
function clock(left_ms) {
  const seconds = Math.ceil(left_ms / 1000);
  return html`<span id="clock" role="timer" aria-label="Your clock" class=${seconds <= 20 ? "short" : ""}>
    ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}</span>`;
}

/** Show the board and the headline alone, in large type: for a projector. */
export const toggleProjector = () => document.body.classList.toggle("projector");
