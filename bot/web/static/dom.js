// Helpers for elements of the document.

/** @typedef {Record<string, string | number | boolean | null | ((event: any) => void)>} Attributes */

/**
 * Return the element with this id.
 * @param {string} id
 */
export const $ = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * Return the button, input or select with this id.
 * @param {string} id
 */
export const control = (id) => /** @type {HTMLInputElement} */ (document.getElementById(id));

/**
 * Return all elements that match the selector.
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {HTMLElement[]}
 */
export const all = (selector, root = document) =>
  [...root.querySelectorAll(selector)].map((one) => /** @type {HTMLElement} */ (one));

/**
 * Return a new HTML element; attributes named `on...` are event listeners.
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {(Node | string)[]} children
 */
export function html(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/**
 * Return a new SVG element.
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {(Node | string)[]} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

/**
 * @template {Element} T
 * @param {T} element
 * @param {Attributes} attributes
 * @param {(Node | string)[]} children
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children);
  return element;
}

/**
 * Replace the children of `root`, keeping the focused button's place and the scroll position.
 * @param {HTMLElement} root
 * @param {Node[]} children
 */
export function refill(root, children) {
  const focused = all("button", root).findIndex((button) => button === document.activeElement);
  const top = root.scrollTop;
  root.replaceChildren(...children);
  root.scrollTop = top;
  if (focused >= 0) all("button", root)[focused]?.focus({ preventScroll: true });
}

/**
 * Show an error in the banner; null hides it.
 * @param {unknown} error
 */
export function complain(error) {
  const banner = $("error");
  banner.children[0].textContent = error ? messageOf(error) : "";
  banner.hidden = !error;
}

/** @param {unknown} error */
const messageOf = (error) => (error instanceof Error && error.message) || String(error);

/** Time for which a notice is shown, milliseconds. */
const NOTICE_MS = 4000;
let noticeTimer = 0;

/**
 * Show a sentence for a moment, for instance what a button has done.
 * @param {string} text
 */
export function notify(text) {
  const notice = $("notice");
  notice.textContent = text;
  notice.hidden = false;
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => { notice.hidden = true; }, NOTICE_MS);
}
