// What all views have in common: a board of their own, what can be done with it, and stepping through its game.

import { ending, gameOf } from "./game.js";
import { leaveLine, lineOf, lineText } from "./lines.js";
import { COLOURS } from "./rules.js";
import { settings } from "./settings.js";
import { say } from "./store.js";

/** @import { Note } from "./board.js" */
/** @import { Guide } from "./guide.js" */
/** @import { Board } from "./rules.js" */

/**
 * A button below the board: at most three at a time, one of them strong. `key`: the key that does the same.
 * @typedef {{id: string, label: string, act: () => void, key?: string, isStrong?: boolean,
 *   isDisabled?: boolean}} Action
 */

/**
 * A model: the state of a view and what can be done in it, without any markup. Its panel draws it.
 *
 * `app.js` calls `enter` and `leave` when the view changes, `react` after every change, and asks for all else when it
 * draws; so nothing but `react`, `enter` and what the user does may change anything. While the guide asks about a
 * game, it takes the place of the view's own actions, headline and discs: hence `takesDiscs`, `take`, `buttons` and
 * `headline`, which the page uses, beside `isOpen`, `drop`, `actions` and `status`, which a view defines.
 */
export class View {
  /** Whether spectators may use it. */
  isForSpectators = false;
  /** Whether the page's owner sees its place. */
  get isOffered() { return true; }
  /** Whether scores are always shown, where they may be; else the user asks for them. */
  isForScores = false;
  /** @type {Guide | null} what leads through the key moments of the game on the board */
  guide = null;

  /** @param {string} id  its name in the address */
  constructor(id) { this.id = id; }

  get game() { return gameOf(this.id); }
  /** Whether a win of the user is on the board, to be celebrated. */
  get hasWon() { return false; }
  /** Whether it waits for a move of the computer. */
  get isThinking() { return false; }
  /** Whether columns keep the focus although none takes a disc now: the next one can be dropped in a moment. */
  get keepsColumns() { return this.guide?.isActive ? !this.guide.isTold : this.isThinking; }
  /** Whether the game on the board is not going on, although it has no result. */
  get isLeft() { return false; }
  /** Whether moves, marks and heights after the position on the board are still to come for those who look on. */
  get hidesAhead() { return false; }
  /** Whether exact scores may be seen now: not in a game or puzzle that a person has still to decide. */
  get mayScore() { return false; }
  /** Whether they are shown: below the columns, by the coach, and as heights in the ribbon. */
  get showsScores() {
    return this.mayScore && !this.guide?.isActive && (this.isForScores || settings.areScoresShown);
  }

  /** @returns {number | null} the column that a hint points at */
  get pointed() { return null; }

  /** The view becomes visible, or the server is back. */
  enter() {}
  /** The view is hidden, or the page closes. */
  leave() {}
  /** Something has changed: ask the server for what is needed, start timers, keep what is to be kept. */
  react() {}

  /**
   * Show the moves of a link.
   * @param {number[]} moves
   */
  adopt(moves) { this.game.replace({ main: moves }, "The board shows the link's position."); }

  /** Whether a disc can be dropped now. */
  get takesDiscs() {
    if (this.guide?.isActive) return this.guide.isOpen;
    return this.isOpen(this.game.board);
  }

  /**
   * Drop a disc where `takesDiscs` allows it.
   * @param {number} column
   */
  take(column) { if (this.guide?.isActive) this.guide.try(column); else this.drop(column); }

  /** The buttons below the board. @returns {Action[]} */
  get buttons() {
    const { game, guide } = this, line = lineOf(game), act = () => leaveLine(game);
    const actions = guide?.isActive ? guide.actions : this.actions(game.board);
    if (!line || line.isBrief) return actions;
    const next = actions.filter(({ isStrong }) => isStrong);
    return [...next, { id: "leave-line", label: "Back", key: "u", isStrong: !next.length, act }];
  }

  /** What the page says of the board: always of that which is on it. */
  get headline() {
    const { game } = this, line = lineOf(game);
    if (line && !line.isBrief) return lineText(game);
    return this.guide?.headline ?? this.status(game.board);
  }

  /**
   * Whether the user may drop a disc.
   * @param {Board} board
   */
  isOpen(board) { return !board.isOver; }

  /**
   * The user drops a disc.
   * @param {number} column
   */
  drop(column) {
    say(`${COLOURS[this.game.at % 2]} plays column ${column + 1}.`);
    this.game.vary(column);
  }

  /**
   * Show the position after `at` moves.
   * @param {number} at
   */
  go(at) {
    this.game.walk(at);
    const { moves, at: now } = this.game;
    say(now ? `Move ${now}: column ${moves[now - 1] + 1}.` : "First position.");
  }

  undo() { if (lineOf(this.game)) leaveLine(this.game); else this.go(this.game.at - 1); }

  /** @returns {Action} */
  get moments() { return { id: "moments", label: "Key moments", isStrong: true, act: () => this.guide?.open() }; }

  /** What leaves a variation. @returns {Action} */
  get backToGame() { return { id: "to-game", label: "Back to the game", act: () => this.game.backToMain() }; }

  /**
   * What can be done now.
   * @param {Board} _board
   * @returns {Action[]}
   */
  actions(_board) { return []; }

  /**
   * What is to be said of the board.
   * @param {Board} board
   */
  status(board) {
    const { names, isLookingBack } = this.game, over = isLookingBack ? "" : ending(this.game);
    if (over) return over;
    const mover = names[board.toMove];
    return mover === "You" ? "Your move." : `${mover} to move.`;
  }

  /**
   * What is written into cells of the board.
   * @param {Board} _board
   * @returns {Note[]}
   */
  notes(_board) { return []; }
}
