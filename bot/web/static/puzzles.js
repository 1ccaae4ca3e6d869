// Puzzles: positions with one right move, a daily set, and a rating and a streak kept in this browser.

import { get } from "./api.js";
import { $, complain, html, refill } from "./dom.js";
import { adopt, game, showVariation } from "./game.js";
import { readMoves } from "./rules.js";
import { download, text } from "./share.js";
import { SteppingView } from "./stepping.js";

/** @import { Puzzle } from "./api.js" */
/** @import { Board } from "./rules.js" */

const PLACE = "puzzles", FIRST_RATING = 1000;
/** Rating of the puzzles of a grade. */
const ratingOf = (/** @type {number} */ grade) => 600 + 250 * grade;
/** Largest change of the rating by one puzzle. */
const MOST = 32;
const KINDS = new Map([["win", "only win"], ["draw", "save the draw"], ["trap", "trap"]]);

/** @typedef {{rating: number, solved: Record<string, boolean>, days: string[]}} Progress  `days`: sets that are done */

/** @returns {Progress} */
function progress() {
  try {
    const kept = JSON.parse(localStorage.getItem(PLACE) || "{}");
    return { rating: Number(kept.rating) || FIRST_RATING, solved: kept.solved ?? {}, days: kept.days ?? [] };
  } catch {
    return { rating: FIRST_RATING, solved: {}, days: [] };
  }
}

/** @param {Date} date */
const dayOf = (date) => date.toLocaleDateString("sv"); // as YYYY-MM-DD, in local time

/**
 * Return the number of days in a row, up to today or yesterday, whose set is done.
 * @param {string[]} days
 */
function streakOf(days) {
  const date = new Date();
  if (!days.includes(dayOf(date))) date.setDate(date.getDate() - 1);
  let count = 0;
  while (days.includes(dayOf(date))) {
    count++;
    date.setDate(date.getDate() - 1);
  }
  return count;
}

export class PuzzlesView extends SteppingView {
  /** @type {Puzzle[]} */
  #set = [];
  #day = "";
  #chosen = 0;
  #isLoading = false;
  /** @type {string} what the last try has led to */
  #said = "";
  /** Whether the solution has been found or shown. */
  #isDone = false;

