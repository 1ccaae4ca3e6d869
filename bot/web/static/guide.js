// What follows a game: its key moments, one after the other, and their card; the page and the exported game show the
// same. The reader tries again before anything is told.

import { button } from "./fields.js";
import { fourNotes, lineButton, mistakesOf, paleDisc, playLine, reasonLine, spoken } from "./lines.js";
import { COLOURS, writeMoves } from "./rules.js";
import { change, keep, kept, say } from "./store.js";
import { html, nothing } from "./vendor/lit-html.js";

/** @import { Chance, Coaching, Reason, Remark, Review } from "./api.js" */
/** @import { Note } from "./board.js" */
/** @import { Answers } from "./evaluator.js" */
/** @import { Game } from "./game.js" */
/** @import { Action } from "./view.js" */

const PLACE = "guide", MAX_GAMES = 60;

/**
 * How a moment was left: a right move was found, or shown.
 * @typedef {"found" | "shown"} Mark
 */

/**
 * What the guide needs of the page: the review of a game, given by its moves; a way to play on from a position of it,
 * null where there is none; and from which turns a level would have let the loser off: undefined where that is not
 * measured, null while it is; and the coach's longer search, where there is a server.
 * @typedef {object} Around
 * @property {(game: number[]) => Review | null} review
 * @property {(game: Game) => Chance[] | null | undefined} [chance]
 * @property {Answers<Coaching>} [coaching]
 * @property {((game: Game, ply: number) => void) | null} turnAround
 */

export class Guide {
  /** The moves of the game that it was opened for; null while it is closed. @type {string | null} */
  #opened = null;
  /** The place of the question in `asked`; null before the first one. @type {number | null} */
  #index = null;
  /** Whether it asks about all mistakes, in order of play. */
  isAll = false;
  /** Whether the question has been answered or skipped over, so that its reason can be told. */
  isTold = false;
  /** The columns that were tried. @type {number[]} */
  #tries = [];

  /**
   * @param {Game} game
   * @param {Around} around
   */
  constructor(game, around) {
    this.game = game;
    this.around = around;
  }

