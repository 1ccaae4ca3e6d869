// What the page and the web page of one game draw alike: what stands around a board, and what is known of its game.

import { button, toggle } from "./fields.js";
import { graph, level, reviewPoints } from "./graph.js";
import { leaveLine, lineOf } from "./lines.js";
import { COLUMNS, IN_SENTENCE, ROWS, canPlay } from "./rules.js";
import { signed } from "./scores.js";
import { notify } from "./store.js";
import { accuracy, severity, verdictSign } from "./verdicts.js";
import { html, nothing } from "./vendor/lit-html.js";

/** @import { Analysis, Review } from "./api.js" */
/** @import { BoardView } from "./board.js" */
/** @import { Game } from "./game.js" */
/** @import { Point } from "./graph.js" */
/** @import { Action, View } from "./view.js" */

/** What the last click was for: the second half of a double click must not meet the button that comes in its place. */
let clicked = "";
/** After how many moves the board was when a column had been clicked. */
let reached = 0;

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
  const { board } = view.game;
  if (!view.isOpen(board)) return;
  if (canPlay(board, column)) view.drop(column); else notify(`Column ${column + 1} is full.`);
}

/**
 * The line above the board: who is to move, or what has happened.
 * @param {View} view
 * @param {string} [text]
 */
export function statusLine(view, text = view.status(view.game.board)) {
  const { board } = view.game, player = board.winner ?? (board.isDraw ? null : board.toMove);
  const dot = player === null ? "" : player ? "second" : "first";
  return html`<p id="status" class=${view.isThinking ? "thinking" : ""}><span class=${`dot ${dot}`} aria-hidden="true">
    </span><span id="status-text" title=${text}>${text}</span></p>`;
}

/**
 * The columns: buttons that lie over the board, each with its number above.
 * @param {View} view
 * @param {BoardView} boardView
 */
export function columns(view, boardView) {
  const { board } = view.game, isOpen = view.isOpen(board) || view.isThinking;
  return Array.from({ length: COLUMNS }, (_, column) => {
    const count = board.cells[column].length;
    const content = count === ROWS ? "full" : `${count} ${count === 1 ? "disc" : "discs"}`;
    const aim = (/** @type {boolean} */ on) => () => boardView.aim(column, on);
    return html`<button ?disabled=${!canPlay(board, column) || !isOpen} data-column=${column}
      aria-label=${`Column ${column + 1}, ${content}`} @pointerenter=${aim(true)} @pointerleave=${aim(false)}
      @click=${(/** @type {MouseEvent} */ { detail }) => click(detail, view, column)}
      @focus=${aim(true)} @blur=${aim(false)}>${column + 1}</button>`;
  });
}

/**
 * What can be done below the board, and the steps through the game. Both rows keep their height.
 * @param {View} view
 */
export function tools(view) {
  const actions = view.actions(view.game.board);
  return html`${actions.length || view.scoring === "request" ? html`<div class="actions">
    ${actions.map((action) => html`<button id=${action.id} ?disabled=${action.isDisabled}
      class=${action.isStrong ? "strong" : ""} aria-keyshortcuts=${action.key === " " ? "Space" : action.key ?? nothing}
      @click=${(/** @type {MouseEvent} */ { detail }) => press(detail, action)}>${action.label}</button>`)}
    ${view.scoring === "request" ? toggle("Analysis", "analyse") : nothing}
  </div>` : nothing}
  ${view.hasCard || view.isForLookingBack ? navigator(view) : nothing}`;
}

/**
 * The steps through the game; the row keeps its height while the slider is hidden.
 * @param {View} view
 */
function navigator(view) {
  const { at, moves } = view.game, isBack = view.isForLookingBack || view.game.isLookingBack;
  const step = (/** @type {string} */ go, /** @type {string} */ label, /** @type {string} */ sign,
    /** @type {number} */ to) => html`<button data-go=${go} aria-label=${label} @click=${() => view.go(to)}
      ?disabled=${to < 0 || to > moves.length || to === at}>${sign}</button>`;
  const slide = (/** @type {Event} */ { target }) => view.go(Number(/** @type {HTMLInputElement} */ (target).value));
  return html`<div id="navigator">
    ${step("first", "First position", "\u21E4", 0)}${step("back", "One move back", "\u2190", at - 1)}
    <input type="range" id="slider" min="0" max=${moves.length} .value=${String(at)} aria-label="Move"
      aria-valuetext=${`Move ${at} of ${moves.length}`} class=${isBack ? "" : "unseen-slider"} @input=${slide}
      ?disabled=${!isBack}>
    ${step("on", "One move on", "\u2192", at + 1)}${step("last", "Last position", "\u21E5", moves.length)}
  </div>`;
}

/**
 * The card of the game on a board: its names, graph and moves.
 * @param {View} view
 * @param {{review: Review | null, points?: Point[], buttons?: unknown}} known  `points`: what its journal knows
 */
