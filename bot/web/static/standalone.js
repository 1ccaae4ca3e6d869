// The script of a game's own web page: it steps through the game, its analysis and the coach's lines, without a server.

import { BoardView, describe } from "./board.js";
import { $, all, control, html, refill } from "./dom.js";
import { drawGraph, level, reviewPoints } from "./graph.js";
import { STEP_MS, lessonParts } from "./lessons.js";
import { whenReleased } from "./press.js";
import { canPlay, position, readMoves } from "./rules.js";
import { scoreBox } from "./scores.js";
import { accuracy, severity, verdictSign } from "./verdicts.js";

/** @import { Analysis, Review } from "./api.js" */
/** @import { Note } from "./board.js" */
/** @import { SavedLesson } from "./lessons.js" */

/**
 * @typedef {object} Saved
 * @property {string} moves
 * @property {string[]} names  who played yellow and red
 * @property {Review} review
 * @property {Analysis[]} positions  of every position, the first one included
 * @property {(SavedLesson & {ply: number})[]} lessons  on the mistakes
 */

const COLOURS = ["Yellow", "Red"];
/** @type {Saved} */
const saved = JSON.parse($("data").textContent ?? "");
const { names, review, positions, lessons } = saved, moves = readMoves(saved.moves);
const boardView = new BoardView($("board"), () => {});
let at = moves.length;
/** @type {{moves: number[], from: number, back: number, notes: Note[]} | null} a line shown in place of the game: it
 * leaves the game after `from` moves, and `back` is where the reader came from */
let line = null;
let timer = 0;

/** Return the moves that the reader steps through. */
const current = () => line?.moves ?? moves;

/**
 * Show the position after `wanted` moves; a line that is being played out stops.
 * @param {number} wanted
 */
function show(wanted) {
  clearInterval(timer);
  timer = 0;
  draw(wanted);
}

/** @param {number} wanted */
function draw(wanted) {
  at = Math.max(0, Math.min(wanted, current().length));
  const board = position(current().slice(0, at)), isOfGame = !line || at <= line.from;
  const answer = isOfGame ? positions[at] : undefined, isKnown = answer?.columns.some(Boolean);
  boardView.annotate(line && at === line.moves.length ? line.notes : []);
  boardView.show(board, { ghosts: board.isOver || line ? [] : answer?.pv, label: describe(board) });
  const of = isOfGame ? `Move ${at} of ${moves.length}` : `Line, move ${at}`;
  $("status-text").textContent = board.winner !== null ? `${COLOURS[board.winner]} wins with four in a row.`
    : board.isDraw ? "A draw: the board is full."
    : `${of}: ${COLOURS[board.toMove].toLowerCase()} to move${answer?.text ? `, ${answer.text}` : ""}.`;
  const player = board.winner ?? (board.isDraw ? null : board.toMove);
  $("status").children[0].className = `dot ${player === null ? "" : player ? "second" : "first"}`;
  $("scores").replaceChildren(...board.cells.map((_, column) =>
    scoreBox(column, board, isKnown || !canPlay(board, column) ? answer : undefined)));
  drawVerdict(isOfGame);
  drawEvaluation(isOfGame ? review.scores[at] : null);
  drawCoach();
  drawMoves();
  const slider = control("slider");
  slider.max = String(current().length);
  slider.value = String(at);
  slider.setAttribute("aria-valuetext", `Move ${at} of ${current().length}`);
  drawGraph($("graph"), reviewPoints(review), {
    plies: moves.length, at: line ? Math.min(at, line.from) : at, side: "yellow's", onPick: showInGame,
  });
}

/** @param {number} ply */
function showInGame(ply) {
  line = null;
  show(ply);
}

/** @param {boolean} isOfGame */
function drawVerdict(isOfGame) {
  const verdict = at && isOfGame ? review.moves[at - 1] : null;
  $("verdict").textContent = verdict ? `Column ${moves[at - 1] + 1}: ${verdict.text}.` : "";
  $("verdict").className = severity(verdict);
  $("verdict").hidden = !verdict;
}

