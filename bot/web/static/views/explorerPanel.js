// The panel of the explorer: the replies with their values, and the games that came to the position.

import { html, nothing } from "../vendor/lit-html.js";
import { explorer } from "./explorer.js";

/** @import { Exploration, Reply } from "../api.js" */

export function explorerPanel() {
  const { answer, game: { board } } = explorer;
  if (!answer) return html`<section class="card"><h2>Replies</h2><p class="about">One moment\u2026</p></section>`;
  const { replies, games } = answer;
  const counts = replies.map((reply) => (reply ? gamesOf(reply).count : 0));
  const rows = replies.map((reply, column) => (reply ? row(reply, column, Math.max(1, ...counts)) : nothing));
  return html`<section class="card">
    <h2>Replies</h2>
    <p id="book-about" class="about">${board.isOver ? "The game is over." : aboutBook(answer.book)}</p>
    <ul id="replies" class="replies">${rows}</ul>
    ${board.ply ? gamesHere(games) : nothing}
  </section>`;
}

/** @param {Exploration["book"]} book */
const aboutBook = ({ holds, positions, plies }) => (holds
  ? `In the opening book: ${positions.toLocaleString("en")} positions, the first ${plies} plies.`
  : `Beyond the book, which ends after ${plies} plies: solved now.`);

/**
 * Return how many games of the journals went on with a reply, and their results in words.
 * @param {Reply} reply
 */
function gamesOf({ games: { won, drawn, lost } }) {
  const results = [won ? `${won} won` : "", drawn ? `${drawn} drawn` : "", lost ? `${lost} lost` : ""];
  return { count: won + drawn + lost, text: results.filter(Boolean).join(", ") };
}

/**
 * @param {Reply} reply
 * @param {number} column
 * @param {number} most  games of the reply that was played most
 */
function row(reply, column, most) {
  const { lower, upper, text, plies, best } = reply, games = gamesOf(reply);
  const outcome = lower > 0 ? "win" : upper < 0 ? "loss" : "";
  const number = games.count === 1 ? "1 game" : `${games.count} games`;
  const distance = plies === null ? "" : `${plies} ${plies === 1 ? "ply" : "plies"} to the end`;
  return html`<li><button class=${`reply ${outcome} ${best ? "best" : ""}`} @click=${() => explorer.drop(column)}
    aria-label=${`Column ${column + 1}: ${text}${best ? ", best" : ""}. ${distance}. ${number}.`}>
    <b>${column + 1}</b><span class="tag">${text}</span>
    <span class="about">${distance}</span>
    ${games.text ? html`<span class="about games-here">${games.text}</span>` : nothing}
    <i class="bar" .style=${`--share: ${games.count / most}`}></i></button></li>`;
}

/** @param {Exploration["games"]} games */
function gamesHere({ won, drawn, lost, listed }) {
  const total = won + drawn + lost, who = total === 1 ? "1 game" : `${total} games`;
  return html`<h2>Games</h2>
    <p id="games-here-about" class="about">${!total ? "No game of the journals came here."
      : `${who} of the journals came here: ${won} won, ${drawn} drawn, ${lost} lost.`}</p>
    <div id="games-here" class="games">${listed.map(({ run, number, result }) => html`<button title=${run}
      class=${result < 0 ? "lost" : result < 1 ? "drawn" : "won"} aria-label=${`Open game ${number} of ${run}`}
      @click=${() => explorer.open(run, number)}>${number} ${result < 0 ? "\u2212" : result < 1 ? "=" : "+"}</button>`)}
    </div>`;
}
