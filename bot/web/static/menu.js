// The menu: games in and out, sound, keys and colours.

import { $ } from "./dom.js";
import { number, toggle } from "./fields.js";
import { openDialog } from "./import.js";
import { room } from "./room.js";
import { RANGES, set, settings } from "./settings.js";
import { openSharing } from "./share.js";
import { sound } from "./sound.js";
import { change } from "./store.js";
import { html, nothing } from "./vendor/lit-html.js";

/** What single keys do, beside those that the buttons of a place have. @type {[string, string][]} */
const KEYS = [
  ["1\u20137", "drop a disc"], ["\u2190 \u2192", "step through the game"], ["u", "undo"],
  ["n", "new game, next puzzle"], ["h", "hint"], ["space s", "run programs, one move"], ["f", "projector"],
];

/** What they do for spectators. */
const WATCHING = KEYS.filter(([keys]) => keys === "f" || keys.startsWith("\u2190"));

const glossary = () => /** @type {HTMLDialogElement} */ ($("glossary"));
const details = () => /** @type {HTMLDetailsElement} */ ($("more"));

/** Close the menu. */
const close = () => { details().open = false; };

export function menu() {
  const leave = (/** @type {FocusEvent} */ { relatedTarget }) => {
    if (relatedTarget && !details().contains(/** @type {Node} */ (relatedTarget))) close();
  };
  const [min, max] = RANGES.patience_s;
  const opening = (/** @type {() => void} */ open) => () => { close(); open(); };
  return html`<details id="more" @focusout=${leave}><summary aria-label="Menu">\u22ef</summary><div class="menu">
    ${room.isSpectator ? nothing : html`
      <button id="open-games" @click=${opening(openDialog)}>Open games\u2026</button>
      <button id="share-game" @click=${opening(openSharing)}>Share this game\u2026</button><hr>`}
    ${toggle("Sound", settings.isSoundOn, setSound, "sound")}
    ${toggle("Dark", document.documentElement.dataset.theme === "dark", setDark, "dark")}
    <button id="words" @click=${opening(() => glossary().showModal())}>? What the words mean</button>
    <div class="keyed">
      ${toggle("Keyboard shortcuts", settings.areKeysOn, (areKeysOn) => set({ areKeysOn }), "single-keys")}
      ${room.isSpectator ? nothing : number("Time to find scores, s", settings.patience_s, { min, max, step: 0.5 },
        (value) => set({ patience_s: value ?? min }))}
      <dl class="keys">${(room.isSpectator ? WATCHING : KEYS).map(([keys, does]) =>
        html`<dt><kbd>${keys}</kbd></dt><dd>${does}</dd>`)}</dl></div>
  </div></details>`;
}

/** Close the menu at a click elsewhere, and with Escape. */
export function prepareMenu() {
  document.addEventListener("click", ({ target }) => {
    if (details()?.open && !details().contains(/** @type {Node} */ (target))) close();
  });
  document.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !details()?.open) return;
    close();
    details().querySelector("summary")?.focus();
  });
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
