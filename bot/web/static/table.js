// The table of Play: beginning games, and second tries at them, from wherever the page offers it.

import { open } from "./address.js";
import { Game, gameOf } from "./game.js";
import { IN_SENTENCE, position, readMoves } from "./rules.js";
import { FIRST_LEVEL, YOU, isPerson, offer, playerNames, set, settings } from "./settings.js";
import { complain, say } from "./store.js";

/** @import { Fields } from "./game.js" */
/** @import { Seat } from "./settings.js" */

/** The game on the table. */
export const table = () => gameOf("play");

/**
 * Return the side in whose view a game of these seats is seen: that of the only person; null for two or none.
 * @param {readonly Seat[]} seats
 */
function sideOf(seats) {
  const people = [0, 1].filter((side) => isPerson(seats[side]));
  return people.length === 1 ? people[0] : null;
}

/**
 * Return the fields of a game that say who plays it.
 * @param {[Seat, Seat]} seats
 */
const seated = (seats) => ({ seats, names: playerNames(seats, settings.people), side: sideOf(seats) });

/** The set-up with which the game on the table began. */
let begun = "";

/** Return all that is set up for the next game, as text. */
const setUp = () => JSON.stringify([settings.seats, settings.people]);

/**
 * Put a new game on the table; an unfinished one can be brought back for a moment.
 * @param {[Seat, Seat]} seats
 * @param {number[]} [main]  moves that have been played elsewhere: then it does not count as the user's
 * @param {Partial<Fields>} [other]  of a second try at another game, whose moves they are
 */
export function begin(seats, main = [], other = {}) {
  const game = table();
  const fields = { ...seated(seats), main, start: main.length, ...other };
  complain(null);
  begun = setUp();
  if (!game.isOver) return game.replace(fields, "New game. The one before was not finished.");
  game.show(fields);
  return say("New game.");
}

/** Begin a game as it is set up. */
export const beginNext = () => begin(settings.seats);

/**
 * Try a game a second time, from a position in which its player could still hold it, against the same opponent.
 * @param {Game} game
 * @param {number} turn  moves up to that position, in which the user is to move
 */
export function turnAround(game, turn) {
  const seats = game.seats ?? game.record?.seats;
  const first = game.first ?? { ...game.toJSON(), seats: seats ?? null };
  playOn(readMoves(first.main).slice(0, turn), seats?.[1 - (turn % 2)], { first });
}

/** The game that the one on the table is a second try at; null where it is none. @returns {Game | null} */
export function firstGame() {
  const { first } = table();
  return first && Object.assign(new Game(), first, { main: readMoves(first.main) });
}

/** Put the first game on the table again, in place of the second try at it. */
export function backToFirst() {
  const { first } = table(), { seats, main } = first;
  table().restore({ ...first, start: seats ? first.start : main.length }); // a game of others does not count
}

/**
 * Play on from the position after `moves`, as the side to move.
 * @param {number[]} moves
 * @param {Seat} [opponent]  else the one that is set up
 * @param {Partial<Fields>} [other]
 */
export function playOn(moves, opponent = settings.seats.find((seat) => !isPerson(seat)) ?? FIRST_LEVEL, other = {}) {
  const side = position(moves).toMove;
  open("play");
  begin(side ? [opponent, YOU] : [YOU, opponent], moves, other);
  say(`Your move: you are ${IN_SENTENCE[side]}.`, true);
}

/** Name the seats of a game that a link began before the page knew what the server offers. */
function nameSeats() {
  const game = table(), { seats } = game;
  if (!seats || !offer.levels.length) return;
  const names = playerNames(seats, settings.people);
  if (String(names) !== String(game.names)) game.update({ names });
}

/** Let yellow and red change places, people with their names. */
export function swapSides() {
  const { seats: [yellow, red], people } = settings;
  set({ seats: [red, yellow], people: [...people].reverse() });
}

/** Follow the set-up until the first move is played. */
export function followSetup() {
  const game = table();
  if (game.main.length) nameSeats();
  else if (game.id && begun !== setUp()) beginNext();
}
