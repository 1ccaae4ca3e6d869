// Taking a game out of the page: as a picture, as text, as a web page of its own.

import { post } from "./api.js";
import { reviewOf } from "./evaluator.js";
import { ending, gameOf } from "./game.js";
import { spoken } from "./lines.js";
import { room } from "./room.js";
import { COLOURS, ROWS, position, writeMoves } from "./rules.js";
import { $, change, complain, notify } from "./store.js";
import { html, nothing } from "./vendor/lit-html.js";

/** @import { Game } from "./game.js" */
/** @import { Board } from "./rules.js" */

/** How discs and empty cells look in text. */
const DISCS = ["\u{1f7e1}", "\u{1f534}"], EMPTY = "\u26aa";

/**
 * Return what the players are called where others read it: there, nobody is "you".
 * @param {Game} game
 */
const namesForOthers = ({ names }) => names.map((name, side) => (name === "You" ? COLOURS[side] : name));

/**
 * Return the board and ribbon that the page shows as a picture, with who played and how it stands.
 * @param {Game} game
 */
function pictureOf(game) {
  const names = namesForOthers(game), { at, moves, isOver, isVariation } = game;
  const isAtEnd = isOver && !isVariation && at === moves.length;
  return gamePicture(names.join(" \u2013 "), isAtEnd ? ending(game, names) : `After move ${at} of ${moves.length}`);
}

/**
 * Return a position as text.
 * @param {Board} board
 */
function diagram({ cells: columns }) {
  const row = (/** @type {number} */ index) => columns.map((cells) => DISCS[cells[index]] ?? EMPTY).join("");
  return Array.from({ length: ROWS }, (_, index) => row(ROWS - 1 - index)).join("\n");
}

/**
 * Return a game as text: who played, the position shown, and the moves; of a finished game, how it ended, its last
 * position, and its key moments where known.
 * @param {Game} game
 */
export function text(game) {
  const { moves, main, shown, isVariation } = game, names = namesForOthers(game), isOver = game.isOver && !isVariation;
  const review = isOver ? reviewOf(main) : null, board = position(isOver ? main : shown);
  const end = isOver ? ending(game, names) : `${COLOURS[board.toMove]} to move.`;
  const { winner = null } = game.result ?? {}, sides = winner === null ? [0, 1] : [1 - winner];
  const plies = sides.flatMap((side) => review?.moments[side] ?? []);
  const lessons = review?.lessons.filter(({ ply }) => plies.includes(ply)) ?? [];
  const moments = lessons.map((remark) => `Move ${remark.ply + 1}: ${spoken(remark.text)}`);
  const played = `Moves: ${writeMoves(moves) || "none"}`;
  return [`${DISCS[0]} ${names[0]} \u2013 ${DISCS[1]} ${names[1]}`, end, "", diagram(board), "", played,
    ...(moments.length ? ["", "Key moments:", ...moments] : []), ""].join("\n");
}

/**
 * Let the browser save a file of the game on the board.
 * @param {string} suffix  what its name ends with
 * @param {Blob} content
 * @param {string} what  it is called in a sentence
 */
function download(suffix, content, what) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = `connect-four-${writeMoves(gameOf().shown) || "start"}.${suffix}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  notify(`The ${what} is saved.`);
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

let isSaving = false;

/**
 * Save a game with its analysis as a web page of its own, which the server makes.
 * @param {Game} game
 */
async function saveWebPage(game) {
  isSaving = true;
  change();
  try {
    const { main, start } = game, names = namesForOthers(game).map((name) => name.slice(0, 60));
    const page = await post("/api/page", { moves: writeMoves(main), names, start });
    download("html", new Blob([page.text], { type: "text/html" }), "web page");
  } finally {
    isSaving = false;
    change();
  }
}

const sheet = () => /** @type {HTMLDialogElement} */ ($("sharing"));

export const openSharing = () => sheet().showModal();

/**
 * The sheet of all ways, with what each gives.
 * @param {Game} game
 */
export function sharing(game) {
  const ways = /** @type {[string, string, string, () => unknown][]} */ ([
    ["save-png", "Save picture", "The board and its ribbon, for a chat or a slide.",
      async () => download("png", await pictureOf(game), "picture")],
    ["copy-text", "Copy text", "Players, board, moves and key moments, for a message. It can be opened here again.",
      () => copy(text(game), "The game is copied as text.")],
    ["save-page", isSaving ? "Web page: analysing\u2026" : "Save web page",
      "A file with scores and key moments, for every browser, with nothing installed.",
      () => saveWebPage(game)],
  ]);
  const take = async (/** @type {() => unknown} */ act) => {
    try {
      await act();
    } catch (error) {
      complain(error);
    }
    sheet().close();
  };
  return html`<form method="dialog"><h2 id="sharing-head">Share this game</h2>
    <ul class="list">${ways.map(([id, label, about, act]) => html`<li>
      <button type="button" id=${id} ?disabled=${id === "save-page" && isSaving} @click=${() => take(act)}>
        <b>${label}</b><small>${about}</small></button></li>`)}</ul>
    ${room.link ? nothing : html`<p class="about">There is no link: this page opens on your computer only.</p>`}
    <div class="row"><button>Close</button></div></form>`;
}

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
  const originals = [source, ...source.querySelectorAll("*")], copies = [copy, ...copy.querySelectorAll("*")];
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
