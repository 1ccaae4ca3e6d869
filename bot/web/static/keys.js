// The keyboard. Single keys can be switched off in the menu; arrows, Home and End act on the ribbon even then.

import { isProjector, toggleProjector } from "./room.js";
import { drop } from "./screen.js";
import { settings } from "./settings.js";
import { $ } from "./store.js";

/** @import { View } from "./view.js" */

/**
 * What keys do on the ribbon, and while single keys are on, also elsewhere; arrows act in the list that has the focus.
 * @type {Record<string, (view: View) => unknown>}
 */
const STEPS = {
  ArrowLeft: (view) => view.go(view.game.at - 1), ArrowRight: (view) => view.go(view.game.at + 1),
  Home: (view) => view.go(0), End: (view) => view.go(view.game.moves.length),
};

/** Which way an arrow goes through a list, or through the columns, where the focus is in it. @type {Record<string, number>} */
const WAYS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/**
 * Act on the page's keys; each action of a view also has its own key.
 * @param {() => View} current
 */
export function prepareKeys(current) {
  document.addEventListener("keydown", (event) => {
    const { key } = event, view = current(), target = /** @type {HTMLInputElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return undefined;
    if (key === "Escape" && isProjector()) return toggleProjector();
    if (key === "Escape" && view.guide?.isShown) return view.guide.close();
    const list = target.closest(".list, #games, #columns"), way = WAYS[key];
    if (list && way) {
      event.preventDefault(); // it would scroll
      const all = /** @type {HTMLElement[]} */ ([...list.querySelectorAll("button:enabled")]);
      return all[all.findIndex((one) => one === target) + way]?.focus();
    }
    if (isForControl(target, key)) return undefined;
    const isStep = key in STEPS, isAtRibbon = target === $("ribbon");
    if (!settings.areKeysOn && !(isStep && isAtRibbon)) return undefined;
    if (/^[1-7]$/.test(key)) return drop(view, Number(key) - 1);
    const named = view.buttons.find((action) => action.key === key.toLowerCase());
    const act = STEPS[key];
    if (!named && !act) return undefined;
    if (key.length > 1 || key === " ") event.preventDefault(); // it would scroll
    if (!named) return act(view);
    return named.isDisabled ? undefined : named.act();
  });
}

/**
 * Return whether the focused control needs the key for itself.
 * @param {HTMLInputElement} focused
 * @param {string} key
 */
function isForControl(focused, key) {
  if (focused.matches("select, input:not([type=radio], [type=checkbox], [type=range])")) return true;
  if (key === " ") return focused !== document.body;
  return focused.matches("[type=radio], [type=range]") && key.length > 1;
}
