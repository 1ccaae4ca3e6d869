// The page as a whole: tabs, keys, controls, and one function that draws everything.

import { $, all, complain, html } from "./dom.js";
import { get } from "./api.js";
import { Analyser } from "./analyser.js";
import { Analysis } from "./analysis.js";
import { BoardView, describe } from "./board.js";
import { Duel } from "./duel.js";
import { Play } from "./play.js";
import { Replay } from "./replay.js";
import { Watch } from "./watch.js";
import { COLUMNS, canPlay, position } from "./rules.js";
import { prepareShare } from "./share.js";
import { VIEWS, line, load, save, setLine, shown, store, turnPage } from "./store.js";

const ENGINE = ["perfect", "mtdf", "alphabeta", "depth", "random"];
const CHECKS = ["analyse", "fixed"];
let agents = [];
let isReady = false;

const page = {
  refresh,
  open,
  agent: (name) => agents.find((agent) => agent.name === name),
  /** Tell a screen reader; `more` adds to what was said before. Only what is new is read. */
  say(text, more = false) {
    const words = html("span", {}, `${text} `);
    if (more) $("live").append(words); else $("live").replaceChildren(words);
  },
};

let wrong = load();
const boardView = new BoardView($("board"), drop);
page.analyser = new Analyser(page);
const views = { play: new Play(page), analysis: new Analysis(page), watch: new Watch(page), replay: new Replay(page), duel: new Duel(page) };
const view = () => views[store.view];

$("columns").append(...Array.from({ length: COLUMNS }, (_, column) => html("button", {
  onclick: () => drop(column), onpointerenter: () => boardView.aim(column, true), onpointerleave: () => boardView.aim(column, false),
  onfocus: () => boardView.aim(column, true), onblur: () => boardView.aim(column, false),
}, String(column + 1))));

function refresh() {
  const board = position(shown()), now = view();
  const isOpen = now.isOpen(board);
  const ghosts = page.analyser.update(board, now.isThinking);
  boardView.show(board, { ghosts, isOpen, label: describe(board) });
  $("status-text").textContent = isReady ? now.status(board) : "One moment\u2026";
  const player = board.winner ?? (board.isDraw ? null : board.toMove);
  $("status").firstElementChild.className = `dot ${player === null ? "" : player ? "second" : "first"}`;
  $("status").classList.toggle("thinking", now.isThinking);
  document.body.classList.toggle("thinking-now", now.isThinking);
  [...$("columns").children].forEach((button, column) => {
    button.disabled = !canPlay(board, column) || (!isOpen && !now.isThinking);
    button.setAttribute("aria-label", `Column ${column + 1}, ${board.cells[column].length === 6 ? "full" : `${board.cells[column].length} discs`}`);
  });
  $("undo").disabled = !now.canUndo;
  $("redo").disabled = !now.canRedo;
  $("new").hidden = store.view === "watch" || store.view === "replay";
  $("undo").hidden = $("redo").hidden = store.view === "watch";
  $("analyse").parentElement.hidden = store.view === "analysis" || store.view === "watch";
  $("navigator").hidden = !now.hasNavigator;
  $("slider").max = line().moves.length;
  $("slider").value = line().at;
  $("slider").setAttribute("aria-valuetext", `Move ${line().at} of ${line().moves.length}`);
  now.render?.(board);
  fillControls();
  save();
}

function drop(column) {
  const board = position(shown());
  if (!view().isOpen(board)) return;
  if (!canPlay(board, column)) return page.say(`Column ${column + 1} is full.`);
  view().drop(column);
}

function open(name) {
  view().leave();
  complain(null);
  if (name !== store.view) { save(); store.view = name; turnPage(); }
  enter();
}

