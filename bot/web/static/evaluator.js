// The server's answers about positions: exact scores of the one shown, and of a whole game with its mistakes; and the
// coach: what can be seen, and proven reasons for the last move's mistake.

import { SingleRequest } from "./api.js";
import { toggle } from "./fields.js";
import { lineNotes, lineOf, mistakesPanel, named, place, reasonLine, remarkSentences, subjectOf } from "./lines.js";
import { COLOURS, writeMoves } from "./rules.js";
import { levelNumber, set, settings } from "./settings.js";
import { change, complain, say } from "./store.js";
import { html, nothing } from "./vendor/lit-html.js";

/** @import { Analysis, Chance, Coaching, Review, Threat } from "./api.js" */
/** @import { Note } from "./board.js" */
/** @import { Game } from "./game.js" */
/** @import { View } from "./view.js" */

/** Time after which what has failed may be asked again, milliseconds. */
const RETRY_MS = 3000;

/** What is said in place of an answer that is not known yet; that a question has failed is shown above. */
export const WAITING = "One moment\u2026";

/** @template Answer */
export class Answers {
  #request = new SingleRequest();
  /** @type {Map<string, Answer>} */
  #known = new Map();
  /** @type {string | null} the question that is being asked */
  #pending = null;
  #timer = 0;
  /** Whether the last question failed, so that the page shows an error. */
  #hasFailed = false;

  /**
   * @param {string} path
   * @param {{body?: () => object, delayMs?: number}} options  more of each request's body; a delay before it,
   *   milliseconds: stepping through a game then sends no requests
   */
  constructor(path, { body = () => ({}), delayMs = 0 } = {}) {
    this.path = path;
    this.body = body;
    this.delayMs = delayMs;
  }

