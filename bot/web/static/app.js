// The page as a whole: tabs, keys, controls, and one function that draws everything.

import { get } from "./api.js";
import { AnalysisView } from "./analysis.js";
import { BoardView, describe } from "./board.js";
import { $, all, complain, control, html } from "./dom.js";
import { Evaluator } from "./evaluator.js";
import { MatchView } from "./match.js";
import { PlayView } from "./play.js";
import { ReplayView } from "./replay.js";
import { COLUMNS, ROWS, canPlay, position } from "./rules.js";
import { prepareShare } from "./share.js";
import { VIEWS, line, load, save, shown, store, turnPage } from "./store.js";
import { WatchView } from "./watch.js";

/** @import { Agent } from "./api.js" */
/** @import { View } from "./stepping.js" */

/** Names of the engine's own agents; all others belong to the laboratory. */
const ENGINE = ["perfect", "proof+perfect", "mtdf", "alphabeta", "depth", "random"];
/** Settings that are switches: "1" or "". */
const SWITCHES = ["analyse", "fixed"];
/** Settings that hold an agent's name. */
const AGENT_FIELDS = ["agent", "a", "b"];
/** @type {Agent[]} */
let agents = [];
let isReady = false;

/** What the views use of the page. */
export class Page {
  evaluator = new Evaluator(this);

  refresh() { refresh(); }

  /**
   * Change to another view.
   * @param {string} name
   */
  open(name) { open(name); }

  /** @param {string} name */
  agent(name) { return agents.find((agent) => agent.name === name); }

  /**
   * Pass a sentence to screen readers; with `isMore`, it adds to the last one, which is not read again.
   * @param {string} text
   * @param {boolean} [isMore]
   */
  say(text, isMore = false) {
    const words = html("span", {}, `${text} `);
    if (isMore) $("live").append(words); else $("live").replaceChildren(words);
  }
}

/** What is wrong with the moves in the address, as a sentence; "" for nothing. */
let problem = load();
const page = new Page();
const boardView = new BoardView($("board"), drop);
const playView = new PlayView(page), matchView = new MatchView(page);
/** @type {Record<string, View>} */
const views = {
  play: playView, analysis: new AnalysisView(page), watch: new WatchView(page), replay: new ReplayView(page),
  match: matchView,
};
const view = () => views[store.view];

$("columns").append(...Array.from({ length: COLUMNS }, (_, column) => html("button", {
  onclick: () => drop(column),
  onpointerenter: () => boardView.aim(column, true), onpointerleave: () => boardView.aim(column, false),
  onfocus: () => boardView.aim(column, true), onblur: () => boardView.aim(column, false),
}, String(column + 1))));

/** Draw everything for the current state, and write the state to the address. */
function refresh() {
  const board = position(shown()), now = view();
  const isOpen = now.isOpen(board), isThinking = now.isThinking;
  const ghosts = page.evaluator.update(board, isThinking);
  boardView.show(board, { ghosts, isOpen, label: describe(board) });
  $("status-text").textContent = isReady ? now.status(board) : "One moment\u2026";
  const player = board.winner ?? (board.isDraw ? null : board.toMove);
  const dot = player === null ? "" : player ? "second" : "first";
  $("status").children[0].className = `dot ${dot}`;
  $("status").classList.toggle("thinking", isThinking);
  document.body.classList.toggle("thinking-now", isThinking);
  all("#columns button").forEach((element, column) => {
    const button = /** @type {HTMLButtonElement} */ (element), count = board.cells[column].length;
    button.disabled = !canPlay(board, column) || (!isOpen && !isThinking);
    const content = count === ROWS ? "full" : `${count} ${count === 1 ? "disc" : "discs"}`;
    button.setAttribute("aria-label", `Column ${column + 1}, ${content}`);
  });
  refreshTools(now);
  now.render(board);
  fillControls();
  save();
}

/**
 * Show, hide and enable the tools below the board.
 * @param {View} now
 */
