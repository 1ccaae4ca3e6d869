// The page's settings, and the form of the whole state in the address: a reload loses nothing, a link shows the same.

import { adopt, game, restore, serialised, shown, walk } from "./game.js";
import { problemIn, readMoves, writeMoves } from "./rules.js";

export const VIEWS = ["play", "analysis", "explorer", "puzzles", "proof", "watch", "replay", "match"];
/** Names of views in links that earlier versions made. */
const FORMER_NAMES = new Map([["duel", "match"]]);
/** @type {Record<string, string>} */
const DEFAULTS = {
  agent: "level", level: "", clock: "", depth: "",
  options: "", time: "2", starts: "human", human: "0", fixed: "", analyse: "",
  patience: "5", run: "", game: "", filter: "", slow: "",
  prover: "first", proves: "1", threats: "1",
  a: "perfect", adepth: "", aoptions: "", b: "depth", bdepth: "", boptions: "",
  series: "1", plies: "", pace: "450",
};

/**
 * The current view, and all settings by name; a switch is "1" or "".
 * @type {Record<string, string>}
 */
export const store = { view: "play", ...DEFAULTS };

/** The address's hash as last read or written here; another one was chosen by the user and is still to be read. */
let known = "";

/** Read the state from the session storage and the address; return a sentence if the moves cannot be played. */
export function load() {
  known = location.hash;
  restore(sessionStorage.getItem("games"));
  const given = new URLSearchParams(location.hash.slice(1));
  const name = given.get("view") || (given.has("moves") ? "analysis" : "play");
  const view = FORMER_NAMES.get(name) ?? name;
  store.view = VIEWS.includes(view) ? view : "play";
  for (const [setting, value] of Object.entries(DEFAULTS)) store[setting] = given.get(setting) ?? value;
  const text = given.get("moves");
  if (text === null) return "";
  const moves = readMoves(text), at = Number.parseInt(given.get("at") ?? String(moves.length), 10);
  if (writeMoves(moves) !== writeMoves(game().moves)) {
    const side = store.view === "play" ? Number(store.human) : null;
    const origin = store.view === "play" ? "play" : store.view === "match" ? "match" : "analysis";
    adopt({ main: moves, origin, side });
  }
  walk(Number.isNaN(at) ? moves.length : at);
  return problemIn(text);
}

/** Return the address's hash for the current state; `short`: only the position. */
export function hash(short = false) {
  const { moves, at } = game();
  const parts = new URLSearchParams();
  parts.set("moves", writeMoves(short ? shown() : moves));
  if (short) return `#${parts}`;
  if (at !== moves.length) parts.set("at", String(at));
  parts.set("view", store.view);
  for (const [name, value] of Object.entries(DEFAULTS)) if (store[name] !== value) parts.set(name, store[name]);
  return `#${parts}`;
}

/** Add an entry to the browser's history, so that "back" leads to the previous view. */
export function turnPage() {
  history.pushState(null, "", hash());
  known = location.hash;
}

/** Write the state to the address and the session storage, unless the user has gone to another address meanwhile. */
export function save() {
  if (location.hash !== known) return;
  if (known !== hash()) history.replaceState(null, "", hash());
  known = location.hash;
  try { sessionStorage.setItem("games", serialised()); } catch { /* private mode */ }
}
