// Pictures to share: the board with its ribbon, as PNG.

import { $, all } from "./dom.js";

/** Style properties that are written into the picture, which has no style sheet. */
const PROPERTIES = [
  "fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-dasharray",
  "opacity", "font-size", "font-weight", "font-family", "text-anchor",
];
/** Pixels of the picture for each unit of its drawing. */
const SCALE = 2;
/** Width of the picture; height of the board and of the ribbon; height of a line of text; units. */
const WIDTH = 740, EDGE = 20, BOARD = 600, RIBBON = 80, LINE = 36;

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
 * Return the board and the ribbon that the page shows as a PNG picture.
 * @param {string} title  who has played
 * @param {string} headline  how it ended
 */
export function gamePicture(title, headline) {
  const inner = WIDTH - 2 * EDGE, top = 2 * LINE + EDGE, ribbon = document.querySelector("#ribbon svg");
  const below = top + BOARD + EDGE, height = below + RIBBON;
  return png(`<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}">
    <rect width="100%" height="100%" fill="${token("--paper")}" />
    ${line(title, EDGE + 16, 24)}${line(headline, EDGE + 16 + LINE, 20)}
    ${copyOf($("board"), { x: EDGE, y: top, width: inner, height: BOARD })}
    ${ribbon ? copyOf(ribbon, { x: EDGE, y: below, width: inner, height: RIBBON - 10 }) : ""}</svg>`, height);
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
