// What earlier editions wrote: addresses of nine views with all settings, and the games that a session kept.

import { FIRST_LEVEL, YOU, isSeat, readSeat, writeSeat } from "./seats.js";

/** @import { Seat } from "./seats.js" */

/** The views of the third edition, and where each of them is now. @type {Record<string, string>} */
const VIEWS = {
  analysis: "scores", explorer: "scores", book: "scores", review: "scores", watch: "games", replay: "games", match: "play",
};
/** Boards of the third edition whose games are kept, by their views now. @type {Record<string, string>} */
const BOARDS = { play: "play", analysis: "scores", puzzles: "puzzles" };

/**
 * Return an address of this edition for one of an earlier edition; others stay as they are.
 * @param {URLSearchParams} given
 */
export function oldAddress(given) {
  const address = new URLSearchParams(given), view = given.get("view") ?? "";
  if (view in VIEWS) address.set("view", VIEWS[view]);
  if (view === "watch") address.set("run", "live");
  const seats = view === "match" ? [oldSeat(given, "a", "perfect"), oldSeat(given, "b", "depth")] : oldSides(given);
  for (const [index, name] of ["yellow", "red"].entries()) {
    if (seats && !given.has(name)) address.set(name, writeSeat(seats[index]));
  }
  if (given.get("fixed") === "1") address.set("varied", "0");
  return address;
}

/**
 * Return who played a person's game by an old address; null where it says nothing of that.
 * @param {URLSearchParams} given
 */
function oldSides(given) {
  if (!["agent", "level", "human"].some((name) => given.has(name))) return null;
  const level = Number(given.get("level")) || 0;
  const opponent = given.has("agent") ? oldSeat(given, "", "level") : { ...FIRST_LEVEL, level };
  return given.get("human") === "1" ? [opponent, YOU] : [YOU, opponent];
}

/**
 * Return the agent of an old address's settings; `part`: what their names begin with.
 * @param {URLSearchParams} given
 * @param {string} part
 * @param {string} usual
 * @returns {Seat}
 */
function oldSeat(given, part, usual) {
  const agent = given.get(part || "agent") ?? usual, depth = Number(given.get(`${part}depth`)) || null;
  if (agent === "level") return { kind: "level", level: depth ?? (Number(given.get("level")) || 0) };
  return { kind: "agent", agent, depth, options: given.get(`${part}options`) ?? "" };
}

/**
 * Return the games of a session by their views now: those of an earlier edition are translated.
 * @param {Record<string, any>} saved
 */
export function oldGames(saved) {
  const games = Object.entries(saved).map(([view, game]) => [BOARDS[view] ?? view, oldGame(game)]);
  return Object.fromEntries(games);
}

/**
 * Return a game with the fields of this edition: who sits where was said by the names alone.
 * @param {any} game
 */
export function oldGame(game) {
  if (Array.isArray(game?.left_ms)) return game;
  const left_ms = game?.left_ms ?? 0, seats = game?.isMine || game?.names?.includes("You") ? seatsOf(game.names) : null;
  return { ...game, seats, left_ms: [left_ms, left_ms], terms: { clock_s: Math.ceil(left_ms / 1000) } };
}

/**
 * @param {unknown} names  such as "You" and "Novice (level 2)"
 */
function seatsOf(names) {
  const seats = Array.isArray(names) ? names.map((name) => {
    const level = /\(level (\d+)\)$/.exec(String(name));
    return level ? readSeat(`level:${level[1]}`) : readSeat(String(name));
  }) : [];
  return seats.length === 2 && seats.every(isSeat) ? seats : null;
}
