// The script of a game's own web page: the guided review, with all answers in the page, so that no server is needed.

import { BoardView, describe } from "./board.js";
import { $ } from "./dom.js";
import { Guide } from "./guide.js";
import { guidePanel } from "./guidePanel.js";
import { lineNotes, lineOf } from "./lines.js";
import { accuracies, card, columns, drop, evaluationBar, statusLine, tools } from "./parts.js";
import { COLOURS, readMoves } from "./rules.js";
import { scoreRow } from "./scores.js";
import { change, onChange } from "./store.js";
import { html, nothing, render } from "./vendor/lit-html.js";
import { View } from "./view.js";

/** @import { Analysis, Lesson, Review } from "./api.js" */
/** @import { Board } from "./rules.js" */

/**
 * @typedef {object} Saved
 * @property {string} moves
 * @property {string[]} names  who played yellow and red
 * @property {Review} review
 * @property {Analysis[]} positions  of every position, the first one included
 * @property {Pick<Lesson, "ply" | "reasons">[]} lessons  on the mistakes
 */

/** Names of the side whose mistakes come first. */
const OWN = ["You", "The bot"];
/** @type {Saved} */
const { moves, names, review, positions, lessons } = JSON.parse($("data").textContent ?? "");

class SavedGame extends View {
  /** @override */
  isForLookingBack = true;
  /** @override */
  scoring = "never";
  guide = new Guide(this.game, () => review);

  /** The analysis of the position on the board; none while a better move is sought, or in a variation. */
  get answer() { return this.guide.isOpen || this.game.at > this.game.common ? undefined : positions[this.game.at]; }

  /** @override */
  enter() {
    const side = names.findIndex((name) => OWN.includes(name));
    this.game.show({ main: readMoves(moves), names, side: side < 0 ? null : side, key: "saved" });
    this.guide.begin();
  }

  /** @override */
  actions() { return this.guide.actions; }

  /** @override */
  react() { if (this.guide.ply !== null) this.guide.judge(positions[this.guide.ply]); }

  /**
   * @override
   * @param {Board} board
   */
  isOpen(board) {
    const isWrongShown = lineOf(this.game) && !this.guide.isTold;
    return this.guide.isOpen || (super.isOpen(board) && !isWrongShown);
  }

  /**
   * @override
   * @param {number} column
   */
  drop(column) { if (this.guide.isOpen) this.guide.try(column); else super.drop(column); }

  /**
   * @override
   * @param {Board} board
   */
  status(board) {
    const mover = COLOURS[board.toMove], text = this.answer?.text;
    if (this.guide.isOpen) return `${mover} to move: find a better move.`;
    return board.isOver || !text ? super.status(board) : `${mover} to move: ${text}.`;
  }
}

const view = new SavedGame("saved"), boardView = new BoardView($("board"));

function draw() {
  const { game, guide, answer } = view, { board } = game, { ply } = guide;
  boardView.show(board, {
    ghosts: board.isOver ? [] : answer?.pv ?? [], notes: lineNotes(game), isOpen: view.isOpen(board),
    isPaced: game.isPaced, label: describe(board),
  });
  render(statusLine(view), $("headline"));
  render(evaluationBar(game, review, answer), $("evaluation"));
  render(columns(view, boardView), $("columns"));
  render(answer ? scoreRow(board, answer) : nothing, $("scores"));
  render(tools(view), $("tools"));
  const known = ply === null ? { answer: undefined, lesson: null }
    : { answer: positions[ply], lesson: lessons.find((lesson) => lesson.ply === ply) };
  render(html`<section class="card guide" id="guide">${guidePanel(guide, known)}</section>
    ${card(view, { review })}<section class="card">${accuracies(names, review)}</section>`, $("side"));
}

document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
document.addEventListener("keydown", (event) => {
  const { game } = view, focused = /** @type {HTMLElement} */ (event.target);
  if (focused.matches("input") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (/^[1-7]$/.test(event.key)) return drop(view, Number(event.key) - 1);
  const step = { ArrowLeft: game.at - 1, ArrowRight: game.at + 1, Home: 0, End: game.moves.length }[event.key];
  if (step === undefined) return undefined;
  event.preventDefault();
  return view.go(step);
});
for (const act of [() => view.react(), draw]) onChange(act);
view.enter();
change();
document.body.dataset.ready = "true";
