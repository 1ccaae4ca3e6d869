// Taking a game out of the page: as a link, as moves, as text, as a picture, as a web page of its own.

import { hash } from "./address.js";
import { post } from "./api.js";
import { $, all } from "./dom.js";
import { gameOf } from "./game.js";
import { ROWS, position, writeMoves } from "./rules.js";
import { change, complain, notify } from "./store.js";
import { html } from "./vendor/lit-html.js";

/** @import { Game } from "./game.js" */

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
  link.download = ending.includes(".") ? ending : `connect-four-${writeMoves(gameOf().shown) || "start"}.${ending}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/**
 * Copy a text; if the browser does not allow that, show it for copying by hand.
 * @param {string} content
 * @param {string} done
 */
export async function copy(content, done) {
  try {
    await navigator.clipboard.writeText(content);
    notify(done);
  } catch {
    prompt("Copy this text:", content);
  }
}

/** Copy a link to the position shown. */
export const copyLink = () => copy(location.origin + location.pathname + hash(true), "The link is copied.");

let isSaving = false;

/**
 * Save a game with its analysis as a web page of its own, which the server makes.
 * @param {Game} game
 */
async function saveWebPage({ main, names }) {
  isSaving = true;
  change();
  try {
    const players = names.map((name) => name.slice(0, 60));
    const page = await post("/api/page", { moves: writeMoves(main), names: players });
    download("html", page.text, "text/html");
  } finally {
    isSaving = false;
    change();
  }
}

/**
 * The buttons that take a game out of the page.
 * @param {Game} game
 * @param {() => void} close  called when what a button says is done
 */
export function shareButtons(game, close) {
  const ways = /** @type {[string, string, () => unknown, string?][]} */ ([
    ["copy-moves", "Copy moves", () => copy(writeMoves(game.moves), "The moves are copied.")],
    ["link", "Copy link for this computer", copyLink],
    ["save-png", "Save picture", async () => download("png", await png(), "image/png"), "The picture is saved."],
    ["save-text", "Save text", () => download("txt", text(game.shown), "text/plain"), "The position is saved as text."],
    ["save-page", isSaving ? "Analysing\u2026" : "Save web page", () => saveWebPage(game), "The web page is saved."],
  ]);
  const take = async (/** @type {() => unknown} */ act, /** @type {string} */ done) => {
    try {
      await act();
      if (done) notify(done);
    } catch (error) {
      complain(error);
    }
    close();
  };
  return ways.map(([id, label, act, done = ""]) => html`<button id=${id} ?disabled=${id === "save-page" && isSaving}
    @click=${() => take(act, done)}>${label}</button>`);
}
