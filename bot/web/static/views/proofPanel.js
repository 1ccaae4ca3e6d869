// The panel of Proof: why it moves as it does, the replies to it, and who it plays.

import { segments, toggle } from "../fields.js";
import { set, settings } from "../settings.js";
import { html, nothing } from "../vendor/lit-html.js";
import { proof } from "./proof.js";

/** @import { ProofReply } from "../api.js" */

const SIDES = /** @type {const} */ ([[0, "Yellow, first"], [1, "Red, second"]]);

export function proofPanel() {
  const { place } = proof, move = place?.move, replies = place?.replies ?? [];
  const said = place?.turn === "outside" ? [outside()] : move?.sentences ?? [];
  const lines = place ? said : [proof.waiting];
  const play = (/** @type {0 | 1} */ proofSide) => {
    set({ proofSide });
    proof.empty();
  };
  return html`<div class="part">
      <div id="proof-text" aria-live="polite">${lines.map((line) => html`<p>${line}</p>`)}</div></div>
    <div class="part form">
      <p class="about">A strategy without search, checked move by move. Try to beat it.</p>
      ${segments("The proof plays", settings.proofSide, SIDES, play)}
      ${toggle("It moves by itself", proof.isPlaying, (isOn) => proof.setPlaying(isOn))}
    </div>
    ${replies.length ? html`<div class="part"><h3>Your replies</h3>
      <ul id="proof-replies" class="replies">${listed(replies)}</ul></div>` : nothing}`;
}

const outside = () => (settings.proofSide
  ? "As the second player, it has an answer to every first disc but one in the middle column, and to all that follows."
  : "As the first player, it has an answer in every game that it has begun.");

/** @param {ProofReply[]} replies */
const listed = (replies) => replies.map(({ column, answer, ends }) => {
  const known = answer === null ? "not covered" : `answer ${answer + 1}`;
  return html`<li><button class="reply" @click=${() => proof.drop(column)}><b>${column + 1}</b>
    <span class="tag">${ends ? "ends the game" : known}</span></button></li>`;
});
