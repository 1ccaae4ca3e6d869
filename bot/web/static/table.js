// The table of Play: beginning games, letting them wait and taking them up, from wherever the page offers it.

import { open } from "./address.js";
import { Game, gameOf, newId } from "./game.js";
import { offer, playerNames, settled } from "./opponents.js";
import { letWait, takeWaiting } from "./own.js";
import { IN_SENTENCE, position, readMoves, writeMoves } from "./rules.js";
import { FIRST_LEVEL, YOU, isPerson, isSame, readSeat } from "./seats.js";
import { set, settings } from "./settings.js";
import { change, complain, notify, say } from "./store.js";

/** @import { Origin, Terms } from "./game.js" */
/** @import { Seat } from "./seats.js" */

/** The game on the table. */
export const table = () => gameOf("play");

/** Return the terms that are set for the next game. */
const termsNow = () => {
  const { clock_s, think_s, isVaried, pace_ms } = settings;
  return { clock_s, think_s, isVaried, pace_ms };
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
const seated = (seats) => ({ seats, names: playerNames(seats), side: sideOf(seats) });

/** Let the game on the table wait, unless it is over or has not begun; return whether it does. */
function letTableWait() {
  const game = table(), isOpen = game.main.length > 0 && !game.isOver;
  if (isOpen) letWait(game);
  return isOpen;
}

/**
 * Put a new game on the table; an unfinished one waits, and both can be taken back for a moment.
 * @param {[Seat, Seat]} given
 * @param {number[]} [main]  moves that have been played elsewhere: then it does not count as the user's
 * @param {Origin | null} [origin]  the game that it turns around
 * @param {Terms} [terms]
 */
export function begin(given, main = [], origin = null, terms = termsNow()) {
  const game = table(), old = JSON.stringify(game), hasMoves = game.main.length > 0, isOpen = letTableWait();
  const seats = /** @type {[Seat, Seat]} */ (given.map(settled)), left_ms = terms.clock_s * 1000;
  complain(null);
  game.show({
    ...seated(seats), terms, main, origin, start: main.length, left_ms: [left_ms, left_ms],
  });
  const back = () => {
    const saved = JSON.parse(old);
    takeWaiting(saved.id);
    letTableWait();
    game.restore(saved);
  };
  if (isOpen) notify("The game before waits.", back);
  else if (hasMoves && !origin) notify("New game.", back); // one that is turned around offers its way back itself
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
  const { main, late, names, terms, record } = game, known = game.seats ?? record?.seats?.map(readSeat) ?? null;
  const seats = /** @type {[Seat, Seat] | null} */ (known);
  const origin = { moves: writeMoves(main), turn, late, names, seats };
  playOn(main.slice(0, turn), { opponent: seats?.[1 - (turn % 2)], origin, terms: game.seats ? terms : undefined });
}

/** Show again what the game on the table turns around; that one waits if it is not over. */
export function backToBefore() {
  const game = table(), { origin, side, terms } = game;
  if (!origin) return;
  const { late, names = game.names, seats = game.seats } = origin, main = readMoves(origin.moves);
  letTableWait();
  game.replace({ main, start: main.length, late, seats, names, side, terms }, "The first game.");
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
  letTableWait();
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
 * Let other players go on with the game on the table; before its first move that is how the next games begin, too.
 * @param {[Seat, Seat]} seats
 */
export function changeSides(seats) {
  const game = table();
  if (!game.main.length) set({ seats });
  game.update({ ...seated(seats), start: game.main.length });
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
  const names = playerNames(seats);
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
