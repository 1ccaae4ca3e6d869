// Games of journals, and others in their form: how they are shown, named and described; the games of this browser, kept
// in its local storage: those that were played to an end, and the unfinished one.

import { Game } from "./game.js";
import { position, readMoves, writeMoves } from "./rules.js";
import { levelNumber } from "./settings.js";
import { keep, kept } from "./store.js";
import { html } from "./vendor/lit-html.js";

/** @import { Game as Record, Judged, Run, RunSummary } from "./api.js" */

/**
 * A game's outcome in words.
 * @type {{[outcome: string]: string}}
 */
export const OUTCOMES = {
  won: "won", drawn: "drawn", lost: "lost", illegal: "lost by an illegal move", running: "unfinished", void: "void",
};
/** @type {{[outcome: string]: string}} */
const SIGNS = { won: "\u2713", drawn: "=", running: "\u2026", void: "\u00d7" };
/** Against whom a journal's games were played. */
const OPPONENT = "The server's bot";

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
    main: readMoves(record.moves), names, side: record.we_started ? 0 : 1, record,
    key: keyOf(run, record), id: record.id,
  });
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
  const { number, outcome, names } = record, other = names?.find((name) => name !== "You");
  const against = other && names?.includes("You") ? `against ${other}` : "";
  const count = record.moves.length;
  const about = against && `${OUTCOMES[outcome]} \u00b7 ${other} \u00b7 ${count} ${count === 1 ? "move" : "moves"}`;
  const title = against ? `Game ${number} \u00b7 ` : `${number} ${SIGNS[outcome] ?? "\u2212"}`;
  return html`<button class=${outcome} aria-pressed=${isShown} @click=${act}
    aria-label="Game ${number} ${against}, ${OUTCOMES[outcome]}">
    ${title}<small>${about}</small></button>`;
}

/**
 * Return which of a run's games this is, in words.
 * @param {RunSummary} run
 * @param {number} number
 */
export const gameTitle = (run, number) =>
  `Game\u00a0${number}${run.games ? ` of ${Math.max(run.games, run.started)}` : ""}`;

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
  .map((result) => `${counts[result]} ${result}`).join(", ") || "No result yet";

/**
 * Return what a run has brought: of a streak that began before it, how much is its own.
 * @param {Judged} run
 */
export function inThisRun(run) {
  const { won, drawn, lost, streak } = run, own = won + drawn, before = lost ? 0 : streak - own;
  return before > 0 && own ? `${before} before + ${own} in this run` : `${counted(run)} in this run`;
}

/**
 * Return how long a run's streak is, in words: as it stands now, or stood when the run had ended.
 * @param {Judged} run
 */
export function streakText({ streak, goal, end, lost }) {
  if (streak >= goal) return `Goal reached: ${streak} without a loss`;
  if (!streak && lost) return `After a loss: 0 of ${goal}`;
  return `${isRunning({ end }) ? "Streak" : "Last streak"} ${streak} of ${goal}`;
}

/** Whether a game was lost. */
export const isLost = (/** @type {Record} */ { outcome }) => outcome === "lost" || outcome === "illegal";

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

/** Name of the list of these games among the runs. */
export const OWN_RUN = "own";
const ENDED = "own-games", UNFINISHED = "unfinished-game";
/** Most games that are kept; the oldest are left out. */
const MAX_ENDED = 1000;

/**
 * @typedef {{moves: string, side: number | null, names: string[], seats?: string[], id?: string, hints?: number}} Kept
 */

/** @returns {Kept[]} */
const ownGames = () => kept(ENDED, /** @type {Kept[]} */ ([])).filter((one) =>
  typeof one?.moves === "string" && one.names?.length === 2);

/**
 * Keep a game of the user that is over, once.
 * @param {Game} game
 */
export function keepOwnGame({ main, side, names, seats, id, hints }) {
  const all = ownGames();
  if (all.some((one) => one.id === id)) return;
  const kept = { moves: writeMoves(main), side, names, seats: seats ?? undefined, id, hints };
  keep(ENDED, [...all, kept].slice(-MAX_ENDED));
}

/**
 * Return the side that won a game that was kept; null for a draw.
 * @param {Kept} game
 */
const winnerOf = ({ moves }) => position(readMoves(moves)).winner;

/**
 * Return a game that was kept as a journal would record it.
 * @param {Kept} game
 * @param {number} index
 * @returns {Record}
 */
function recordOf(game, index) {
  const winner = winnerOf(game), side = game.side ?? 0, known = { ...game, number: index + 1, we_started: side === 0 };
  if (winner === null) return { ...known, result: 0.5, outcome: "drawn" };
  return winner === side ? { ...known, result: 1, outcome: "won" } : { ...known, result: -1, outcome: "lost" };
}

/** Return the numbers of the levels that the user has beaten without a hint. */
export function beaten() {
  const won = ownGames().filter((one) => !one.hints && one.side !== null && winnerOf(one) === one.side);
  const levels = won.map(({ seats, side }) => levelNumber(seats?.[1 - (side ?? 0)] ?? ""));
  return new Set(levels.filter(Boolean)); // a program is no level
}

/**
 * Return how many games each of two people has won, in the games that they have played one after the other.
 * @param {string[]} names
 */
export function standing(names) {
  const score = [0, 0];
  for (const one of ownGames().reverse()) {
    if (one.side !== null || String([...one.names].sort()) !== String([...names].sort())) break;
    const winner = winnerOf(one);
    if (winner !== null) score[names.indexOf(one.names[winner])]++;
  }
  return score;
}

/**
 * Return these games as a run, the newest first, without server, goal and streak; null if there are none.
 * @returns {Run | null}
 */
export function ownRun() {
  const all = ownGames().map(recordOf).reverse();
  const run = { name: OWN_RUN, server: "", engine: "Your games", ...countsOf(all), end: "", all };
  return all.length ? /** @type {Run} */ (/** @type {unknown} */ (run)) : null;
}

/** The unfinished game, as `Game.toJSON` wrote it; null if there is none. @returns {any} */
export const unfinished = () => kept(UNFINISHED, null);

/**
 * Keep an unfinished game, so that it outlives its tab; null: there is none any more.
 * @param {Game | null} game
 */
export const keepUnfinished = (game) => keep(UNFINISHED, game);
