// The replay view: the runs and games of any journal, with what the bot's search found for every move.

import { get } from "./api.js";
import { $, all, complain, control, html, refill } from "./dom.js";
import { drawGraph, reviewPoints } from "./graph.js";
import { readMoves } from "./rules.js";
import { SteppingView } from "./stepping.js";
import { line, setLine, store } from "./store.js";

/** @import { Game, Run, RunSummary, Search } from "./api.js" */
/** @import { Page } from "./app.js" */
/** @import { Point } from "./graph.js" */
/** @import { Board } from "./rules.js" */

/**
 * A game's outcome in words.
 * @type {Record<string, string>}
 */
export const OUTCOMES = {
  won: "won", drawn: "drawn", lost: "lost", illegal: "lost by an illegal move", running: "unfinished", void: "void",
};
/** @type {Record<string, string>} */
const SIGNS = { won: "+", drawn: "=", running: "\u2026" };

/**
 * Return the graph's points of a game as its journal has them, in the bot's view; a mistake belongs to the position
 * after its move.
 * @param {Game} game
 * @returns {Point[]}
 */
export function journalPoints(game) {
  /** @type {Map<number, Point>} */
  const points = new Map();
  for (const [ply, search] of Object.entries(game.about)) {
    const seconds = search.move_s ?? search.seconds;
    points.set(Number(ply), { ply: Number(ply), score: search.score, isProven: search.proven, seconds });
  }
  for (const [ply, mistake] of Object.entries(game.verdicts)) {
    const after = Number(ply) + 1;
    points.set(after, { score: mistake.score, isProven: true, ...points.get(after), ply: after, mistake });
  }
  return [...points.values()].sort((one, other) => one.ply - other.ply);
}

export class ReplayView extends SteppingView {
  /** @type {Run | null} */
  #run = null;
  /** @type {Game | null} */
  #game = null;

  /** @param {Page} page */
  constructor(page) {
    super(page);
    const runs = control("runs");
    runs.addEventListener("change", () => {
      store.run = runs.value;
      store.game = "";
      this.#load();
    });
  }

  /** @override */
  isOpen() { return false; }

  /** @override */
  async enter() {
    this.page.refresh();
    try {
      /** @type {RunSummary[]} */
      const runs = await get("/api/runs");
      if (!runs.length) {
        $("run-about").textContent = "There is no journal yet. `python -m bot play` writes one.";
        return $("runs").replaceChildren();
      }
      $("runs").replaceChildren(...runs.map((run) => html("option", { value: run.name }, runName(run))));
      if (!runs.some((run) => run.name === store.run)) {
        store.run = firstChoice(runs).name;
        store.game = "";
      }
      control("runs").value = store.run;
      await this.#load();
    } catch (error) {
      complain(error);
    }
    return undefined;
  }

