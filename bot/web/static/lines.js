// The coach's sentences on the page, with its names of sides and cells; and its lines, played out on the board move by
// move, as a variation of the game.

import { button } from "./fields.js";
import { COLOURS, ROWS, position, winsOf, writeMoves } from "./rules.js";
import { showBoard } from "./store.js";
import { html, nothing } from "./vendor/lit-html.js";

/** @import { Reason, Remark, Review, Verdict } from "./api.js" */
/** @import { Note } from "./board.js" */
/** @import { Game } from "./game.js" */
/** @import { Board } from "./rules.js" */

/** A reason that is this many moves away is told before the better move; a longer one only on request. */
const NEAR = 3;

/**
 * Return a coach's sentence with the page's names of sides and cells: X and O become "you" and colours.
 * @param {string} text
 * @param {number | null} [you]  the side that is addressed; null: none
 */
export const spoken = (text, you = null) => text
  .replace(/(^|[.?!] |\b)([XO])('s)?(?!\w)/g, (_, start, letter, owns = "", at) => {
    const side = "XO".indexOf(letter), isFirst = at === 0 || start !== "", pronoun = owns ? "your" : "you";
    const name = side === you ? pronoun : `${COLOURS[side]}${owns && "\u2019s"}`;
    return `${start}${isFirst ? name[0].toUpperCase() : name[0]}${name.slice(1)}`;
  })
  .replace(/\b(at )?([a-g])([1-6])\b/g, (_, at, name, row) =>
    `${at ? "in " : ""}column ${"abcdefg".indexOf(name) + 1}, row ${row}`)
  .replace(/\b(columns?|row|move) (?=\d)/gi, "$1\u00a0"); // never broken between word and number

/**
 * Name columns: "columns 2, 3".
 * @param {number[]} columns
 */
export const named = (columns) =>
  `${columns.length > 1 ? "columns" : "column"}\u00a0${columns.map((column) => column + 1).join(", ")}`;

/**
 * Return a button that plays a line, if there is one.
 * @param {Game} game
 * @param {number[]} before  the moves before the line
 * @param {number[]} line
 * @param {number[][]} [pairs]
 */
export const lineButton = (game, before, line, pairs = []) => (line.length
  ? button("Show it", () => playLine(game, { before, line, notes: pairNotes(pairs) }), { isSmall: true }) : nothing);

/**
 * Return a reason, or what can be seen in a position, with a button that plays its line.
 * @param {Game} game
 * @param {Pick<Reason, "text" | "line" | "pairs">} reason
 * @param {number[]} before  the moves before the line
 * @param {number | null} [you]  the side that is addressed
 */
export const reasonLine = (game, { text, line, pairs }, before, you = game.you) =>
  html`<p class="reason">${spoken(text, you)} ${lineButton(game, before, line, pairs)}</p>`;

/**
 * Return what is said about a mistake, the most useful first: what happened, a reason that a person could have seen,
 * or else the better move.
 * @param {Game} game
 * @param {Remark} remark
 * @param {number[]} before  the moves before the mistake
 */
export function remarkSentences(game, { column, text, name, reasons, better, line, is_visible: isVisible }, before) {
  const happened = html`<p><strong>${spoken(text, game.you)}</strong>
    ${name ? html`<span class="kind">${name}</span>` : nothing}</p>`;
  const best = better.length
    ? [html`<p>Column ${better[0] + 1} was better. ${lineButton(game, before, better)}</p>`] : [];
  const why = reasons.map((reason) => reasonLine(game, reason, before));
  const now = line.length ? [html`<p>What happens now. ${lineButton(game, [...before, column], line)}</p>`] : [];
  const isNear = isVisible || reasons.some(({ quiet }) => quiet <= NEAR);
  return [happened, ...isNear ? [why, best] : [best, why, now]];
}

/**
 * Return "grave" for a move that changed the outcome, "slip" for another mistake, "" for none.
 * @param {Verdict | null | undefined} verdict
 */
export const severity = (verdict) =>
  (!verdict || verdict.kind === "best" || verdict.kind === "kept" ? "" : verdict.grave ? "grave" : "slip");

/**
 * Return the ply of the move that decided a game: the last one that changed the outcome; -1 if there is none.
 * @param {Review} review
 */
const decisive = ({ moves }) => moves.map(severity).lastIndexOf("grave");

/**
 * Return the plies of all mistakes of a side, in order of play.
 * @param {Review} review
 * @param {number} side
 */
export const mistakesOf = ({ moves }, side) =>
  moves.flatMap((move, ply) => (severity(move) && ply % 2 === side ? [ply] : []));

/**
 * Say how many mistakes a side has made: "2 mistakes, 1 decisive (move 6)".
 * @param {Review} review
 * @param {number} side
 * @param {number} start  moves before those that are counted
 */
export function countOf(review, side, start) {
  const own = mistakesOf(review, side).filter((ply) => ply >= start), count = own.length;
  const text = `${count || "no"} mistake${count > 1 ? "s" : ""}`, last = decisive(review);
  return own.includes(last) ? `${text}, 1 decisive (move\u00a0${last + 1})` : text;
}

/**
 * How many mistakes both sides have made; dots until that is known.
 * @param {Game} game
 * @param {Review | null} review
 */
export function mistakesPanel({ names, judgedFrom }, review) {
  const counts = names.map((name, side) => html`<p><b>${name}:</b>
    ${review ? countOf(review, side, judgedFrom) : "\u2026"}</p>`);
  return html`<div id="mistakes" role="status">${counts}</div>`;
}

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
 * Return rings on the cells of the four that a reason is about, with the one that it lacked, as notes.
 * @param {Reason | undefined} reason
 * @returns {Note[]}
 */
export const fourNotes = (reason) => (reason?.cells ?? []).map((cell) => ({ ...place(cell), text: "", kind: "of" }));

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
  showBoard();
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

/**
 * Return what the last move of a game's line does, and which step it is.
 * @param {Game} game
 */
export function lineText(game) {
  const { at, moves } = game, { start, isBrief } = lineOf(game) ?? { start: at, isBrief: true };
  const step = isBrief ? "" : `, step ${at - start} of ${moves.length - start}`;
  return `${at > start ? labelOf(game) : "The line"}${step}`;
}

/**
 * Return what the last move on a board does, in plain words.
 * @param {Game} game
 */
function labelOf({ shown, you, board }) {
  const column = shown[shown.length - 1], side = 1 - board.toMove, open = winsOf(board, side).length;
  const done = [
    winsOf(position(shown.slice(0, -1)), 1 - side).includes(column) ? ["blocks"] : [],
    open ? [open > 1 ? "opens two fours at once" : "threatens four"] : [],
  ].flat().join(" and ");
  if (!done && board.winner === null) {
    return `${side === you ? "You play" : `${COLOURS[side]} plays`} ${named([column])}`;
  }
  const owner = side === you ? "Your" : `${COLOURS[side]}\u2019s`;
  return `${owner} ${named([column])} ${board.winner === null ? done : "makes four"}`;
}
