// The explorer: the opening book as a tree, and where the games of the journals and of this browser went.

import { Answers } from "./answers.js";
import { get } from "./api.js";
import { $, complain, html, refill } from "./dom.js";
import { game, shown, vary } from "./game.js";
import { showRecord } from "./journals.js";
import { ownGames } from "./own.js";
import { positionKey, readMoves, writeMoves } from "./rules.js";
import { SteppingView } from "./stepping.js";

/** @import { Exploration, Reply, Run } from "./api.js" */
/** @import { Board } from "./rules.js" */

/** Plies of own games that are counted. */
const MAX_PLIES = 20;
const OUTCOMES = new Map([[1, "win"], [0, "draw"], [-1, "loss"]]);

export class ExplorerView extends SteppingView {
  /** @type {Answers<Exploration>} */
  #answers = new Answers("/api/explore", () => this.page.refresh());
  /** @type {Map<string, number>} how many own games reached a position */
  #own = new Map();

  /** @override */
  enter() {
    this.#own = countOwn();
    this.#answers.forget(); // journals may have grown
    return this.page.refresh();
  }

  /** @override */
  leave() {
    this.#answers.cancel();
  }

  /**
   * @override
   * @param {Board} board
   */
  render(board) {
    const answer = this.#answers.wanted(writeMoves(board.moves));
    if (!answer) return;
    const { book, replies, games } = answer;
    const size = book.positions.toLocaleString("en");
    $("book-about").textContent = board.isOver ? "The game is over."
      : book.holds ? `In the opening book: ${size} positions, the first ${book.plies} plies.`
      : `Beyond the book, which ends after ${book.plies} plies: solved now.`;
    const most = Math.max(1, ...replies.map((reply, column) => this.#count(reply, board, column)));
    const rows = replies.flatMap((reply, column) => (reply ? [this.#row(reply, column, board, most)] : []));
    refill($("replies"), rows);
    this.#drawGames(games);
    this.#drawTheory();
  }

  /**
   * Return the number of games that went on with this reply.
   * @param {Reply | null} reply
   * @param {Board} board
   * @param {number} column
   */
  #count(reply, board, column) {
    if (!reply) return 0;
    const { won, drawn, lost } = reply.games;
    return won + drawn + lost + (this.#own.get(positionKey([...board.moves, column])) ?? 0);
  }

  /**
   * @param {Reply} reply
   * @param {number} column
   * @param {Board} board
   * @param {number} most
   */
  #row(reply, column, board, most) {
    const outcome = OUTCOMES.get(reply.outcome ?? 2) ?? "", count = this.#count(reply, board, column);
    const twin = reply.twin === null ? "" : `mirror of ${reply.twin + 1}`;
    const distance = reply.plies === null ? "" : `${reply.plies} ${reply.plies === 1 ? "ply" : "plies"} to the end`;
    const { won, drawn, lost } = reply.games, own = count - won - drawn - lost;
    const results = [won ? `${won} won` : "", drawn ? `${drawn} drawn` : "", lost ? `${lost} lost` : ""];
    const games = [own < count ? `journals: ${results.filter(Boolean).join(", ")}` : "", own ? `yours: ${own}` : ""];
    const bar = html("i", { class: "bar" });
    bar.style.setProperty("--share", String(count / most));
    const best = reply.best ? ", best" : "";
    return html("li", {}, html("button", {
      class: `reply ${outcome}${reply.best ? " best" : ""}`, onclick: () => this.#go(column),
      "aria-label": `Column ${column + 1}: ${reply.text}${best}. ${distance}. ${count} games. ${twin}`,
    },
    html("b", {}, String(column + 1)), html("span", { class: "tag" }, reply.text),
    html("span", { class: "about" }, [distance, twin].filter(Boolean).join(", ")),
    html("span", { class: "about games-here" }, games.filter(Boolean).join("; ")), bar));
  }

  /** @param {number} column */
  #go(column) {
    vary(column);
    this.page.sayPosition();
    this.page.refresh();
  }

  /** @param {Exploration["games"]} games */
  #drawGames({ won, drawn, lost, listed }) {
    const total = won + drawn + lost;
    const games = total === 1 ? "game" : "games";
    $("games-here-about").textContent = total
      ? `${total} ${games} of the journals came here: ${won} won, ${drawn} drawn, ${lost} lost.`
      : shown().length ? "No game of the journals came here." : "";
    refill($("games-here"), listed.map(({ run, number, result }) => html("button", {
      class: result < 0 ? "lost" : result < 1 ? "drawn" : "won", "aria-label": `Open game ${number} of ${run}`,
      title: run, onclick: () => this.#open(run, number),
    }, `${number} ${result < 0 ? "\u2212" : result < 1 ? "=" : "+"}`)));
  }

  /**
   * Show a game of a journal, at the position shown now.
   * @param {string} run
   * @param {number} number
   */
  async #open(run, number) {
    const at = shown().length;
    try {
      /** @type {Run} */
      const whole = await get(`/api/runs/${encodeURIComponent(run)}`);
      const record = whole.all.find((one) => one.number === number);
      if (record) showRecord(run, record);
      this.go(at);
    } catch (error) {
      complain(error);
    }
  }

  /** Say where the game shown left the best moves of the book. */
  #drawTheory() {
    const { main } = game(), review = this.page.evaluator.reviewOf(main);
    const left = review?.moves.findIndex((verdict) => verdict && verdict.kind !== "best") ?? -1;
    const names = ["yellow", "red"];
    $("theory").textContent = !main.length ? ""
      : !review ? "\u201cFind the mistakes\u201d shows where this game left theory."
      : left < 0 ? "This game never left theory."
      : `This game left theory with move ${left + 1}: ${names[left % 2]}, column ${main[left] + 1}, ` +
        `${review.moves[left]?.text}.`;
  }
}

/** Count how many games of this browser reached each position; mirror images and orders of moves are one. */
function countOwn() {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { moves } of ownGames()) {
    const columns = readMoves(moves);
    for (let ply = 1; ply <= Math.min(columns.length, MAX_PLIES); ply++) {
      const key = positionKey(columns.slice(0, ply));
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return counts;
}
