// The panel of Scores: the line that is shown, and the moves as text.

import { analyses, bestText, reviewOf } from "../evaluator.js";
import { button } from "../fields.js";
import { mistakesPanel } from "../lessons.js";
import { lineOf, playLine } from "../lines.js";
import { position, writeMoves } from "../rules.js";
import { html, nothing } from "../vendor/lit-html.js";
import { scores } from "./scores.js";

export function scoresPanel() {
  if (!scores.showsScores) return nothing; // the guide asks for this line
  const { game, picked, subject, wanted, problem, answer } = scores;
  const type = (/** @type {Event} */ { target }) => scores.setMoves(/** @type {HTMLInputElement} */ (target).value);
  const show = () => playLine(game, { before: subject, line: wanted });
  const known = answer ? bestText(answer) : "Best line";
  const best = picked === null ? known : `The line of column ${picked + 1}`;
  const title = lineOf(game) ? `The line after move ${subject.length}` : best;
  return html`<div class="part">
    <label>Moves <input id="position" maxlength="60" spellcheck="false" autocomplete="off" placeholder="4435 or ddce"
      aria-describedby="position-problem"
      .value=${writeMoves(game.shown)} @change=${type}></label>
    <p id="position-problem" class=${problem ? "bad" : "unseen"} role="alert">${problem}</p>
  </div>
  ${position(subject).isOver ? html`<div class="part">${mistakesPanel(game, reviewOf(game.main))}</div>`
    : html`<div class="part">
    <h3>${title}</h3>
    <p class="about">${wanted.length ? html`Line: <span id="line">${[...writeMoves(wanted)].join(" ")}</span>`
      : missing()}</p>
    <div class="row">
      ${wanted.length && !lineOf(game) ? button("Show it", show, { id: "show-line", isSmall: true }) : nothing}
      ${picked === null ? nothing : button("Best line", () => scores.pick(picked), { isSmall: true })}</div>
    <p class="about">Below the board: where each column leads for the side to move, and in how many of the winner's
      discs. Press one to see its line.</p>
  </div>`}`;
}

/** Return why no line is shown. */
const missing = () =>
  (scores.answer ? "Not solved within the search time, which can be set in the menu." : analyses.waiting);
