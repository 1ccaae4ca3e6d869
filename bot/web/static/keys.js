// The keyboard.

import { reviewOf } from "./evaluator.js";
import { drop } from "./parts.js";
import { toggleProjector } from "./stage.js";
import { change, notify, store } from "./store.js";
import { severity } from "./verdicts.js";

/** @import { View } from "./view.js" */

/**
 * Act on the page's keys; each action of a view also has its own key.
 * @param {() => View} current
 */
export function prepareKeys(current) {
  /**
   * What keys do, by `event.key` in lower case for letters.
   * @type {Record<string, (view: View) => unknown>}
   */
  const keys = {
    r: (view) => view.redo(), f: toggleProjector,
    a: (view) => view.scoring === "request" && change({ analyse: store.analyse ? "" : "1" }),
    c: (view) => view.letComputerMove(),
    m: (view) => goToMistake(view, 1), M: (view) => goToMistake(view, -1),
    ArrowLeft: (view) => view.go(view.game.at - 1), ArrowRight: (view) => view.go(view.game.at + 1),
    Home: (view) => view.go(0), End: (view) => view.go(view.game.moves.length),
    Escape: () => document.body.classList.contains("projector") && toggleProjector(),
  };
  document.addEventListener("keydown", (event) => {
    const { key } = event, view = current();
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (isForControl(/** @type {HTMLInputElement} */ (event.target), key)) return;
    if (/^[1-7]$/.test(key)) return drop(view, Number(key) - 1);
    const named = view.actions(view.game.board).find((action) => action.key === key.toLowerCase());
    if (!named && !(key in keys)) return;
    if (key.length > 1 || key === " ") event.preventDefault(); // it would scroll
    if (named && !named.isDisabled) named.act(); else if (!named) keys[key](view);
  });
}

/**
 * Show the position after the next mistake of the game, or the one before.
 * @param {View} view
 * @param {1 | -1} step
 */
function goToMistake(view, step) {
  const { game } = view, review = reviewOf(game.main);
  if (!view.hasCard || (!review && view.scoring === "never")) return undefined;
  if (!review) return notify("\u201cFind the mistakes\u201d first: then m and M step through them.");
  const plies = review.moves.flatMap((verdict, ply) => (severity(verdict) ? [ply + 1] : []));
  const at = Math.min(game.at, game.common);
  const found = step > 0 ? plies.find((ply) => ply > at) : plies.filter((ply) => ply < at).at(-1);
  if (found === undefined) return notify(step > 0 ? "No further mistake." : "No earlier mistake.");
  game.backToMain(found);
  return view.go(found);
}

/**
 * Return whether the focused control needs the key for itself.
 * @param {HTMLInputElement} focused
 * @param {string} key
 */
function isForControl(focused, key) {
  if (focused.matches("select, textarea, input:not([type=radio], [type=checkbox], [type=range])")) return true;
  if (key === " ") return focused !== document.body;
  return focused.matches("[type=radio], [type=range]") && key.length > 1;
}
