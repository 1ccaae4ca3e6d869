// The page as a whole: which view is open, and what happens after every change; drawing comes last and changes nothing.

import { load, open, recall, save } from "./address.js";
import { whenBack } from "./api.js";
import { coach, coachPanel } from "./coach.js";
import { $ } from "./dom.js";
import { evaluate, isScored } from "./evaluator.js";
import { gameCard } from "./gameCard.js";
import { prepareImport } from "./import.js";
import { prepareKeys } from "./keys.js";
import { cleared, loadOpponents } from "./opponents.js";
import { registry } from "./registry.js";
import { enterRoom, room } from "./room.js";
import { soundSwitch } from "./sound.js";
import { drawStage } from "./stage.js";
import { banner, change, complain, onChange, store } from "./store.js";
import { html, nothing, render } from "./vendor/lit-html.js";

/** @import { View } from "./view.js" */

let isReady = false;
/** @type {View | null} the view that has been entered */
let entered = null;
/** The view that was open last in each place. @type {Map<string, string>} */
const visited = new Map();

/** The views that may be used: spectators have few. */
const offered = () => registry.filter(({ model }) => !room.isSpectator || model.isForSpectators);
/** Return the entry of the open view. */
const current = () => offered().find(({ model }) => model.id === store.view) ?? offered()[0];

/** Enter the view that is open now, once the page is ready, and leave the one before. */
function follow() {
  const { model, place } = current();
  if (model.id !== store.view) change({ view: model.id });
  visited.set(place, model.id);
  if (!isReady || model === entered) return;
  entered?.leave();
  entered = model;
  model.enter();
}

function react() {
  if (!isReady) return;
  const { model } = current();
  evaluate(model);
  coach(model);
  model.react();
}

/** Draw everything from the state. */
function draw() {
  const { model, panel } = current();
  drawStage(model, isReady);
  render(tabs(), $("tabs"));
  render(html`${isScored(model) ? coachPanel(model) : nothing}${panel()}
    ${model.hasCard ? gameCard(model, room.isSpectator) : nothing}`, $("side"));
  document.body.dataset.view = model.id;
  const error = $("error");
  error.hidden = !banner.error;
  error.children[0].textContent = banner.error;
  $("notice").hidden = !banner.notice;
  $("notice").textContent = banner.notice;
}

/** The places, and the views of the open place. */
function tabs() {
  const now = current(), places = [...new Set(offered().map(({ place }) => place))];
  const views = offered().filter(({ place }) => place === now.place);
  const tab = (/** @type {string} */ id, /** @type {string} */ title, /** @type {string} */ view,
    /** @type {boolean} */ isOpen) => html`<button id=${id} aria-current=${isOpen ? "page" : nothing}
      @click=${() => open(view)}>${title}</button>`;
  return html`<nav id="places" aria-label="Places">${places.map((place) => tab(`place-${place.toLowerCase()}`, place,
    visited.get(place) ?? offered().find((one) => one.place === place)?.model.id ?? "", place === now.place))}</nav>
    ${views.length < 2 ? nothing : html`<nav id="views" aria-label=${`Views of ${now.place}`}>${views.map(
      ({ model, title }) => tab(`tab-${model.id}`, title, model.id, model === now.model))}</nav>`}`;
}

/** Take over what the user changes in a control of a setting. */
document.addEventListener("change", ({ target }) => {
  const input = /** @type {HTMLInputElement} */ (target), field = input.dataset.field;
  if (!field) return;
  if (input.type === "number" && input.value !== "" && !input.checkValidity()) {
    const label = input.labels?.[0].textContent?.trim();
    complain(new Error(`${label} must be from ${input.min} to ${input.max}.`));
    input.value = store[field];
    return;
  }
  complain(null);
  const value = input.type !== "checkbox" ? input.value : input.checked ? "1" : "";
  change({ [field]: value, ...cleared(field) });
  current().model.changed(field);
});
$("error").lastElementChild?.addEventListener("click", () => complain(null));
$("headline").addEventListener("click", () => document.body.classList.remove("projector"));
$("theme").addEventListener("click", () => {
  const root = document.documentElement, theme = root.dataset.theme === "dark" ? "light" : "dark";
  root.dataset.theme = theme;
  try { localStorage.setItem("theme", theme); } catch { /* private mode */ }
});
soundSwitch($("sound"));
prepareKeys(() => current().model);
prepareImport();

const models = () => registry.map(({ model }) => model);
recall();
load(models());
for (const act of [follow, react, draw, save]) onChange(act);
addEventListener("hashchange", () => {
  entered?.leave(); // what it waits for belongs to the position before
  entered = null;
  load(models());
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

whenBack(begin, complain);
change();
document.body.dataset.drawn = String(Math.round(performance.now()));
await begin().catch(complain);
isReady = true;
change();
document.body.dataset.ready = "true";
