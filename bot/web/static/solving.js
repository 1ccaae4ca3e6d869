// Solving one puzzle: a right move is answered, a wrong one is refuted on the board and lifts out again.

import { Answers } from "./answers.js";
import { threatNotes } from "./coach.js";
import { spoken } from "./lessons.js";
import { lineOf, pairNotes, paleDisc, playLine } from "./lines.js";
import { COLOURS, position, readMoves, winsOf, writeMoves } from "./rules.js";
import { change, say } from "./store.js";
import { keeping } from "./verdicts.js";

/** @import { Analysis, Puzzle } from "./api.js" */
/** @import { Note } from "./board.js" */
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
  /** The verdict on the last try; "" before the first one. */
  verdict = "";
  /** Whether the solution has been found or shown. */
  isDone = false;
  /** Whether it has been shown. */
  isRevealed = false;
  /** The wrong columns that were tried in the position in question. @type {number[]} */
  #wrong = [];
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

  /** The first sentence of the answer, and what follows it: the reason. */
  get answer() {
    const [, first, reason] = /^(.*?\.) ?(.*)$/.exec(spoken(this.puzzle.answer, this.game.you)) ?? ["", "", ""];
    return { first, reason };
  }

  /** What is to be said of the board: the move of a line, the verdict, or else the question. */
  get headline() {
    const { game, verdict, puzzle } = this, line = lineOf(game);
    if (!line && game.isLookingBack) return `Move ${game.at} of ${game.moves.length}.`;
    if (!line || game.at <= line.start) return verdict || spoken(questionOf(puzzle), game.you);
    const step = line.isBrief ? "" : ` (${game.at - line.start} of ${game.moves.length - line.start})`;
    return `${labelOf(game)}${step}.`;
  }

  /** The wrong tries, where others can be tried; at the end of an exercise, what waits. @returns {Note[]} */
  get notes() {
    const { game, isOpen, isDone, isRevealed, puzzle: { threats = [] } } = this;
    if (isOpen) return this.#wrong.map((column) => paleDisc(game.board, column, "\u00d7"));
    return isDone && !isRevealed && !game.isVariation && !game.isLookingBack ? threatNotes(threats) : [];
  }

  /** @param {number} column */
  try(column) {
    const { main } = this.game;
    this.#tried = column;
    this.verdict = "One moment\u2026";
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
    this.isRevealed = true;
    this.#finish("The answer: ");
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
    const right = this.isFirst ? puzzle.right ?? [puzzle.solution] : here && keeping(here);
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
    this.#wrong = [];
    game.play(column);
    const left = puzzle.line.slice(game.main.length - puzzle.moves.length);
    if (puzzle.kind === "win" && isOnly && left.length && left.length - 1 <= IN_SIGHT) {
      game.play(left[0]);
      this.#tell("Right. And now?");
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
    this.#wrong.push(column);
    this.count(false);
    this.#tell(`Column ${column + 1} ${isGood ? `leaves ${keeping(after).length} good answers` : text}. Try again.`);
    playLine(this.game, { before, line: isGood ? [] : after.pv.slice(0, REFUTATION), done: () => this.lift() });
  }

  /** @param {string} praise */
  #finish(praise) {
    const { first, reason } = this.answer;
    this.#tried = null;
    this.isDone = true;
    this.#tell(praise + first, reason);
    change();
  }

  /**
   * Say the verdict on a try; screen readers are told more.
   * @param {string} verdict
   * @param {string} [more]
   */
  #tell(verdict, more = "") {
    this.verdict = verdict;
    say(`${verdict} ${more}`);
  }
}

/**
 * Return what a puzzle asks, to the one who solves it.
 * @param {Puzzle} puzzle
 */
export const questionOf = ({ question }) => question.replace(/^[XO] to move/, "Your move");

/**
 * Return what the last move on a board does, in plain words.
 * @param {Game} game
 */
function labelOf({ shown, you, board }) {
  const column = shown[shown.length - 1], side = 1 - board.toMove, open = winsOf(board, side).length;
  const done = [
    winsOf(position(shown.slice(0, -1)), 1 - side).includes(column) ? ["blocks"] : [],
    open ? [open > 1 ? "opens two fours at once" : "threatens four"] : [],
  ].flat().join(" and ");
  if (!done && board.winner === null) {
    return `${side === you ? "You play" : `${COLOURS[side]} plays`} column ${column + 1}`;
  }
  const owner = side === you ? "Your" : `${COLOURS[side]}\u2019s`;
  return `${owner} column ${column + 1} ${board.winner === null ? done : "makes four"}`;
}