  /** Whether it stands beside the board: it asks, or sums up. */
  get isShown() { return this.#opened !== null && this.#opened === writeMoves(this.game.main); }
  /** Whether it asks about the game: then it takes the discs, and no score is shown. */
  get isActive() { return this.isShown && !this.isFinished; }

  get review() { return this.around.review(this.game.main); }

  /** The side whose moments are shown: the own one, or the loser's; the other one's where it has none. */
  get side() {
    const { game: { side, result }, review } = this;
    const own = side ?? (result?.winner === 0 ? 1 : 0);
    return !review?.moments[own].length && review?.moments[1 - own].length ? 1 - own : own;
  }

  /** The plies of the key moments, in the order in which they teach. */
  get moments() { return this.review?.moments[this.side] ?? []; }
  /** The plies of all mistakes of the side, in order of play. */
  get mistakes() {
    const { side, review } = this;
    return review ? mistakesOf(review, side).filter((ply) => this.remarkOn(ply)) : [];
  }

  /** The plies that it asks about. */
  get asked() { return this.isAll ? this.mistakes : this.moments; }
  /** Those that the ribbon marks: with them the loser's plainest mistake, at which the game was decided. */
  get marked() {
    const { asked, review, game: { result } } = this;
    return [...asked, ...review?.moments[1 - (result?.winner ?? -1)]?.slice(0, 1) ?? []];
  }
  get index() { return this.#index ?? 0; }
  /** The ply of the move in question; null before the first and after the last one. */
  get ply() { return this.#index === null ? null : this.asked[this.#index] ?? null; }
  /** What the coach says of it. */
  get remark() { return this.remarkOn(this.ply); }
  /** The moves up to the one in question, where nothing at sight explains it: then a longer search is made. */
  get unexplained() {
    const { remark, game, isActive } = this;
    return isActive && remark?.reasons.length === 0 ? writeMoves(game.main.slice(0, remark.ply + 1)) : null;
  }
  /** What the coach says of it, with what that search has found. */
  get explained() { return this.around.coaching?.known(this.unexplained ?? "")?.last ?? this.remark; }
  get isFinished() { return this.#index !== null && this.#index >= this.asked.length; }

  /** How each moment of this game was left, by ply. @returns {Record<string, Mark>} */
  get marks() { return kept(PLACE, /** @type {any} */ ({}))[writeMoves(this.game.main)] ?? {}; }

  /** The column that was tried last. */
  get tried() { return this.#tries.at(-1) ?? null; }
  /** Whether the last try was right. */
  get isFound() { return this.tried !== null && (this.remark?.right.includes(this.tried) ?? false); }

  /** Whether the board shows the position that the question is about. */
  get #isAtQuestion() {
    const { ply, game: { at, common } } = this;
    return ply !== null && at === ply && common >= ply;
  }

  /** The column that was right, once it is told. */
  get answer() {
    const { remark, isFound, isTold, tried } = this;
    if (!remark || !isTold) return null;
    return isFound ? tried : remark.right[0] ?? null;
  }

  /** The same, where the board shows the position in question. */
  get pointed() { return this.isActive && this.#isAtQuestion ? this.answer : null; }

  /** The move in question and the wrong tries; the four that the reason is about. @returns {Note[]} */
  get notes() {
    const { remark, game: { board }, isActive, isTold } = this;
    if (!remark || !isActive || !this.#isAtQuestion) return [];
    const { column, right, reasons } = remark, wrong = this.#tries.filter((one) => ![column, ...right].includes(one));
    return [paleDisc(board, column, "?"), ...wrong.map((one) => paleDisc(board, one, "\u00d7")),
      ...fourNotes(isTold ? reasons[0] : undefined)];
  }

  /** What is said of the board while it asks; null where the view says it. */
  get headline() {
    const { ply, remark, tried, answer, isFound, isTold, game: { at, moves, you, isVariation } } = this;
    if (!this.isActive) return null;
    if (ply === null || !remark) return "The game is being reviewed\u2026";
    const isTrying = at > ply && moves[ply] === tried && (isVariation || !isTold);
    if (!this.#isAtQuestion && !isTrying) {
      return `Move ${at} of ${moves.length}; the question is about move ${ply + 1}.`;
    }
    if (answer !== null) return `${isFound ? "Right" : "The answer"}: column ${answer + 1}.`;
    if (isTold) return `${COLOURS[ply % 2]} to move.`;
    if (tried === null) return spoken(`${remark.text} ${remark.question}`, you);
    const unknown = tried === remark.column ? "That is what was played." : "It could not be checked in time.";
    return `Not column ${tried + 1}. ${spoken(this.#hint || (remark.tries[tried]?.text ?? unknown), you)}`;
  }

  /** What the first wrong column allows: the answer is not told yet. */
  get #hint() { return this.#tries.length === 1 && this.remark?.tries[this.#tries[0]]?.hint; }

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
    const isLast = this.index + 1 === this.asked.length;
    const label = isLast ? "Finish" : "Next moment";
    const next = { id: "guide-next", label, isStrong: true, act: () => this.next() };
    const { turn, game, around } = this;
    if (turn === null) return [next, close];
    const act = () => { this.close(); around.turnAround?.(game, turn); };
    return [next, { id: "guide-turn", label: `Turn it around from move ${turn + 1}`, act }, close];
  }

  /** What is known of how a level would have let the loser off here. */
  get chance() { return this.around.chance?.(this.game)?.find(({ ply }) => ply === this.ply); }

  /** From which ply the reader could play on and turn the game around; null: nowhere, or not here. */
  get turn() {
    const { ply, review, chance, game, around } = this, { side, first } = game;
    if (ply === null || first || !around.turnAround || (side !== null && side !== ply % 2)) return null;
    return (around.chance?.(game) === undefined ? review?.turns[ply] : chance?.ply) ?? null;
  }

  /** What is said of that position. */
  get turnText() {
    const { turn, ply, chance } = this;
    if (turn === null) return "";
    if (chance) return letOff(chance);
    return turn === ply ? "" : `Move ${turn + 1} is the last one at which the game was not lost.`;
  }

  /** Stand beside the board from now on; it begins to ask when the game has been reviewed. */
  open() {
    this.#opened = writeMoves(this.game.main);
    this.#index = null;
    this.isAll = false;
    change();
  }

  /** Ask about all mistakes, in order of play. */
  askAll() {
    this.isAll = true;
    this.ask(0);
  }

  /**
   * Return what the coach says of the move after `ply` moves.
   * @param {number | null} ply
   * @returns {Remark | null}
   */
  remarkOn(ply) { return this.review?.lessons.find((remark) => remark.ply === ply) ?? null; }

  /** Leave the game to the view again. */
  close() {
    this.#opened = null;
    this.game.backToMain(this.game.main.length);
  }

  /** Begin with the first moment that is still open, as soon as the game is reviewed: after every change. */
  react() {
    const { marks, asked } = this;
    if (!this.isShown) this.#opened = null; // another game is on the board
    if (!this.isShown || !this.review || this.#index !== null) return;
    const open = asked.findIndex((ply) => !marks[ply]);
    this.ask(open < 0 ? asked.length : open);
  }

  /**
   * Ask about a move: show the position before it.
   * @param {number} index
   */
  ask(index) {
    this.#index = Math.max(0, Math.min(index, this.asked.length));
    this.isTold = false;
    this.#tries = [];
    this.game.backToMain(this.ply ?? this.game.main.length);
  }

  next() { this.ask(this.index + 1); }

  /** Whether a column may be tried now. */
  get isOpen() { return !this.isTold && this.#isAtQuestion; }

  /**
   * Try a column in place of the mistake: the board shows it with its reply, and returns.
   * @param {number} column
   */
  try(column) {
    const { game, remark, ply } = this, tried = remark?.tries[column];
    if (!remark || ply === null) return;
    this.#tries.push(column);
    if (remark.right.includes(column)) this.#tell("found");
    say(this.headline ?? "");
    const before = [...game.main.slice(0, ply), column];
    const reply = tried?.line.slice(1) ?? (column === remark.column ? game.main.slice(ply + 1, ply + 2) : []);
    playLine(game, { before, line: this.#hint ? [] : reply, done: () => game.backToMain(ply) });
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

/** `wanted`: the kind of reason whose lesson Puzzles is to open next; "" for none. */
export const course = { wanted: "" };

/**
 * Return a link to the lesson on a reason; a game's own web page has none.
 * @param {Reason} reason
 */
const lessonLink = ({ kind }) => (document.body.matches(".standalone") ? nothing
  : html`<p><a class="to-lesson" href="#view=puzzles" @click=${() => { course.wanted = kind; }}>Practise this in a
    lesson</a></p>`);

/** @param {Guide} guide */
export function guidePanel(guide) {
  const { review, asked, index, ply, remark, tried, isAll, isTold, side, game: { side: own, you } } = guide;
  if (!review) return html`<p class="about" role="status">The game is being reviewed\u2026</p>`;
  const isLost = review.lost_text !== null && index === 0 && review.lost_side === side && (own ?? side) === side;
  const lost = isLost ? html`<p id="doomed">${spoken(review.lost_text ?? "", you)}</p>` : nothing;
  if (ply === null || !remark) return html`${lost}${finish(guide)}`;
  // At first the headline says what happened; once it is told, the reason says the same.
  const happened = tried === null || (isTold && remark.reasons.length) ? nothing
    : html`<p><strong>${spoken(remark.text, you)}</strong></p>`;
  const place = asked.length > 1 ? ` ${index + 1} of ${asked.length}` : "";
  const request = html`<p>Try ${tried === null ? "a" : "another"} column.</p>`;
  return html`${lost}
    <p id="guide-head" class="about">${isAll ? "Mistake" : "Key moment"}${place}, move ${ply + 1}: column ${
      remark.column + 1}</p>
    <div aria-live="polite" id="guide-text">${happened}${isTold ? told(guide) : request}</div>`;
}

/**
 * Tell what was right, and why the move was not.
 * @param {Guide} guide
 */
function told(guide) {
  const { game, ply, remark, answer, isFound, turnText } = guide;
  if (!remark || ply === null) return nothing;
  const { explained } = guide, reason = explained?.reasons[0], before = game.main.slice(0, ply);
  const right = answer === null ? "" : remark.tries[answer]?.text ?? "";
  const turning = html`<p class="about" id="turn-text">${turnText}</p>`;
  const hard = html`<p class="about">Hard to see: it takes perfect play.
    ${lineButton(game, before, explained?.better ?? [])}</p>`;
  return html`${reason ? reasonLine(game, reason, before) : nothing}
    <p class=${isFound ? "good" : ""}>${spoken(right, game.you)}</p>
    ${reason ? lessonLink(reason) : hard}
    ${turnText ? turning : nothing}`;
}

/**
 * Say from where the loser could still save a game, and in how many games the level above the opponent does.
 * @param {Chance} chance
 */
export const letOff = ({ ply, share, by }) =>
  `From move ${ply + 1}, this game can still be saved, as this opponent makes mistakes too: ${by}, one level up, does it in ${
    triesOf(share)}.`;

/** @param {number} share */
export const triesOf = (share) => `about ${Math.round(10 * share)} of 10 tries`;

/**
 * What is said at the end, or where there is no moment.
 * @param {Guide} guide
 */
function finish(guide) {
  const { asked, moments, mistakes, marks, review, isAll } = guide;
  const found = asked.filter((ply) => marks[ply] === "found").length;
  const text = asked.length ? `You found ${found} of ${asked.length}.`
    : "No key moment: nothing that a person could have seen, and no move that changed the result.";
  const rest = review?.scores.includes(null) ? " Not all moves could be checked in time." : "";
  const rows = asked.map((ply, index) => {
    const said = spoken(guide.remarkOn(ply)?.text ?? "", guide.game.you);
    return html`<li><button @click=${() => guide.ask(index)}><span>Move ${ply + 1}</span>
      <span class="about">${marks[ply] ?? "skipped"}</span><small>${said}</small></button></li>`;
  });
  const all = button(`All mistakes: ${mistakes.length}`, () => guide.askAll(), { id: "guide-all", isSmall: true });
  return html`<p id="guide-text">${text}${rest}</p>
    ${rows.length ? html`<ul class="list">${rows}</ul>` : nothing}
    ${!isAll && mistakes.length > moments.length ? html`<div class="row">${all}</div>` : nothing}`;
}
