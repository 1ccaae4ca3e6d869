// What follows a game: one mistake after the other, own side first; the reader tries again before anything is told.

import { playLine } from "./lines.js";
import { COLOURS, writeMoves } from "./rules.js";
import { change, keep, kept } from "./store.js";
import { keeping, severity } from "./verdicts.js";

/** @import { Analysis, Lesson, Review } from "./api.js" */
/** @import { Game } from "./game.js" */
/** @import { Action } from "./view.js" */

const PLACE = "guide", MAX_GAMES = 60;

/**
 * How a mistake was left: a better move was found, or shown.
 * @typedef {"found" | "shown"} Mark
 */

/**
 * What the guide knows of games and positions, given by their moves. `want` asks for what is not known yet: the review
 * of a game, the analysis of a position, the lesson on its last move; null: of none.
 * @typedef {object} Knowledge
 * @property {(game: number[]) => Review | null} review
 * @property {(position: number[]) => Analysis | undefined} answer
 * @property {(position: number[]) => Pick<Lesson, "reasons"> | null | undefined} lesson
 * @property {(wanted: {game: number[] | null, position: number[] | null, lesson: number[] | null}) => void} want
 */

export class Guide {
  #index = 0;
  /** The moves of the game that it was opened for; null while it is closed. @type {string | null} */
  #opened = null;
  /** Whether the first question has been asked. */
  #isBegun = false;
  /** Whether the mistake shown has been found or shown, so that its reason can be told. */
  isTold = false;
  /** @type {number | null} the column that was tried last */
  tried = null;
  /** @type {"" | "right" | "wrong"} */
  verdict = "";

  /**
   * @param {Game} game
   * @param {Knowledge} knowledge
   */
  constructor(game, knowledge) {
    this.game = game;
    this.knowledge = knowledge;
  }

