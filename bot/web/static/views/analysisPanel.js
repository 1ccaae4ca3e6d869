// The panel beside the analysis: the line that is shown, and the moves as text.

import { analysisOf } from "../evaluator.js";
import { button, number } from "../fields.js";
import { writeMoves } from "../rules.js";
import { html, nothing } from "../vendor/lit-html.js";
import { analysis } from "./analysis.js";
import { play } from "./play.js";

export function analysisPanel() {
  const { game, picked } = analysis, answer = analysisOf(analysis), { board } = game;
  const line = analysis.line ?? (board.isOver ? [] : answer?.pv ?? []);
  const text = picked === null ? answer?.text : answer?.columns[picked]?.text;
  const shown = line.length ? `${[...writeMoves(line)].join(" ")}${text ? ` (${text})` : ""}`
    : answer && !board.isOver ? "Not solved within the search time. Allow more time." : "\u2013";
  const type = (/** @type {Event} */ { target }) =>
    analysis.setMoves(/** @type {HTMLInputElement} */ (target).value);
  return html`<section class="card">
    <h2>${picked === null ? "Best line" : `Line of column ${picked + 1}`}</h2>
    <p id="line" class="about">${shown}</p>
    ${picked === null ? nothing : button("Best line", () => analysis.pick(picked), { small: true })}
    <div class="form">
      <div class="pair">
        <label>Moves <input id="position" maxlength="60" spellcheck="false" autocomplete="off"
          placeholder="4435 or ddce" .value=${writeMoves(game.shown)} @change=${type}></label>
        ${number("Search time, s", "patience", { min: 0.5, max: 60, step: 0.5 })}
      </div>
      ${button("Play on from here", () => play.playFrom(game.shown), { id: "play-on", disabled: board.isOver })}
    </div>
    <p class="about">Below each column: its exact score for the side to move, above 0 if it wins, below 0 if it loses,
      0 for a draw. The further from 0, the sooner the game ends. Press a score to see its line.</p>
  </section>`;
}