function refreshTools(now) {
  const isWatching = store.view === "watch";
  control("undo").disabled = !now.canUndo;
  control("redo").disabled = !now.canRedo;
  $("undo").hidden = $("redo").hidden = isWatching;
  $("new").hidden = isWatching || store.view === "replay";
  analysisSwitch().hidden = isWatching || store.view === "analysis";
  $("navigator").hidden = !now.hasNavigator;
  control("slider").max = String(line().moves.length);
  control("slider").value = String(line().at);
  $("slider").setAttribute("aria-valuetext", `Move ${line().at} of ${line().moves.length}`);
}

/** Return the label around the analysis switch. */
const analysisSwitch = () => /** @type {HTMLElement} */ ($("analyse").parentElement);

/** @param {number} column */
function drop(column) {
  const board = position(shown());
  if (!view().isOpen(board)) return;
  if (!canPlay(board, column)) return page.say(`Column ${column + 1} is full.`);
  view().drop(column);
}

/** @param {string} name */
function open(name) {
  view().leave();
  complain(null);
  if (name !== store.view) {
    save();
    store.view = name;
    turnPage();
  }
  enter();
}

/** Show the current view. */
function enter() {
  for (const tab of all("[role=tab]")) {
    const isChosen = tab.dataset.view === store.view;
    tab.setAttribute("aria-selected", String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
    $(tab.getAttribute("aria-controls") ?? "").hidden = !isChosen;
    if (isChosen) tab.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
  view().enter();
  if (problem) complain(new Error(problem));
  problem = "";
}

/** Write the settings into the controls; `data-field` names a control's setting. */
function fillControls() {
  for (const element of all("[data-field]")) {
    const input = /** @type {HTMLInputElement} */ (element), field = input.dataset.field ?? "";
    const value = store[field], isText = input.type !== "radio" && input.type !== "checkbox";
    if (isText && input === document.activeElement) continue;
    if (input.type === "radio") input.checked = input.value === value;
    else if (SWITCHES.includes(field)) input.checked = value === "1";
    else input.value = value;
  }
  for (const field of AGENT_FIELDS) fillAgent(field);
}

/**
 * Show what the agent chosen in `field` can be set to.
 * @param {string} field
 */
function fillAgent(field) {
  const agent = page.agent(store[field]);
  if (!agent) return;
  const options = agent.options.length ? `; options: ${agent.options.join(", ")}` : "";
  for (const element of all(`[data-about=${field}]`)) element.textContent = agent.about + options;
  for (const element of all(`[data-options=${field}]`)) {
    element.hidden = !agent.options.length;
    element.lastElementChild?.setAttribute("placeholder", `${agent.options[0]}=\u2026`);
  }
  for (const element of all(`[data-chance=${field}]`)) element.hidden = !agent.chance;
  const depth = /** @type {HTMLInputElement} */ (all(`[data-field=${field === "agent" ? "" : field}depth]`)[0]);
  depth.placeholder = String(agent.depth ?? "none");
  depth.max = String(agent.deepest);
}

document.addEventListener("change", ({ target }) => {
  const input = /** @type {HTMLInputElement} */ (target), field = input.dataset.field;
  if (!field) return;
  if (input.type === "number" && input.value !== "" && !input.checkValidity()) {
    const label = input.parentElement?.firstChild?.textContent?.trim();
    complain(new Error(`${label} must be from ${input.min} to ${input.max}.`));
    input.value = store[field];
    return;
  }
  complain(null);
  store[field] = !SWITCHES.includes(field) ? input.value : input.checked ? "1" : "";
  view().changed(field);
  refresh();
});

/**
 * What keys do, by `event.key` in lower case for letters.
 * @type {Record<string, () => unknown>}
 */
const KEYS = {
  u: () => view().undo(), r: () => view().redo(), n: () => !$("new").hidden && view().reset(), a: toggleAnalysis,
  c: () => store.view === "play" && playView.letComputerMove(), s: () => store.view === "match" && $("step").click(),
  ArrowLeft: () => view().hasNavigator && view().undo(), ArrowRight: () => view().hasNavigator && view().redo(),
  Home: () => view().hasNavigator && view().go(0), End: () => view().hasNavigator && view().go(line().moves.length),
  " ": () => store.view === "match" && matchView.toggle(),
};

function toggleAnalysis() {
  if (analysisSwitch().hidden) return;
  store.analyse = store.analyse === "1" ? "" : "1";
  refresh();
}

/**
 * Return whether the focused control needs the key for itself.
 * @param {HTMLInputElement} focused
 * @param {string} key
 */
function isForControl(focused, key) {
  if (focused.matches("select, textarea, input:not([type=radio], [type=checkbox], [type=range])")) return true;
  if (key === " ") return focused !== document.body;
  const usesArrows = focused.matches("[type=radio], [type=range], [role=tab]");
  return usesArrows && key.length > 1;
}

/**
 * Return whether the page handles the key in place of the browser, which would scroll.
 * @param {string} key
 */
const replacesScrolling = (key) =>
  key === "Home" || key === "End" ? view().hasNavigator : key === " " || key.startsWith("Arrow");

document.addEventListener("keydown", (event) => {
  const { key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (isForControl(/** @type {HTMLInputElement} */ (event.target), key)) return;
  if (/^[1-7]$/.test(key)) return drop(Number(key) - 1);
  const act = KEYS[key.length === 1 ? key.toLowerCase() : key];
  if (!act) return;
  if (replacesScrolling(key)) event.preventDefault();
  act();
});

$("tabs").addEventListener("click", ({ target }) => {
  const name = /** @type {HTMLElement} */ (target).dataset.view;
  if (name) open(name);
});
$("tabs").addEventListener("keydown", ({ key }) => {
  const step = key === "ArrowLeft" ? -1 : key === "ArrowRight" ? 1 : 0;
  if (!step) return;
  open(VIEWS[(VIEWS.indexOf(store.view) + step + VIEWS.length) % VIEWS.length]);
  $(`tab-${store.view}`).focus();
});
$("undo").addEventListener("click", () => view().undo());
$("redo").addEventListener("click", () => view().redo());
$("new").addEventListener("click", () => view().reset());
$("slider").addEventListener("input", () => view().go(Number(control("slider").value)));
$("navigator").addEventListener("click", ({ target }) => {
  const { at, moves } = line();
  /** @type {Record<string, number>} */
  const targets = { first: 0, back: at - 1, on: at + 1, last: moves.length };
  const go = targets[/** @type {HTMLElement} */ (target).dataset.go ?? ""];
  if (go !== undefined) view().go(go);
});
$("error").lastElementChild?.addEventListener("click", () => complain(null));
$("theme").addEventListener("click", () => {
  const root = document.documentElement, theme = root.dataset.theme === "dark" ? "light" : "dark";
  root.dataset.theme = theme;
  localStorage.setItem("theme", theme);
});
window.addEventListener("hashchange", () => {
  view().leave();
  complain(null);
  problem = load();
  enter();
});
window.addEventListener("pagehide", () => view().leave());
window.addEventListener("pageshow", (event) => { if (event.persisted) enter(); });
prepareShare((text) => page.say(text));

function fillAgents() {
  const group = (/** @type {string} */ label, /** @type {Agent[]} */ list) =>
    html("optgroup", { label }, ...list.map(({ name }) => html("option", { value: name }, name)));
  const isEngine = (/** @type {Agent} */ agent) => ENGINE.includes(agent.name);
  for (const select of all("[data-agents]")) {
    select.replaceChildren(group("Engine", agents.filter(isEngine)),
      group("Laboratory", agents.filter((agent) => !isEngine(agent))));
  }
}

refresh();
document.body.dataset.drawn = String(Math.round(performance.now()));
try {
  agents = await get("/api/agents");
  fillAgents();
  for (const field of AGENT_FIELDS) if (!page.agent(store[field])) store[field] = "perfect";
} catch (error) {
  complain(error);
}
isReady = true;
enter();
document.body.dataset.ready = "true";
