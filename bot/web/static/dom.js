// Helpers for elements of the document.

/** @typedef {Record<string, string | number>} Attributes */

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
 * Return a new SVG element. A style goes through the element's properties: the page's policy forbids the attribute.
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {(Node | string)[]} children
 * @returns {SVGElement}
 */
export function svg(tag, { style, ...attributes } = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  if (style) element.style.cssText = String(style);
  element.append(...children);
  return element;
}
