// The state in the address: "back" leads to the view before, a link shows its position, and neither changes a game
// that is being played. Games themselves are kept by the session, so a reload loses nothing.

import { gameOf, restore, serialised } from "./game.js";
import { problemIn, readMoves, writeMoves } from "./rules.js";
import { isSeat, set, settings } from "./settings.js";
import { complain, notify, show, store } from "./store.js";

/** @import { View } from "./view.js" */

/** Marks the entries of the browser's history that this page wrote: only other addresses are links from elsewhere. */
const OWN = { own: true };

/** Which run and which of its games are chosen under Games; which loss of the agent. */
export const chosen = { run: "", game: "", loss: -1 };

/** The address's hash as last read or written here; another one was chosen by the user and is still to be read. */
let known = "";

/** Take the games back from the session: once, for the page itself is newer than what it could keep. */
export function recall() {
  try {
    restore(JSON.parse(sessionStorage.getItem("games") ?? "{}"));
  } catch { /* private mode, or another program */ }
}

/**
 * Read the view from the address, and from a link from elsewhere its position and seats.
 * @param {View[]} views
 */
export function load(views) {
  known = location.hash;
  complain(null);
  const given = new URLSearchParams(location.hash.slice(1));
  const text = given.get("moves"), wanted = given.get("view") ?? (text === null ? "play" : "scores");
  const isOurs = history.state?.own && gameOf(wanted).id !== "";
  if (given.has("run")) Object.assign(chosen, { run: given.get("run"), game: given.get("game") ?? "" });
  chosen.loss = Number(given.get("loss") ?? chosen.loss);
  show(views.some(({ id }) => id === wanted) ? wanted : "play");
  if (isOurs) return;
  adoptSeats(given);
  if (text === null) return;
  const problem = problemIn(text);
  if (problem) complain(new Error(problem));
  else adopt(views, readMoves(text), Number.parseInt(given.get("at") ?? "", 10));
}

/**
 * Take over the seats that a link names, for the next game.
 * @param {URLSearchParams} given
 */
function adoptSeats(given) {
  const seats = ["yellow", "red"].map((colour, side) => {
    const seat = given.get(colour) ?? "";
    return isSeat(seat) ? seat : settings.seats[side];
  });
  set({ seats: /** @type {[string, string]} */ (seats) });
}

/**
 * Show the moves of a link, after `at` of them. A game that is being played stays where it is.
 * @param {View[]} views
 * @param {number[]} moves
 * @param {number} at
 */
function adopt(views, moves, at) {
  const table = gameOf("play"), isSame = writeMoves(moves) === writeMoves(gameOf().moves);
  if (store.view === "play" && table.main.length && !table.isOver && !isSame) {
    show("scores");
    notify("Your own game waits under Play.");
  }
  if (!isSame) views.find(({ id }) => id === store.view)?.adopt(moves);
  gameOf().walk(Number.isNaN(at) ? moves.length : at);
}

/** Return the address's hash for the current state. */
function hash() {
  const { moves, at, seats } = gameOf(), parts = new URLSearchParams({ view: store.view });
  if (store.view === "games" && chosen.run) {
    parts.set("run", chosen.run);
    parts.set("game", chosen.game);
  }
  if (store.view === "agent" && chosen.loss >= 0) parts.set("loss", String(chosen.loss));
  if (seats) {
    parts.set("yellow", seats[0]);
    parts.set("red", seats[1]);
  }
  parts.set("moves", writeMoves(moves));
  if (at !== moves.length) parts.set("at", String(at));
  return `#${parts}`;
}

/**
 * Change to another view, with an entry in the browser's history.
 * @param {string} view
 */
export function open(view) {
  if (view === store.view) return;
  save();
  history.pushState(OWN, "");
  complain(null);
  scrollTo(0, 0);
  show(view);
}

/** Write the state to the address and the session storage, unless the user has gone to another address meanwhile. */
export function save() {
  if (location.hash !== known) return;
  try { sessionStorage.setItem("games", serialised()); } catch { /* private mode, or full */ }
  if (known === hash() && history.state?.own) return;
  try { history.replaceState(OWN, "", hash()); } catch { /* some browsers allow so many a minute */ }
  known = location.hash;
}
