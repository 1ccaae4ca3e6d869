// Solving one puzzle: a right move is answered, a wrong one is refuted on the board and lifts out again.

import { Answers } from "./answers.js";
import { spoken } from "./lessons.js";
import { pairNotes, playLine } from "./lines.js";
import { readMoves, writeMoves } from "./rules.js";
import { change } from "./store.js";
import { keeping } from "./verdicts.js";

/** @import { Analysis, Puzzle } from "./api.js" */
/** @import { Game } from "./game.js" */

/** A win is played on, move by move, while it is at most this many plies away. */
const IN_SIGHT = 9;
/** Most moves that show why a try is wrong: as far as a person looks ahead. */
const REFUTATION = 4;
/** What a wrong try does, by the outcome it leads to: a draw where a win was, or a loss. */
const REFUTED = new Map([[0, "only draws"], [-1, "loses"]]);
const body = () => ({ time_s: 6 });

/** The game's own moves are those that were right, with their answers; a try is a variation. */
export class Solving {
  /** What the last try has led to. */
  said = "";
  /** Whether the solution has been found or shown. */
  isDone = false;
  /** Whether it has been shown. */
  isRevealed = false;
  /** @type {number | null} the column that is still to be judged */
  #tried = null;
  /** The analysis of the position in question. @type {Answers<Analysis>} */
  #here = new Answers("/api/analysis", { body });
  /** The analysis of the position after a wrong try. @type {Answers<Analysis>} */
  #after = new Answers("/api/analysis", { body });

  /**
   * @param {Game} game
   * @param {Puzzle} puzzle
   * @param {(isRight: boolean) => void} count  called after each wrong try, and at the end
   */
  constructor(game, puzzle, count) {
    this.game = game;
    this.puzzle = puzzle;
    this.count = count;
  }

  /** The moves up to the puzzle's position. */
  get #before() { return readMoves(this.puzzle.moves); }

  /** Whether the first move is still to be found. */
  get isFirst() { return this.game.main.length === this.puzzle.moves.length; }

  /** Whether a column may be tried now. */
  get isOpen() { return !this.isDone && !this.game.isVariation && !this.game.isLookingBack; }

  /** @param {number} column */
  try(column) {
    const { main } = this.game;
    this.#tried = column;
    this.said = "One moment\u2026";
    this.game.showVariation([...main, column], main.length + 1);
  }

  /** Return to the position in question. */
  lift() {
    this.#tried = null;
    if (!this.isDone) this.game.backToMain(this.game.main.length);
  }

  /** Ask for no more analyses. */
  cancel() {
    this.#here.cancel();
    this.#after.cancel();
  }

  /** Show the solution in place of a further try. */
  reveal() {
    this.count(false);
    this.#finish("");
    this.isRevealed = true;
    playLine(this.game, { before: this.#before, line: this.puzzle.line });
  }

  /** Play out why the solution is right, as its sentence says it. */
  playReason() {
    const { line, pairs } = this.puzzle.reason ?? { line: this.puzzle.line, pairs: [] };
    playLine(this.game, { before: this.#before, line, notes: pairNotes(pairs) });
  }

  /** Judge the try as soon as enough is known, and ask for what is not. */
  judge() {
    const { puzzle, game: { main } } = this, tried = this.#tried;
    const here = this.#here.known(writeMoves(main));
    const after = tried === null ? undefined : this.#after.known(writeMoves([...main, tried]));
    const right = this.isFirst ? [puzzle.solution] : here && keeping(here);
    if (tried !== null && right?.includes(tried)) return this.#goOn(tried, right.length === 1);
    if (tried !== null && here && after) return this.#refute(tried, here, after);
    this.#here.want(this.isDone ? null : writeMoves(main));
    return this.#after.want(tried === null ? null : writeMoves([...main, tried]));
  }

  /**
   * Play a right move. Where it was the only one and the win is in sight, the answer falls and the next move is asked
   * for; else the puzzle is solved.
   * @param {number} column
   * @param {boolean} isOnly
   */
  #goOn(column, isOnly) {
    const { game, puzzle } = this;
    this.lift();
    game.play(column);
    const left = puzzle.line.slice(game.main.length - puzzle.moves.length);
    if (puzzle.kind === "win" && isOnly && left.length && left.length - 1 <= IN_SIGHT) {
      game.play(left[0]);
      this.said = "Right. And now?";
    } else {
      this.count(true);
      this.#finish("Right. ");
    }
  }

  /**
   * Say why a try is wrong and play the answer to it; then the disc lifts out.
   * @param {number} column
   * @param {Analysis} here
   * @param {Analysis} after
   */
  #refute(column, here, after) {
    const isGood = keeping(here).includes(column), before = [...this.game.main, column];
    const text = REFUTED.get(Math.sign(here.columns[column]?.exact ?? -1));
    this.#tried = null;
    this.count(false);
    this.said = `Column ${column + 1} ${isGood ? `leaves ${keeping(after).length} good answers` : text}. Try again.`;
    playLine(this.game, { before, line: isGood ? [] : after.pv.slice(0, REFUTATION), done: () => this.lift() });
  }

  /** @param {string} praise */
  #finish(praise) {
    this.#tried = null;
    this.isDone = true;
    this.said = praise + spoken(this.puzzle.answer);
    change();
  }
}
