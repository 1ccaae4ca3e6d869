// How well both sides have played a game that was reviewed.

import { accuracy } from "./verdicts.js";
import { html } from "./vendor/lit-html.js";

/** @import { Review } from "./api.js" */

/**
 * How well both sides have played; dots until that is known.
 * @param {string[]} names
 * @param {Review | null} review
 */
export function accuracyPanel(names, review) {
  const share = (/** @type {number} */ side) => {
    const value = review && accuracy(review, side);
    return html`<div class=${side ? "second" : "first"}><span>${names[side]}</span>
      <strong>${value === null ? "\u2026" : `${value} %`}</strong></div>`;
  };
  return html`<h3>Accuracy</h3><div id="accuracy">${share(0)}${share(1)}</div>
    <p class="about">A best move counts 1, a slower win or sooner loss \u00bd, a move that gave the result away 0.</p>`;
}
