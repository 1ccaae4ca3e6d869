// Study: one board on which anything can be tried, and nothing is hidden. Its first segment, Scores: both sides by
// hand, with the exact score of every column, and the best line.

import { open } from "../address.js";
import { WAITING, analyses, analysisOf, bestText, coaching, mistakesPart, review, reviewOf } from "../evaluator.js";
import { button } from "../fields.js";
import { SHARED, gameOf } from "../game.js";
import { Guide } from "../guide.js";
import { counted, countsOf } from "../journals.js";
import { lineOf, playLine, subjectOf } from "../lines.js";
import { position, problemIn, readMoves, writeMoves } from "../rules.js";
import { runs } from "../runs.js";
import { outcome } from "../screen.js";
import { complain } from "../store.js";
import { playOn, turnAround } from "../table.js";
import { html, nothing } from "../vendor/lit-html.js";
import { View } from "../view.js";

/** @import { Game as Record } from "../api.js" */
/** @import { Game } from "../game.js" */
/** @import { Board } from "../rules.js" */
/** @import { Action } from "../view.js" */

export class Study extends View {
  /** @param {string} id */
  constructor(id) {
    super(id);
    SHARED.set(id, "scores");
  }

  /** @override */
  get mayScore() { return true; }

  /** @override */
  react() { if (this.game.isOver) review(this.game.main); } // for the ribbon's heights

  /** Whether the board shows the end of a game. */
  get isEnded() {
    const { board, isOver, isLookingBack, isVariation } = this.game;
    return board.isOver || (isOver && !isLookingBack && !isVariation);
  }

  /**
   * @override
   * @param {Board} board
   */
  status(board) {
    return this.isEnded ? super.status(board) : outcome(board, analysisOf(this));
  }

  /**
   * @override
   * @returns {Action[]}
   */
  actions() {
    const { game, isEnded } = this;
    const isDisabled = !game.moves.length;
    const empty = { id: "new", label: "Empty board", key: "n", act: () => this.empty(), isDisabled };
    return [
      { id: "undo", label: "Undo", key: "u", act: () => this.undo(), isDisabled: game.at === 0 },
      game.isVariation && game.main.length ? this.backToGame : empty,
      { id: "play-on", label: "Play on from here", act: () => playOn(game.shown), isDisabled: isEnded },
    ];
  }

  empty() { this.game.replace({}, "The board is empty."); }
}

/**
 * Show a copy of a game in Study, at the position that is on its board.
 * @param {Game} game
 */
export function study(game) {
  gameOf("scores").replace({ ...game, seats: null }, "The board shows another game.");
  open("scores");
}

class Scores extends Study {
  /** @override */
  isForScores = true;
  /** @override */
  guide = new Guide(this.game, { review: reviewOf, coaching, turnAround });

  /** The position that the panel's line belongs to: it stays while the line is played out. */
  get subject() { return subjectOf(this.game); }
  /** What is known of this position. */
  get answer() { return analyses.known(writeMoves(this.subject)); }
  /** @override */
  enter() { runs.readOwn(); }

  /**
   * Show the position after moves that were typed, if all of them can be played.
   * @param {string} text
   */
  setMoves(text) {
    const problem = problemIn(text), main = readMoves(text);
    complain(problem || null);
    if (problem || writeMoves(main) === writeMoves(this.game.shown)) return;
    this.game.replace({ main }, "The board shows the moves that were typed.");
  }

  /** @override */
  actions() {
    const { game, isEnded, moments } = this, isOpen = game.isVariation || !isEnded;
    const [undo, empty, play] = super.actions();
    return [undo, empty, isOpen ? play : moments];
  }
}

export const scores = new Scores("scores");

/**
 * Return the finished games that went on from a position, to which they came in any order of moves.
 * @param {number[]} shown
 * @returns {Record[]}
 */
function visitsOf(shown) {
  const count = shown.length, sorted = (/** @type {string} */ moves) => [...moves].sort().join("");
  const cells = (/** @type {number[]} */ moves) => position(moves).cells.join("|");
  const wanted = sorted(writeMoves(shown)), wantedCells = cells(shown);
  const cameHere = (/** @type {Record} */ { result, moves }) => result && moves.length > count && sorted(moves.slice(0, count)) === wanted
    && cells(readMoves(moves.slice(0, count))) === wantedCells;
  return count ? [...runs.known.values()].flatMap(({ all }) => all.filter(cameHere)) : [];
}

export function scoresPanel() {
  if (!scores.showsScores) return nothing; // the guide asks for this line
  const { game } = scores;
  const type = (/** @type {Event} */ { target }) => scores.setMoves(/** @type {HTMLInputElement} */ (target).value);
  return html`<div class="part">
    <label>Moves <input id="position" maxlength="60" spellcheck="false" autocomplete="off" placeholder="4435 or ddce"
      .value=${writeMoves(game.shown)} @change=${type}></label>
  </div>
  ${position(scores.subject).isOver ? mistakesPart(game) : bestPart()}${visitsPart()}`;
}

/** The best columns of the position, and the best line. */
function bestPart() {
  const { game, subject, answer } = scores, line = answer?.pv ?? [], best = answer ? bestText(answer) : "Best line";
  const show = () => playLine(game, { before: subject, line });
  const moves = html`Line: <span id="line">${[...writeMoves(line)].join(" ")}</span>`;
  const missing = answer ? "Not solved within the search time, which can be set in the menu." : WAITING;
  return html`<div class="part">
    <h3>${lineOf(game) ? `The line after move ${subject.length}` : best}</h3>
    <p class="about">${line.length ? moves : missing}</p>
    ${line.length && !lineOf(game) ? button("Show it", show, { id: "show-line", isSmall: true }) : nothing}
    <p class="about">Below the board: where each column leads for the side to move, and in how many of the winner's
      discs. Play one to see its line.</p>
  </div>`;
}

/** Where games went that came to the position shown, if any did. */
function visitsPart() {
  const { shown } = scores.game, visits = visitsOf(shown), by = (/** @type {Record} */ { moves }) => moves[shown.length];
  const columns = [...new Set(visits.map(by))].sort();
  const ended = (/** @type {string} */ column) => counted(countsOf(visits.filter((one) => by(one) === column)));
  const rows = columns.map((column) => html`<li>
    <button class="reply" @click=${() => scores.drop(Number(column) - 1)}>
      <span class="unseen">Column </span><b>${column}</b><span class="about">${ended(column)}</span></button></li>`);
  if (!rows.length) return nothing;
  return html`<div class="part" id="visits"><h3>Games that came here</h3><ul class="replies">${rows}</ul></div>`;
}
