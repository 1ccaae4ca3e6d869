// Solving one puzzle: a right move is answered, a wrong one is refuted on the board and lifts out again. And what this
// browser keeps of puzzles and lessons: the rating, the days, what was missed, and the exercises done.

import { Answers, threatNotes } from "./evaluator.js";
import { fourNotes, lineOf, lineText, pairNotes, paleDisc, place, playLine, spoken } from "./lines.js";
import { COLOURS, readMoves, writeMoves } from "./rules.js";
import { fitted, keep, kept, say, store } from "./store.js";
import { View } from "./view.js";

/** @import { Analysis, Coaching, Puzzle } from "./api.js" */
/** @import { Note } from "./board.js" */

/** A win is played on, move by move, while it is at most this many plies away. */
const IN_SIGHT = 9;
/** Most moves that show why a try is wrong: as far as a person looks ahead. */
const REFUTATION = 4;
/** What a wrong try does, by the outcome it leads to: a draw where a win was, or a loss. */
const REFUTED = new Map([[0, "only draws"], [-1, "loses"]]);
const body = () => ({ time_s: 6 });
/** The numbers of the rows, and where they stand: left of the board. */
const ROW_NUMBERS = ["1", "2", "3", "4", "5", "6"], MARGIN = -0.62;

/** The game's own moves are those that were right, with their answers; a try is a variation. */
export class Solving extends View {
  /** @type {Puzzle[]} */
  set = [];
  index = 0;
  /** The verdict on the last try; "" before the first one. */
  verdict = "";
  /** Whether the solution has been found or shown. */
  isDone = false;
  /** Whether it has been shown. */
  isRevealed = false;
  /** Whether it has been asked why it is right. */
  isExplained = false;
  /** The wrong columns that were tried in the position in question. @type {number[]} */
  #wrong = [];
  /** The four that the last of them allowed. @type {Note[]} */
  #allowed = [];
  /** @type {number | null} the column that is still to be judged */
  #tried = null;
  /** The analysis of the position in question. @type {Answers<Analysis>} */
  #here = new Answers("/api/analysis", { body });
  /** The analysis of the position after a wrong try, and what the coach says of that try. @type {Answers<Analysis>} */
  #after = new Answers("/api/analysis", { body });
  /** @type {Answers<Coaching>} */
  #coach = new Answers("/api/coach", { body });

  /** The puzzle that is being solved; there is none before a set is loaded. */
  get puzzle() { return this.set[this.index]; }

  /**
   * Begin to solve a puzzle of the set.
   * @param {number} index
   */
  choose(index) {
    this.leave();
    Object.assign(this, { index, verdict: "", isDone: false, isRevealed: false, isExplained: false });
    this.#wrong = this.#allowed = [];
    this.#tried = null;
    const { puzzle } = this, side = puzzle.moves.length % 2;
    const names = COLOURS.map((colour, one) => (one === side ? "You" : colour));
    this.game.show({ main: readMoves(puzzle.moves), key: keyOf(puzzle), side, names });
    if (store.view === this.id) say(`Your move. ${this.question}`);
  }

  /**
   * Called after each wrong try, and at the end, when the solution has been found or shown.
   * @param {boolean} _isRight
   */
  count(_isRight) {}

  /** What is asked, to the one who solves it. */
  get question() { return spoken(this.puzzle.question.replace(/^[XO] to move\. /, ""), this.game.you); }

  /** The moves up to the puzzle's position. */
  get #before() { return readMoves(this.puzzle.moves); }

  /** Whether the first move is still to be found. */
  get isFirst() { return this.game.main.length === this.puzzle.moves.length; }

  /** @override */
  get keepsColumns() { return this.set.length > 0 && !this.isDone; }

  /** @override */
  isOpen() { return this.set.length > 0 && !this.isDone && !this.game.isVariation && !this.game.isLookingBack; }

  /** @override */
  get pointed() {
    const { isRevealed, puzzle, game: { at, isVariation } } = this;
    return isRevealed && !isVariation && at === puzzle.moves.length ? puzzle.solution : null;
  }