function enter() {
  for (const tab of all("[role=tab]")) {
    const isChosen = tab.dataset.view === store.view;
    tab.setAttribute("aria-selected", String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
    $(tab.getAttribute("aria-controls")).hidden = !isChosen;
    if (isChosen) tab.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
  view().enter();
  if (wrong) complain(new Error(wrong));
  wrong = "";
}

/** Controls marked data-field show and set the setting of that name. */
function fillControls() {
  for (const control of all("[data-field]")) {
    if (control === document.activeElement && control.type !== "radio" && control.type !== "checkbox") continue;
    const value = store[control.dataset.field];
    if (control.type === "radio") control.checked = control.value === value;
    else if (CHECKS.includes(control.dataset.field)) control.checked = value === "1";
    else control.value = value;
  }
  for (const field of ["agent", "a", "b"]) {
    const agent = page.agent(store[field]);
    if (!agent) continue;
    const options = agent.options.length ? `; options: ${agent.options.join(", ")}` : "";
    for (const element of all(`[data-about=${field}]`)) element.textContent = agent.about + options;
    for (const element of all(`[data-options=${field}]`)) {
      element.hidden = !agent.options.length;
      element.lastElementChild.placeholder = `${agent.options[0]}=\u2026`;
    }
    for (const element of all(`[data-chance=${field}]`)) element.hidden = !agent.chance;
    const depth = all(`[data-field=${field === "agent" ? "" : field}depth]`)[0];
    depth.placeholder = agent.depth ?? "none";
    depth.max = agent.deepest;
  }
}

document.addEventListener("change", (event) => {
  const control = event.target, field = control.dataset?.field;
  if (!field) return;
  if (control.type === "number" && control.value !== "" && !control.checkValidity()) {
    complain(new Error(`${control.parentElement.firstChild.textContent.trim()} goes from ${control.min} to ${control.max}.`));
    control.value = store[field];
    return;
  }
  complain(null);
  store[field] = CHECKS.includes(field) ? (control.checked ? "1" : "") : control.value;
  view().changed(field);
  refresh();
});

const KEYS = {
  u: () => view().undo(), r: () => view().redo(), n: () => !$("new").hidden && view().reset(),
  a: () => { if (!$("analyse").parentElement.hidden) { store.analyse = store.analyse === "1" ? "" : "1"; refresh(); } },
  c: () => store.view === "play" && views.play.letComputerMove(), s: () => store.view === "duel" && $("step").click(),
  ArrowLeft: () => view().hasNavigator && view().undo(), ArrowRight: () => view().hasNavigator && view().redo(),
  Home: () => view().hasNavigator && view().go(0), End: () => view().hasNavigator && view().go(line().moves.length),
  " ": () => store.view === "duel" && views.duel.toggle(),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const where = event.target, kind = where.type;
  const isField = where.matches("select, textarea, input:not([type=radio], [type=checkbox], [type=range])");
  const ownsArrows = isField || kind === "radio" || kind === "range" || where.getAttribute("role") === "tab";
  if (isField || (event.key.length > 1 && ownsArrows) || (event.key === " " && where !== document.body)) return;
  if (/^[1-7]$/.test(event.key)) return drop(Number(event.key) - 1);
  const act = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!act) return;
  if (event.key !== "Home" && event.key !== "End" ? event.key === " " || event.key.startsWith("Arrow") : view().hasNavigator) event.preventDefault();
  act();
});

$("tabs").addEventListener("click", (event) => { if (event.target.dataset.view) open(event.target.dataset.view); });
$("tabs").addEventListener("keydown", (event) => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step) return;
  open(VIEWS[(VIEWS.indexOf(store.view) + step + VIEWS.length) % VIEWS.length]);
  $(`tab-${store.view}`).focus();
});
$("undo").addEventListener("click", () => view().undo());
$("redo").addEventListener("click", () => view().redo());
$("new").addEventListener("click", () => view().reset());
$("slider").addEventListener("input", () => view().go(Number($("slider").value)));
$("navigator").addEventListener("click", (event) => {
  const { at, moves } = line(), go = { first: 0, back: at - 1, on: at + 1, last: moves.length }[event.target.dataset.go];
  if (go !== undefined) view().go(go);
});
$("error").lastElementChild.addEventListener("click", () => complain(null));
$("theme").addEventListener("click", () => {
  const root = document.documentElement, theme = root.dataset.theme === "dark" ? "light" : "dark";
  root.dataset.theme = theme;
  localStorage.setItem("theme", theme);
});
window.addEventListener("hashchange", () => { view().leave(); complain(null); wrong = load(); enter(); });
window.addEventListener("pagehide", () => view().leave());
window.addEventListener("pageshow", (event) => { if (event.persisted) enter(); });
prepareShare((text) => page.say(text));

function fillAgents() {
  const options = (list) => list.map((agent) => html("option", { value: agent.name }, agent.name));
  for (const select of all("[data-agents]")) {
    select.replaceChildren(
      html("optgroup", { label: "Engine" }, ...options(agents.filter((agent) => ENGINE.includes(agent.name)))),
      html("optgroup", { label: "Laboratory" }, ...options(agents.filter((agent) => !ENGINE.includes(agent.name)))));
  }
}

refresh();
document.body.dataset.drawn = String(Math.round(performance.now()));
try {
  agents = await get("/api/agents");
  fillAgents();
  for (const field of ["agent", "a", "b"]) if (!page.agent(store[field])) store[field] = "perfect";
} catch (error) {
  complain(error);
}
isReady = true;
enter();
document.body.dataset.ready = "true";
