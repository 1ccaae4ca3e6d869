// Scores: both sides by hand, with the exact score of every column, and the line behind each of them.

import { accuracyPanel } from "../accuracyPanel.js";
import { chosen, open } from "../address.js";
import { Answers } from "../answers.js";
import { analyses, bestText, reviewOf } from "../evaluator.js";
import { button } from "../fields.js";
import { Guide } from "../guide.js";
import { countsOf, counted } from "../journals.js";
import { lineOf, playLine, subjectOf } from "../lines.js";
import { OWN_RUN, ownRun } from "../own.js";
import { COLUMNS, position, problemIn, readMoves, writeMoves } from "../rules.js";
import { change } from "../store.js";
import { Study } from "../study.js";
import { turnAround } from "../table.js";
import { html, nothing } from "../vendor/lit-html.js";

/** @import { Analysis, Game as Record, Visit } from "../api.js" */

/** Most games that are listed of those that came to a position. */
const MOST_LISTED = 12;

class Scores extends Study {
  /** @override */
  isForScores = true;
  /** @override */
  hasLines = true;
  /** @override */
  guide = new Guide(this.game, { review: reviewOf, turnAround });
  /** @type {{moves: string, column: number} | null} the position and column whose line is wanted */
  #picked = null;
  /** What is wrong with the moves that were typed, and the position in which they were. */
  #typed = { moves: "", problem: "" };
  /** @type {Answers<Analysis>} */
  #lines = new Answers("/api/analysis", { body: analyses.body });
  /** @type {Answers<Visit[]>} */
  #visits = new Answers("/api/visits");
  /** The games of this browser. @type {Record[]} */
  #own = [];

