// The panel of two agents: who plays, how many games, and the score of the last series.

import { choice, number, toggle } from "../fields.js";
import { gameButton, keyOf } from "../journals.js";
import { agentFields } from "../opponents.js";
import * as series from "../series.js";
import { html, nothing } from "../vendor/lit-html.js";
import { MOST_GAMES, match, points } from "./match.js";

/** Games after which repeated ones are pointed out. */
const MANY = 4;
const OPENINGS = /** @type {const} */ ([["", "this position"], ["2", "2 random moves"], ["4", "4 random moves"]]);
const PACES = /** @type {const} */ ([["450", "0.5 s"], ["100", "0.1 s"], ["0", "none"]]);

export const matchPanel = () => html`${score()}<section class="card">
  <fieldset id="match-settings" ?disabled=${series.isUnderWay()}><legend class="unseen">Agents and games</legend>
    <h2>First agent</h2>
    <div class="form">${agentFields("a")}</div>
    <h2>Second agent</h2>
    <div class="form">${agentFields("b")}</div>
    <h2>Games</h2>
    <div class="form">
      <div class="pair">${number("Number of games", "series", { min: 1, max: MOST_GAMES })}
        ${choice("Each begins with", "plies", OPENINGS)}</div>
      <div class="pair">${number("Time limit, s", "time", { min: 0.1, max: 60, step: 0.1 })}
        ${choice("Pause after a move", "pace", PACES)}</div>
      ${toggle("Deterministic: no random choice among equal moves", "fixed")}
    </div>
  </fieldset>
</section>`;

/** The score of the last series, and its games. */
function score() {
  const played = series.series();
  if (!played) return nothing;
  return html`<section class="card" id="series">
    <h2>Score</h2>
    <div id="series-score" class="tiles">${played.players.map(({ name }, player) => {
      const { won, drawn, lost, points: sum } = series.scoreOf(player);
      return html`<div><span>${name}</span><strong>${points(sum)}</strong>
        <span>${won} won, ${drawn} drawn, ${lost} lost</span></div>`;
    })}</div>
    <p id="series-about" class="about">${describe(played)}</p>
    <div id="series-games" class="games">${(series.seriesRun()?.all ?? []).map((record) =>
      gameButton(record, match.game.key === keyOf(series.SERIES_RUN, record), () => match.choose(record)))}</div>
  </section>`;
}

/** @param {series.Series} played */
function describe({ players, games, total }) {
  const next = games.length + 1, different = new Set(games.map(({ moves }) => moves)).size;
  const repeated = games.length >= MANY && different < games.length
    ? ` Only ${different} of the ${games.length} games differ: let them begin with random moves.` : "";
  const now = series.isUnderWay() ? `Game ${next} of ${total}: ${players[series.firstIn(next)].name} starts.`
    : `${total === 1 ? "1 game" : `${total} games`} played. Hundreds of games: ` +
      `bot match ${players.map(({ name }) => name).join(" ")}`;
  return `${now}${repeated}`;
}
