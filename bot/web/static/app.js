// The page as a whole: the views, and one function that draws everything from the state.

import { get } from "./api.js";
import { AnalysisView } from "./analysis.js";
import { BoardView, describe } from "./board.js";
import { Coach } from "./coach.js";
import { fillAgentLists, fillControls, prepareControls } from "./controls.js";
import { $, all, complain, control, html, notify } from "./dom.js";
import { Ending } from "./ending.js";
import { Evaluator } from "./evaluator.js";
import { ExplorerView } from "./explorer.js";
import { game, shown } from "./game.js";
import { GameCard } from "./gameCard.js";
import { prepareImport } from "./import.js";
import { prepareKeys } from "./keys.js";
import { prepareLevels } from "./levels.js";
import { MatchView } from "./match.js";
import { PlayView } from "./play.js";
import { whenReleased } from "./press.js";
import { ProofView } from "./proof.js";
import { PuzzlesView } from "./puzzles.js";
import { ReplayView } from "./replay.js";
import { READING, enterRoom } from "./room.js";
import { COLUMNS, ROWS, canPlay, position } from "./rules.js";
import { prepareShare } from "./share.js";
import { sound } from "./sound.js";
import { VIEWS, load, save, store, turnPage } from "./store.js";
import { WatchView } from "./watch.js";

/** @import { Agent } from "./api.js" */
/** @import { Note } from "./board.js" */
/** @import { View } from "./stepping.js" */

/** @type {Agent[]} */
let agents = [];
let isReady = false;

/** What the views use of the page. */
export class Page {
  evaluator = new Evaluator(this);
  playView = new PlayView(this);
  matchView = new MatchView(this);
  replayView = new ReplayView(this);
  /** @type {Record<string, View>} */
  #views = {
    play: this.playView, analysis: new AnalysisView(this), explorer: new ExplorerView(this),
    puzzles: new PuzzlesView(this), proof: new ProofView(this), watch: new WatchView(this),
    replay: this.replayView, match: this.matchView,
  };

  get view() { return this.#views[store.view]; }

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

  /** Say which position is shown. */
  sayPosition() {
    const { moves, at } = game();
    this.say(at ? `Move ${at}: column ${moves[at - 1] + 1}.` : "First position.");
  }

  /**
   * Show a sentence for a moment, and pass it to screen readers.
   * @param {string} text
   */
  notify(text) {
    notify(text);
    this.say(text);
  }

  /** @param {number} column */
  drop(column) {
    const board = position(shown());
    if (!this.view.isOpen(board)) return;
    if (!canPlay(board, column)) return this.notify(`Column ${column + 1} is full.`);
    this.view.drop(column);
  }

  /**
   * Point at a column until the next move.
   * @param {number} column
   */
  point(column) { boardView.point(column); }

  /**
   * Write notes into cells of the board; they stay until others are given.
   * @param {Note[]} notes
   */
  annotate(notes) { boardView.annotate(notes); }

  toggleAnalysis() {
    if (analysisSwitch().hidden) return;
    store.analyse = store.analyse === "1" ? "" : "1";
    refresh();
  }
}

/** What is wrong with the moves in the address, as a sentence; "" for nothing. */
let problem = load();
const page = new Page();
const boardView = new BoardView($("board"), (column) => page.drop(column));
const card = new GameCard(page), ending = new Ending(page), coach = new Coach(page);

const columnButtons = Array.from({ length: COLUMNS }, (_, column) => /** @type {HTMLButtonElement} */ (html("button", {
  onclick: () => page.drop(column),
  onpointerenter: () => boardView.aim(column, true), onpointerleave: () => boardView.aim(column, false),
  onfocus: () => boardView.aim(column, true), onblur: () => boardView.aim(column, false),
}, String(column + 1))));
$("columns").append(...columnButtons);

/** Draw everything for the current state, and write the state to the address; not while something is being pressed. */
function refresh() { whenReleased(draw); }