  /** The position that the panel's line belongs to: it stays while the line is played out. */
  get subject() { return subjectOf(this.game); }
  /** What is known of this position. */
  get answer() { return analyses.known(writeMoves(this.subject)); }
  /** The column whose line is wanted; null: the best one. */
  get picked() { return this.#picked?.moves === writeMoves(this.subject) ? this.#picked.column : null; }
  /** The line that is wanted. */
  get wanted() {
    const { picked } = this;
    return picked === null ? this.answer?.pv ?? [] : [picked, ...(this.#lines.known(this.#after(picked))?.pv ?? [])];
  }

  /** @override */
  get line() { return this.picked === null || lineOf(this.game) || !this.showsScores ? null : this.wanted; }
  /** What is wrong with the moves that were typed; "" once the board has changed. */
  get problem() { return this.#typed.moves === writeMoves(this.game.shown) ? this.#typed.problem : ""; }

  /** The games that came to the position shown, of the journals and of this browser. @returns {Visit[]} */
  get visits() {
    const { shown } = this.game, own = this.#own.flatMap(({ number, result, moves }) => {
      const column = result === null ? null : wentOn(readMoves(moves), shown);
      return column === null ? [] : [{ run: OWN_RUN, number, result: result ?? 0, column }];
    });
    return [...this.#visits.known(writeMoves(shown)) ?? [], ...own];
  }

  /** @override */
  enter() { // journals may have grown, and games been played
    this.#visits.forget();
    this.#own = ownRun()?.all ?? [];
  }

  /** @override */
  leave() {
    for (const asked of [analyses, this.#lines, this.#visits]) asked.cancel();
  }

  /** @override */
  react() {
    const { board, shown } = this.game;
    this.#visits.want(board.isOver || !shown.length ? null : writeMoves(shown));
    this.#lines.want(this.picked === null ? null : this.#after(this.picked));
    super.react();
  }

  /**
   * Show the line that begins with a column; once more, the best line again. A line on the board ends there.
   * @override
   * @param {number} column
   */
  pick(column) {
    const { game, picked } = this;
    if (lineOf(game)) game.showVariation(game.shown, game.at);
    this.#picked = column === picked ? null : { moves: writeMoves(game.shown), column };
    change();
  }

  /**
   * Show the position after moves that were typed, if all of them can be played.
   * @param {string} text
   */
  setMoves(text) {
    const problem = problemIn(text), moves = writeMoves(this.game.shown), main = readMoves(text);
    this.#typed = { moves, problem };
    if (problem || writeMoves(main) === moves) change();
    else this.game.replace({ main }, "The board shows the moves that were typed.");
  }

  /** @override */
  actions() {
    const { game, isEnded, moments } = this, isOpen = game.isVariation || !isEnded;
    const [undo, empty, play] = super.actions();
    return [undo, empty, isOpen ? play : moments];
  }

  /** @param {number} column */
  #after(column) { return `${writeMoves(this.subject)}${column + 1}`; }
}

export const scores = new Scores("scores");

/**
 * Return the column with which a game went on from a position, in any order of moves or mirrored; null if it did not.
 * @param {number[]} moves
 * @param {number[]} shown
 */
function wentOn(moves, shown) {
  const cells = (/** @type {number[]} */ some) => position(some).cells.join("|"), count = shown.length;
  const sorted = (/** @type {number[]} */ some) => [...some].sort().join("");
  if (!count || moves.length <= count) return null;
  for (const played of [moves, moves.map((column) => COLUMNS - 1 - column)]) {
    const before = played.slice(0, count);
    if (sorted(before) === sorted(shown) && cells(before) === cells(shown)) return played[count];
  }
  return null;
}

export function scoresPanel() {
  if (!scores.showsScores) return nothing; // the guide asks for this line
  const { game, picked, subject, wanted, problem, answer } = scores;
  const type = (/** @type {Event} */ { target }) => scores.setMoves(/** @type {HTMLInputElement} */ (target).value);
  const show = () => playLine(game, { before: subject, line: wanted });
  const known = answer ? bestText(answer.best) : "Best line";
  const best = picked === null ? known : `The line of column ${picked + 1}`;
  const title = lineOf(game) ? `The line after move ${subject.length}` : best;
  return html`<div class="part">
    <label>Moves <input id="position" maxlength="60" spellcheck="false" autocomplete="off" placeholder="4435 or ddce"
      aria-describedby="position-problem"
      .value=${writeMoves(game.shown)} @change=${type}></label>
    <p id="position-problem" class=${problem ? "bad" : "unseen"} role="alert">${problem}</p>
  </div>
  ${position(subject).isOver ? html`<div class="part">${accuracyPanel(game, reviewOf(game.main))}</div>`
    : html`<div class="part">
    <h3>${title}</h3>
    <p class="about">${wanted.length ? html`Line: <span id="line">${[...writeMoves(wanted)].join(" ")}</span>`
      : missing()}</p>
    <div class="row">
      ${wanted.length && !lineOf(game) ? button("Show it", show, { id: "show-line", isSmall: true }) : nothing}
      ${picked === null ? nothing : button("Best line", () => scores.pick(picked), { isSmall: true })}</div>
    <p class="about">Below the board, + wins and \u2212 loses for the side to move; the further from 0, the sooner.
      Press a score to see its line.</p>
  </div>`}${visitsPart()}`;
}

/** Return why no line is shown. */
const missing = () =>
  (scores.answer ? "Not solved within the search time, which can be set in the menu." : analyses.waiting);

/** Where games went that came to the position shown, if any did. */
function visitsPart() {
  const { visits } = scores, went = visits.map(({ column }) => column), most = visits.filter((_, at) => at < MOST_LISTED);
  const columns = [...new Set(went)].sort();
  const show = (/** @type {Visit} */ { run, number }) => {
    Object.assign(chosen, { run, game: String(number) });
    open("games");
  };
  return visits.length ? html`<div class="part" id="visits"><h3>Games that came here</h3>
    <ul class="replies">${columns.map((column) => html`<li><button class="reply" @click=${() => scores.drop(column)}>
      <span class="unseen">Column </span><b>${column + 1}</b><span class="about">${went.filter((one) =>
        one === column).length} went on here: ${counted(countsOf(visits.filter((one) => one.column === column)
          .map(({ result }) => ({ outcome: result < 0 ? "lost" : result < 1 ? "drawn" : "won" }))))}</span>
      </button></li>`)}</ul>
    <div class="games">${most.map((visit) => html`<button @click=${() => show(visit)}>Game ${visit.number}
      <small>${visit.run === OWN_RUN ? "yours" : "the bot\u2019s"}</small></button>`)}</div></div>` : nothing;
}
