// How well both sides have played a game that was reviewed.

import { accuracy } from "./verdicts.js";
import { html } from "./vendor/lit-html.js";

/** @import { Review } from "./api.js" */
/** @import { Game } from "./game.js" */

/**
 * How well both sides have played; dots until that is known.
 * @param {Game} game
 * @param {Review | null} review
 */
export function accuracyPanel({ names, start, main }, review) {
  const first = start < main.length ? start : 0;
  const counted = first ? `Counted from move ${first + 1} on, where this game began. ` : "";
  const share = (/** @type {number} */ player) => {
    const value = review && accuracy(review, player, first), none = review ? "none" : "\u2026";
    return html`<div class=${player ? "second" : "first"}><span>${names[player]}</span>
      <strong>${value === null ? none : `${value} %`}</strong></div>`;
  };
  return html`<h3>Accuracy</h3><div id="accuracy">${share(0)}${share(1)}</div>
    <details class="more"><summary>What does this mean?</summary><p class="about">${counted}A best move counts 1, a slower win or sooner loss \u00bd, a move that gave the result
    away 0. In the ribbon, up is good for the side below the board; marks are key moments, and a filled one
    changed the result.</p></details>`;
}
