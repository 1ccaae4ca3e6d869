// Lines of the coach: played out on the board move by move, as a variation of the game.

import { ROWS, writeMoves } from "./rules.js";

/** @import { Note } from "./board.js" */
/** @import { Game } from "./game.js" */
/** @import { Board } from "./rules.js" */

/** Pause between two moves of a line that is played out, milliseconds. */
const STEP_MS = 900;

/**
 * A line on a board. `moves`: the game's with those of the line; `start`: the ply at which the line begins; `subject`:
 * the position whose text the line belongs to, which stays beside the board; `from`: the ply to return to; `isBrief`:
 * whether the board goes back by itself.
 * @typedef {{game: Game, moves: string, start: number, subject: number[], from: number, notes: Note[],
 *   isBrief: boolean}} Line
 */

/** @type {Line | null} */
let current = null;
let timer = 0;

/** @param {number} cell */
export const place = (cell) => ({ column: Math.floor(cell / ROWS), row: cell % ROWS });

/**
 * Return the disc that a column would take, pale and with a sign, as a note.
 * @param {Board} board
 * @param {number} column
 * @param {string} text
 * @returns {Note}
 */
export const paleDisc = ({ cells, toMove }, column, text) =>
  ({ column, row: cells[column].length, text, kind: `pale ${toMove ? "second" : "first"}` });

/**
 * Return the pairs of a follow-up as notes over the board: both cells of a pair have the same letter.
 * @param {number[][]} pairs
 * @returns {Note[]}
 */
export const pairNotes = (pairs) => pairs.flatMap((pair, index) =>
  pair.map((cell) => ({ ...place(cell), text: String.fromCharCode(65 + index), kind: "pair" })));

/**
 * Play a line step by step from the position after `before`; any other move or step ends it.
 * @param {Game} game
 * @param {{before: number[], line: number[], notes?: Note[], done?: () => void}} what  `notes` are drawn at its end;
 *   `done` is called when the whole line has been shown, to go back
 */
export function playLine(game, { before, line, notes = [], done }) {
  clearInterval(timer);
  document.getElementById("board")?.scrollIntoView({ block: "nearest" });
  const moves = [...before, ...line], key = writeMoves(moves), shown = lineOf(game);
  const { from, subject } = shown ?? { from: game.at, subject: game.shown };
  game.showVariation(moves, before.length);
  current = { game, moves: key, start: before.length, subject, from, notes, isBrief: done !== undefined };
  let expected = before.length;
  timer = setInterval(() => {
    if (writeMoves(game.moves) !== key || game.at !== expected || expected >= moves.length) {
      clearInterval(timer);
      if (expected >= moves.length && game.at === expected) done?.();
      return;
    }
    expected++;
    game.walk(expected);
  }, STEP_MS);
}

/**
 * Return the line that is shown on a game's board; null if there is none.
 * @param {Game} game
 */
export const lineOf = (game) => (current?.game === game && current.moves === writeMoves(game.moves) ? current : null);

/**
 * Return the position that what is said of a board belongs to: the one on it, or the one that its line came from.
 * @param {Game} game
 */
export const subjectOf = (game) => lineOf(game)?.subject ?? game.shown;

/**
 * Return the notes of the line that a game's board shows, at its end.
 * @param {Game} game
 */
export function lineNotes(game) {
  const line = lineOf(game);
  return line && !game.isLookingBack ? line.notes : [];
}

/**
 * Leave the line: go back to where it was asked for.
 * @param {Game} game
 */
export function leaveLine(game) {
  clearInterval(timer);
  const line = lineOf(game);
  current = null;
  game.backToMain(line?.from ?? game.at);
}
