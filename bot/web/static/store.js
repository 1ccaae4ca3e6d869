// The state of the page beside its games, and the one way to change it: `change` draws once for all of a moment.

/** @type {Record<string, string>} */
export const DEFAULTS = {
  agent: "level", level: "", clock: "", depth: "",
  options: "", time: "2", starts: "human", human: "0", fixed: "", analyse: "",
  patience: "5", run: "", game: "", filter: "", slow: "",
  prover: "first", proves: "1", threats: "1",
  a: "perfect", adepth: "", aoptions: "", b: "depth", bdepth: "", boptions: "",
  pace: "450",
};

/**
 * The view that is open, and all settings by name; a switch is "1" or "".
 * @type {Record<string, string>}
 */
export const store = { view: "play", ...DEFAULTS };

/**
 * What the page says beside its views: an error until it is dismissed, and a notice for a moment.
 * @type {{error: string, notice: string}}
 */
export const banner = { error: "", notice: "" };

/** @type {(() => void)[]} */
const reactions = [];
let isDue = false;

/**
 * Call `react` after each change, in the order of these calls: first what asks, saves and starts timers, drawing last.
 * @param {() => void} react
 */
export function onChange(react) { reactions.push(react); }

/**
 * Take over settings, and draw; the reactions run once for all changes of a microtask.
 * @param {Record<string, string>} [fields]
 */
export function change(fields = {}) {
  Object.assign(store, fields);
  if (isDue) return;
  isDue = true;
  queueMicrotask(() => {
    isDue = false;
    for (const react of reactions) react();
  });
}

/**
 * Show an error until it is dismissed or the view changes; null hides it.
 * @param {unknown} error
 */
export function complain(error) {
  banner.error = !error ? "" : error instanceof Error && error.message ? error.message : String(error);
  change();
}

/** Time for which a notice is shown, milliseconds. */
const NOTICE_MS = 4000;
let noticeTimer = 0;

/**
 * Show a sentence for a moment, for instance what a button has done, and pass it to screen readers.
 * @param {string} text
 */
export function notify(text) {
  banner.notice = text;
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => {
    banner.notice = "";
    change();
  }, NOTICE_MS);
  say(text);
  change();
}

/**
 * Pass a sentence to screen readers; with `isMore`, it adds to the last one, which is not read again.
 * @param {string} text
 * @param {boolean} [isMore]
 */
export function say(text, isMore = false) {
  const live = document.getElementById("live"), words = document.createElement("span");
  words.textContent = `${text} `;
  if (isMore) live?.append(words); else live?.replaceChildren(words);
}

/** What is kept only until the page closes, because the browser keeps nothing. @type {Map<string, string>} */
const unkept = new Map();

/**
 * Read what this browser keeps under a name; `fallback` if there is nothing, or nothing readable.
 * @template Kept
 * @param {string} name
 * @param {Kept} fallback
 * @returns {Kept}
 */
export function kept(name, fallback) {
  try {
    return JSON.parse(unkept.get(name) ?? localStorage.getItem(name) ?? "null") ?? fallback;
  } catch {
    return fallback;
  }
}

/**
 * Keep a value in this browser, or else until the page closes.
 * @param {string} name
 * @param {unknown} value
 */
export function keep(name, value) {
  const text = JSON.stringify(value);
  unkept.delete(name);
  try { localStorage.setItem(name, text); } catch { unkept.set(name, text); }
}
