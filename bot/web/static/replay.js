// Any journal again: runs, games by result, every move with what the bot thought of it.

import { $, all, complain, html, refill } from "./dom.js";
import { get } from "./api.js";
import { drawGraph } from "./graph.js";
import { readMoves } from "./rules.js";
import { line, setLine, store } from "./store.js";
import { Stepping, reviewPoints } from "./analysis.js";

export const WORDS = { won: "won", drawn: "drawn", lost: "lost", illegal: "lost by an illegal move", running: "unfinished", void: "void" };

/** The graph's points of a game as the journal tells it, in our view; a mistake shows after its move. */
export function journalPoints(game) {
  const points = new Map(Object.entries(game.about).map(([ply, told]) => [Number(ply), {
    ply: Number(ply), score: told.score, isProven: told.proven, seconds: told.move_s ?? told.seconds,
  }]));
  for (const [ply, mistake] of Object.entries(game.verdicts)) {
    const after = Number(ply) + 1;
    points.set(after, { score: mistake.score, isProven: true, ...points.get(after), ply: after, mistake });
  }
  return [...points.values()].sort((one, other) => one.ply - other.ply);
}

export class Replay extends Stepping {
  #run = null;
  #game = null;

  constructor(page) {
    super(page);
    $("runs").addEventListener("change", () => { store.run = $("runs").value; store.game = ""; this.#load(); });
  }

  isOpen() { return false; }

  async enter() {
    this.page.refresh();
    try {
      const runs = await get("/api/runs");
      if (!runs.length) {
        $("run-about").textContent = "There is no journal yet. `python -m bot play` writes one.";
        return $("runs").replaceChildren();
      }
      $("runs").replaceChildren(...runs.map((run) => html("option", { value: run.name }, runName(run))));
      if (!runs.some((run) => run.name === store.run)) { store.run = (runs.find((run) => !run.error) || runs[0]).name; store.game = ""; }
      $("runs").value = store.run;
      await this.#load();
    } catch (error) {
      complain(error);
    }
  }

  async #load() {
    complain(null);
    try {
      const run = await get(`/api/runs/${encodeURIComponent(store.run)}`);
      if (run.name !== store.run) return;
      this.#run = run;
    } catch (error) {
      this.#run = this.#game = null;
      complain(error);
      $("games").replaceChildren();
      $("run-about").textContent = $("game-about").textContent = "";
      return this.page.refresh();
    }
    const { engine, server, player, won, drawn, lost, end } = this.#run;
    $("run-about").textContent = `${engine} as ${player} at ${server}: ${won} won, ${drawn} drawn, ${lost} lost; ${end}.`;
    const wanted = this.#run.all.find((game) => String(game.number) === store.game);
    const isHere = wanted && readMoves(wanted.moves).join() === line().moves.join();
    const game = wanted || this.#listed()[0] || null;
    if (isHere) { this.#game = wanted; this.page.refresh(); } else this.#choose(game);
  }

  #listed() {
    return (this.#run?.all ?? []).filter((game) => !store.filter || game.outcome === store.filter);
  }

  #choose(game) {
    this.#game = game;
    store.game = game ? String(game.number) : "";
    setLine(game ? readMoves(game.moves) : []);
    this.page.refresh();
  }

  changed(field) {
    if (field === "filter" && this.#run) this.#choose(this.#listed()[0] || null);
  }

  reset() { this.go(0); }

  status(board) {
    const game = this.#game;
    if (!game) return "Choose a run and a game.";
    const ours = game.we_started ? 0 : 1;
    if (board.winner !== null) return board.winner === ours ? "The bot wins with four in a row." : "The opponent wins with four in a row.";
    if (board.isDraw) return "A draw: the board is full.";
    return `Game ${game.number}, move ${board.ply} of ${line().moves.length}: ${board.toMove === ours ? "the bot" : "the opponent"} to move.`;
  }

  render() {
    const game = this.#game, { moves, at } = line();
    refill($("games"), this.#listed().map((entry) => html("button", {
      class: entry.outcome, "aria-pressed": String(entry === game), "aria-label": `Game ${entry.number}, ${WORDS[entry.outcome]}`, onclick: () => this.#choose(entry),
    }, `${entry.number} ${entry.outcome === "won" ? "+" : entry.outcome === "drawn" ? "=" : entry.outcome === "running" ? "\u2026" : "\u2212"}`)));
    if (this.#run && !this.#listed().length) $("games").textContent = "No such game in this run.";
    const list = all("[data-moves=replay]")[0], graph = all("[data-graph=replay]")[0];
    this.page.analyser.listMoves(list, game?.verdicts);
    if (!game) { $("game-about").textContent = ""; return graph.replaceChildren(); }
    const told = game.about[at - 1], review = this.page.analyser.reviewOf(moves), points = journalPoints(game);
    $("game-about").textContent = [
      `Game ${game.number}: ${WORDS[game.outcome]}, ${game.we_started ? "the bot (yellow) started" : "the opponent (yellow) started, the bot is red"}.`,
      told ? `Move ${at}: ${told.source || "no source"}${told.score === null ? "" : `, score ${told.score}${told.proven ? ", proven" : ""}`}${told.depth ? `, ${told.depth} plies` : ""}, ${(told.move_s ?? told.seconds ?? 0).toFixed(3)} s.` : "",
      ...game.notes, ...game.problems].filter(Boolean).join(" ");
    if (review) {
      for (const point of points) point.score = point.mistake = null; // the times stay
      points.push(...reviewPoints(review, game.we_started ? 1 : -1));
    }
    drawGraph(graph, points, { plies: moves.length, at, whose: "the bot's", onPick: (ply) => this.go(ply) });
  }
}

function runName(run) {
  const when = (run.time || run.name).slice(0, 16).replace("T", " ");
  return run.error ? `${run.name}: damaged` : `${when}, ${run.engine}, ${run.won}+ ${run.drawn}= ${run.lost}\u2212${run.damaged ? ", damaged lines" : ""}`;
}
