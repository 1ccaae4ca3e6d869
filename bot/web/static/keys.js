// The keyboard.

import { $ } from "./dom.js";
import { game } from "./game.js";
import { store } from "./store.js";

/** @import { Page } from "./app.js" */

/**
 * Act on the page's keys.
 * @param {Page} page
 */
export function prepareKeys(page) {
  const undoes = () => store.view === "play";
  /**
   * What keys do, by `event.key` in lower case for letters.
   * @type {Record<string, () => unknown>}
   */
  const keys = {
    u: () => page.view.undo(), r: () => page.view.redo(), n: () => !$("new").hidden && page.view.reset(),
    a: () => page.toggleAnalysis(), c: () => undoes() && page.playView.letComputerMove(),
    h: () => undoes() && page.playView.hint(),
    s: () => store.view === "match" && $("step").click(),
    ArrowLeft: () => page.view.go(game().at - 1), ArrowRight: () => page.view.go(game().at + 1),
    Home: () => page.view.go(0), End: () => page.view.go(game().moves.length),
    " ": () => store.view === "match" && page.matchView.toggle(),
  };
  document.addEventListener("keydown", (event) => {
    const { key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (isForControl(/** @type {HTMLInputElement} */ (event.target), key)) return;
    if (/^[1-7]$/.test(key)) return page.drop(Number(key) - 1);
    const act = keys[key.length === 1 ? key.toLowerCase() : key];
    if (!act) return;
    if (key.length > 1 || (key === " " && store.view === "match")) event.preventDefault(); // it would scroll
    act();
  });
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
