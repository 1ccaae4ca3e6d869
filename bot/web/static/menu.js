// The menu: sharing a game, sound, keys and colours.

import { number, toggle } from "./fields.js";
import { room } from "./room.js";
import { LEAST_S, MOST_S, set, settings } from "./settings.js";
import { openSharing } from "./share.js";
import { sound } from "./sound.js";
import { $, change } from "./store.js";
import { html, nothing } from "./vendor/lit-html.js";

/** What single keys do, beside those that the buttons of a place have. @type {[string, string][]} */
const KEYS = [
  ["1\u20137", "drop a disc"], ["\u2190 \u2192", "step through the game"], ["u", "undo"],
  ["n", "new game, next puzzle"], ["h", "hint"], ["space s", "run programs, one move"], ["f", "projector"],
];

const glossary = () => /** @type {HTMLDialogElement} */ ($("glossary"));

export function menu() {
  return html`<button id="more" popovertarget="choices" aria-label="Menu">\u22ef</button>
    <div id="choices" class="menu" popover>
    ${room.isSpectator ? nothing : html`
      <button id="share-game" @click=${openSharing}>Share this game\u2026</button><hr>`}
    <button id="words" @click=${() => glossary().showModal()}>What the words mean</button><hr>
    ${toggle("Sound", settings.isSoundOn, setSound, "sound")}
    ${toggle("Dark", document.documentElement.dataset.theme === "dark", setDark, "dark")}
    <div class="keyed">
      ${room.isSpectator ? nothing : number("Time to find scores, s", settings.patience_s,
        { min: LEAST_S, max: MOST_S, step: LEAST_S }, (value) => set({ patience_s: value ?? MOST_S }))}<hr>
      ${toggle("Keyboard shortcuts", settings.areKeysOn, (areKeysOn) => set({ areKeysOn }), "single-keys")}
      ${room.isSpectator ? nothing : html`<dl class="keys">${KEYS.map(([keys, does]) =>
        html`<dt><kbd>${keys}</kbd></dt><dd>${does}</dd>`)}</dl>`}</div>
    </div>`;
}

/** @param {boolean} isSoundOn */
function setSound(isSoundOn) {
  set({ isSoundOn });
  sound("disc");
}

/** @param {boolean} isDark */
function setDark(isDark) {
  const theme = isDark ? "dark" : "light";
  document.documentElement.dataset.theme = theme;
  try { localStorage.setItem("theme", theme); } catch { /* private mode */ }
  change();
}