function draw() {
  const board = position(shown()), now = page.view;
  const isOpen = now.isOpen(board), isThinking = now.isThinking;
  const ghosts = page.evaluator.update(board, isThinking);
  boardView.show(board, { ghosts, isOpen, label: describe(board), onFallen: sound });
  $("status-text").textContent = isReady ? now.status(board) : "One moment\u2026";
  const player = board.winner ?? (board.isDraw ? null : board.toMove);
  const dot = player === null ? "" : player ? "second" : "first";
  $("status").children[0].className = `dot ${dot}`;
  $("status").classList.toggle("thinking", isThinking);
  document.body.classList.toggle("thinking-now", isThinking);
  columnButtons.forEach((button, column) => {
    const count = board.cells[column].length;
    button.disabled = !canPlay(board, column) || (!isOpen && !isThinking);
    const content = count === ROWS ? "full" : `${count} ${count === 1 ? "disc" : "discs"}`;
    button.setAttribute("aria-label", `Column ${column + 1}, ${content}`);
  });
  refreshTools(now);
  now.render(board);
  if (isReady) ending.render();
  coach.render(board);
  card.render(board);
  fillControls(page);
  save();
}

/**
 * Show, hide and enable the tools below the board.
 * @param {View} now
 */
function refreshTools(now) {
  const isPlaying = store.view === "play", isWatching = store.view === "watch";
  control("undo").disabled = !now.canUndo;
  control("redo").disabled = !now.canRedo;
  $("undo").hidden = $("redo").hidden = !isPlaying;
  if (!isPlaying) $("hint").hidden = $("clock").hidden = true;
  $("new").hidden = isWatching || store.view === "replay" || store.view === "puzzles";
  analysisSwitch().hidden = isWatching || store.view === "analysis";
  const { moves, at } = game();
  control("slider").max = String(moves.length);
  control("slider").value = String(at);
}

/** Return the label around the analysis switch. */
const analysisSwitch = () => /** @type {HTMLElement} */ ($("analyse").parentElement);

/** @param {string} name */
function open(name) {
  page.view.leave();
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
  }
  page.view.enter();
  if (problem) complain(new Error(problem));
  problem = "";
}

$("tabs").addEventListener("click", ({ target, detail }) => {
  const tab = /** @type {HTMLElement} */ (target);
  if (detail) tab.blur(); // after a click, the arrow keys belong to the game; on a focused tab, they change the view
  if (tab.dataset.view) open(tab.dataset.view);
});
$("tabs").addEventListener("keydown", ({ key }) => {
  const step = key === "ArrowLeft" ? -1 : key === "ArrowRight" ? 1 : 0;
  if (!step) return;
  const views = document.body.classList.contains("spectator") ? READING : VIEWS;
  open(views[(views.indexOf(store.view) + step + views.length) % views.length]);
  $(`tab-${store.view}`).focus();
});
$("undo").addEventListener("click", () => page.view.undo());
$("redo").addEventListener("click", () => page.view.redo());
$("new").addEventListener("click", () => page.view.reset());
$("slider").addEventListener("input", () => page.view.go(Number(control("slider").value)));
$("navigator").addEventListener("click", ({ target }) => {
  const { at, moves } = game();
  /** @type {Record<string, number>} */
  const targets = { first: 0, back: at - 1, on: at + 1, last: moves.length };
  const go = targets[/** @type {HTMLElement} */ (target).dataset.go ?? ""];
  if (go !== undefined) page.view.go(go);
});
window.addEventListener("hashchange", () => {
  page.view.leave();
  complain(null);
  problem = load();
  enter();
});
window.addEventListener("pagehide", () => page.view.leave());
window.addEventListener("pageshow", (event) => { if (event.persisted) enter(); });
prepareControls(page);
prepareKeys(page);
prepareShare(page);
prepareImport(page);

refresh();
document.body.dataset.drawn = String(Math.round(performance.now()));
try {
  if (!(await enterRoom(page))) {
    agents = await get("/api/agents");
    fillAgentLists(page, agents);
    await prepareLevels(page);
  }
} catch (error) {
  complain(error);
}
isReady = true;
enter();
document.body.dataset.ready = "true";
