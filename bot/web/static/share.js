// Taking a game out of the page: as moves, as text, as a picture, as a web page of its own.
// There is no link: the page answers on this computer only.

import { post } from "./api.js";
import { reviewOf } from "./evaluator.js";
import { ending, gameOf } from "./game.js";
import { spoken } from "./lessons.js";
import { gamePicture } from "./picture.js";
import { COLOURS, ROWS, position, writeMoves } from "./rules.js";
import { change, complain, notify } from "./store.js";
import { html } from "./vendor/lit-html.js";

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
 * Return a game as text: who played, and the position shown with the moves; of a finished game, how it ended, its last
 * position, the moves, and its key moments where known.
 * @param {Game} game
 */
export function text(game) {
  const { moves, main, shown, isVariation } = game, names = namesForOthers(game), isOver = game.isOver && !isVariation;
  const review = isOver ? reviewOf(main) : null, board = position(isOver ? main : shown);
  const end = isOver ? ending(game, names) : `${COLOURS[board.toMove]} to move.`;
  const { winner = null } = game.result ?? {}, sides = winner === null ? [0, 1] : [1 - winner];
  const plies = sides.flatMap((side) => review?.moments[side] ?? []);
  const lessons = review?.lessons.filter(({ ply }) => plies.includes(ply)) ?? [];
  const moments = lessons.map((lesson) => `Move ${lesson.ply + 1}: ${spoken(lesson.text)}`);
  const played = `Moves: ${writeMoves(moves) || "none"}`;
  return [`${DISCS[0]} ${names[0]} \u2013 ${DISCS[1]} ${names[1]}`, end, "", diagram(board), "", played,
    ...(moments.length ? ["", "Key moments:", ...moments] : []), ""].join("\n");
}

/**
 * Let the browser save a file; `suffix` is its whole name if it contains a dot, else what its name ends with.
 * @param {string} suffix
 * @param {string | Blob} content
 * @param {string} type
 */
export function download(suffix, content, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = suffix.includes(".") ? suffix : `connect-four-${writeMoves(gameOf().shown) || "start"}.${suffix}`;
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

/**
 * Copy a picture; where the browser does not allow that, save it.
 * @param {Blob} picture
 * @param {string} name  of the file
 */
export async function copyPicture(picture, name) {
  try {
    await navigator.clipboard.write([new ClipboardItem({ [picture.type]: picture })]);
    notify("The picture is copied.");
  } catch {
    download(name, picture, picture.type);
    notify("The picture is saved.");
  }
}

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
    ["copy-text", "Copy as text", () => copy(text(game), "The game is copied as text.")],
    ["save-png", "Save picture", async () => download("png", await pictureOf(game), "image/png"),
      "The picture is saved."],
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
