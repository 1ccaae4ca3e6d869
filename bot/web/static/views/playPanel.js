// The panel beside a game against the computer: the opponent, who starts, the clock, and how well both have played.

import { reviewOf } from "../evaluator.js";
import { button, choice, number, segments, toggle } from "../fields.js";
import { describeSearch } from "../journals.js";
import { agentFields, hasChance, levelSlider } from "../opponents.js";
import { accuracies } from "../parts.js";
import { store } from "../store.js";
import { html, nothing } from "../vendor/lit-html.js";
import { play } from "./play.js";

const CLOCKS = /** @type {const} */ ([["", "none"], ["1", "1 minute for the game"], ["3", "3 minutes"],
  ["5", "5 minutes"], ["10", "10 minutes"]]);
const STARTERS = /** @type {const} */ ([["human", "You"], ["computer", "Computer"], ["random", "Random"]]);

export const playPanel = () => html`<section class="card">
  ${play.waiting ? html`<div class="row">${button("Back to your game", () => play.resume(), { id: "resume" })}</div>`
    : nothing}
  ${ending()}
  <h2>Opponent</h2>
  <div class="form">
    ${levelSlider()}
    ${segments("Who starts", "starts", STARTERS)}
    ${choice("Your clock", "clock", CLOCKS)}
    ${button("Let the computer move", () => play.letComputerMove(), { id: "computer" })}
  </div>
  <details class="more" id="others" ?open=${play.hasOthers}><summary>Other opponents</summary>
    <div class="form">
      ${agentFields("agent")}
      ${number("Time limit, s", "time", { min: 0.1, max: 60, step: 0.1 })}
      ${hasChance(store.agent) ? toggle("Deterministic: no random choice among equal moves", "fixed") : nothing}
    </div>
    <h2>Its last search</h2>
    <p id="search" class="about">${play.lastSearch
      ? `Column ${play.lastSearch.column + 1}: ${describeSearch(play.lastSearch)}.` : "None yet."}</p>
  </details>
</section>`;

/** At the end of a game: how well both have played. */
function ending() {
  const { main, names, isOver } = play.game, review = reviewOf(main);
  if (!isOver) return nothing;
  return html`<div id="ending">${accuracies(names, review)}</div>`;
}
