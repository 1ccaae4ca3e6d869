// Games of journals: how they are shown, listed and described.

import { position, readMoves } from "./rules.js";
import { html } from "./vendor/lit-html.js";

/** @import { Game as Record, Run, RunSummary, Search } from "./api.js" */
/** @import { Game } from "./game.js" */
/** @import { Point } from "./graph.js" */

/**
 * A game's outcome in words.
 * @type {{[outcome: string]: string}}
 */
export const OUTCOMES = {
  won: "won", drawn: "drawn", lost: "lost", illegal: "lost by an illegal move", running: "unfinished", void: "void",
};
/** @type {{[outcome: string]: string}} */
const SIGNS = { won: "+", drawn: "=", running: "\u2026" };

/**
 * Whether a run may still be going on.
 * @param {{end: string}} run
 */
export const isRunning = ({ end }) => end === "live" || end === "silent";

/**
 * Whether a run has anything to show: a game, or the prospect of one.
 * @param {RunSummary} run
 */
export const hasGames = (run) => !run.error && (run.played > 0 || run.started > 0 || isRunning(run));

/**
 * Return what identifies a game of a run.
 * @param {string} run
 * @param {Record} record
 */
export const keyOf = (run, record) => `${run}#${record.number}`;

/**
 * Show a game of a journal on a board.
 * @param {Game} game
 * @param {string} run
 * @param {Record} record
 */
export function showRecord(game, run, record) {
  const names = record.names ?? (record.we_started ? ["The bot", "The opponent"] : ["The opponent", "The bot"]);
  game.show({
    main: readMoves(record.moves), names, side: record.we_started ? 0 : 1,
    title: `Game ${record.number} of ${run.replace(/\.jsonl$/, "")}`, key: keyOf(run, record), record,
  });
}

/**
 * Return a game that no journal holds as its record, in the view of one side.
 * @param {{number: number, moves: string, side: number, names: string[]}} game
 * @returns {Record}
 */
export function recordOf({ number, moves, side, names }) {
  const { winner, isOver } = position(readMoves(moves));
  const [result, outcome] = /** @type {[number | null, string]} */ (
    !isOver ? [null, "running"] : winner === null ? [0.5, "drawn"] : winner === side ? [1, "won"] : [-1, "lost"]);
  return {
    number, result, outcome, we_started: side === 0, moves, about: {}, verdicts: {}, notes: [], problems: [], names,
  };
}

/**
 * Return games that no journal holds as a run; null if there are none.
 * @param {string} name
 * @param {string} engine  who played, in words
 * @param {Record[]} all
 * @returns {Run | null}
 */
export function runOf(name, engine, all) {
  const count = (/** @type {string} */ wanted) => all.filter(({ outcome }) => outcome === wanted).length;
  return all.length ? {
    name, server: "", player: "", time: "", engine, goal: 1, started: all.length, played: all.length,
    won: count("won"), drawn: count("drawn"), lost: count("lost"), end: "", damaged: 0, streak: 0, by: "", verdict: "", all,
  } : null;
}

/**
 * Return the graph's points of a game as its journal has them, in the bot's view; a mistake belongs to the position
 * after its move.
 * @param {Record} record
 * @returns {Point[]}
 */
export function journalPoints(record) {
  /** @type {Map<number, Point>} */
  const points = new Map();
  for (const [ply, search] of Object.entries(record.about)) {
    const seconds = search.move_s ?? search.seconds;
    points.set(Number(ply), { ply: Number(ply), score: search.score, isProven: search.proven, seconds });
  }
  for (const [ply, mistake] of Object.entries(record.verdicts)) {
    const after = Number(ply) + 1;
    points.set(after, { score: mistake.score, isProven: true, ...points.get(after), ply: after, mistake });
  }
  return [...points.values()].sort((one, other) => one.ply - other.ply);
}

/**
 * Return the time of the slowest move of the bot, seconds; 0 where no time is recorded.
 * @param {Record} record
 */
export const slowest = (record) => Math.max(0, ...Object.values(record.about).map(timeOf));

/** @param {{seconds: number | null, move_s?: number | null}} search */
const timeOf = ({ move_s, seconds }) => move_s ?? seconds ?? 0;

/**
 * Return the button that shows a game; `isShown`: whether the board shows it now.
 * @param {Record} record
 * @param {boolean} isShown
 * @param {() => void} act
 */
export function gameButton(record, isShown, act) {
  const time = slowest(record), slow = time >= 1 ? `, slowest move ${time.toFixed(1)} s` : "";
  return html`<button class=${record.outcome} aria-pressed=${isShown} @click=${() => { act(); scrollTo(0, 0); }}
    aria-label=${`Game ${record.number}, ${OUTCOMES[record.outcome]}${slow}`}>
    ${record.number} ${SIGNS[record.outcome] ?? "\u2212"}</button>`;
}

/**
 * Describe a game and the search for its move number `at`.
 * @param {Record} record
 * @param {number} at
 */
export function describeRecord(record, at) {
  const starter = record.we_started ? "the bot (yellow) started" : "the opponent (yellow) started, the bot is red";
  const search = record.about[at - 1];
  return [`Game ${record.number}: ${OUTCOMES[record.outcome]}, ${starter}.`,
    search ? `Move ${at}: ${describeSearch(search)}.` : "", ...record.notes, ...record.problems]
    .filter(Boolean).join(" ");
}

/**
 * Describe what the search for a move found.
 * @param {Pick<Search, "source" | "score" | "proven" | "depth"> &
 *   {seconds: number | null, move_s?: number | null}} search
 */
export function describeSearch(search) {
  const { source, score, proven, depth } = search;
  const outcome = score === null ? "" : `${proven ? "proven " : ""}score ${score.toLocaleString("en")}`;
  const deep = depth ? `${depth} ${depth === 1 ? "ply" : "plies"} deep` : "";
  return [source || "no source", outcome, deep, `${timeOf(search).toFixed(3)} s`].filter(Boolean).join(", ");
}

/** @param {RunSummary} run */
export function runName(run) {
  if (run.error) return `${run.name}: damaged`;
  const when = (run.time || run.name).slice(0, 16).replace("T", " ");
  const result = `${run.won}+ ${run.drawn}= ${run.lost}\u2212`;
  return `${when}, ${run.engine}, ${result}${run.damaged ? ", damaged lines" : ""}`;
}
