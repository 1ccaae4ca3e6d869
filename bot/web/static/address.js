// The state in the address: a reload loses nothing, "back" leads to the previous view, a link shows the same position.

import { gameOf, restore, serialised } from "./game.js";
import { problemIn, readMoves, writeMoves } from "./rules.js";
import { DEFAULTS, change, complain, notify, store } from "./store.js";

/** @import { View } from "./view.js" */

/** Marks the entries of the browser's history that this page wrote: only other addresses are links from elsewhere. */
const OWN = { own: true };

/** The address's hash as last read or written here; another one was chosen by the user and is still to be read. */
let known = "";

/** Take the games back from the session: once, for the page itself is newer than what it could keep. */
export function recall() {
  try { restore(sessionStorage.getItem("games")); } catch { /* private mode, or another program */ }
}

/**
 * Read view and settings from the address. The moves of a link from elsewhere are
 * shown in its view, without taking the place of a game that the user has not finished.
 * @param {View[]} views
 */
export function load(views) {
  known = location.hash;
  complain(null);
  const given = new URLSearchParams(location.hash.slice(1)), text = given.get("moves");
  const wanted = given.get("view") ?? (text === null ? "play" : "analysis");
  change({ view: views.some(({ id }) => id === wanted) ? wanted : "play" });
  for (const [setting, value] of Object.entries(DEFAULTS)) change({ [setting]: given.get(setting) ?? value });
  if (text === null || (history.state?.own && gameOf().main.length)) return;
  adopt(readMoves(text), Number.parseInt(given.get("at") ?? "", 10), given.has("human"));
  const problem = problemIn(text);
  if (problem) complain(new Error(problem));
}

/**
 * Show the moves of a link, after `at` of them; `hasSide`: it says which side is the reader's.
 * @param {number[]} moves
 * @param {number} at
 * @param {boolean} hasSide
 */
function adopt(moves, at, hasSide) {
  const own = gameOf();
  if (writeMoves(moves) !== writeMoves(own.moves)) {
    if (own.isMine && own.main.length && !own.isOver) {
      change({ view: "analysis" });
      notify("Your own game waits under Play.");
    }
    gameOf().show({ main: moves, side: hasSide || store.view === "play" ? Number(store.human === "1") : null });
  }
  gameOf().walk(Number.isNaN(at) ? moves.length : at);
}

/** Return the address's hash for the current state; `short`: only the position. */
export function hash(short = false) {
  const { moves, shown, at } = gameOf(), parts = new URLSearchParams();
  parts.set("moves", writeMoves(short ? shown : moves));
  if (short) return `#${parts}`;
  if (at !== moves.length) parts.set("at", String(at));
  parts.set("view", store.view);
  for (const [name, value] of Object.entries(DEFAULTS)) if (store[name] !== value) parts.set(name, store[name]);
  return `#${parts}`;
}

/**
 * Change to another view, with an entry in the browser's history.
 * @param {string} view
 * @param {Record<string, string>} [fields]  settings that change with it
 */
export function open(view, fields = {}) {
  if (view !== store.view) {
    save();
    history.pushState(OWN, "");
    complain(null);
    scrollTo(0, 0);
  }
  change({ view, ...fields });
}

/** Write the state to the address and the session storage, unless the user has gone to another address meanwhile. */
export function save() {
  if (location.hash !== known) return;
  try { sessionStorage.setItem("games", serialised()); } catch { /* private mode, or full */ }
  if (known === hash() && history.state?.own) return;
  try { history.replaceState(OWN, "", hash()); } catch { /* some browsers allow so many a minute */ }
  known = location.hash;
}