/** @param {number | null} score */
function drawEvaluation(score) {
  $("eval").classList.toggle("unknown", score === null);
  const share = (1 + level(score ?? 0, true)) / 2;
  /** @type {HTMLElement} */ ($("eval").firstElementChild).style.setProperty("--share", String(share));
  const leader = score ? `${score > 0 ? "yellow" : "red"} wins` : score === 0 ? "draw" : "not known";
  $("eval").setAttribute("aria-label", `Evaluation: ${leader}`);
}

/** Show the lesson on the last move; while a line is shown, the lesson that it belongs to stays. */
function drawCoach() {
  $("to-game").hidden = !line;
  $("next-mistake").hidden = !lessons.length;
  if (line) return;
  const lesson = lessons.find(({ ply }) => ply + 1 === at);
  const best = (/** @type {number} */ ply) => ({ better: positions[ply].pv, line: positions[ply + 1].pv });
  const mistakes = lessons.length === 1 ? "1 mistake" : `${lessons.length} mistakes`;
  const none = lessons.length ? `${mistakes} in this game. The marked moves say why.` : "No mistake was found.";
  $("coach-text").replaceChildren(...(lesson
    ? lessonParts({ ...best(lesson.ply), ...lesson }, moves.slice(0, lesson.ply), playOut)
    : [html("p", { class: "about" }, none)]));
}

/**
 * Play a line step by step; any other step stops it.
 * @param {number[]} before
 * @param {number[]} columns
 * @param {Note[]} notes
 */
function playOut(before, columns, notes) {
  const all = [...before, ...columns], first = all.findIndex((column, ply) => moves[ply] !== column);
  line = { moves: all, from: first < 0 ? all.length : first, back: line?.back ?? at, notes };
  show(before.length);
  const mine = setInterval(() => whenReleased(() => {
    if (timer !== mine) return; // what was pressed has stopped it
    if (at < all.length) draw(at + 1); else clearInterval(timer);
  }), STEP_MS);
  timer = mine;
}

/** List the moves, mistakes marked; those of a line in dashed frames. */
function drawMoves() {
  const from = line?.from ?? moves.length;
  refill($("moves"), current().map((column, ply) => {
    const verdict = ply < from ? review.moves[ply] : null, isTried = ply >= from;
    const label = `Move ${ply + 1}, column ${column + 1}${isTried ? " (line)" : verdict ? `: ${verdict.text}` : ""}`;
    const button = html("button", {
      "aria-label": label, title: label, "aria-current": ply + 1 === at ? "step" : null,
      onclick: () => show(ply + 1),
    }, `${column + 1}${verdictSign(verdict)}`);
    const classes = `${ply % 2 ? "second" : "first"} ${severity(verdict)} ${isTried ? "tried" : ""}`;
    return html("li", { class: classes }, button);
  }));
}

document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
$("slider").addEventListener("input", () => show(Number(control("slider").value)));
$("to-game").addEventListener("click", () => showInGame(line?.back ?? at));
$("next-mistake").addEventListener("click", () => {
  const here = line?.back ?? at, next = lessons.find(({ ply }) => ply + 1 > here) ?? lessons[0];
  showInGame(next.ply + 1);
});
$("accuracy").append(...[0, 1].map((side) => {
  const share = accuracy(review, side);
  return html("div", { class: side ? "second" : "first" }, html("span", {}, names[side]),
    html("strong", {}, share === null ? "\u2013" : `${share} %`));
}));
for (const button of all("[data-go]")) {
  button.addEventListener("click", () => {
    const go = button.dataset.go;
    show(go === "first" ? 0 : go === "last" ? current().length : go === "back" ? at - 1 : at + 1);
  });
}
document.addEventListener("keydown", (event) => {
  const focused = /** @type {HTMLElement} */ (event.target);
  if (focused.matches("input") || event.ctrlKey || event.metaKey || event.altKey) return;
  const step = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: current().length }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  show(step);
});
show(at);
document.body.dataset.ready = "true";
