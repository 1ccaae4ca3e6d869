// The menu: sharing a game, keys and colours.

import { number, toggle } from "./fields.js";
import { room } from "./room.js";
import { LEAST_S, MOST_S, set, settings } from "./settings.js";
import { sharing } from "./share.js";
import { $, change } from "./store.js";
import { html, nothing } from "./vendor/lit-html.js";

/** @import { Game } from "./game.js" */

/** What single keys do, beside those that the buttons of a place have. */
const KEYS = html`<dl class="keys">
  <dt><kbd>1\u20137</kbd></dt><dd>drop a disc</dd>
  <dt><kbd>\u2190 \u2192</kbd></dt><dd>step through the game</dd>
  <dt><kbd>u</kbd></dt><dd>undo</dd>
  <dt><kbd>n</kbd></dt><dd>new game, next puzzle</dd>
  <dt><kbd>h</kbd></dt><dd>hint</dd>
  <dt><kbd>space s</kbd></dt><dd>run programs, one move</dd>
  <dt><kbd>f</kbd></dt><dd>projector</dd></dl>`;

/** @param {Game} game  on the board */
export function menu(game) {
  return html`<button id="more" popovertarget="choices" aria-label="Menu">\u22ef</button>
    <div id="choices" class="menu" popover>
    ${room.isSpectator ? nothing : html`<div id="share-game">${sharing(game)}</div><hr>`}
    <button id="words" @click=${explain}>What the words mean</button><hr>
    ${toggle("Dark", document.documentElement.dataset.theme === "dark", setDark, "dark")}
    <div class="keyed">
      ${room.isSpectator ? nothing : number("Time to find scores, s", settings.patience_s,
        { min: LEAST_S, max: MOST_S, step: LEAST_S }, (value) => set({ patience_s: value ?? MOST_S }))}<hr>
      ${toggle("Keyboard shortcuts", settings.areKeysOn, (areKeysOn) => set({ areKeysOn }), "single-keys")}
      ${room.isSpectator ? nothing : KEYS}</div>
    </div>`;
}

const explain = () => /** @type {HTMLDialogElement} */ ($("glossary")).showModal();

/** @param {boolean} isDark */
function setDark(isDark) {
  const theme = isDark ? "dark" : "light";
  document.documentElement.dataset.theme = theme;
  try { localStorage.setItem("theme", theme); } catch { /* private mode */ }
  change();
}
