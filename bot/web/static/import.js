// Bringing games into the page: typed moves, files of moves, and journals from anywhere.

import { open } from "./address.js";
import { checkSize, post } from "./api.js";
import { gameOf } from "./game.js";
import { recordOf, runOf } from "./journals.js";
import { room } from "./room.js";
import { COLOURS, problemIn, readMoves, writeMoves } from "./rules.js";
import { openRun } from "./runs.js";
import { $, notify } from "./store.js";

/** @import { Run } from "./api.js" */

/** Maximum number of games taken from one text. */
const MAX_GAMES = 5000;
/** The line below a board drawn as text. */
const LEGEND = "1 2 3 4 5 6 7";

/**
 * Return a line without the numbers of its moves, such as those of `1. d 2. d 3. c`. The only number of a line is the
 * game's.
 * @param {string} line
 */
function withoutNumbers(line) {
  return /^\s*1[.)].*\s2[.)]/.test(line) ? line.replace(/(^|\s)\d+[.)]/g, " ") : line;
}

/**
 * Return the games in a text, one a line; other lines, such as a drawn board, are left out. Throws an Error with a
 * sentence if a line looks like moves and cannot be played, or if there is none.
 * @param {string} text
 */
function gamesIn(text) {
  /** @type {number[][]} */
  const games = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const found = /^\s*(?:moves:|\d+[.):](?=\s))?\s*([1-7a-g][1-7a-g\s,.;-]*)$/i.exec(withoutNumbers(line));
    if (!found || line.trim() === LEGEND) continue;
    if (/[1-7]/.test(found[1]) && /[a-g]/i.test(found[1])) {
      throw new Error(`Line ${index + 1}: Write the columns as 1-7 or as a-g, not both: ${line.trim().slice(0, 60)}`);
    }
    const problem = problemIn(found[1]);
    if (problem) throw new Error(`Line ${index + 1}: ${problem}`);
    games.push(readMoves(found[1]));
    if (games.length >= MAX_GAMES) break;
  }
  if (!games.length) throw new Error("No moves were found. Write columns such as 4435 or ddce, one game a line.");
  return games;
}

const dialog = () => /** @type {HTMLDialogElement} */ ($("import"));
const typed = () => /** @type {HTMLTextAreaElement} */ ($("import-text"));
const file = () => /** @type {HTMLInputElement} */ ($("import-file"));

/** Open the dialog, empty. */
export function openDialog() {
  typed().value = file().value = $("import-problem").textContent = "";
  dialog().showModal();
}

/**
 * Do what brings games in; what is wrong with them is said in the dialog.
 * @param {() => unknown} act
 */
async function attempt(act) {
  $("import-problem").textContent = "One moment\u2026";
  try {
    await act();
    dialog().close();
  } catch (error) {
    $("import-problem").textContent = error instanceof Error ? error.message : String(error);
    if (!dialog().open) dialog().showModal();
  }
}

/**
 * Show one game on the board of Study, and several as a list under Games.
 * @param {number[][]} games
 * @param {string} name
 */
function show(games, name) {
  const all = games.map((moves, index) =>
    recordOf({ number: index + 1, moves: writeMoves(moves), side: 0, names: COLOURS }));
  const run = runOf(name, `${name}, yellow's view`, all), [main] = games;
  if (run && games.length > 1) return openRun(run);
  const text = `The game is open: ${main.length} ${main.length === 1 ? "move" : "moves"}.`;
  open("scores");
  notify(text);
  return gameOf("scores").replace({ main, key: name }, text);
}

/** @param {File} chosen */
async function read(chosen) {
  checkSize(chosen.size); // before it is read
  const content = await chosen.text();
  if (content.includes("\0")) throw new Error("This file is neither text nor a journal.");
  if (!content.trimStart().startsWith("{")) return show(gamesIn(content), chosen.name);
  /** @type {Run} */
  const run = await post("/api/journal", { text: content });
  if (!run.all.length) throw new Error("This journal has no games.");
  openRun({ ...run, name: `${chosen.name} (opened)` });
  return notify(`${run.all.length} ${run.all.length === 1 ? "game is" : "games are"} open.`);
}

/** Connect the dialog, and accept files that are dropped on the page. */
export function prepareImport() {
  const take = (/** @type {File | undefined} */ chosen) => { 
    if (chosen && !room.isSpectator) attempt(() => read(chosen));
  };
  for (const one of document.querySelectorAll("dialog")) {
    one.addEventListener("close", () => $("ribbon").focus({ preventScroll: true }));
  }
  $("import-open").addEventListener("click", () => attempt(() => show(gamesIn(typed().value), "Typed moves")));
  file().addEventListener("change", () => take(file().files?.[0]));
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    take(event.dataTransfer?.files[0]);
  });
}
