// The panel of two agents: who plays, and how fast.

import { choice, number, toggle } from "../fields.js";
import { agentFields, playerOf } from "../opponents.js";
import { html } from "../vendor/lit-html.js";

const PACES = /** @type {const} */ ([["450", "0.5 s"], ["100", "0.1 s"], ["0", "none"]]);

export const matchPanel = () => html`<section class="card">
  <h2>First agent</h2>
  <div class="form">${agentFields("a")}</div>
  <h2>Second agent</h2>
  <div class="form">${agentFields("b")}</div>
  <h2>Game</h2>
  <div class="form">
    <div class="pair">${number("Time limit, s", "time", { min: 0.1, max: 60, step: 0.1 })}
      ${choice("Pause after a move", "pace", PACES)}</div>
    ${toggle("Deterministic: no random choice among equal moves", "fixed")}
  </div>
  <p class="about">Many games: bot match ${playerOf("a").name} ${playerOf("b").name}</p>
</section>`;