  /**
   * Return the answer for a position, if it is known.
   * @param {string} moves
   * @param {object} [more]  of the request's body
   */
  known(moves, more) { return this.#known.get(this.#question(moves, more)); }

  /**
   * Ask for the answer for a position, unless it is known or asked for; `null`: ask no more. Drawing follows.
   * @param {string | null} moves
   * @param {object} [more]  of the request's body
   */
  want(moves, more) {
    const question = moves === null ? null : this.#question(moves, more);
    if (question === this.#pending) return;
    this.cancel();
    if (question === null || this.#known.has(question)) return;
    this.#pending = question;
    this.#timer = setTimeout(() => this.#ask(question), this.delayMs);
  }

  /** Ask no more; what is known is kept. */
  cancel() {
    clearTimeout(this.#timer);
    this.#request.cancel();
    this.#pending = null;
  }

  /**
   * @param {string} moves
   * @param {object} [more]
   */
  #question(moves, more) { return JSON.stringify({ moves, ...this.body(), ...more }); }

  /** @param {string} question */
  async #ask(question) {
    try {
      /** @type {Answer | undefined} */
      const answer = await this.#request.post(this.path, JSON.parse(question));
      if (answer === undefined) return;
      this.#known.set(question, answer);
      this.#pending = null;
      if (this.#hasFailed) complain(null);
      this.#hasFailed = false;
      change();
    } catch (error) {
      this.#hasFailed = true;
      complain(error);
      this.#timer = setTimeout(() => { this.cancel(); change(); }, RETRY_MS);
    }
  }
}

/** Delay before a new position is analysed, milliseconds. */
const DELAY_MS = 120;
/** The highest level whose games say where it would have let one off; those above see through positions. */
const MEASURED = 7;
/** Most time for the review of a game, seconds. */
const MOST_S = 60;

/** @type {Answers<Analysis>} */
export const analyses = new Answers("/api/analysis", {
  delayMs: DELAY_MS, body: () => ({ time_s: settings.patience_s }),
});

/**
 * Return the analysis of the position on a view's board, if it is shown and known.
 * @param {View} view
 */
export const analysisOf = (view) =>
  (view.showsScores && !view.isThinking ? analyses.known(writeMoves(view.game.shown)) : undefined);

/** @type {Answers<Review>} */
const reviews = new Answers("/api/review", {
  body: () => ({ time_s: Math.min(MOST_S, 2 * settings.patience_s) }),
});

/**
 * Return the review of a game, if it has been made.
 * @param {number[]} moves
 */
export const reviewOf = (moves) => reviews.known(writeMoves(moves)) ?? null;

/**
 * Review a game, unless that has been done.
 * @param {number[]} moves
 */
export const review = (moves) => reviews.want(writeMoves(moves));

/**
 * Return how many mistakes both sides of a game have made, as a part of a panel.
 * @param {Game} game
 */
export const mistakesPart = (game) => html`<div class="part">${mistakesPanel(game, reviewOf(game.main))}</div>`;

/**
 * Return what is known of the exact score after each number of moves of a game, in the first player's view.
 * @param {Game} game
 * @returns {(number | null)[]}
 */
export function scoresOf({ main, moves, common }) {
  const reviewed = reviewOf(main)?.scores ?? [];
  const scoreAfter = (/** @type {number} */ count) => {
    const score = analyses.known(writeMoves(moves.slice(0, count)))?.score ?? null;
    return score === null || count % 2 === 0 ? score : -score;
  };
  return Array.from({ length: moves.length + 1 }, (_, count) =>
    (count <= common ? reviewed[count] : null) ?? scoreAfter(count));
}

/** @type {Answers<Chance[]>} */
const chances = new Answers("/api/chance");

/**
 * Return what the question is about from where a level would have let the user off; null where the user has not lost to
 * one.
 * @param {Game} game
 */
function lostTo({ main, seats, side, result }) {
  const level = seats && side !== null && result?.winner === 1 - side ? levelNumber(seats[1 - side]) : 0;
  return level ? { side: side ?? 0, level, moments: reviewOf(main)?.moments[side ?? 0] } : null;
}

/**
 * Ask from where a level would have let the user off, once the game is reviewed.
 * @param {Game} game
 */
export function wantChance(game) {
  const lost = lostTo(game);
  if (lost?.moments) chances.want(writeMoves(game.main), lost);
}

/**
 * Return from where a level would have let the user off: the key moment, and a later turn; undefined where that is not
 * measured, null while it is.
 * @param {Game} game
 */
export function chanceOf(game) {
  const lost = lostTo(game);
  return lost && lost.level <= MEASURED ? chances.known(writeMoves(game.main), lost) ?? null : undefined;
}

/** The analysis that was read out last. */
let read = "";

/**
 * Ask for the analysis of the position that a view shows, and for what the coach knows of it; read the analysis out
 * when it is there.
 * @param {View} view
 */
export function evaluate(view) {
  const { board } = view.game, moves = writeMoves(board.moves), isWanted = view.showsScores && !view.isThinking;
  analyses.want(isWanted ? moves : null);
  coaching.want(isWanted ? writeMoves(subjectOf(view.game)) : view.guide?.unexplained ?? null);
  const answer = analysisOf(view);
  if (!answer?.text || board.isOver || read === moves || subjectOf(view.game).length !== board.ply) return;
  read = moves;
  say(`${COLOURS[board.toMove]} to move: ${answer.text}. ${bestText(answer)}.`);
}

/**
 * Name the best columns; where all lose, those by which they differ, the fewer of them.
 * @param {Analysis} answer
 */
export function bestText({ best, columns, score }) {
  const others = columns.flatMap((value, column) => (value && !best.includes(column) ? [column] : []));
  if (!best.length) return "Best: \u2026";
  const isLost = (score ?? 0) < 0;
  if (!others.length && best.length > 1) return isLost ? "All columns lose" : "All columns lead to the same";
  if (!isLost) return `Best: ${named(best)}`;
  if (others.length < best.length) return `All columns lose; ${named(others)} sooner`;
  return `All columns lose; ${named(best)} last${best.length > 1 ? "" : "s"} longest`;
}

/** Delay before a new position is asked about, milliseconds. */
const COACH_DELAY_MS = 250;
/** Search time for reasons, seconds. */
const SEARCH_S = 6;
/** Sentences that are said at first. */
const FIRST = 2;
/** How a threat is written on the board. */
const SIGNS = new Map([["playable", "!"], ["odd", "odd"], ["even", "even"], ["useless", "\u2013"]]);

/** @type {Answers<Coaching>} */
export const coaching = new Answers("/api/coach", { body: () => ({ time_s: SEARCH_S }), delayMs: COACH_DELAY_MS });

/**
 * Return what the coach writes on the board: the pairs of a line, or else the threats.
 * @param {View} view
 * @returns {Note[]}
 */
export function coachNotes(view) {
  const { game, showsScores } = view;
  if (lineOf(game)) return lineNotes(game);
  const known = showsScores && settings.areThreatsShown ? coaching.known(writeMoves(game.shown)) : undefined;
  return threatNotes(known?.position?.threats ?? []);
}

/**
 * Return threats as notes on the board.
 * @param {Threat[]} threats
 * @returns {Note[]}
 */
export const threatNotes = (threats) => threats.map(({ cell, player, kind }) =>
  ({ ...place(cell), text: SIGNS.get(kind) ?? "", kind: `threat ${player === 1 ? "first" : "second"}` }));

/**
 * Draw what the coach says: the most useful first, and the rest on request. While a line is shown, its text stays.
 * @param {View} view
 */
export function coachPanel(view) {
  const { game } = view, subject = subjectOf(game), known = coaching.known(writeMoves(subject));
  const remark = known?.last?.verdict.kind === "best" ? null : known?.last, sight = known?.position;
  const before = subject.slice(0, remark?.ply);
  const mistake = remark ? remarkSentences(game, remark, before) : [];
  const said = [...mistake, ...(sight?.facts ?? []).map((fact) => reasonLine(game, fact, subject, null))];
  const quiet = known && analysisOf(view) ? "Nothing to point out here." : WAITING;
  if (game.board.isOver && known && !said.length) return nothing;
  const nothingSaid = html`<p class="about">${quiet}</p>`;
  return html`<div id="coach" class="part"><h3>Coach</h3>
    <div id="coach-text" class="said" aria-live="polite">${said.length ? said.slice(0, FIRST) : nothingSaid}</div>
    <details class="more"><summary>More</summary>
      ${said.slice(FIRST)}
      ${toggle("Threats on the board", settings.areThreatsShown, (areThreatsShown) => set({ areThreatsShown }))}
      ${settings.areThreatsShown ? legend : nothing}
    </details></div>`;
}

const legend = html`<p id="threat-legend" class="legend">
  <span><b>!</b> can be played now</span>
  <span><b>odd</b> <b>even</b> the number of its row: at the end, yellow gets odd rows and red even ones</span>
  <span><b>\u2013</b> useless: the opponent has a threat right below</span></p>`;
