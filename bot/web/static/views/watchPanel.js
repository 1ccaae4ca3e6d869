// The panel beside a run that is watched: streak, score and games; for the owner, the link for spectators.

import { button } from "../fields.js";
import { gameButton, isRunning } from "../journals.js";
import { room } from "../room.js";
import { copy } from "../share.js";
import { toggleProjector } from "../stage.js";
import { html, nothing } from "../vendor/lit-html.js";
import { standing, watch } from "./watch.js";

/** @import { Run, RunUpdate } from "../api.js" */

/** Maximum number of dots of the streak. */
const MAX_DOTS = 40;
/** @type {Record<string, string>} */
const STATES = { live: "running now", silent: "silent for a while: it is waiting for its server, or was killed" };

export const watchPanel = () => html`${watch.run ? runCard(watch.run) : html`<section class="card"><h2>Live</h2>
  <p id="watch-run" class="about">Start <code>python -m bot play</code> in another terminal. Its games appear here.</p>
</section>`}${room.link ? roomCard() : nothing}`;

/** @param {Run | RunUpdate} run */
function runCard(run) {
  const { engine, player, server, end, streak, goal, won, drawn, lost, verdict } = run, text = standing(run);
  return html`<p id="projector-line">${text}</p><section class="card">
    <h2>${isRunning(run) ? "Live" : "The run has ended"}</h2>
    <p id="watch-run" class="about">${engine}${player ? ` as ${player}` : ""} at ${server}, ${STATES[end] ?? end}.</p>
    <div id="streak" role="img" aria-label=${`${text}: games in a row without a loss`}>${
      Array.from({ length: Math.min(goal, MAX_DOTS) }, (_, index) => html`<i class=${index < streak ? "on" : ""}></i>`)}
    </div>
    <div class="row"><p id="watch-score">${text}: ${won} won, ${drawn} drawn, ${lost} lost in this run</p>
      ${button("Projector", toggleProjector, { id: "projector", small: true })}</div>
    ${verdict ? html`<p id="watch-verdict">${verdict}</p>` : nothing}
    <ul class="notes">${(watch.game.record?.notes ?? []).map((note) => html`<li>${note}</li>`)}</ul>
    <h2>Games so far</h2>
    <div class="newest-below"><div id="watch-games" class="games">${[...watch.games.values()].map((record) =>
      gameButton(record, watch.shows(record), () => watch.choose(record)))}</div></div>
  </section>`;
}

/** The way in for spectators. */
function roomCard() {
  const take = () => copy(room.link, "The link for spectators is copied.");
  return html`<section class="card" id="room"><h2>For the class</h2>
    <p class="about">Everyone in the room can watch at this address. <span id="room-count">${room.watching}
      ${room.watching === 1 ? "spectator is" : "spectators are"} watching.</span></p>
    <p id="room-link">${room.link}</p>
    ${button("Copy the link for spectators", take, { id: "room-copy" })}
  </section>`;
}
