// Sharing a position: as a link, as a picture, as text.

import { $, all } from "./dom.js";
import { ROWS, position, writeMoves } from "./rules.js";
import { hash, shown } from "./store.js";

/** Style properties that are written into the saved picture. */
const PROPERTIES = ["fill", "stroke", "stroke-width", "stroke-linecap", "opacity", "font", "text-anchor"];

/** Return the board as an SVG document of its own. */
function picture() {
  const source = $("board"), copy = /** @type {HTMLElement} */ (source.cloneNode(true));
  const originals = [source, ...all("*", source)], copies = [copy, ...all("*", copy)];
  copies.forEach((element, index) => {
    const style = getComputedStyle(originals[index]);
    for (const name of PROPERTIES) {
      const value = style.getPropertyValue(name);
      if (value) element.setAttribute(name, value);
    }
    element.removeAttribute("style");
    element.removeAttribute("class");
  });
  all("[data-column]", copy).forEach((lane) => lane.remove());
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", "700");
  copy.setAttribute("height", "600");
  return new XMLSerializer().serializeToString(copy);
}

/** Return the position as text. */
export function text() {
  const board = position(shown());
  const row = (/** @type {number} */ index) => board.cells.map((cells) => "XO"[cells[index]] ?? ".").join(" ");
  const rows = Array.from({ length: ROWS }, (_, index) => row(ROWS - 1 - index));
  const end = board.isDraw ? "A draw."
    : board.winner === null ? `${"XO"[board.toMove]} to move.` : `${"XO"[board.winner]} wins.`;
  return [...rows, "1 2 3 4 5 6 7", "", `Moves: ${writeMoves(board.moves) || "none"}`, end, ""].join("\n");
}

/**
 * @param {string} name
 * @param {string} content
 * @param {string} type
 */
function download(name, content, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/**
 * Connect the buttons; `say` is called with what a screen reader should read.
 * @param {(text: string) => void} say
 */
export function prepareShare(say) {
  const name = () => `connect-four-${writeMoves(shown()) || "start"}`;
  $("save-svg").addEventListener("click", () => download(`${name()}.svg`, picture(), "image/svg+xml"));
  $("save-text").addEventListener("click", () => download(`${name()}.txt`, text(), "text/plain"));
  $("link").addEventListener("click", async () => {
    const link = location.origin + location.pathname + hash(true);
    try {
      await navigator.clipboard.writeText(link);
      say("The link is copied.");
    } catch {
      prompt("The link to this position:", link);
    }
  });
}
