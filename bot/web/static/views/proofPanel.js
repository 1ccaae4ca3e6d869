// The panel of the proof: who it plays, why it moves as it does, and the replies to it.

import { segments, toggle } from "../fields.js";
import { store } from "../store.js";
import { html, nothing } from "../vendor/lit-html.js";
import { proof } from "./proof.js";

/** @import { ProofMove, ProofReply } from "../api.js" */

const SIDES = /** @type {const} */ ([["first", "first"], ["second", "second"]]);

export function proofPanel() {
  const { place, game: { board } } = proof, move = place?.move, replies = place?.replies ?? [];
  const lines = place?.turn === "outside" ? [outside(board.ply)] : move ? sentences(move) : [];
  return html`<section class="card">
    ${lines.length ? html`<h2>Its move</h2>` : nothing}
    <div id="proof-text" aria-live="polite">${lines.map((line) => html`<p>${line}</p>`)}</div>
    ${move?.diagram && !board.isOver ? legend : nothing}
    <h2>The proof</h2>
    <p class="about">A strategy that wins, or never loses, without looking ahead. Try to beat it.</p>
    <div class="form">
      ${segments("The proof plays", "prover", SIDES)}
      ${toggle("The proof moves by itself", "proves")}
    </div>
    ${place?.turn === "opponent" && replies.length ? html`<h2 id="proof-replies-head">Replies</h2>` : nothing}
    <ul id="proof-replies" class="replies">${listed(replies)}</ul>
  </section>`;
}

const legend = html`<p id="proof-legend" class="legend">
  <span>Numbers: the diagram's order of the cells.</span>
  <span><b class="ring follow"></b> played at once when you play below it</span>
  <span><b class="ring claim"></b> you never get it</span></p>`;

/**
 * Return a number of entries of the proof in words.
 * @param {number} count
 */
const counted = (count) => (count === 1 ? "1 entry" : `${count.toLocaleString("en")} entries`);

/** @param {ProofMove} move */
const sentences = ({ sentences: all, entries }) => (entries
  ? [...all, `${counted(entries)} of the proof ${entries === 1 ? "follows" : "follow"} from here.`] : all);

/** @param {number} ply */
const outside = (ply) => (store.prover === "second" && ply < 2
  ? "As the second player, the proof covers the first moves that it can answer; try another column."
  : "No claim of the proof covers this position. Start again, or take a move back.");

/** @param {ProofReply[]} replies */
function listed(replies) {
  const most = Math.max(1, ...replies.map(({ entries }) => entries));
  return replies.map(({ column, answer, diagram, entries, ends }) => {
    const what = ends ? "ends the game" : answer === null ? "not covered" : `answer ${answer + 1}`;
    const size = diagram ? "a diagram decides" : entries ? counted(entries) : "";
    return html`<li><button class="reply" @click=${() => proof.drop(column)}
      aria-label=${`Reply ${column + 1}: ${what}. ${size}`}><b>${column + 1}</b><span class="tag">${what}</span>
      <span class="about">${size}</span><i class="bar" .style=${`--share: ${entries / most}`}></i></button></li>`;
  });
}
