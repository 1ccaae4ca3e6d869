// What the segments of Study have in common: one board on which anything can be tried, and nothing is hidden.

import { open } from "./address.js";
import { analysisOf } from "./evaluator.js";
import { gameOf } from "./game.js";
import { outcome } from "./scores.js";
import { View } from "./view.js";

/** @import { Game } from "./game.js" */
/** @import { Board } from "./rules.js" */
/** @import { Action } from "./view.js" */

export class Study extends View {
  /** @override */
  get mayScore() { return true; }

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
    const { at, moves } = this.game;
    return [
      { id: "undo", label: "Undo", key: "u", act: () => this.undo(), isDisabled: at === 0 },
      { id: "new", label: "Empty board", key: "n", act: () => this.empty(), isDisabled: !moves.length },
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
