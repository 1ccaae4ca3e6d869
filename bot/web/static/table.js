// The table of Play: beginning games, letting them wait and taking them up, from wherever the page offers it.

import { open } from "./address.js";
import { Game, gameOf, newId } from "./game.js";
import { letWait, takeWaiting } from "./own.js";
import { IN_SENTENCE, position, writeMoves } from "./rules.js";
import { FIRST_LEVEL, YOU, isPerson, isSame, offer, playerNames, readSeat, settled } from "./seats.js";
import { settings } from "./settings.js";
import { change, complain, notify, say } from "./store.js";

/** @import { Origin, Terms } from "./game.js" */
/** @import { Seat } from "./seats.js" */

/** The game on the table. */
export const table = () => gameOf("play");

/** Return the terms that are set for the next game. */
const termsNow = () => {
  const { clock_s, think_s, isVaried } = settings;
  return { clock_s, think_s, isVaried };
};

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

/**
 * Put a new game on the table; an unfinished one waits.
 * @param {[Seat, Seat]} given
 * @param {number[]} [main]  moves that have been played elsewhere: then it does not count as the user's
 * @param {Origin | null} [origin]  the game that it turns around
 * @param {Terms} [terms]
 */
export function begin(given, main = [], origin = null, terms = termsNow()) {
  const game = table(), isWaiting = letWait(game);
  const seats = /** @type {[Seat, Seat]} */ (given.map(settled)), left_ms = terms.clock_s * 1000;
  complain(null);
  game.show({
    ...seated(seats), terms, main, origin, start: main.length, left_ms: [left_ms, left_ms],
  });
  if (isWaiting) notify("The game that you left is kept under Unfinished games.");
  else say("New game.");
}

/** Begin a game as it is set up. */
export function beginNext() {
  const [yellow, red] = settings.seats;
  begin(settings.isSideRandom && Math.random() < 0.5 ? [red, yellow] : [yellow, red]);
}

/**
 * Play on from a position of a game in which its player could still hold it, against the same opponent.
 * @param {Game} game
 * @param {number} turn  moves up to that position, in which the user is to move
 */
export function turnAround(game, turn) {
  const { main, terms, record } = game, seats = game.seats ?? record?.seats?.map(readSeat) ?? null;
  const origin = { moves: writeMoves(main), turn };
  playOn(main.slice(0, turn), { opponent: seats?.[1 - (turn % 2)], origin, terms: game.seats ? terms : undefined });
}

/**
 * Play on from the position after `moves`, as the side to move.
 * @param {number[]} moves
 * @param {{opponent?: Seat | null, origin?: Origin, terms?: Terms}} [other]  the opponent, else the one that is set up;
 *   the game that is turned around, and its terms
 */
export function playOn(moves, { opponent, origin, terms } = {}) {
  const side = position(moves).toMove, setUp = settings.seats.find((seat) => !isPerson(seat)) ?? FIRST_LEVEL;
  open("play");
  begin(side ? [opponent ?? setUp, YOU] : [YOU, opponent ?? setUp], moves, origin, terms);
  say(`Your move: you are ${IN_SENTENCE[side]}.`, true);
}

/**
 * Take up a game that waits; the one on the table waits in its place.
 * @param {string} id
 */
export function takeUp(id) {
  const saved = takeWaiting(id), game = table();
  if (!saved) return change();
  letWait(game);
  complain(null);
  return game.restore({ ...saved, id: newId() }); // another tab may still be playing it: each goes on with its own
}

/**
 * Give up a game that waits.
 * @param {string} id
 */
export function giveUp(id) {
  const saved = takeWaiting(id), game = new Game();
  if (!saved) return;
  game.restore(saved);
  notify("The game is given up.", () => letWait(game));
}

/**
 * Return the seats of the next game, as far as they are known: where chance decides who starts, it has done so when
 * the game began.
 * @param {readonly Seat[] | null} now  those of the game on the table
 */
function nextSeats(now) {
  const [yellow, red] = settings.seats.map(settled);
  const isSwapped = settings.isSideRandom && now !== null && isSame(now[0], red) && isSame(now[1], yellow);
  return /** @type {[Seat, Seat]} */ (isSwapped ? [red, yellow] : [yellow, red]);
}

/** Name the seats of a game that a link began before the page knew what the server offers. */
function nameSeats() {
  const game = table(), seats = /** @type {[Seat, Seat] | undefined} */ (game.seats?.map(settled));
  if (!seats || !offer.levels.length) return;
  const names = playerNames(seats, settings.people);
  if (JSON.stringify([seats, names]) !== JSON.stringify([game.seats, game.names])) game.update({ seats, names });
}

/** Follow the set-up until the first move is played. */
export function followSetup() {
  const game = table();
  if (game.main.length) return nameSeats();
  if (!game.id) return;
  const seats = nextSeats(game.seats), terms = termsNow(), left_ms = terms.clock_s * 1000, players = seated(seats);
  if (JSON.stringify([seats, terms, players.names]) === JSON.stringify([game.seats, game.terms, game.names])) return;
  game.update({ ...players, terms, left_ms: [left_ms, left_ms] });
}