  /** @param {import("./app.js").Page} page */
  constructor(page) {
    super(page);
    const choose = (/** @type {string} */ id, /** @type {() => void} */ act) => $(id).addEventListener("click", act);
    choose("puzzles-daily", () => this.#load("daily"));
    choose("puzzles-more", () => this.#load("more"));
    choose("puzzle-answer", () => this.#reveal());
    choose("puzzle-next", () => this.#next());
    choose("puzzles-anki", () => this.#export());
  }

  get #puzzle() { return this.#set[this.#chosen] ?? null; }
  get #isShown() { return this.#puzzle !== null && game().key === `puzzle ${this.#puzzle.name}`; }

  /** @override */
  enter() {
    if (!this.#set.length) this.#load("daily"); else this.#choose(this.#chosen);
    return this.page.refresh();
  }

  /** @param {"daily" | "more"} what */
  async #load(what) {
    if (this.#isLoading) return;
    this.#isLoading = true;
    this.page.refresh();
    try {
      const today = dayOf(new Date()), seed = Math.floor(Math.random() * 2 ** 31);
      this.#set = await get(what === "daily" ? `/api/puzzles/daily?day=${today}` : `/api/puzzles?count=5&seed=${seed}`);
      this.#day = what === "daily" ? today : "";
      this.#isLoading = false;
      const next = this.#set.findIndex(({ name }) => !(name in progress().solved));
      this.#choose(Math.max(0, next));
    } catch (error) {
      complain(error);
    } finally {
      this.#isLoading = false;
      this.page.refresh();
    }
  }

  /** @param {number} index */
  #choose(index) {
    this.#chosen = index;
    this.#said = "";
    this.#isDone = false;
    const puzzle = this.#puzzle;
    if (!puzzle) return;
    const key = `puzzle ${puzzle.name}`;
    const title = `${this.#day ? "Today's puzzle" : "Puzzle"} ${index + 1}`;
    adopt({ main: readMoves(puzzle.moves), title, origin: "import", key });
    this.page.say(asked(puzzle));
    this.page.refresh();
  }

  /** @override */
  isOpen(/** @type {Board} */ board) {
    return !board.isOver && this.#isShown && board.ply === this.#puzzle?.moves.length && game().at === board.ply;
  }

  /**
   * @override
   * @param {number} column
   */
  drop(column) {
    const puzzle = this.#puzzle;
    if (!puzzle) return;
    const isRight = (this.#isDone = column === puzzle.solution);
    this.#count(puzzle, isRight);
    this.#said = isRight ? `Right. ${withColours(puzzle.answer)}` : `Column ${column + 1} is not it. Try again.`;
    if (isRight) showVariation([...readMoves(puzzle.moves), ...puzzle.line], puzzle.moves.length + 1);
    this.page.notify(isRight ? "Right." : this.#said);
    this.page.refresh();
  }

  /** Go on to the next puzzle that has not been tried; after the last one, to further ones. */
  #next() {
    const isOpen = (/** @type {number} */ index) => !(this.#set[index].name in progress().solved);
    const order = this.#set.map((_, index) => (this.#chosen + 1 + index) % this.#set.length);
    const next = order.find(isOpen);
    if (next === undefined) this.#load("more"); else this.#choose(next);
  }

  #reveal() {
    const puzzle = this.#puzzle;
    if (!puzzle) return;
    this.#count(puzzle, false);
    this.#isDone = true;
    this.#said = withColours(puzzle.answer);
    showVariation([...readMoves(puzzle.moves), ...puzzle.line], puzzle.moves.length + 1);
    this.page.refresh();
  }

  /**
   * Count the first try at a puzzle.
   * @param {Puzzle} puzzle
   * @param {boolean} isRight
   */
  #count({ name, grade }, isRight) {
    const kept = progress();
    if (name in kept.solved) return;
    const expected = 1 / (1 + 10 ** ((ratingOf(grade) - kept.rating) / 400));
    kept.rating = Math.round(kept.rating + MOST * (Number(isRight) - expected));
    kept.solved[name] = isRight;
    const isDone = this.#day && this.#set.every((one) => one.name in kept.solved);
    if (isDone) kept.days = [...kept.days, this.#day].slice(-400);
    try { localStorage.setItem(PLACE, JSON.stringify(kept)); } catch { /* private mode */ }
  }

  /** @override */
  status(/** @type {Board} */ board) {
    if (this.#isLoading) return "Puzzles are being made\u2026";
    return this.#isShown && this.#puzzle && !this.#said ? asked(this.#puzzle) : super.status(board);
  }

  /** @override */
  render() {
    const { rating, solved, days } = progress(), puzzle = this.#puzzle, streak = streakOf(days);
    const inRow = streak === 1 ? "1 day" : `${streak} days`;
    $("puzzle-score").textContent =
      `Rating ${rating}. ${streak ? `${inRow} in a row.` : "All five of a day begin a streak."}`;
    refill($("puzzle-list"), this.#set.map((one, index) => {
      const state = !(one.name in solved) ? "" : solved[one.name] ? "won" : "lost";
      const words = state === "won" ? ", solved" : state ? ", not solved at once" : "";
      return html("button", {
        class: state, "aria-pressed": String(index === this.#chosen && this.#isShown),
        onclick: () => this.#choose(index),
        "aria-label": `Puzzle ${index + 1}: ${KINDS.get(one.kind)}, grade ${one.grade}${words}`,
      }, `${index + 1}: ${KINDS.get(one.kind)} ${"\u2605".repeat(one.grade)}`);
    }));
    $("puzzle-said").textContent = this.#isLoading ? "The first set takes some seconds." : this.#said
      || (puzzle ? "Find the move: click a column, or press its number." : "");
    $("puzzles-anki").hidden = !puzzle;
    $("puzzle-answer").hidden = !puzzle || this.#isDone;
    $("puzzle-next").hidden = this.#isLoading || !this.#isDone;
  }

  /** Save the set as a deck for Anki: position and question, then the answer. */
  #export() {
    const cards = this.#set.map((puzzle) => {
      const front = `<pre>${text(readMoves(puzzle.moves))}</pre>${asked(puzzle)}`;
      return `${front.replace(/\n/g, "<br>")}\t${withColours(puzzle.answer)}`;
    });
    download("puzzles.txt", ["#separator:tab", "#html:true", ...cards, ""].join("\n"), "text/plain");
    this.page.notify("The deck is saved. In Anki: File, Import.");
  }
}

/** @param {Puzzle} puzzle */
const asked = (puzzle) => withColours(puzzle.question);

/** @param {string} sentence */
const withColours = (sentence) => sentence.replace(/\bX\b/g, "Yellow").replace(/\bO\b/g, "Red");
