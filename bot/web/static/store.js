// The page's state, and its form in the address: a reload loses nothing, and a link shows the same.

import { problemIn, readMoves, writeMoves } from "./rules.js";

export const VIEWS = ["play", "analysis", "watch", "replay", "match"];
/** Names of views in links that earlier versions made. */
const FORMER_NAMES = new Map([["duel", "match"]]);
/** @type {Record<string, string>} */
const DEFAULTS = {
  agent: "perfect", depth: "", options: "", time: "2", starts: "human", human: "0", fixed: "", analyse: "",
  patience: "5", run: "", game: "", filter: "",
  a: "perfect", adepth: "", aoptions: "", b: "depth", bdepth: "", boptions: "",
};

/**
 * The current view, and all settings by name; a switch is "1" or "".
 * @type {Record<string, string>}
 */
export const store = { view: "play", ...DEFAULTS };

/** @typedef {{moves: number[], at: number}} Line  moves, including undone ones, and how many are on the board */

/** @type {Record<string, Line>} */
const lines = Object.fromEntries(VIEWS.map((view) => [view, { moves: [], at: 0 }]));

/** Return the current view's game. */
export const line = () => lines[store.view];

/** Return the moves on the current view's board. */
export const shown = () => line().moves.slice(0, line().at);

/**
 * @param {number[]} moves
 * @param {number} [at]
 * @param {string} [view]
 */
export function setLine(moves, at = moves.length, view = store.view) {
  lines[view] = { moves: [...moves], at };
}

/** Read the state from the session storage and the address; return a sentence if the moves cannot be played. */
export function load() {
  loadLines();
  const given = new URLSearchParams(location.hash.slice(1));
  const name = given.get("view") || (given.has("moves") ? "analysis" : "play");
  const view = FORMER_NAMES.get(name) ?? name;
  store.view = VIEWS.includes(view) ? view : "play";
  for (const [setting, value] of Object.entries(DEFAULTS)) store[setting] = given.get(setting) ?? value;
  const text = given.get("moves");
  if (text === null) return "";
  const moves = readMoves(text);
  const at = Number.parseInt(given.get("at") ?? String(moves.length), 10);
  setLine(moves, Number.isNaN(at) ? moves.length : Math.max(0, Math.min(at, moves.length)));
  return problemIn(text);
}

function loadLines() {
  try {
    const kept = JSON.parse(sessionStorage.getItem("lines") || "{}");
    for (const view of VIEWS) {
      if (typeof kept[view]?.moves !== "string") continue;
      const moves = readMoves(kept[view].moves);
      setLine(moves, Math.max(0, Math.min(Number(kept[view].at) || 0, moves.length)), view);
    }
  } catch { /* nothing is stored, or by another program */ }
}

/** Return the address's hash for the current state; `short`: only the position. */
export function hash(short = false) {
  const { moves, at } = line();
  const parts = new URLSearchParams();
  parts.set("moves", writeMoves(short ? shown() : moves));
  if (short) return `#${parts}`;
  if (at !== moves.length) parts.set("at", String(at));
  parts.set("view", store.view);
  for (const [name, value] of Object.entries(DEFAULTS)) if (store[name] !== value) parts.set(name, store[name]);
  return `#${parts}`;
}

/** Add an entry to the browser's history, so that "back" leads to the previous view. */
export const turnPage = () => history.pushState(null, "", hash());

/** Write the state to the address and the session storage. */
export function save() {
  if (location.hash !== hash()) history.replaceState(null, "", hash());
  const kept = Object.entries(lines).map(([view, { moves, at }]) => [view, { moves: writeMoves(moves), at }]);
  try { sessionStorage.setItem("lines", JSON.stringify(Object.fromEntries(kept))); } catch { /* private mode */ }
}
