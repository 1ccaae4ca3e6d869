// Small helpers for elements.

export const $ = (id) => document.getElementById(id);
export const all = (selector, root = document) => [...root.querySelectorAll(selector)];

export function html(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

/** New buttons in `root`; whoever is on one of them, by keyboard or by scrolling, stays there. */
export function refill(root, children) {
  const index = all("button", root).indexOf(document.activeElement), top = root.scrollTop;
  root.replaceChildren(...children);
  root.scrollTop = top;
  if (index >= 0) all("button", root)[index]?.focus({ preventScroll: true });
}

export function complain(error) {
  $("error").firstElementChild.textContent = error ? error.message || String(error) : "";
  $("error").hidden = !error;
}