  /** The first sentence of the answer, and what follows it: the reason. */
  get answer() {
    const { puzzle: { answer }, game } = this;
    const [, first, reason] = /^(.*?\.) ?(.*)$/.exec(spoken(answer, game.you)) ?? ["", "", ""];
    return { first, reason: reason.replace(/^You could play (column.\d): then/, "After $1,") }; // it has been played
  }

  /** What is to be said of the board: the move of a line, or the verdict. @override */
  get headline() {
    const { game, verdict } = this, line = lineOf(game);
    if (!line && game.isLookingBack) return `Move ${game.at} of ${game.moves.length}.`;
    if (!line || game.at <= line.start) return verdict || "Your move.";
    return lineText(game);
  }

  /**
   * The wrong tries, where others can be tried; of an exercise, the numbers of the rows, and what waits before and after
   * its solution.
   * @override
   * @returns {Note[]}
   */
  notes() {
    const { game, isDone, isRevealed } = this, { threats = [], ringed } = this.puzzle ?? {};
    const rows = (ringed ? ROW_NUMBERS : []).map((text, row) => ({ column: MARGIN, row, text, kind: "row" }));
    if (this.isOpen()) {
      const rings = (ringed ?? []).map((cell) => ({ ...place(cell), text: "", kind: "hint" }));
      return [...rows, ...rings, ...this.#allowed,
        ...this.#wrong.map((column) => paleDisc(game.board, column, "\u00d7"))];
    }
    const isFound = isDone && !isRevealed && !game.isVariation && !game.isLookingBack;
    return [...rows, ...isFound ? threatNotes(threats) : []];
  }

  /**
   * @override
   * @param {number} column
   */
  drop(column) {
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

  /** @override */
  leave() {
    for (const asked of [this.#here, this.#after, this.#coach]) asked.cancel();
  }

  /** Show the solution in place of a further try. */
  reveal() {
    this.isRevealed = true;
    this.#finish("The answer: ");
    playLine(this.game, { before: this.#before, line: this.puzzle.line });
  }

  /** Play out why the solution is right, as its sentence says it. */
  playReason() {
    this.isExplained = true;
    const { line, pairs } = this.puzzle.reason ?? { line: this.puzzle.line, pairs: [] };
    playLine(this.game, { before: this.#before, line, notes: pairNotes(pairs) });
  }

  /** Judge the try as soon as enough is known, and ask for what is not. @override */
  react() {
    if (!this.puzzle) return;
    if (this.game.key !== keyOf(this.puzzle)) this.choose(this.index); // a link has brought other moves
    const { puzzle, game: { main } } = this, tried = this.#tried;
    const here = this.#here.known(writeMoves(main));
    const moves = tried === null ? null : writeMoves([...main, tried]);
    const after = moves === null ? undefined : this.#after.known(moves);
    const said = moves === null ? undefined : this.#coach.known(moves);
    const right = this.isFirst ? puzzle.right ?? [puzzle.solution] : here && keeping(here);
    if (tried !== null && right?.includes(tried)) this.#goOn(tried, right.length === 1);
    else if (tried !== null && here && after && said) this.#refute(tried, here, after, said);
    else {
      this.#here.want(this.isDone ? null : writeMoves(main));
      this.#after.want(moves);
      this.#coach.want(moves);
    }
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
    this.#wrong = this.#allowed = [];
    game.play(column);
    const left = puzzle.line.slice(game.main.length - puzzle.moves.length);
    if (puzzle.kind === "win" && isOnly && left.length && left.length - 1 <= IN_SIGHT) {
      game.play(left[0]);
      this.#tell("Right. And now?");
    } else this.#finish("Right. ");
  }

  /**
   * Say why a try is wrong and play the answer to it; then the disc lifts out.
   * @param {number} column
   * @param {Analysis} here
   * @param {Analysis} after
   * @param {Coaching} said
   */
  #refute(column, here, after, { last }) {
    const isGood = keeping(here).includes(column), before = [...this.game.main, column];
    const text = REFUTED.get(Math.sign(here.columns[column]?.exact ?? -1));
    const why = last?.name ? ` ${spoken(last.text, this.game.you)}` : ""; // it names no column but the one tried
    this.#tried = null;
    this.#wrong.push(column);
    this.#allowed = fourNotes(last?.reasons.find(({ line, missed }) => !missed && line.length === 2));
    this.count(false);
    const said = isGood ? `leaves ${keeping(after).length} good answers.` : `${text}.${why}`;
    this.#tell(`Column ${column + 1} ${said} Try again.`);
    playLine(this.game, { before, line: isGood ? [] : after.pv.slice(0, REFUTATION), done: () => this.lift() });
  }

  /** @param {string} praise */
  #finish(praise) {
    const { first, reason } = this.answer;
    this.#tried = null;
    this.isDone = true;
    this.count(!this.isRevealed);
    this.#tell(praise + first, reason);
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

/** @param {Puzzle} puzzle */
const keyOf = ({ name }) => `puzzle ${name}`;

/**
 * Return the columns that are proven to keep the outcome.
 * @param {Analysis} answer
 */
const keeping = ({ columns, score }) => columns.flatMap((value, column) =>
  (value && value.exact !== null && score !== null && Math.sign(value.exact) === Math.sign(score) ? [column] : []));

/**
 * `solved`: by name, whether the first try was right; `days`: those whose set is done; `missed`: the puzzles that come
 * back, the one missed last at the end; `exercises`: those of lessons that were solved;
 * `finished`: the puzzles of a day that were solved, or whose answer was shown.
 * @typedef {{rating: number, solved: Record<string, boolean>, days: string[],
 *   missed: {puzzle: Puzzle}[], exercises: string[], finished: string[]}} Progress
 */

const PLACE = "puzzles", FIRST_RATING = 1000, MAX_DAYS = 400, MAX_MISSED = 60;
/** Largest change of the rating by one puzzle. */
const MOST = 32;
/** How far above one's rating the hardest puzzles of Practice are. */
const AHEAD = 150;
const GRADES = [1, 2, 3, 4, 5];
/** Rating of the puzzles of a grade. */
const ratingOf = (/** @type {number} */ grade) => 600 + 250 * grade;

/** @returns {Progress} */
export function progress() {
  /** @type {Progress} */
  const usual = { rating: FIRST_RATING, solved: {}, days: [], missed: [], exercises: [], finished: [] };
  const { missed, ...rest } = fitted(kept(PLACE, {}), usual);
  return { ...rest, missed: missed.filter((one) => typeof one?.puzzle?.moves === "string") };
}

/** Return the hardest grade that suits the rating: it climbs with it. */
export const hardestGrade = () =>
  Math.max(1, ...GRADES.filter((grade) => ratingOf(grade) <= progress().rating + AHEAD));

/** Return a day as YYYY-MM-DD, in local time. */
export const dayOf = (date = new Date()) => date.toLocaleDateString("sv");

/** Return the number of days in a row, up to today or yesterday, whose set is done. */
export function streak() {
  const { days } = progress(), date = new Date();
  if (!days.includes(dayOf(date))) date.setDate(date.getDate() - 1);
  let count = 0;
  while (days.includes(dayOf(date))) {
    count++;
    date.setDate(date.getDate() - 1);
  }
  return count;
}

/**
 * Keep the first try at a puzzle of a set. Only the first one ever counts for the rating; a puzzle is missed until a
 * first try is right.
 * @param {Puzzle} puzzle
 * @param {boolean} isRight
 */
export function keepTry(puzzle, isRight) {
  const known = progress(), { rating, solved, missed } = known, { name, grade } = puzzle;
  const others = missed.filter((one) => one.puzzle.name !== name);
  const expected = 1 / (1 + 10 ** ((ratingOf(grade) - rating) / 400));
  keep(PLACE, {
    ...known,
    rating: name in solved ? rating : Math.round(rating + MOST * (Number(isRight) - expected)),
    solved: { [name]: isRight, ...solved },
    missed: isRight ? others : [...others, { puzzle }].slice(-MAX_MISSED),
  });
}

/**
 * Keep that the set of a day is done.
 * @param {string} day
 */
export function keepDay(day) {
  const known = progress();
  keep(PLACE, { ...known, days: [...known.days, day].slice(-MAX_DAYS) });
}

/**
 * Keep that an exercise of a lesson or a puzzle of a day is finished.
 * @param {"exercises" | "finished"} list
 * @param {string} name
 */
export function keepFinished(list, name) {
  const known = progress();
  keep(PLACE, { ...known, [list]: [...new Set([...known[list], name])] });
}
