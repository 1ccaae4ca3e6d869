// Pictures to share: the board with its ribbon, and the result of a set of puzzles, as PNG.

import { $, all } from "./dom.js";

/** Style properties that are written into the picture, which has no style sheet. */
const PROPERTIES = [
  "fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-dasharray",
  "opacity", "font-size", "font-weight", "font-family", "text-anchor",
];
/** Pixels of the picture for each unit of its drawing. */
const SCALE = 2;
/** Width of all pictures; height of the board and of the ribbon; height of a line of text; units. */
const WIDTH = 740, EDGE = 20, BOARD = 600, RIBBON = 80, LINE = 36;
/** Size of a puzzle's square, and the space from one to the next, units. */
const SQUARE = 132, STEP = 142;

/** Return the colour of the page's token, such as "--ink". */
const token = (/** @type {string} */ name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** @param {string} text */
const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");

/**
 * Return an SVG element of the page as text that needs no style sheet, at a place of its own.
 * @param {Element} source
 * @param {Record<string, number>} box  x, y, width, height
 */
function copyOf(source, box) {
  const copy = /** @type {Element} */ (source.cloneNode(true));
  const originals = [source, ...all("*", source)], copies = [copy, ...all("*", copy)];
  copies.forEach((element, index) => {
    const style = getComputedStyle(originals[index]);
    for (const name of PROPERTIES) {
      const value = style.getPropertyValue(name);
      if (value) element.setAttribute(name, value);
    }
  });
  for (const [name, value] of Object.entries(box)) copy.setAttribute(name, String(value));
  return new XMLSerializer().serializeToString(copy);
}

/**
 * @param {string} text
 * @param {number} y
 * @param {number} size
 */
const line = (text, y, size) => `<text x="${EDGE}" y="${y}" font-size="${size}" font-family="sans-serif"
  font-weight="600" fill="${token("--ink")}">${escaped(text)}</text>`;

/**
 * @param {number} height
 * @param {string[]} parts
 */
const drawing = (height, parts) => `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}">
  <rect width="100%" height="100%" fill="${token("--paper")}" />${parts.join("")}</svg>`;

/**
 * Return the board and the ribbon that the page shows as a PNG picture.
 * @param {string} title  who has played
 * @param {string} headline  how it ended
 */
export function gamePicture(title, headline) {
  const inner = WIDTH - 2 * EDGE, top = 2 * LINE + EDGE, ribbon = document.querySelector("#ribbon svg");
  const below = top + BOARD + EDGE, height = below + RIBBON;
  return png(drawing(height, [
    line(title, EDGE + 16, 24), line(headline, EDGE + 16 + LINE, 20),
    copyOf($("board"), { x: EDGE, y: top, width: inner, height: BOARD }),
    ribbon ? copyOf(ribbon, { x: EDGE, y: below, width: inner, height: RIBBON - 10 }) : "",
  ]), height);
}

/**
 * Return the result of a set of puzzles as a PNG picture: a square for each, found or missed.
 * @param {string} title
 * @param {boolean[]} results
 * @param {string} note  below the squares
 */
export function resultPicture(title, results, note) {
  const top = EDGE + LINE + EDGE, height = top + SQUARE + LINE + EDGE;
  const squares = results.map((isRight, index) => {
    const x = EDGE + index * STEP, middle = `${x + SQUARE / 2},${top + SQUARE / 2}`;
    const sign = isRight ? "m-24 0l16 18l32-38" : "m-20-20l40 40m0-40l-40 40";
    return `<rect x="${x}" y="${top}" width="${SQUARE}" height="${SQUARE}" rx="16"
      fill="${token(isRight ? "--win" : "--loss")}" /><path d="M${middle}${sign}" fill="none" stroke="#fff"
      stroke-width="10" stroke-linecap="round" stroke-linejoin="round" />`;
  });
  return png(drawing(height, [line(title, EDGE + 16, 24), ...squares, line(note, top + SQUARE + LINE, 20)]), height);
}

/**
 * @param {string} svg
 * @param {number} height
 * @returns {Promise<Blob>}
 */
async function png(svg, height) {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH * SCALE;
  canvas.height = height * SCALE;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => canvas.toBlob(
    (blob) => (blob ? resolve(blob) : reject(new Error("The browser cannot make this picture.")))));
}
