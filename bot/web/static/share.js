// Taking a game out of the page: as a link, as moves, as text, as a picture, as a web page of its own.

import { postForText } from "./api.js";
import { $, all, complain, control } from "./dom.js";
import { game, shown } from "./game.js";
import { ROWS, position, writeMoves } from "./rules.js";
import { hash } from "./store.js";

/** @import { Page } from "./app.js" */

/** Style properties that are written into the saved picture. */
const PROPERTIES = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-linecap", "stroke-opacity", "opacity", "font",
  "text-anchor", "stop-color", "stop-opacity",
];
/** Width of the board's picture, pixels; it is 6/7 as high. */
const WIDTH = 1400;

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
  for (const name of ["id", "role", "aria-label"]) copy.removeAttribute(name);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", "700");
  copy.setAttribute("height", "600");
  return new XMLSerializer().serializeToString(copy);
}

/**
 * Return the board as a PNG picture.
 * @returns {Promise<Blob>}
 */
async function png() {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(picture())}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = (WIDTH * 6) / 7;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => canvas.toBlob(
    (blob) => (blob ? resolve(blob) : reject(new Error("The browser cannot make this picture.")))));
}

/**
 * Return a position as text.
 * @param {number[]} moves
 */
export function text(moves) {
  const board = position(moves);
  const row = (/** @type {number} */ index) => board.cells.map((cells) => "XO"[cells[index]] ?? ".").join(" ");
  const rows = Array.from({ length: ROWS }, (_, index) => row(ROWS - 1 - index));
  const end = board.isDraw ? "A draw."
    : board.winner === null ? `${"XO"[board.toMove]} to move.` : `${"XO"[board.winner]} wins.`;
  return [...rows, "1 2 3 4 5 6 7", "", `Moves: ${writeMoves(board.moves) || "none"}`, end, ""].join("\n");
}

/**
 * Let the browser save a file; `ending` is its whole name if it contains a dot, else what its name ends with.
 * @param {string} ending
 * @param {string | Blob} content
 * @param {string} type
 */
export function download(ending, content, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = ending.includes(".") ? ending : `connect-four-${writeMoves(shown()) || "start"}.${ending}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/**
 * Copy a text; if the browser does not allow that, show it for copying by hand.
 * @param {Page} page
 * @param {string} content
 * @param {string} done
 */
async function copy(page, content, done) {
  try {
    await navigator.clipboard.writeText(content);
    page.notify(done);
  } catch {
    prompt("Copy this text:", content);
  }
}

/** Save the game with its analysis as a web page of its own, which the server makes. */
async function saveWebPage() {
  const { main, names } = game(), button = control("save-page"), label = button.textContent;
  button.disabled = true;
  button.textContent = "Analysing\u2026";
  try {
    download("html", await postForText("/api/page", { moves: writeMoves(main), names }), "text/html");
  } finally {
    button.disabled = false;
    button.textContent = label;
  }
}

/**
 * Connect the buttons.
 * @param {Page} page
 */
export function prepareShare(page) {
  /** @type {Record<string, [() => unknown, string]>} what a button of the menu does, and the notice after it */
  const savers = {
    "copy-moves": [() => copy(page, writeMoves(game().moves), "The moves are copied."), ""],
    "save-text": [() => download("txt", text(shown()), "text/plain"), "The position is saved as text."],
    "save-svg": [() => download("svg", picture(), "image/svg+xml"), "The picture is saved."],
    "save-png": [async () => download("png", await png(), "image/png"), "The picture is saved."],
    "save-page": [saveWebPage, "The web page is saved."],
  };
  for (const [id, [act, done]] of Object.entries(savers)) {
    $(id).addEventListener("click", async () => {
      try {
        await act();
        if (done) page.notify(done);
      } catch (error) {
        complain(error);
      }
      $("save").removeAttribute("open");
    });
  }
  $("link").addEventListener("click", () => {
    copy(page, location.origin + location.pathname + hash(true), "The link is copied.");
  });
  document.addEventListener("click", ({ target }) => {
    if (!$("save").contains(/** @type {Node} */ (target))) $("save").removeAttribute("open");
  });
}
