// A series of games between two agents: who plays, who starts, and the score. The match view plays its games.

import { newId } from "./game.js";
import { recordOf, runOf } from "./journals.js";
import { playerOf } from "./opponents.js";
import { COLUMNS, position, readMoves, writeMoves } from "./rules.js";
import { keep, kept } from "./store.js";

/** Name of the series among the runs. */
export const SERIES_RUN = "series";
const PLACE = "series";

/**
 * @typedef {{name: string, agent: string, depth: string, options: string}} Player  `name` is the agent's full name
 * @typedef {{id: string, opening: string, moves: string}} Played  a game; the openings are moves that no agent chose
 * @typedef {object} Series  the first agent is yellow in games 1, 3, 5, ..., and red in the others
 * @property {Player[]} players
 * @property {number} total  games that were asked for
 * @property {number} plies  random moves at the start of each game; the same ones for games 1 and 2, 3 and 4, ...
 * @property {string} start  moves from which all games begin
 * @property {Played[]} games  those that are over
 * @property {Played | null} running  the game that is being played; null before the next one, and at the end
 */

/** @type {Series | null} */
let current = kept(PLACE, /** @type {any} */ (null));
if (!Array.isArray(current?.games) || current.players?.length !== 2) current = null;

/** Return the last series; null if there was none. Only this module changes it. */
export const series = () => current;

/** Whether games of the series are still to be played. */
export const isUnderWay = () => current !== null && current.games.length < current.total;

/** Return the two agents that are chosen. */
export const chosenPlayers = () => ["a", "b"].map(playerOf);

/**
 * Begin a series; all games start with these moves, or else with random ones.
 * @param {{total: number, plies: number, start: number[]}} plan
 */
export function begin({ total, plies, start }) {
  current = { players: chosenPlayers(), total, plies, start: writeMoves(start), games: [], running: null };
  keep(PLACE, current);
}

/** End the series now; the games that are over keep their results. */
export function stop() {
  if (!current) return;
  current.total = current.games.length;
  current.running = null;
  if (!current.total) current = null;
  keep(PLACE, current);
}

/**
 * Return the index of the agent that plays yellow in a game (1, 2, ...).
 * @param {number} number
 */
export const firstIn = (number) => (number - 1) % 2;

/** Return the game that is being played, or begin the next one. */
export function runningGame() {
  const { players, games } = /** @type {Series} */ (current), number = games.length + 1, first = firstIn(number);
  const running = current?.running ?? nextGame(/** @type {Series} */ (current));
  if (current) current.running = running;
  const names = [players[first].name, players[1 - first].name];
  return { id: running.id, key: `${SERIES_RUN}#${number}`, names, side: first, main: readMoves(running.moves) };
}

/**
 * Return the agent that is to move in the game that is being played.
 * @param {number} toMove
 */
export function playerToMove(toMove) {
  const { players, games } = /** @type {Series} */ (current);
  return players[(toMove + firstIn(games.length + 1)) % 2];
}

/**
 * Take over the moves of the game that is being played; return whether it is over.
 * @param {number[]} moves
 */
export function record(moves) {
  if (!current?.running) return false;
  current.running.moves = writeMoves(moves);
  const { isOver } = position(moves);
  if (isOver) {
    current.games.push(current.running);
    current.running = null;
  }
  keep(PLACE, current);
  return isOver;
}

/**
 * @param {Series} planned
 * @returns {Played}
 */
function nextGame({ games, start, plies }) {
  const isSecondOfPair = games.length % 2 === 1;
  const opening = isSecondOfPair ? games[games.length - 1].opening : start || randomOpening(plies);
  return { id: newId(), opening, moves: opening };
}

/**
 * Return random moves; after so few, every column can be played and nobody can win at once.
 * @param {number} plies
 */
const randomOpening = (plies) =>
  writeMoves(Array.from({ length: plies }, () => Math.floor(Math.random() * COLUMNS)));

/** Return the games that are over as a run, in the first agent's view; null if there are none. */
export function seriesRun() {
  const { players, games } = current ?? { players: [], games: [] };
  return runOf(SERIES_RUN, players.map(({ name }) => name).join(" \u2013 "), games.map(({ moves }, index) => {
    const side = firstIn(index + 1);
    return recordOf({ number: index + 1, moves, side, names: [players[side].name, players[1 - side].name] });
  }));
}

/**
 * Return the score of one of the two agents.
 * @param {number} player
 */
export function scoreOf(player) {
  const { won, drawn, lost } = seriesRun() ?? { won: 0, drawn: 0, lost: 0 };
  const [wins, losses] = player ? [lost, won] : [won, lost];
  return { won: wins, drawn, lost: losses, points: wins + drawn / 2 };
}