  /** Load the chosen run, and show the chosen game of it. */
  async #load() {
    complain(null);
    let run;
    try {
      run = /** @type {Run} */ (await get(`/api/runs/${encodeURIComponent(store.run)}`));
    } catch (error) {
      this.#run = this.#game = null;
      complain(error);
      $("games").replaceChildren();
      $("run-about").textContent = $("game-about").textContent = "";
      return this.page.refresh();
    }
    if (run.name !== store.run) return undefined; // another run was chosen in the meantime
    this.#run = run;
    const result = `${run.won} won, ${run.drawn} drawn, ${run.lost} lost`;
    $("run-about").textContent = `${run.engine} as ${run.player} at ${run.server}: ${result}; ${run.end}.`;
    const wanted = run.all.find((game) => String(game.number) === store.game);
    const isShown = wanted && readMoves(wanted.moves).join() === line().moves.join();
    if (!isShown) return this.#choose(wanted || this.#listed[0] || null);
    this.#game = wanted;
    return this.page.refresh();
  }

  /** The games that the filter lets through. */
  get #listed() {
    return (this.#run?.all ?? []).filter((game) => !store.filter || game.outcome === store.filter);
  }

  /** @param {Game | null} game */
  #choose(game) {
    this.#game = game;
    store.game = game ? String(game.number) : "";
    setLine(game ? readMoves(game.moves) : []);
    this.page.refresh();
  }

  /**
   * @override
   * @param {string} field
   */
  changed(field) {
    if (field === "filter" && this.#run) this.#choose(this.#listed[0] || null);
  }

  /** @override */
  reset() { this.go(0); }

  /**
   * @override
   * @param {Board} board
   */
  status(board) {
    const game = this.#game;
    if (!game) return "Choose a run and a game.";
    const bot = game.we_started ? 0 : 1;
    if (board.winner !== null) return `${board.winner === bot ? "The bot" : "The opponent"} wins with four in a row.`;
    if (board.isDraw) return "A draw: the board is full.";
    const side = board.toMove === bot ? "the bot" : "the opponent";
    return `Game ${game.number}, move ${board.ply} of ${line().moves.length}: ${side} to move.`;
  }

  /** @override */
  render() {
    const game = this.#game, listed = this.#listed, graph = all("[data-graph=replay]")[0];
    refill($("games"), listed.map((entry) => this.#button(entry)));
    if (this.#run && !listed.length) $("games").textContent = "This run has no such game.";
    this.page.evaluator.listMoves(all("[data-moves=replay]")[0], game?.verdicts);
    $("game-about").textContent = game ? describeGame(game, line().at) : "";
    if (game) this.#draw(graph, game); else graph.replaceChildren();
  }

  /**
   * Draw the graph: the scores of the review if there is one, else the journal's; the times are the journal's.
   * @param {HTMLElement} graph
   * @param {Game} game
   */
  #draw(graph, game) {
    const { moves, at } = line(), review = this.page.evaluator.reviewOf(moves);
    let points = journalPoints(game);
    if (review) {
      const times = points.map((point) => ({ ...point, score: null, mistake: null }));
      points = [...times, ...reviewPoints(review, game.we_started ? 1 : -1)];
    }
    drawGraph(graph, points, { plies: moves.length, at, side: "the bot's", onPick: (ply) => this.go(ply) });
  }

  /** @param {Game} game */
  #button(game) {
    return html("button", {
      class: game.outcome, "aria-pressed": String(game === this.#game),
      "aria-label": `Game ${game.number}, ${OUTCOMES[game.outcome]}`, onclick: () => this.#choose(game),
    }, `${game.number} ${SIGNS[game.outcome] ?? "\u2212"}`);
  }
}

/**
 * Describe a game and the search for its move number `at`.
 * @param {Game} game
 * @param {number} at
 */
function describeGame(game, at) {
  const starter = game.we_started ? "the bot (yellow) started" : "the opponent (yellow) started, the bot is red";
  const search = game.about[at - 1];
  return [`Game ${game.number}: ${OUTCOMES[game.outcome]}, ${starter}.`, search ? describeSearch(search, at) : "",
    ...game.notes, ...game.problems].filter(Boolean).join(" ");
}

/**
 * @param {Search} search
 * @param {number} at
 */
function describeSearch({ source, score, proven, depth, move_s, seconds }, at) {
  const parts = [source || "no source",
    score === null ? "" : `score ${score}`, score !== null && proven ? "proven" : "",
    depth ? `${depth} ${depth === 1 ? "ply" : "plies"}` : "", `${(move_s ?? seconds ?? 0).toFixed(3)} s`];
  return `Move ${at}: ${parts.filter(Boolean).join(", ")}.`;
}

/**
 * Return the newest run with games, or else the newest one that can be read.
 * @param {RunSummary[]} runs
 */
function firstChoice(runs) {
  const readable = runs.filter((run) => !run.error);
  return readable.find((run) => run.played || run.end === "live") ?? readable[0] ?? runs[0];
}

/** @param {RunSummary} run */
function runName(run) {
  if (run.error) return `${run.name}: damaged`;
  const when = (run.time || run.name).slice(0, 16).replace("T", " ");
  const result = `${run.won}+ ${run.drawn}= ${run.lost}\u2212`;
  return `${when}, ${run.engine}, ${result}${run.damaged ? ", damaged lines" : ""}`;
}
