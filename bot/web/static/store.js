// What is open, what the page says beside it, what this browser keeps, and the one way to draw: `change`.

/**
 * Return the element with this id.
 * @param {string} id
 */
export const $ = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** Bring the board into view: on a phone, what was pressed may be far below it. */
export const showBoard = () => $("board").scrollIntoView({ block: "nearest" });

/** The view that is open. */
export const store = { view: "play" };

/**
 * What the page says beside its views: an error until it is dismissed, and a notice for a moment, which can offer to
 * take back what has been done.
 * @type {{error: string, notice: string, undo: (() => void) | null}}
 */
export const banner = { error: "", notice: "", undo: null };

/** @type {(() => void)[]} */
const reactions = [];
let isDue = false;

/**
 * Call `react` after each change, in the order of these calls: first what asks, saves and starts timers, drawing last.
 * @param {() => void} react
 */
export function onChange(react) { reactions.push(react); }

/** Draw, after all that changes in this moment: the reactions run once for it. */
export function change() {
  if (isDue) return;
  isDue = true;
  queueMicrotask(() => {
    isDue = false;
    for (const react of reactions) react();
  });
}

/**
 * Open a view; what was said of another one is over.
 * @param {string} view
 */
export function show(view) {
  if (view !== store.view) $("live").replaceChildren();
  store.view = view;
  change();
}

/**
 * Show an error until it is dismissed or the view changes; null hides it.
 * @param {unknown} error
 */
export function complain(error) {
  banner.error = !error ? "" : error instanceof Error && error.message ? error.message : String(error);
  change();
}

/** Time for which a notice is shown, and one that can be taken back, milliseconds. */
const NOTICE_MS = 4000, UNDO_MS = 8000;
let noticeTimer = 0;

/**
 * Show a sentence for a moment, for instance what a button has done, and pass it to screen readers.
 * @param {string} text
 * @param {(() => void) | null} [undo]  what takes back that which the sentence tells
 */
export function notify(text, undo = null) {
  Object.assign(banner, { notice: text, undo });
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(fade, undo ? UNDO_MS : NOTICE_MS);
  say(text);
  change();
}

/** Hide the notice, unless the keyboard is on it: then look again. */
function fade() {
  if (document.activeElement?.id !== "take-back") return dismiss();
  noticeTimer = setTimeout(fade, NOTICE_MS);
  return undefined;
}

/** Hide the notice. */
export function dismiss() {
  Object.assign(banner, { notice: "", undo: null });
  change();
}

/** Take back what the notice tells, which is over with that. */
export function takeBack() {
  banner.undo?.();
  dismiss();
}

/**
 * Pass a sentence to screen readers; with `isMore`, it adds to the last one, which is not read again.
 * @param {string} text
 * @param {boolean} [isMore]
 */
export function say(text, isMore = false) {
  const live = $("live"), words = document.createElement("span");
  words.textContent = `${text} `;
  if (isMore) live.append(words); else live.replaceChildren(words);
}

/** What is kept only until the page closes, because the browser keeps nothing. @type {Map<string, string>} */
const unkept = new Map();

/**
 * Read what this browser keeps under a name; `fallback` if there is nothing of its kind.
 * @template Kept
 * @param {string} name
 * @param {Kept} fallback
 * @returns {Kept}
 */
export function kept(name, fallback) {
  try {
    const value = JSON.parse(unkept.get(name) ?? localStorage.getItem(name) ?? "null");
    return isLike(value, fallback) ? value : fallback;
  } catch {
    return fallback;
  }
}

/**
 * Whether a value that was kept can stand for the usual one, with all that is in it: anything can stand for null, null
 * for nothing.
 * @param {any} value
 * @param {any} usual
 * @returns {boolean}
 */
function isLike(value, usual) {
  if ((value ?? null) === null || usual === null) return (value ?? null) !== null;
  return typeof value === typeof usual && Array.isArray(value) === Array.isArray(usual)
    && (typeof usual !== "object" || Object.entries(usual).every(([name, one]) => isLike(value[name], one)));
}

/**
 * Return the usual value of each field, or what was kept of its kind.
 * @template {object} Fields
 * @param {any} given
 * @param {Fields} usual
 * @returns {Fields}
 */
export const fitted = (given, usual) => /** @type {Fields} */ (Object.fromEntries(Object.entries(usual).map(
  ([name, value]) => [name, isLike(given?.[name], value) ? given[name] : value])));

/** Whether this browser keeps what it is given when the page closes. */
export const isKeeping = () => !unkept.size;

/**
 * Keep a value in this browser, or else until the page closes.
 * @param {string} name
 * @param {unknown} value
 */
export function keep(name, value) {
  const text = JSON.stringify(value);
  unkept.delete(name);
  try {
    localStorage.setItem(name, text);
  } catch {
    if (isKeeping()) notify("This browser keeps nothing here: games and streaks are lost when the page closes.");
    unkept.set(name, text);
  }
}
