// The panel of the review: the question, and the games of this browser that can be reviewed.

import { guidePanel } from "../guidePanel.js";
import { ownGames } from "../own.js";
import { position, readMoves } from "../rules.js";
import { html } from "../vendor/lit-html.js";
import { review } from "./review.js";

/** Most games that are listed. */
const MAX_LISTED = 12;

export function reviewPanel() {
  const { game, guide } = review;
  return html`<section class="card guide" id="guide">
    ${game.main.length ? guidePanel(guide, { answer: review.answer, lesson: review.lesson })
      : html`<h2>Review</h2>
        <p class="about">Find your own mistakes in a game: each is shown before it is explained.</p>`}
  </section>
  <details class="card" ?open=${!game.main.length || guide.isFinished}>
    <summary>Your games</summary>
    ${ownList() ?? html`<p class="about">Games that you play to the end are listed here.</p>`}
  </details>`;
}

/** The games of this browser, those that were lost first. */
function ownList() {
  const all = ownGames().reverse().map((one) => {
    const { winner } = position(readMoves(one.moves)), side = one.side ?? 0;
    return { ...one, side, result: winner === null ? 1 : winner === side ? 2 : 0 };
  });
  if (!all.length) return null;
  const sorted = [...all].sort((one, other) => one.result - other.result).slice(0, MAX_LISTED);
  return html`<div id="own-games" class="games">${sorted.map(({ moves, names, side, result }) => {
    const main = readMoves(moves), word = ["Lost to", "Drawn with", "Won against"][result];
    const examine = () => review.examine({ main, names, side, title: "", key: "", record: null });
    return html`<button class=${["lost", "drawn", "won"][result]} @click=${examine}>
      ${word} ${names[1 - side]}, ${main.length} moves</button>`;
  })}</div>`;
}
