// What the page knows, and how it stands in the address: reload loses nothing, a link shows the same.

import { faultIn, readMoves, writeMoves } from "./rules.js";

export const VIEWS = ["play", "analysis", "watch", "replay", "duel"];
const DEFAULTS = {
  agent: "perfect", depth: "", options: "", time: "2", starts: "human", human: "0", fixed: "", analyse: "", patience: "5",
  run: "", game: "", filter: "", a: "perfect", adepth: "", aoptions: "", b: "depth", bdepth: "", boptions: "",
};

export const store = { view: "play", ...DEFAULTS, lines: {} };
for (const view of VIEWS) store.lines[view] = { moves: [], at: 0 };

/** The current view's game: `moves` with those that were undone, and how many of them stand on the board. */
export const line = () => store.lines[store.view];
export const shown = () => line().moves.slice(0, line().at);

export function setLine(moves, at = moves.length, view = store.view) {
  store.lines[view] = { moves: [...moves], at };
}

/** Take in what was kept and what the address says; returns a sentence where that cannot be played. */
export function load() {
  try {
    const kept = JSON.parse(sessionStorage.getItem("lines") || "{}");
    for (const view of VIEWS) if (typeof kept[view]?.moves === "string") {
      const moves = readMoves(kept[view].moves);
      setLine(moves, Math.max(0, Math.min(Number(kept[view].at) || 0, moves.length)), view);
    }
  } catch { /* nothing kept, or not by us */ }
  const given = new URLSearchParams(location.hash.slice(1));
  const view = given.get("view") || (given.has("moves") ? "analysis" : "play");
  store.view = VIEWS.includes(view) ? view : "play";
  for (const [name, value] of Object.entries(DEFAULTS)) store[name] = given.get(name) ?? value;
  let wrong = "";
  if (given.has("moves")) {
    wrong = faultIn(given.get("moves"));
    const moves = readMoves(given.get("moves"));
    const at = Number.parseInt(given.get("at") ?? moves.length, 10);
    setLine(moves, Number.isNaN(at) ? moves.length : Math.max(0, Math.min(at, moves.length)));
  }
  return wrong;
}

export function hash(short = false) {
  const { moves, at } = line();
  const parts = new URLSearchParams();
  parts.set("moves", writeMoves(short ? shown() : moves));
  if (short) return `#${parts}`;
  if (at !== moves.length) parts.set("at", at);
  parts.set("view", store.view);
  for (const [name, value] of Object.entries(DEFAULTS)) if (store[name] !== value) parts.set(name, store[name]);
  return `#${parts}`;
}

/** Another view has another place in the browser's history, so that "back" finds the one before. */
export const turnPage = () => history.pushState(null, "", hash());

export function save() {
  if (location.hash !== hash()) history.replaceState(null, "", hash());
  const kept = {};
  for (const view of VIEWS) kept[view] = { moves: writeMoves(store.lines[view].moves), at: store.lines[view].at };
  try { sessionStorage.setItem("lines", JSON.stringify(kept)); } catch { /* private mode */ }
}
