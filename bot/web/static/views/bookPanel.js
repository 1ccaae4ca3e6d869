// The panel of Book: what the score row cannot say of the replies, which is where games went.

import { OPPONENT, counted, runOf, whenBegun } from "../journals.js";
import { OWN_RUN } from "../own.js";
import { html, nothing } from "../vendor/lit-html.js";
import { COUNTED } from "../visits.js";
import { book } from "./book.js";

/** @import { Counts, Exploration } from "../api.js" */

/** Most games of this browser that are listed; the server lists as many of the journals. */
const MOST_LISTED = 12;
/** Whose games are counted, in this order. */
const SOURCES = ["the bot", "yours"];

export function bookPanel() {
  const { answer, game: { board, shown } } = book;
  if (!answer) return html`<div class="part"><p class="about" role="status">${book.waiting}</p></div>`;
  const replies = answer.replies.map((reply, column) => [reply?.games, ownCounts([...shown, column])]);
  const sums = replies.map(([journals, own]) => total(journals) + total(own)), most = Math.max(...sums);
  return html`<div class="part">
      <p id="book-about" class="about">${board.isOver ? "The game is over." : aboutBook(answer.book)}</p></div>
    ${board.isOver ? nothing : html`<div class="part"><h3>Where games went</h3>
      ${most ? nothing : html`<p class="about">No game of the journals, and none of yours, went on from here, as far as
        the first ${COUNTED} moves of each are counted.</p>`}
      <ul id="replies" class="replies">${replies.map((groups, column) => (sums[column] ? html`<li>
        <button class="reply" @click=${() => book.drop(column)}><span class="unseen">Column </span><b>${column + 1}</b>
          ${textsOf(groups).map((text) => html`<span class="about games-here">${text}</span>`)}
          <i class="bar" .style=${`--share: ${sums[column] / most}`}></i></button></li>` : nothing))}</ul></div>`}
    ${board.ply ? gamesHere(answer.games, shown) : nothing}`;
}

/** @param {Exploration["book"]} book */
const aboutBook = ({ holds, positions, plies }) => (holds
  ? `From the opening book: the scores of all ${positions.toLocaleString("en")} positions of the first ${plies} moves.`
  : `Beyond the opening book, which ends after ${plies} moves: solved just now.`);

/**
 * Return how the games of this browser ended that came to the position after some moves.
 * @param {number[]} moves
 */
const ownCounts = (moves) => runOf(OWN_RUN, "", book.ownGames(moves));

/** @param {Counts | null} [counts] */
const total = (counts) => (counts ? counts.won + counts.drawn + counts.lost : 0);

/**
 * Return how many games of each source there are and how they ended, such as "3 games of yours: 2 won, 1 lost".
 * @param {(Counts | null | undefined)[]} groups
 */
const textsOf = (groups) => groups.flatMap((counts, index) => {
  const count = total(counts), number = count === 1 ? "1 game" : `${count} games`;
  return count && counts ? [`${number} of ${SOURCES[index]}: ${counted(counts)}`] : [];
});

/** @param {number} result */
function outcomeOf(result) {
  if (result < 0) return "lost";
  return result < 1 ? "drawn" : "won";
}

/**
 * The games that came to the position shown, to be opened.
 * @param {Exploration["games"]} journals
 * @param {number[]} shown
 */
function gamesHere(journals, shown) {
  const own = book.ownGames(shown).slice(0, MOST_LISTED);
  const listed = [...journals.listed.map(({ run, number, result, engine, time }) => ({
    run, number, outcome: outcomeOf(result), names: [engine, OPPONENT], from: whenBegun({ time, name: run }),
  })), ...own.map(({ number, outcome, names = [] }) => ({ run: OWN_RUN, number, outcome, names, from: "Yours" }))];
  return html`<div class="part"><h3>Games that came here</h3>
    <p id="games-here-about" class="about">${textsOf([journals, ownCounts(shown)]).join("; ") || "None"}.
      ${listed.length < total(journals) + total(ownCounts(shown)) ? "The newest of them:" : nothing}</p>
    <ul id="games-here" class="list">${listed.map(({ run, number, outcome, names, from }) => html`<li>
      <button @click=${() => book.show(run, number)}><b>${names.join(" \u2013 ")}</b>
        <span class="about">${outcome}</span><small>${from}, game ${number}</small></button></li>`)}</ul></div>`;
}
