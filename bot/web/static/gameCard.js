// The card of the game on the board: its names, graph and moves, and the ways to take it out of the page.

import { isReviewing, reviewOf } from "./evaluator.js";
import { button } from "./fields.js";
import { graph, level, reviewPoints } from "./graph.js";
import { journalPoints } from "./journals.js";
import { leaveLine, lineOf } from "./lines.js";
import { signed } from "./scores.js";
import { shareButtons } from "./share.js";
import { severity, verdictSign } from "./verdicts.js";
import { html, nothing } from "./vendor/lit-html.js";
import { analysis } from "./views/analysis.js";
import { review } from "./views/review.js";

/** @import { Analysis } from "./api.js" */
/** @import { Game } from "./game.js" */
/** @import { View } from "./view.js" */

const COLOURS = ["yellow", "red"];

/**
 * @param {View} view
 * @param {boolean} isSpectator
 */
export function gameCard(view, isSpectator) {
  const { game } = view, { main, at, names, title, record } = game, known = reviewOf(main);
  let points = record ? journalPoints(record) : [];
  if (known) {
    const times = points.map((point) => ({ ...point, score: null, mistake: null }));
    points = [...times, ...reviewPoints(known, game.side === 1 ? -1 : 1)];
  }
  const whose = viewOf(game), show = (/** @type {number} */ ply) => { game.backToMain(ply); view.go(ply); };
  const shown = graph(points, { plies: main.length, at: Math.min(at, game.common), side: whose, onPick: show });
  return html`<section id="game" class="card" aria-labelledby="game-names">
    <h2 id="game-names">${named(names[0], 0)} \u2013 ${named(names[1], 1)}</h2>
    <p id="game-title" class="about">${title}</p>
    <div class="row">
      ${game.isVariation ? button("Back to the game", () => back(game), { id: "to-game" }) : nothing}
      ${isSpectator || view.id === "review" ? nothing : html`
        ${button(isReviewing(main) ? "Searching\u2026" : "Find the mistakes", () => review.examine(game),
          { id: "find", disabled: !main.length })}
        ${view.id === "analysis" ? nothing : button("Analyse", () => analysis.examine(game), { id: "analyse" })}`}
      ${isSpectator ? nothing : shareButtons(game)}
    </div>
    <div id="graph" class="graph">${shown}</div>
    ${shown === nothing ? nothing : html`<p class="about">Score in ${whose} view. Click to show a move.</p>`}
    ${moveList(view)}
    ${game.isVariation ? html`<p class="about">Moves in dashed frames are a variation: the game went on differently.</p>`
      : nothing}
    ${record || known ? html`<p id="game-marks" class="legend"><span><b class="grave">??</b> gave the result away</span>
      <span><b class="slip">?</b> slower win or sooner loss</span></p>` : nothing}
  </section>`;
}

/** @param {Game} game */
const back = (game) => (lineOf(game) ? leaveLine(game) : game.backToMain());

/**
 * List the moves as buttons: mistakes marked, exact scores beside them in the mover's view.
 * @param {View} view
 */
function moveList(view) {
  const { game } = view, { moves, at, record, common } = game, known = reviewOf(game.main);
  return html`<ol id="moves" class="moves">${moves.map((column, ply) => {
    const isTried = ply >= common, score = isTried ? null : known?.scores[ply + 1];
    const verdict = isTried ? null : known ? known.moves[ply] : record?.verdicts[ply] ?? null;
    const label = `Move ${ply + 1}, ${COLOURS[ply % 2]}, column ${column + 1}` +
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
 * @param {View} view
 * @param {Analysis | undefined} analysis
 */
export function evaluationBar({ game }, analysis) {
  const known = evaluation(game, analysis), share = known ? (1 + level(known.score, known.isProven)) / 2 : 0.5;
  const side = known && known.score > 0 ? "yellow" : "red";
  const who = !known ? "not known" : known.score === 0 ? "draw" : `${side} ${known.isProven ? "wins" : "is better"}`;
  return html`<div id="eval" role="img" class=${known ? "" : "unknown"} aria-label=${`Evaluation: ${who}`}
    title=${`Evaluation: ${who}`}><i .style=${`--share: ${share}`}></i></div>`;
}

/**
 * Return the score of the position shown in the first player's view.
 * @param {Game} game
 * @param {Analysis | undefined} analysis
 * @returns {{score: number, isProven: boolean} | null}
 */
function evaluation(game, analysis) {
  const { main, at, record, side, board } = game, made = reviewOf(main);
  if (board.winner !== null && (analysis || record || made)) {
    return { score: board.winner ? -21 : 21, isProven: true };
  }
  if (typeof analysis?.score === "number") return { score: analysis.score * (board.toMove ? -1 : 1), isProven: true };
  if (at > game.common) return null;
  const reviewed = made?.scores[at];
  if (typeof reviewed === "number") return { score: reviewed, isProven: true };
  const found = record && (record.about[at] ?? record.about[at - 1]);
  if (!found || found.score === null) return null;
  return { score: found.score * (side === 1 ? -1 : 1), isProven: found.proven };
}

/**
 * Return a player's name with the colour: as a disc, and in words for screen readers.
 * @param {string} name
 * @param {number} side
 */
const named = (name, side) => html`<i class=${`dot ${side ? "second" : "first"}`} aria-hidden="true"></i>${name}${
  name.toLowerCase() === COLOURS[side] ? nothing : html`<span class="unseen"> (${COLOURS[side]})</span>`}`;

/**
 * Return in whose view a game's scores are.
 * @param {Game} game
 */
function viewOf({ side, names, record }) {
  if (side === null) return "yellow's";
  if (names[side] === "You") return "your";
  return record && !record.names ? "the bot's" : `${names[side]}'s`;
}
