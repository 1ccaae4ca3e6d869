// The end of a game: the result, both sides' accuracy, the turning points, and what to do next.

import { $, html, refill } from "./dom.js";
import { backToGame, game } from "./game.js";
import { keepOwnGame } from "./own.js";
import { position } from "./rules.js";
import { isUnderWay } from "./series.js";
import { store } from "./store.js";
import { accuracy, severity } from "./verdicts.js";

/** @import { Page } from "./app.js" */
/** @import { Review } from "./api.js" */

export class Ending {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    $("review-game").addEventListener("click", () => this.#review());
    $("rematch").addEventListener("click", () => this.#again(false));
    $("swap").addEventListener("click", () => this.#again(true));
  }

  /** Draw the card if the game is over. */
  render() {
    const { main, origin, names } = game(), board = position(main);
    $("ending").hidden = !board.isOver || this.page.matchView.isBetweenGames;
    if ($("ending").hidden) return;
    keepOwnGame();
    const isOurs = origin === "play" || (origin === "match" && !isUnderWay());
    $("rematch").hidden = $("swap").hidden = !isOurs;
    $("result").textContent = board.winner === null ? "A draw"
      : names[board.winner] === "You" ? "You won" : `${names[board.winner]} won`;
    $("result").className = `result ${board.winner === null ? "" : board.winner ? "second" : "first"}`;
    const plies = main.length, last = main[plies - 1] + 1;
    $("result-about").textContent = board.winner === null ? `All ${plies} discs are played.`
      : `Four in a row with move ${plies}, in column ${last}.`;
    const review = this.page.evaluator.reviewOf(main);
    if (!review && origin === "play" && store.view === "play") this.page.evaluator.review(main);
    this.#drawAccuracy(review);
  }

  /** @param {Review | null} review */
  #drawAccuracy(review) {
    const { main, names } = game();
    const reviewing = this.page.evaluator.isReviewing(main) ? "The game is being reviewed\u2026" : "";
    $("accuracy").replaceChildren(...(review ? [0, 1] : []).map((side) => {
      const share = accuracy(review ?? { scores: [], moves: [] }, side);
      return html("div", { class: side ? "second" : "first" }, html("span", {}, names[side]),
        html("strong", {}, share === null ? "\u2013" : `${share} %`));
    }));
    $("accuracy-about").textContent = review
      ? "Accuracy: a best move counts 1, a slower win or sooner loss \u00bd, a move that gave the result away 0."
      : reviewing;
    const turns = review ? review.moves.flatMap((verdict, ply) => (severity(verdict) === "grave" ? [ply] : [])) : [];
    $("turns-head").hidden = !turns.length;
    refill($("turns"), turns.map((ply) => {
      const text = `Move ${ply + 1}, ${names[ply % 2]}, column ${main[ply] + 1}: ${review?.moves[ply]?.text}.`;
      const label = `Retry move ${ply + 1}`;
      return html("li", {}, html("button", { onclick: () => this.#show(ply + 1) }, text),
        html("button", { class: "small", onclick: () => this.#retry(ply), "aria-label": label }, "Retry"));
    }));
  }

  /** @param {number} at */
  #show(at) {
    backToGame(at);
    this.page.view.go(at);
  }

  /**
   * Go back to the position before a mistake, and play on from there as the side that made it.
   * @param {number} ply
   */
  #retry(ply) {
    this.page.playView.playFrom(game().main.slice(0, ply));
    this.page.notify(`Find a better move for ${ply % 2 ? "red" : "yellow"}.`);
  }

  async #review() {
    const { main } = game();
    this.page.open("analysis");
    await this.page.evaluator.review(main);
    const review = this.page.evaluator.reviewOf(main);
    const turn = review?.moves.findIndex((verdict) => severity(verdict) === "grave") ?? -1;
    if (turn >= 0 && game().main === main) this.#show(turn + 1);
  }

  /** @param {boolean} swaps */
  #again(swaps) {
    const { origin } = game();
    if (origin === "play") {
      this.page.open("play");
      this.page.playView.start(swaps ? 1 - Number(store.human) : Number(store.human));
      return;
    }
    if (swaps) {
      [store.a, store.b] = [store.b, store.a];
      [store.adepth, store.bdepth] = [store.bdepth, store.adepth];
      [store.aoptions, store.boptions] = [store.boptions, store.aoptions];
    }
    this.page.open("match");
    this.page.matchView.toggle();
  }
}
