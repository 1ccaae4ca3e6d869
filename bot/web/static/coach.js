// The coach: what can be seen in a position, and proven reasons for the last move's mistake, played out on the board.

import { Answers } from "./answers.js";
import { analyses, analysisOf } from "./evaluator.js";
import { toggle } from "./fields.js";
import { lessonSentences, reasonLine } from "./lessons.js";
import { lineNotes, lineOf, place, subjectOf } from "./lines.js";
import { writeMoves } from "./rules.js";
import { set, settings } from "./settings.js";
import { html, nothing } from "./vendor/lit-html.js";

/** @import { Coaching, Threat } from "./api.js" */
/** @import { Note } from "./board.js" */
/** @import { View } from "./view.js" */

/** Delay before a new position is asked about, milliseconds. */
const DELAY_MS = 250;
/** Search time for reasons, seconds. */
const SEARCH_S = 6;
/** Sentences that are said at first. */
const FIRST = 2;
/** How a threat is written on the board. */
const SIGNS = new Map([["playable", "!"], ["odd", "odd"], ["even", "even"], ["useless", "\u2013"]]);

/** @type {Answers<Coaching>} */
const coaching = new Answers("/api/coach", { body: () => ({ time_s: SEARCH_S }), delayMs: DELAY_MS });

/**
 * Ask for what the coach knows of the position that a view shows.
 * @param {View} view
 */
export function coach(view) {
  const isWanted = view.showsScores && !view.isThinking;
  coaching.want(isWanted ? writeMoves(subjectOf(view.game)) : null);
}

/**
 * Return what the coach writes on the board: the pairs of a line, or else the threats.
 * @param {View} view
 * @returns {Note[]}
 */
export function coachNotes(view) {
  const { game, showsScores } = view;
  if (lineOf(game)) return lineNotes(game);
  const known = showsScores && settings.areThreatsShown ? coaching.known(writeMoves(game.shown)) : undefined;
  return threatNotes(known?.position?.threats ?? []);
}

/**
 * Return threats as notes on the board.
 * @param {Threat[]} threats
 * @returns {Note[]}
 */
export const threatNotes = (threats) => threats.map(({ cell, player, kind }) =>
  ({ ...place(cell), text: SIGNS.get(kind) ?? "", kind: `threat ${player === 1 ? "first" : "second"}` }));

/**
 * Draw what the coach says: the most useful first, and the rest on request. While a line is shown, its text stays.
 * @param {View} view
 */
export function coachPanel(view) {
  const { game } = view, subject = subjectOf(game), known = coaching.known(writeMoves(subject));
  const lesson = known?.last?.verdict.kind === "best" ? null : known?.last, sight = known?.position;
  const before = subject.slice(0, lesson?.ply);
  const mistake = lesson ? lessonSentences(game, lesson, before) : [];
  const said = [...mistake, ...(sight?.facts ?? []).map((fact) => reasonLine(game, fact, subject, null))];
  const waiting = known ? analyses.waiting : coaching.waiting;
  const quiet = known && analysisOf(view) ? "Nothing to point out here." : waiting;
  if (game.board.isOver && known && !said.length) return nothing;
  return html`<div id="coach" class="part"><h3>Coach</h3>
    <div id="coach-text" class="said" aria-live="polite">
      ${said.length ? said.slice(0, FIRST) : html`<p class="about">${quiet}</p>`}</div>
    <details class="more"><summary>More</summary>
      ${said.slice(FIRST)}
      ${toggle("Threats on the board", settings.areThreatsShown, (areThreatsShown) => set({ areThreatsShown }))}
      ${settings.areThreatsShown ? legend : nothing}
    </details></div>`;
}

const legend = html`<p id="threat-legend" class="legend">
  <span><b>!</b> can be played now</span>
  <span><b>odd</b> <b>even</b> the number of its row: at the end, yellow gets odd rows and red even ones</span>
  <span><b>\u2013</b> useless: the opponent has a threat right below</span></p>`;
