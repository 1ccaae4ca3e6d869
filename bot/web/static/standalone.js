// The script of a game's own web page: it steps through the game and its analysis, without a server.

import { BoardView, describe } from "./board.js";
import { $, all, html } from "./dom.js";
import { drawGraph, level, reviewPoints } from "./graph.js";
import { canPlay, position, readMoves } from "./rules.js";
import { scoreBox } from "./scores.js";
import { accuracy, severity, verdictSign } from "./verdicts.js";

/** @import { Analysis, Review } from "./api.js" */

/**
 * @typedef {object} Saved
 * @property {string} moves
 * @property {string[]} names  who played yellow and red
 * @property {Review} review
 * @property {Analysis[]} positions  of every position, the first one included
 */

const COLOURS = ["Yellow", "Red"];
/** @type {Saved} */
const saved = JSON.parse($("data").textContent ?? "");
const { names, review, positions } = saved, moves = readMoves(saved.moves);
const boardView = new BoardView($("board"), () => {});
const slider = /** @type {HTMLInputElement} */ ($("slider"));
let at = moves.length;

/** @param {number} wanted */
function show(wanted) {
  at = Math.max(0, Math.min(wanted, moves.length));
  const board = position(moves.slice(0, at)), answer = positions[at], isKnown = answer.columns.some(Boolean);
  boardView.show(board, { ghosts: board.isOver ? [] : answer.pv, label: describe(board) });
  $("status-text").textContent = board.winner !== null ? `${COLOURS[board.winner]} wins with four in a row.`
    : board.isDraw ? "A draw: the board is full."
    : `Move ${at} of ${moves.length}: ${COLOURS[board.toMove].toLowerCase()} to move` +
      `${answer.text ? `, ${answer.text}` : ""}.`;
  const player = board.winner ?? (board.isDraw ? null : board.toMove);
  $("status").children[0].className = `dot ${player === null ? "" : player ? "second" : "first"}`;
  $("scores").replaceChildren(...board.cells.map((_, column) =>
    scoreBox(column, board, isKnown || !canPlay(board, column) ? answer : undefined)));
  const verdict = at ? review.moves[at - 1] : null;
  $("verdict").textContent = verdict ? `Move ${at}, column ${moves[at - 1] + 1}: ${verdict.text}.` : "";
  $("verdict").className = severity(verdict);
  $("verdict").hidden = !verdict;
  const score = review.scores[at];
  $("eval").classList.toggle("unknown", score === null);
  const share = (1 + level(score ?? 0, true)) / 2;
  /** @type {HTMLElement} */ ($("eval").firstElementChild).style.setProperty("--share", String(share));
  const leader = score ? `${score > 0 ? "yellow" : "red"} wins` : score === 0 ? "draw" : "not known";
  $("eval").setAttribute("aria-label", `Evaluation: ${leader}`);
  slider.value = String(at);
  slider.setAttribute("aria-valuetext", `Move ${at} of ${moves.length}`);
  all("#moves button").forEach((button, ply) => {
    if (ply + 1 === at) button.setAttribute("aria-current", "step"); else button.removeAttribute("aria-current");
  });
  drawGraph($("graph"), reviewPoints(review), { plies: moves.length, at, side: "yellow's", onPick: show });
}

document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
slider.max = String(moves.length);
slider.addEventListener("input", () => show(Number(slider.value)));
$("moves").append(...moves.map((column, ply) => {
  const verdict = review.moves[ply];
  const label = `Move ${ply + 1}, column ${column + 1}${verdict ? `: ${verdict.text}` : ""}`;
  const button = html("button", { "aria-label": label, title: label, onclick: () => show(ply + 1) },
    `${column + 1}${verdictSign(verdict)}`);
  return html("li", { class: `${ply % 2 ? "second" : "first"} ${severity(verdict)}` }, button);
}));
$("accuracy").append(...[0, 1].map((side) => {
  const share = accuracy(review, side);
  return html("div", { class: side ? "second" : "first" }, html("span", {}, names[side]),
    html("strong", {}, share === null ? "\u2013" : `${share} %`));
}));
for (const button of all("[data-go]")) {
  button.addEventListener("click", () => {
    const go = button.dataset.go;
    show(go === "first" ? 0 : go === "last" ? moves.length : go === "back" ? at - 1 : at + 1);
  });
}
document.addEventListener("keydown", (event) => {
  const focused = /** @type {HTMLElement} */ (event.target);
  if (focused.matches("input") || event.ctrlKey || event.metaKey || event.altKey) return;
  const step = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: moves.length }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  show(step);
});
show(at);
document.body.dataset.ready = "true";
