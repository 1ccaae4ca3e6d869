// The levels for people: a slider in place of an agent's name.

import { get } from "./api.js";
import { $, control } from "./dom.js";
import { store } from "./store.js";

/** @import { Level } from "./api.js" */
/** @import { Page } from "./app.js" */

/** @type {Level[]} */
let levels = [];
/** The level that the server offers first. */
let first = 1;

/** Return the number of the level on the slider, as text. */
export const levelNumber = () => store.level || String(first);

/** Return the level that is chosen; null if the opponent is another agent. */
export const chosenLevel = () =>
  (store.agent === "level" ? levels.find(({ number }) => String(number) === levelNumber()) ?? null : null);

/**
 * Return the opponent's name as people say it.
 * @param {Page} page
 */
export function opponentName(page) {
  const level = chosenLevel();
  return level ? `${level.name} (level ${level.number})` : page.agent(store.agent)?.name ?? store.agent;
}

/**
 * Connect the slider; moving it chooses a level as the opponent.
 * @param {Page} page
 */
export async function prepareLevels(page) {
  ({ levels, default: first } = await get("/api/levels"));
  const slider = control("level");
  slider.max = String(levels.length);
  slider.addEventListener("input", () => {
    store.level = slider.value;
    store.agent = "level";
    page.refresh();
  });
}

/** Show the level that is chosen. */
export function drawLevel() {
  const level = chosenLevel(), slider = control("level");
  if (!level && levels.length) $("others").setAttribute("open", "");
  slider.value = levelNumber();
  slider.classList.toggle("unused", !level);
  $("level-name").textContent = level ? `${level.number}: ${level.name}` : "another agent, see below";
  slider.setAttribute("aria-valuetext", $("level-name").textContent ?? "");
  $("level-about").textContent = level ? `It ${level.about}.` : "Move the slider to play a level again.";
}
