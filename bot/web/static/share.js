// Taking a game out of the page: as text, as a web page of its own.

import { post } from "./api.js";
import { reviewOf } from "./evaluator.js";
import { ending } from "./game.js";
import { spoken } from "./lines.js";
import { COLOURS, ROWS, position, writeMoves } from "./rules.js";
import { $, complain, notify } from "./store.js";
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
  const all = [`${DISCS[0]} ${names[0]} \u2013 ${DISCS[1]} ${names[1]}`, end, "", diagram(board), "", played,
    ...(moments.length ? ["", "Key moments:", ...moments] : []), ""];
  return all.join("\n").replaceAll("\u00a0", " ");
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
 * Save a game with its analysis as a web page of its own, which the server makes.
 * @param {Game} game
 */
async function saveWebPage(game) {
  notify("The game is being analysed\u2026");
  const { main, start } = game, names = namesForOthers(game).map((name) => name.slice(0, 60));
  const page = await post("/api/page", { moves: writeMoves(main), names, start });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([page.text], { type: "text/html" }));
  link.download = `connect-four-${writeMoves(main) || "start"}.html`;
  link.click();
  notify("The web page is saved.");
}

/** Open the menu at its first entry that takes a game out. */
export function openSharing() {
  $("choices").showPopover();
  $("copy-text").focus();
}

/**
 * The entries of the menu that take a game out of the page.
 * @param {Game} game
 */
export function sharing(game) {
  const entry = (/** @type {string} */ id, /** @type {string} */ label, /** @type {() => Promise<void>} */ act) => {
    const take = () => {
      $("choices").hidePopover();
      act().catch(complain);
    };
    return html`<button id=${id} @click=${take}>${label}</button>`;
  };
  return html`${entry("copy-text", "Copy game as text", () => copy(text(game), "The game is copied as text."))}
    ${entry("save-page", "Save game as web page", () => saveWebPage(game))}`;
}
