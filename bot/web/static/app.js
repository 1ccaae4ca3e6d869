// The page as a whole: which view is open, and what happens after every change; drawing comes last and changes nothing.

import { load, open, recall, save } from "./address.js";
import { whenBack } from "./api.js";
import { BoardView } from "./board.js";
import { WAITING, analysisOf, coachNotes, coachPanel, evaluate, reviewOf, scoresOf } from "./evaluator.js";
import { guidePanel } from "./guide.js";
import { prepareKeys } from "./keys.js";
import { menu } from "./menu.js";
import { registry } from "./registry.js";
import { enterRoom, room } from "./room.js";
import { drawScreen } from "./screen.js";
import { loadOpponents } from "./settings.js";
import { $, banner, change, complain, onChange, show, store } from "./store.js";
import { html, nothing, render } from "./vendor/lit-html.js";

/** @import { View } from "./view.js" */

let isReady = false;
/** @type {View | null} the view that has been entered */
let entered = null;
const boardView = new BoardView($("board"));
/** Where the keyboard goes on with a puzzle or a key moment. */
const NEXT = "#puzzle-next:enabled, #guide-next, [data-view=puzzles] #columns :enabled";

/** The views that may be used: spectators have few. */
const offered = () => registry.filter(({ model }) => (room.isSpectator ? model.isForSpectators : model.isOffered));
/** Return the entry of the open view. */
const current = () => offered().find(({ model }) => model.id === store.view) ?? offered()[0];

/** Enter the view that is open now, once the page is ready, and leave the one before. */
function follow() {
  const { model } = current();
  if (model.id !== store.view) show(model.id);
  if (!isReady || model === entered) return;
  entered?.leave();
  entered = model;
  model.enter();
}

function react() {
  if (!isReady) return;
  const { model } = current();
  evaluate(model);
  model.guide?.react();
  model.react();
}

/** Draw everything from the state. */
function draw() {
  const focused = document.activeElement, focusedId = focused?.id;
  const { model, panel, place, standing, lead } = current(), { game, guide } = model;
  const headline = isReady ? model.headline : WAITING;
  const showsHeights = model.mayScore && !model.hidesAhead && !guide?.isActive;
  drawScreen(model, boardView, {
    answer: analysisOf(model), review: showsHeights ? reviewOf(game.main) : null,
    scores: showsHeights ? scoresOf(game) : [],
    notes: guide?.isActive ? guide.notes : coachNotes(model), headline, isReady,
  });
  render(standing?.() ?? nothing, $("standing"));
  render(places(place), $("places"));
  render(menu(game), $("menu"));
  render(html`${lead?.() ?? segmentsOf(place)}
    <h2 id="status-text">${headline}</h2>
    ${guide?.isShown ? guidePanel(guide) : nothing}${isReady ? panel() : nothing}
    ${model.showsScores ? coachPanel(model) : nothing}`, $("panel"));
  document.body.dataset.view = model.id;
  document.body.classList.toggle("joy", model.hasWon);
  document.title = `${place}: Connect Four`;
  document.body.dataset.place = place.toLowerCase();
  render(banner.error && html`<span>${banner.error}</span>
    <button class="quiet" aria-label="Dismiss" @click=${() => complain(null)}>\u2715</button>`, $("error"));
  // Where the control that had the focus has gone, the keyboard goes on with what comes next: the ribbon, as a rule.
  const isGone = focused?.matches(":disabled") || focused?.isConnected === false || focused?.id !== focusedId;
  const next = /** @type {HTMLElement | null} */ (document.querySelector(NEXT)) ?? $("ribbon");
  if (isGone) next.focus({ preventScroll: true });
}

/**
 * A button that opens a view.
 * @param {{id: string, title?: string, view: string, isOpen: boolean}} tab
 */
const tab = ({ id, title, view, isOpen }) => html`<button id=${id} aria-current=${isOpen ? "page" : nothing}
  @click=${() => open(view)}>${title}</button>`;

/** @param {string} now  the open place */
function places(now) {
  const all = [...new Set(offered().map(({ place }) => place))];
  return all.length < 2 ? nothing : all.map((place) => tab({
    id: `place-${place.toLowerCase()}`, title: place, isOpen: place === now,
    view: offered().find((one) => one.place === place)?.model.id ?? "",
  }));
}

/**
 * The segments of a place that has several.
 * @param {string} now  the open place
 */
function segmentsOf(now) {
  const views = offered().filter(({ place }) => place === now);
  if (views.length < 2) return nothing;
  return html`<nav id="segments" aria-label="Segments of ${now}">${views.map(({ model, title }) =>
    tab({ id: `segment-${model.id}`, title, view: model.id, isOpen: model.id === store.view }))}</nav>`;
}

prepareKeys(() => current().model);
$("glossary").addEventListener("close", () => $("ribbon").focus({ preventScroll: true }));

const models = registry.map(({ model }) => model);
recall();
load(models);
for (const act of [follow, react, draw, save]) onChange(act);
addEventListener("hashchange", () => {
  entered?.leave(); // what it waits for belongs to the position before
  entered = null;
  load(models);
});
addEventListener("pagehide", () => { entered?.leave(); save(); });
addEventListener("pageshow", ({ persisted }) => { if (persisted) entered?.enter(); });

/** Ask the server who we are and what it offers, and enter the view. */
async function begin() {
  await enterRoom();
  if (!room.isSpectator) await loadOpponents();
  if (isReady) {
    complain(null);
    entered?.leave(); // what it has asked an earlier server is never answered
    entered?.enter();
  }
  isReady = true;
  change();
}

whenBack(begin);
change();
await begin().catch(complain);
isReady = true;
change();
document.body.dataset.ready = "true";