export function card(view, { review, points = [], buttons = nothing }) {
  const { game } = view, { main, at, names, title, record } = game, whose = viewOf(game);
  const times = points.map((point) => ({ ...point, score: null, mistake: null }));
  const all = review ? [...times, ...reviewPoints(review, game.side === 1 ? -1 : 1)] : points;
  const show = (/** @type {number} */ ply) => { game.backToMain(ply); view.go(ply); };
  const shown = graph(all, { plies: main.length, at: Math.min(at, game.common), side: whose, onPick: show });
  const back = () => (lineOf(game) ? leaveLine(game) : game.backToMain());
  return html`<section id="game" class="card" aria-labelledby="game-names">
    <h2 id="game-names">${named(names[0], 0)} \u2013 ${named(names[1], 1)}</h2>
    <p id="game-title" class="about">${title}</p>
    <div class="row">
      ${game.isVariation ? button("Back to the game", back, { id: "to-game" }) : nothing} ${buttons}
    </div>
    <div id="graph" class="graph">${shown}</div>
    ${shown === nothing ? nothing : html`<p class="about">Score in ${whose} view. Click to show a move.</p>`}
    ${moveList(view, review)}
    ${game.isVariation
      ? html`<p class="about">Moves in dashed frames are a variation: the game went on differently.</p>` : nothing}
    ${record || review ? html`<p id="game-marks" class="legend">
      <span><b class="grave">??</b> gave the result away</span>
      <span><b class="slip">?</b> slower win or sooner loss</span>
      <span>numbers: exact scores, for the side that moved</span></p>` : nothing}
  </section>`;
}

/**
 * List the moves as buttons: mistakes marked, exact scores beside them in the mover's view.
 * @param {View} view
 * @param {Review | null} review
 */
function moveList(view, review) {
  const { moves, at, record, common } = view.game;
  return html`<ol id="moves" class="moves">${moves.map((column, ply) => {
    const isTried = ply >= common, score = isTried ? null : review?.scores[ply + 1];
    const verdict = isTried ? null : review ? review.moves[ply] : record?.verdicts[ply] ?? null;
    const label = `Move ${ply + 1}, ${IN_SENTENCE[ply % 2]}, column ${column + 1}` +
      `${verdict ? `: ${verdict.text}` : ""}${isTried ? " (variation)" : ""}`;
    return html`<li class=${`${ply % 2 ? "second" : "first"} ${severity(verdict)} ${isTried ? "tried" : ""}`}>
      <button aria-label=${label} title=${label} aria-current=${ply + 1 === at ? "step" : nothing}
        @click=${() => view.go(ply + 1)}>${column + 1}${verdictSign(verdict)}
        ${typeof score === "number" ? html`<small>${signed(ply % 2 ? -score : score)}</small>` : nothing}
      </button></li>`;
  })}</ol>`;
}

/**
 * Return the evaluation bar: the score of the position shown, from analysis, review or journal.
 * @param {Game} game
 * @param {Review | null} review
 * @param {Analysis | undefined} analysis
 */
export function evaluationBar(game, review, analysis) {
  const known = evaluation(game, review, analysis), share = known ? (1 + level(known.score, known.isProven)) / 2 : 0.5;
  const side = IN_SENTENCE[known && known.score > 0 ? 0 : 1];
  const who = !known ? "not known" : known.score === 0 ? "draw" : `${side} ${known.isProven ? "wins" : "is better"}`;
  return html`<div id="eval" role="img" class=${known ? "" : "unknown"} aria-label=${`Evaluation: ${who}`}
    title=${`Evaluation: ${who}`}><i .style=${`--share: ${share}`}></i></div>`;
}

/**
 * Return the score of the position shown in the first player's view.
 * @param {Game} game
 * @param {Review | null} review
 * @param {Analysis | undefined} analysis
 * @returns {{score: number, isProven: boolean} | null}
 */
function evaluation(game, review, analysis) {
  const { at, record, side, board } = game;
  if (board.winner !== null && (analysis || record || review)) {
    return { score: board.winner ? -21 : 21, isProven: true };
  }
  if (typeof analysis?.score === "number") return { score: analysis.score * (board.toMove ? -1 : 1), isProven: true };
  if (at > game.common) return null;
  const reviewed = review?.scores[at];
  if (typeof reviewed === "number") return { score: reviewed, isProven: true };
  const found = record && (record.about[at] ?? record.about[at - 1]);
  if (!found || found.score === null) return null;
  return { score: found.score * (side === 1 ? -1 : 1), isProven: found.proven };
}

/**
 * How well both sides have played; dots until that is known.
 * @param {string[]} names
 * @param {Review | null} review
 */
export function accuracies(names, review) {
  const share = (/** @type {number} */ side) => {
    const value = review && accuracy(review, side);
    return html`<div class=${side ? "second" : "first"}><span>${names[side]}</span>
      <strong>${value === null ? "\u2026" : `${value} %`}</strong></div>`;
  };
  return html`<h2>Accuracy</h2><div id="accuracy">${share(0)}${share(1)}</div>
    <p class="about">A best move counts 1, a slower win or sooner loss \u00bd, a move that gave the result away 0.</p>`;
}

/**
 * Return a player's name with the colour: as a disc, and in words for screen readers.
 * @param {string} name
 * @param {number} side
 */
const named = (name, side) => html`<i class=${`dot ${side ? "second" : "first"}`} aria-hidden="true"></i>${name}${
  name.toLowerCase() === IN_SENTENCE[side] ? nothing : html`<span class="unseen"> (${IN_SENTENCE[side]})</span>`}`;

/**
 * Return in whose view a game's scores are.
 * @param {Game} game
 */
function viewOf({ side, names, record }) {
  if (side === null) return "yellow's";
  if (names[side] === "You") return "your";
  return record && !record.names ? "the bot's" : `${names[side]}'s`;
}
