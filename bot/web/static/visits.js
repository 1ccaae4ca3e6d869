// Where games went: those that came to a position, whatever the order of the moves, or to its mirror image.

import { position, readMoves } from "./rules.js";

/** @import { Game as Record } from "./api.js" */

/** Opening moves of each game that are counted: the server counts as many of the journals' games. */
export const COUNTED = 20;

/**
 * Return the name of a position: the same for its mirror image and for every order of moves.
 * @param {number[]} moves
 */
export function positionKey(moves) {
  const columns = position(moves).cells.map((cells) => cells.join("")), mirrored = [...columns].reverse();
  return [columns.join(), mirrored.join()].sort()[0];
}

/**
 * Return the finished games by the positions that they came to, the first one left out.
 * @param {Record[]} games
 * @returns {Map<string, Record[]>}
 */
export function visitsOf(games) {
  /** @type {Map<string, Record[]>} */
  const visits = new Map();
  for (const game of games.filter(({ result }) => result !== null)) {
    const moves = readMoves(game.moves.slice(0, COUNTED));
    for (let ply = 1; ply <= moves.length; ply++) {
      const key = positionKey(moves.slice(0, ply)), known = visits.get(key) ?? [];
      known.push(game);
      visits.set(key, known);
    }
  }
  return visits;
}
