// The card of the game shown: its names, graph and moves, the way back from a variation, and the evaluation bar.

import { $, all, html, refill } from "./dom.js";
import { backToGame, commonPlies, game, isVariation, resume, shown, waitingGame } from "./game.js";
import { drawGraph, level, reviewPoints } from "./graph.js";
import { journalPoints } from "./journals.js";
import { severity, verdictSign } from "./verdicts.js";

/** @import { Page } from "./app.js" */
/** @import { Board } from "./rules.js" */
/** @import { Game as Record } from "./api.js" */

const COLOURS = ["yellow", "red"];

export class GameCard {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    $("review").addEventListener("click", () => page.evaluator.review(game().main));
    $("to-game").addEventListener("click", () => { backToGame(); page.refresh(); });
    $("resume").addEventListener("click", () => { resume(); page.open("play"); });
  }

  /** @param {Board} board */
  render(board) {
    const { main, moves, at, names, title, record } = game(), varies = isVariation();
    $("game-names").replaceChildren(...named(names[0], 0), " \u2013 ", ...named(names[1], 1));
    $("game-title").textContent = title;
    $("to-game").hidden = !varies;
    $("variation").hidden = !varies;
    const review = control("review"), isReviewing = this.page.evaluator.isReviewing(main);
    review.disabled = isReviewing || !main.length;
    review.textContent = isReviewing ? "Searching\u2026" : "Find the mistakes";
    review.hidden = this.page.evaluator.reviewOf(main) !== null;
    this.#drawGraph();
    this.#listMoves();
    this.#drawEvaluation(board);
    const waiting = waitingGame();
    $("resume").hidden = !waiting;
    $("slider").setAttribute("aria-valuetext", `Move ${at} of ${moves.length}`);
    $("game-marks").hidden = !record && !this.page.evaluator.reviewOf(main);
  }

  /** Draw the scores of the review if there is one, else the journal's; the times are the journal's. */
  #drawGraph() {
    const { main, at, side, record } = game(), review = this.page.evaluator.reviewOf(main);
    let points = record ? journalPoints(record) : [];
    if (review) {
      const times = points.map((point) => ({ ...point, score: null, mistake: null }));
      points = [...times, ...reviewPoints(review, side === 1 ? -1 : 1)];
    }
    const whose = viewOf(game());
    drawGraph($("graph"), points, {
      plies: main.length, at: Math.min(at, commonPlies()), side: whose, onPick: (ply) => this.#show(ply),
    });
    $("graph-side").textContent = points.length ? `Score in ${whose} view. Click to show a move.` : "";
  }

  /** @param {number} ply */
  #show(ply) {
    backToGame(ply);
    this.page.view.go(ply);
  }

  /** List the moves as buttons, mistakes marked: those of the review, or else of the journal. */
  #listMoves() {
    const { main, moves, at, record } = game(), review = this.page.evaluator.reviewOf(main), common = commonPlies();
    refill($("moves"), moves.map((column, ply) => {
      const isTried = ply >= common;
      const verdict = isTried ? null : review ? review.moves[ply] : record?.verdicts[ply] ?? null;
      const label = `Move ${ply + 1}, ${COLOURS[ply % 2]}, column ${column + 1}` +
        `${verdict ? `: ${verdict.text}` : ""}${isTried ? " (variation)" : ""}`;
      const button = html("button", {
        "aria-label": label, title: label, "aria-current": ply + 1 === at ? "step" : null,
        onclick: () => this.page.view.go(ply + 1),
      }, `${column + 1}${verdictSign(verdict)}`);
      const classes = `${ply % 2 ? "second" : "first"} ${severity(verdict)} ${isTried ? "tried" : ""}`;
      return html("li", { class: classes }, button);
    }));
    const chosen = all("#moves [aria-current]")[0], list = $("moves");
    if (chosen) list.scrollTop = chosen.offsetTop - list.offsetTop - list.clientHeight / 2;
  }

  /** @param {Board} board */
  #drawEvaluation(board) {
    const known = this.#evaluation(board), bar = $("eval");
    bar.classList.toggle("unknown", !known);
    if (!known) return bar.setAttribute("aria-label", "Evaluation: not known");
    const share = (1 + level(known.score, known.isProven)) / 2;
    /** @type {HTMLElement} */ (bar.firstElementChild).style.setProperty("--share", String(share));
    const side = known.score > 0 ? "yellow" : "red";
    const who = known.score === 0 ? "draw" : `${side} ${known.isProven ? "wins" : "is better"}`;
    bar.setAttribute("aria-label", `Evaluation: ${who}`);
    bar.title = `Evaluation: ${who}`;
    return undefined;
  }

  /**
   * Return the score of the position shown in the first player's view, from analysis, review or journal.
   * @param {Board} board
   * @returns {{score: number, isProven: boolean} | null}
   */
  #evaluation(board) {
    const { main, at, record, side } = game(), { evaluator } = this.page, sign = board.toMove ? -1 : 1;
    const analysis = evaluator.analysisOf(shown());
    if (board.winner !== null && (analysis || record || evaluator.reviewOf(main))) {
      return { score: board.winner ? -21 : 21, isProven: true };
    }
    if (typeof analysis?.score === "number") return { score: analysis.score * sign, isProven: true };
    if (at > commonPlies()) return null;
    const reviewed = evaluator.reviewOf(main)?.scores[at];
    if (typeof reviewed === "number") return { score: reviewed, isProven: true };
    const found = record && (record.about[at] ?? record.about[at - 1]);
    if (!found || found.score === null) return null;
    return { score: found.score * (side === 1 ? -1 : 1), isProven: found.proven };
  }
}

/**
 * Return a player's name with the colour: as a disc, and in words for screen readers.
 * @param {string} name
 * @param {number} side
 */
function named(name, side) {
  const disc = html("i", { class: `dot ${side ? "second" : "first"}`, "aria-hidden": "true" });
  return name.toLowerCase() === COLOURS[side] ? [disc, name]
    : [disc, name, html("span", { class: "unseen" }, ` (${COLOURS[side]})`)];
}

/**
 * Return in whose view a game's scores are.
 * @param {{side: number | null, names: string[], record: Record | null}} shown
 */
function viewOf({ side, names, record }) {
  if (side === null) return "yellow's";
  if (names[side] === "You") return "your";
  return record && !record.names ? "the bot's" : `${names[side]}'s`;
}

/** @param {string} id */
const control = (id) => /** @type {HTMLButtonElement} */ ($(id));
