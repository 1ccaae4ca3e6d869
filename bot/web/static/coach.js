// The coach: proven reasons for a mistake, played out on the board, and what can be seen in a position.

import { Answers } from "./answers.js";
import { $, html } from "./dom.js";
import { backToGame, game, shown, showVariation } from "./game.js";
import { STEP_MS, lessonParts, lineButton, pairNotes, place } from "./lessons.js";
import { writeMoves } from "./rules.js";
import { store } from "./store.js";

/** @import { Coaching, Lesson, Sight } from "./api.js" */
/** @import { Page } from "./app.js" */
/** @import { Note } from "./board.js" */
/** @import { Board } from "./rules.js" */

/** Delay before a new position is asked about, milliseconds: stepping through a game sends no requests. */
const DELAY_MS = 250;
/** Search time for reasons, seconds. */
const SEARCH_S = 6;
const COLOURS = ["Yellow", "Red"];
/** How a threat is written on the board. */
const SIGNS = new Map([["playable", "!"], ["odd", "odd"], ["even", "even"], ["useless", "\u2013"]]);

/** @param {number[]} columns */
const listed = (columns) => columns.map((column) => column + 1).join(", ");

export class Coach {
  /** @type {Answers<Coaching>} */
  #answers = new Answers("/api/coach", () => this.page.refresh(), { body: { time_s: SEARCH_S }, delayMs: DELAY_MS });
  #steps = 0;
  /** @type {{moves: string, notes: Note[], from: number} | null} the line shown, and the ply that it was asked at */
  #line = null;
  #drawn = "";
  #back = html("button", { class: "strong", onclick: () => this.#leaveLine() }, "Back to the game");

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    $("coach-text").before(this.#back);
  }

  /** Whether the coach is at hand: wherever exact scores are shown. */
  get #isOn() { return this.page.evaluator.isOn && !["proof", "puzzles"].includes(store.view); }

  /** @param {Board} board */
  render(board) {
    const key = writeMoves(board.moves), isWanted = this.#isOn && !this.page.view.isThinking;
    $("coach").hidden = !isWanted;
    const isLine = this.#line !== null && this.#line.moves === writeMoves(game().moves);
    this.#back.hidden = !isLine;
    if (!isWanted) return this.#cancel();
    if (isLine) return this.page.annotate(key === this.#line?.moves ? this.#line.notes : []);
    this.#line = null;
    const answer = this.#answers.wanted(key) ?? null;
    this.#draw(answer, board);
    const notes = this.#notes(answer);
    $("threat-legend").hidden = !notes.length;
    this.page.annotate(notes);
    return undefined;
  }

  #cancel() {
    clearInterval(this.#steps);
    this.#answers.cancel();
    if (this.#drawn && store.view !== "proof") this.page.annotate([]);
    this.#drawn = "";
  }

  /**
   * @param {Coaching | null} known
   * @param {Board} board
   */
  #draw(known, board) {
    const key = `${writeMoves(board.moves)}${known ? "+" : ""}`;
    if (this.#drawn === key) return;
    this.#drawn = key;
    const parts = !known ? [html("p", { class: "about" }, "One moment\u2026")]
      : [...this.#lesson(known.last), ...(known.position ? this.#sight(known.position, board) : [])];
    const nothing = html("p", { class: "about" }, "Nothing to point out here.");
    $("coach-text").replaceChildren(...(parts.length ? parts : [nothing]));
  }

  /** @param {Lesson | null} lesson */
  #lesson(lesson) {
    if (!lesson || lesson.verdict === "best") return [];
    const before = game().moves.slice(0, lesson.ply);
    const retry = html("button", { onclick: () => this.page.playView.playFrom(before) }, "Take back and retry");
    return lessonParts(lesson, before, (moves, line, notes) => this.#show(moves, line, notes), [retry]);
  }

  /**
   * @param {Sight} sight
   * @param {Board} board
   */
  #sight(sight, board) {
    const mover = COLOURS[board.toMove], other = COLOURS[1 - board.toMove], moves = shown();
    /** @type {(Node | string)[][]} */
    const facts = [];
    if (sight.forced.length) {
      const button = lineButton("Show it", () => this.#show(moves, sight.forced, []));
      facts.push([`${mover} can force four in a row. `, button]);
    }
    const [danger] = sight.danger;
    if (danger !== undefined) facts.push([`${other} threatens to force four, beginning with column ${danger + 1}.`]);
    if (sight.zugzwang) facts.push([`Zugzwang: every column of ${mover} lets ${other} make four above it.`]);
    else if (sight.losing.length) {
      const columns = sight.losing.length === 1 ? "Column" : "Columns";
      facts.push([`${columns} ${listed(sight.losing)}: ${other} makes four at once.`]);
    }
    if (sight.follow_up) facts.push(this.#followUp(sight.follow_up, other));
    for (const [side, colour] of COLOURS.entries()) {
      const own = sight.threats.filter(({ player }) => player === side + 1);
      const names = own.map(({ cell, kind }) =>
        `column ${place(cell).column + 1} row ${place(cell).row + 1} (${kind})`);
      if (own.length) facts.push([`${colour}'s threats: ${names.join(", ")}.`]);
    }
    return facts.length ? [html("ul", { class: "facts" }, ...facts.map((fact) => html("li", {}, ...fact)))] : [];
  }

  /**
   * @param {NonNullable<Sight["follow_up"]>} found
   * @param {string} follower
   */
  #followUp({ wins, line, pairs, zugzwang }, follower) {
    const what = wins ? `makes four${zugzwang ? " by zugzwang" : ""}` : "never loses";
    const moves = shown(), notes = pairNotes(pairs);
    return [`Follow-up: answering every disc in the same column, ${follower} ${what}. `,
      lineButton("Show the pairs", () => this.#show(moves, [], notes)), " ",
      lineButton("Play it out", () => this.#show(moves, line, []))];
  }

  /**
   * Play a line step by step as a variation; any other move or step ends it.
   * @param {number[]} before
   * @param {number[]} line
   * @param {Note[]} notes
   */
  #show(before, line, notes) {
    clearInterval(this.#steps);
    const moves = [...before, ...line];
    this.#line = { moves: writeMoves(moves), notes, from: game().at };
    showVariation(moves, before.length);
    this.page.refresh();
    let expected = before.length;
    const step = () => {
      const { at } = game();
      if (writeMoves(game().moves) !== writeMoves(moves) || at !== expected || at >= moves.length) {
        return clearInterval(this.#steps);
      }
      expected = at + 1;
      return this.page.view.go(expected);
    };
    if (line.length) this.#steps = setInterval(step, STEP_MS);
  }

  #leaveLine() {
    const from = this.#line?.from ?? 0;
    this.#line = null;
    clearInterval(this.#steps);
    backToGame(from);
    this.page.refresh();
  }

  /**
   * Return the threats, as they are drawn over the board.
   * @param {Coaching | null} known
   * @returns {Note[]}
   */
  #notes(known) {
    if (store.threats !== "1" || !known?.position) return [];
    return known.position.threats.map(({ cell, player, kind }) =>
      ({ ...place(cell), text: SIGNS.get(kind) ?? "", kind: `threat ${player === 1 ? "first" : "second"}` }));
  }
}
