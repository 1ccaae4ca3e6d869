// The panel of the replay: which run, which of its games, and what the journal says of the move on the board.

import { choice } from "../fields.js";
import { describeRecord, gameButton, runName } from "../journals.js";
import { OWN_RUN } from "../own.js";
import { store } from "../store.js";
import { html, nothing } from "../vendor/lit-html.js";
import { replay } from "./replay.js";

/** @import { Run } from "../api.js" */

const OUTCOMES = /** @type {const} */ ([["", "all"], ["won", "won"], ["drawn", "drawn"],
  ["defeats", "lost in any way"], ["lost", "lost on the board"], ["illegal", "illegal move"], ["running", "unfinished"],
  ["void", "void"]]);
const TIMES = /** @type {const} */ ([["", "any"], ["0.5", "0.5 s or more"], ["1", "1 s or more"], ["2", "2 s or more"],
  ["5", "5 s or more"]]);

export function replayPanel() {
  const { runs, run, listed, game } = replay;
  if (!runs.length) {
    return html`<section class="card"><h2>Run</h2><p id="run-about" class="about">Play a game here, open a file, or
      start <code>python -m bot play</code>. It is listed here.</p></section>`;
  }
  const isOfRun = run && run.name !== OWN_RUN && game.record && replay.shows(game.record);
  return html`<section class="card">
    <h2>Run</h2>
    <div class="form">
      <label>Journal <select id="runs" data-field="run">${runs.map((one) => html`
        <option value=${one.name} .selected=${one.name === store.run}>
          ${one.name === OWN_RUN ? "Played in this browser" : runName(one)}</option>`)}</select>
      </label>
      <p id="run-about" class="about">${run ? describe(run) : ""}</p>
      <div class="pair">${choice("Games", "filter", OUTCOMES)}${choice("Slowest move", "slow", TIMES)}</div>
    </div>
    <div id="games" class="games">${run && !listed.length ? "This run has no such game."
      : listed.map((record) => gameButton(record, replay.shows(record), () => replay.choose(record)))}</div>
    ${isOfRun && game.record ? html`<p id="game-about" class="about">${describeRecord(game.record, game.at)}</p>`
      : nothing}
  </section>`;
}

/** @param {Run} run */
function describe({ engine, player, server, won, drawn, lost, end }) {
  const who = server ? `${engine}${player ? ` as ${player}` : ""} at ${server}` : engine;
  return `${who}: ${won} won, ${drawn} drawn, ${lost} lost${end ? `; ${end}` : ""}.`;
}
