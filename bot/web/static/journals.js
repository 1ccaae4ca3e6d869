// Games of journals, and others in their form: how they are shown, named and described.

import { position, readMoves } from "./rules.js";
import { html } from "./vendor/lit-html.js";

/** @import { Game as Record, Judged, Run, RunSummary, Search } from "./api.js" */
/** @import { Game } from "./game.js" */

/**
 * A game's outcome in words.
 * @type {{[outcome: string]: string}}
 */
export const OUTCOMES = {
  won: "won", drawn: "drawn", lost: "lost", illegal: "lost by an illegal move", running: "unfinished", void: "void",
};
/** @type {{[outcome: string]: string}} */
const SIGNS = { won: "\u2713", drawn: "=", running: "\u2026", void: "\u00d7" };
/** Least time of a move that is named beside its game, seconds. */
const SLOW_S = 1;
/** Against whom a journal's games were played. */
export const OPPONENT = "The server's bot";

/**
 * Whether a run may still be going on.
 * @param {{end: string}} run
 */
export const isRunning = ({ end }) => end === "live" || end === "silent";

/**
 * Whether a run has anything to show: a game, or the prospect of one.
 * @param {RunSummary} run
 */
export const hasGames = (run) => run.played > 0 || run.started > 0 || isRunning(run);

/**
 * Return what identifies a game of a run.
 * @param {string} run
 * @param {Record | undefined} record
 */
export const keyOf = (run, record) => `${run}#${record?.number}`;

/**
 * Show a game of a journal on a board.
 * @param {Game} game
 * @param {string} run
 * @param {Record} record
 * @param {string} [engine]  who played it for us
 */
export function showRecord(game, run, record, engine = "The bot") {
  const names = record.names ?? (record.we_started ? [engine, OPPONENT] : [OPPONENT, engine]);
  game.show({
    main: readMoves(record.moves), names, side: record.we_started ? 0 : 1, late: record.late ?? null, record,
    key: keyOf(run, record),
  });
}

/**
 * Return a game that no journal holds as its record, in the view of one side.
 * @param {{number: number, moves: string, side: number, names: string[], late?: number | null}} game  `late`: the side
 *   that lost on time
 * @returns {Record}
 */
export function recordOf({ number, moves, side, names, late = null }) {
  const { winner, isOver } = position(readMoves(moves)), ahead = late === null ? winner : 1 - late;
  let [result, outcome] = /** @type {[number | null, string]} */ ([null, "running"]);
  if (ahead !== null) [result, outcome] = ahead === side ? [1, "won"] : [-1, "lost"];
  else if (isOver) [result, outcome] = [0.5, "drawn"];
  return {
    number, result, outcome, we_started: side === 0, moves, names, late,
    slowest_s: 0, about: {}, notes: [], problems: [],
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
  return all.length ? {
    name, server: "", player: "", time: "", engine, goal: 1, games: all.length, started: all.length, played: all.length,
    ...countsOf(all), end: "", damaged: 0, streak: 0, by: "", verdict: "", met: null, all,
  } : null;
}

/**
 * Return how many games were won, drawn and lost.
 * @param {Record[]} all
 */
export function countsOf(all) {
  const count = (/** @type {string[]} */ ...wanted) => all.filter(({ outcome }) => wanted.includes(outcome)).length;
  return { won: count("won"), drawn: count("drawn"), lost: count("lost", "illegal") };
}

/**
 * Return the button that shows a game; `isShown`: whether the board shows it now.
 * @param {Record} record
 * @param {boolean} isShown
 * @param {() => void} act
 */
export function gameButton(record, isShown, act) {
  const { number, outcome, names, slowest_s: time } = record, other = names?.find((name) => name !== "You");
  const against = other && names?.includes("You") ? `against ${other}` : "";
  const slow = time >= SLOW_S ? `${time.toFixed(1)} s` : "", count = record.moves.length;
  const about = against && `${OUTCOMES[outcome]} \u00b7 ${other} \u00b7 ${count} ${count === 1 ? "move" : "moves"}`;
  return html`<button class=${outcome} aria-pressed=${isShown} @click=${act}
    aria-label=${`Game ${number} ${against}, ${OUTCOMES[outcome]}${slow && `, slowest move ${slow}`}`}>
    ${against ? `Game ${number} \u00b7` : `${number} ${SIGNS[outcome] ?? "\u2212"}`}
    <small>${about || slow}</small></button>`;
}

/**
 * Say what the journal knows of a game's move number `at`.
 * @param {Record} record
 * @param {number[]} moves
 * @param {number} at
 */
export function describeMove(record, moves, at) {
  if (at === 0) return `Before the first of ${moves.length} moves.`;
  const search = record.about?.[at - 1];
  return `Move ${at}: column ${moves[at - 1] + 1}${search ? `, ${describeSearch(search)}` : ""}.`;
}

/**
 * Describe what the search for a move found.
 * @param {Search} search
 */
function describeSearch({ source, score, proven, depth, seconds, move_s }) {
  const outcome = score === null ? "" : `${proven ? "proven " : ""}score ${score.toLocaleString("en")}`;
  const deep = depth ? `${depth} ${depth === 1 ? "move" : "moves"} deep` : "";
  const time = `${(move_s ?? seconds ?? 0).toFixed(3)} s`;
  return [source || "no source", outcome, deep, time].filter(Boolean).join(", ");
}

/**
 * Return which of a run's games this is, in words.
 * @param {RunSummary} run
 * @param {number} number
 */
export const gameTitle = (run, number) =>
  `Game ${number}${run.games ? ` of ${Math.max(run.games, run.started)}` : ""}`;

/**
 * Return when a run began, in words; its name where that is not known.
 * @param {Pick<RunSummary, "time" | "name">} run
 */
export function whenBegun({ time, name }) {
  const date = new Date(time);
  return Number.isNaN(date.valueOf()) ? name
    : date.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}

/**
 * Return how games ended, such as "2 won, 1 lost".
 * @param {import("./api.js").Counts} counts
 */
export const counted = (counts) => /** @type {const} */ (["won", "drawn", "lost"]).filter((result) => counts[result])
  .map((result) => `${counts[result]} ${result}`).join(", ") || "no result yet";

/**
 * Return how long a run's streak is, in words: as it stands now, or stood when the run had ended.
 * @param {Judged} run
 */
export const streakText = ({ streak, goal, end }) => (streak >= goal
  ? `${streak} without a loss; goal ${goal} reached` : `${isRunning({ end }) ? "Streak" : "Last streak"} ${streak} of ${goal}`);

const isLost = (/** @type {Record} */ { outcome }) => outcome === "lost" || outcome === "illegal";

/**
 * Return the games of a run as they are listed: once it has ended, the lost ones first.
 * @param {Run} run
 */
export const inOrder = ({ all, server, end }) => (server && !isRunning({ end })
  ? [...all.filter(isLost), ...all.filter((game) => !isLost(game))] : all);

/**
 * Whether the streak that goes on has met the goal by the server's own count, which is the course's.
 * @param {Judged} run
 */
export const isMet = ({ met, streak, goal }) => Boolean(met) && streak >= goal;
