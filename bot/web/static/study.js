// What the segments of Study have in common: one board on which anything can be tried, and nothing is hidden.

import { open } from "./address.js";
import { analysisOf, review } from "./evaluator.js";
import { SHARED, gameOf } from "./game.js";
import { outcome } from "./scores.js";
import { playOn } from "./table.js";
import { View } from "./view.js";

/** @import { Game } from "./game.js" */
/** @import { Board } from "./rules.js" */
/** @import { Action } from "./view.js" */

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
    return this.isEnded ? super.status(board) : outcome(board, this.scoreRow(board) ?? analysisOf(this));
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
  gameOf("scores").takeFrom(game);
  open("scores");
}