  /** Whether it stands beside the board: it asks, or sums up. */
  get isShown() { return this.#opened !== null && this.#opened === writeMoves(this.game.main); }
  /** Whether it asks about the game: then it takes the discs, and no score is shown. */
  get isActive() { return this.isShown && !this.isFinished; }

  get review() { return this.knowledge.review(this.game.main); }
  /** The analysis of the position before the mistake in question. */
  get answer() { return this.ply === null ? undefined : this.knowledge.answer(this.#movesTo(0)); }
  /** What the coach says of the mistake in question. */
  get lesson() { return this.ply === null ? undefined : this.knowledge.lesson(this.#movesTo(1)); }

  /** The plies of the mistakes that are worth a look: those of the own side, or else of the other one. */
  get mistakes() {
    const { review, game: { side } } = this;
    const all = (review?.moves ?? []).flatMap((verdict, ply) =>
      (severity(verdict) === "grave" || review?.insights[ply] || ply === review?.moment ? [ply] : []));
    const own = all.filter((ply) => ply % 2 === side);
    return own.length ? own : all;
  }

  get index() { return this.#index; }
  /** The ply of the mistake in question; null before the first and after the last one. */
  get ply() { return this.#isBegun ? this.mistakes[this.#index] ?? null : null; }
  get isFinished() { return this.#isBegun && this.review !== null && this.#index >= this.mistakes.length; }

  /** How each mistake of this game was left, by ply. @returns {Record<string, Mark>} */
  get marks() { return kept(PLACE, /** @type {any} */ ({}))[writeMoves(this.game.main)] ?? {}; }

  /** The column that would have been better, once the reason is told; null where it is not known. */
  get pointed() {
    const { ply, answer, review } = this, best = answer?.best ?? [];
    if (ply === null || !this.isTold || !this.isActive) return null;
    const seen = review?.insights[ply]?.better ?? [];
    if (this.verdict === "right") return this.tried;
    return best.find((column) => seen.includes(column)) ?? seen[0] ?? best[0] ?? null;
  }

  /** What is said of the board while it asks; null where the view says it. */
  get headline() {
    const { ply, game: { at, moves, isVariation } } = this;
    if (!this.isActive) return null;
    if (ply === null) return "The game is being reviewed\u2026";
    if (this.verdict === "wrong" && !this.isTold && (at === ply || isVariation)) {
      return `Not column ${(this.tried ?? 0) + 1}. ${COLOURS[ply % 2]}: find a better move.`;
    }
    if (at !== ply) return `Move ${at} of ${moves.length}; the question is about move ${ply + 1}.`;
    const colour = COLOURS[ply % 2], praise = this.verdict === "right" ? "Right:" : "Better:";
    if (this.isTold) return this.pointed === null ? `${colour} to move.` : `${praise} column ${this.pointed + 1}.`;
    return `${colour}: find a better move.`;
  }

  /**
   * What can be done now, for the buttons below the board.
   * @returns {Action[]}
   */
  get actions() {
    const close = { id: "guide-close", label: "Close", act: () => this.close() };
    if (this.ply === null) return [close];
    if (!this.isTold) {
      return [{ id: "guide-show", label: "Show me", act: () => this.#tell("shown") },
        { id: "guide-skip", label: "Skip", act: () => this.next() }, close];
    }
    const isLast = this.#index + 1 === this.mistakes.length;
    return [{ id: "guide-next", label: isLast ? "Finish" : "Next moment", isStrong: true, act: () => this.next() },
      { id: "guide-again", label: "Try again", act: () => this.ask(this.#index) }, close];
  }

  /** Stand beside the board from now on; it begins to ask when the game has been reviewed. */
  open() {
    this.#opened = writeMoves(this.game.main);
    this.#isBegun = false;
    change();
  }

  /** Leave the game to the view again. */
  close() {
    this.#opened = null;
    this.game.backToMain(this.game.main.length);
  }

  /** Begin, ask for what is needed, and judge what was tried: after every change. */
  react() {
    const { game: { main }, review, knowledge } = this;
    if (!this.isShown) return knowledge.want({ game: null, position: null, lesson: null });
    if (review && !this.#isBegun) this.#begin();
    const { ply } = this, hasReason = ply === null || review?.insights[ply];
    const lesson = hasReason ? null : this.#movesTo(1);
    knowledge.want({ game: main, position: ply === null ? null : this.#movesTo(0), lesson });
    return this.judge(this.answer);
  }

  /**
   * Return the moves up to the mistake in question, and `more` after.
   * @param {number} more
   */
  #movesTo(more) { return this.game.main.slice(0, (this.ply ?? 0) + more); }

  /** Begin with the first mistake that is still open. */
  #begin() {
    this.#isBegun = true;
    const { marks, mistakes } = this, open = mistakes.findIndex((ply) => !marks[ply]);
    this.ask(open < 0 ? mistakes.length : open);
  }

  /**
   * Ask about a mistake: show the position before it.
   * @param {number} index
   */
  ask(index) {
    this.#index = Math.max(0, Math.min(index, this.mistakes.length));
    this.isTold = false;
    this.tried = null;
    this.verdict = "";
    this.game.backToMain(this.ply ?? this.game.main.length);
  }

  next() { this.ask(this.#index + 1); }

  /** Whether a column may be tried now. */
  get isOpen() {
    const { ply, game: { at, common } } = this;
    return ply !== null && !this.isTold && at === ply && common >= ply;
  }

  /**
   * Try a column in place of the mistake; `judge` decides as soon as the analysis is known.
   * @param {number} column
   */
  try(column) {
    this.tried = column;
    this.verdict = "";
    change();
  }

  /**
   * Judge the move that is tried by the analysis of the position before the mistake.
   * @param {Analysis | undefined} answer
   */
  judge(answer) {
    const { ply, tried, review } = this;
    if (ply === null || tried === null || this.verdict || !review) return;
    if (!answer || answer.score === null) return; // not solved in time: no move can be judged
    const score = (/** @type {number} */ column) => answer.columns[column]?.exact ?? -Infinity;
    const seen = review.insights[ply]?.better ?? [], isMistake = severity(review.moves[ply]) !== "";
    const accepted = !isMistake ? seen : review.moves[ply]?.grave ? keeping(answer) : answer.best;
    const isBetter = score(tried) > score(this.game.main[ply]);
    const isRight = accepted.includes(tried) || (isBetter && seen.includes(tried));
    this.verdict = isRight ? "right" : "wrong";
    if (isRight) return this.#tell("found");
    const before = this.game.main.slice(0, ply);
    return playLine(this.game, { before, line: [tried], done: () => this.game.backToMain(ply) });
  }

  /**
   * Tell the reason; leave the mark that the first try has earned.
   * @param {Mark} mark
   */
  #tell(mark) {
    const all = kept(PLACE, /** @type {any} */ ({})), key = writeMoves(this.game.main), { [key]: _, ...others } = all;
    const recent = Object.entries(others).slice(1 - MAX_GAMES);
    keep(PLACE, Object.fromEntries([...recent, [key, { [String(this.ply)]: mark, ...this.marks }]]));
    this.isTold = true;
    this.game.backToMain(this.ply ?? 0);
  }
}
