// The coach: what can be seen in a position, and proven reasons for the last move's mistake, played out on the board.

import { Answers } from "./answers.js";
import { isScored } from "./evaluator.js";
import { button, toggle } from "./fields.js";
import { lessonParts } from "./lessons.js";
import { leaveLine, lineNotes, lineOf, pairNotes, place, playLine } from "./lines.js";
import { COLOURS, writeMoves } from "./rules.js";
import { store } from "./store.js";
import { html, nothing } from "./vendor/lit-html.js";
import { play } from "./views/play.js";

/** @import { Coaching, Sight } from "./api.js" */
/** @import { Note } from "./board.js" */
/** @import { Board } from "./rules.js" */
/** @import { View } from "./view.js" */

/** Delay before a new position is asked about, milliseconds. */
const DELAY_MS = 250;
/** Search time for reasons, seconds. */
const SEARCH_S = 6;
/** How a threat is written on the board. */
const SIGNS = new Map([["playable", "!"], ["odd", "odd"], ["even", "even"], ["useless", "\u2013"]]);

/** @type {Answers<Coaching>} */
const coaching = new Answers("/api/coach", { body: () => ({ time_s: SEARCH_S }), delayMs: DELAY_MS });

/**
 * Ask for what the coach knows of the position that a view shows.
 * @param {View} view
 */
export function coach(view) {
  const isWanted = isScored(view) && !view.isThinking && !lineOf(view.game);
  coaching.want(isWanted ? writeMoves(view.game.shown) : null);
}

/**
 * Return what the coach writes on the board: the pairs of a line, or else the threats.
 * @param {View} view
 * @returns {Note[]}
 */
export function coachNotes(view) {
  if (lineOf(view.game)) return lineNotes(view.game);
  const known = isScored(view) && store.threats === "1" ? coaching.known(writeMoves(view.game.shown)) : undefined;
  return (known?.position?.threats ?? []).map(({ cell, player, kind }) =>
    ({ ...place(cell), text: SIGNS.get(kind) ?? "", kind: `threat ${player === 1 ? "first" : "second"}` }));
}

/** @param {View} view */
export function coachPanel(view) {
  const { game } = view, known = coaching.known(writeMoves(game.shown));
  const before = known?.last ? game.moves.slice(0, known.last.ply) : [];
  const retry = () => button("Take back and play on", () => play.playFrom(before));
  const lesson = known?.last && known.last.verdict !== "best"
    ? lessonParts(game, known.last, before, retry()) : nothing;
  const facts = known?.position ? sightParts(view, known.position, game.board) : [];
  const nothingNew = known && lesson === nothing && !facts.length;
  return html`<section id="coach" class="card" aria-labelledby="coach-head">
    <h2 id="coach-head">Coach</h2>
    ${lineOf(game) ? button("Back to the game", () => leaveLine(game), { strong: true, id: "leave-line" }) : html`
    <div id="coach-text" aria-live="polite">
      ${lesson}
      ${facts.length ? html`<ul class="facts">${facts.map((fact) => html`<li>${fact}</li>`)}</ul>` : nothing}
      ${known ? nothing : html`<p class="about">One moment\u2026</p>`}
      ${nothingNew ? html`<p class="about">Nothing to point out here.</p>` : nothing}
    </div>`}
    ${toggle("Threats on the board", "threats")}
    ${coachNotes(view).length && !lineOf(game) ? html`<p id="threat-legend" class="legend">
      <span><b>!</b> can be played now</span>
      <span><b>odd</b> <b>even</b> its row, which decides who gets the cell when the columns run out</span>
      <span><b>\u2013</b> useless: the opponent has a threat right below</span></p>` : nothing}
  </section>`;
}

/**
 * Return what can be seen in a position, one fact each.
 * @param {View} view
 * @param {Sight} sight
 * @param {Board} board
 */
function sightParts({ game }, sight, board) {
  const mover = COLOURS[board.toMove], other = COLOURS[1 - board.toMove], before = game.shown;
  const facts = [];
  if (sight.forced.length) {
    const show = () => playLine(game, { before, line: sight.forced });
    facts.push(html`${mover} can force four in a row. ${button("Show it", show, { small: true })}`);
  }
  const [danger] = sight.danger;
  if (danger !== undefined) facts.push(`${other} threatens to force four, beginning with column ${danger + 1}.`);
  if (sight.zugzwang) facts.push(`Zugzwang: every column of ${mover} lets ${other} make four above it.`);
  else if (sight.losing.length) {
    const columns = sight.losing.map((column) => column + 1).join(", ");
    facts.push(`${sight.losing.length === 1 ? "Column" : "Columns"} ${columns}: ${other} makes four at once.`);
  }
  if (sight.follow_up) {
    const { wins, line, pairs, zugzwang } = sight.follow_up;
    const what = wins ? `makes four${zugzwang ? " by zugzwang" : ""}` : "never loses";
    const showPairs = () => playLine(game, { before, line: [], notes: pairNotes(pairs) });
    facts.push(html`Follow-up: answering every disc in the same column, ${other} ${what}.
      ${button("Show the pairs", showPairs, { small: true })}
      ${button("Play it out", () => playLine(game, { before, line }), { small: true })}`);
  }
  for (const [side, colour] of COLOURS.entries()) {
    const names = sight.threats.filter(({ player }) => player === side + 1).map(({ cell, kind }) =>
      `column ${place(cell).column + 1} row ${place(cell).row + 1} (${kind})`);
    if (names.length) facts.push(`${colour}'s threats: ${names.join(", ")}.`);
  }
  return facts;
}
