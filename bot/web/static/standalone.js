// The script of a game's own web page: screen and guide as in the page, with all answers in it: no server is needed.

import { BoardView } from "./board.js";
import { Guide, guidePanel } from "./guide.js";
import { prepareKeys } from "./keys.js";
import { lineNotes, mistakesPanel } from "./lines.js";
import { readMoves } from "./rules.js";
import { drawScreen, outcome } from "./screen.js";
import { $, change, onChange } from "./store.js";
import { html, nothing, render } from "./vendor/lit-html.js";
import { View } from "./view.js";

/** @import { Analysis, Review } from "./api.js" */
/** @import { Board } from "./rules.js" */
/** @import { Action } from "./view.js" */

/**
 * @typedef {object} Saved
 * @property {string} moves
 * @property {string[]} names  who played yellow and red
 * @property {number} start  moves that another game led with
 * @property {Review} review
 * @property {Analysis[]} positions  of every position, the first one included
 */

/** Names of the side whose mistakes come first. */
const OWN = ["You", "The bot"];
/** @type {Saved} */
const { moves, names, start, review, positions } = JSON.parse($("data").textContent ?? "");

class SavedGame extends View {
  /** @override */
  guide = new Guide(this.game, { review: () => review, turnAround: null });

  /** @override */
  isForScores = true;
  /** @override */
  get mayScore() { return true; }
  /** @override */
  get showsScores() { return super.showsScores && this.game.at <= this.game.common; }
  /** The analysis of the position on the board; none while the guide asks, or in a variation. */
  get answer() { return this.showsScores ? positions[this.game.at] : undefined; }

  /** @override */
  enter() {
    const side = names.findIndex((name) => OWN.includes(name));
    this.game.show({ main: readMoves(moves), names, side: side < 0 ? null : side, start, key: "saved" });
  }

  /** @override */
  react() { this.guide.react(); }

  /**
   * @override
   * @returns {Action[]}
   */
  actions() {
    return [this.game.isVariation ? { ...this.backToGame, isStrong: true } : this.moments];
  }

  /**
   * @override
   * @param {Board} board
   */
  status(board) {
    return board.isOver || !this.answer ? super.status(board) : outcome(board, this.answer);
  }
}

const INTRODUCTION = html`<p>A finished game to look through: press one of its moves, or use the arrow keys. Below the
  board stands what each column leads to. Key moments lets you find better moves.</p>`;
const view = new SavedGame("saved"), boardView = new BoardView($("board"));

function draw() {
  const { game, guide, answer } = view, heights = guide.isActive ? null : review;
  const scores = heights?.scores.slice(0, game.common + 1) ?? []; // of a variation, nothing is known
  drawScreen(view, boardView, { answer, review: heights, scores,
    notes: guide.isActive ? guide.notes : lineNotes(game) });
  render(html`<h2 id="status-text">${view.headline}</h2>
    ${guide.isShown ? guidePanel(guide) : INTRODUCTION}
    ${guide.isActive ? nothing : mistakesPanel(game, review)}`, $("panel"));
}

document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
prepareKeys(() => view);
for (const act of [() => view.react(), draw]) onChange(act);
view.enter();
change();
document.body.dataset.ready = "true";
