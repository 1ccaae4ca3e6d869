// The guided review: one mistake after the other, own side first; the reader tries again before anything is told.

import { playLine } from "./lines.js";
import { writeMoves } from "./rules.js";
import { change, keep, kept } from "./store.js";
import { keeping, severity } from "./verdicts.js";

/** @import { Analysis, Review } from "./api.js" */
/** @import { Game } from "./game.js" */
/** @import { Action } from "./view.js" */

const PLACE = "guide", MAX_GAMES = 60;

/**
 * How a mistake was left: a better move was found, or shown.
 * @typedef {"found" | "shown"} Mark
 */

export class Guide {
  #index = 0;
  /** Whether the mistake shown has been found or shown, so that its reason can be told. */
  isTold = false;
  /** @type {number | null} the column that was tried last */
  tried = null;
  /** @type {"" | "right" | "wrong"} */
  verdict = "";

  /**
   * @param {Game} game
   * @param {(game: Game) => Review | null} reviewOf
   */
  constructor(game, reviewOf) {
    this.game = game;
    this.reviewOf = reviewOf;
  }

  get review() { return this.reviewOf(this.game); }

  /** The plies of the mistakes that are worth a look: those of the own side, or of both where there is none. */
  get mistakes() {
    const { review, game: { side } } = this;
    return (review?.moves ?? []).flatMap((verdict, ply) => {
      const isOwn = side === null || ply % 2 === side;
      const isWorth = severity(verdict) === "grave" || review?.insights[ply] || ply === review?.moment;
      return isOwn && isWorth ? [ply] : [];
    });
  }

  get index() { return this.#index; }
  /** The ply of the mistake in question; null before the first and after the last one. */
  get ply() { return this.mistakes[this.#index] ?? null; }
  get isFinished() { return this.review !== null && this.#index >= this.mistakes.length; }

  /** How each mistake of this game was left, by ply. @returns {Record<string, Mark>} */
  get marks() { return kept(PLACE, /** @type {any} */ ({}))[writeMoves(this.game.main)] ?? {}; }

  /**
   * What can be done now, for the buttons below the board.
   * @returns {Action[]}
   */
  get actions() {
    if (this.ply === null) {
      return this.mistakes.length ? [{ id: "guide-restart", label: "Review again", act: () => this.ask(0) }] : [];
    }
    if (!this.isTold) {
      return [{ id: "guide-show", label: "Show me", act: () => this.#tell("shown") },
        { id: "guide-skip", label: "Skip", act: () => this.next() }];
    }
    const isLast = this.#index + 1 === this.mistakes.length;
    return [{ id: "guide-next", label: isLast ? "Finish" : "Next mistake", isStrong: true, act: () => this.next() },
      { id: "guide-again", label: "Try again", act: () => this.ask(this.#index) }];
  }

  /** Begin with the first mistake that is still open. */
  begin() {
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
