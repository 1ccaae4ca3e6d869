// The drawn board: discs fall behind a front with holes.

import { svg } from "./dom.js";
import { COLUMNS, ROWS, canPlay } from "./rules.js";

/** @import { Board } from "./rules.js" */

const CELL = 100, RADIUS = 40;
/** Number of moves of the best line that are drawn. */
const MAX_GHOSTS = 10;

/** @param {number} column */
const x = (column) => column * CELL + CELL / 2;
/** @param {number} row */
const y = (row) => (ROWS - 1 - row) * CELL + CELL / 2;

/**
 * @param {number} player
 * @param {number} column
 * @param {number} row
 * @param {string} [classes]
 */
export function disc(player, column, row, classes = "") {
  const mark = player === 0
    ? svg("circle", { class: "mark", r: 24, fill: "none" })
    : svg("path", { class: "mark", d: "M-16-16 16 16M16-16-16 16" });
  return svg("g", { transform: `translate(${x(column)} ${y(row)})` },
    svg("g", { class: `disc ${player === 0 ? "first" : "second"} ${classes}` }, svg("circle", { r: RADIUS }), mark));
}

export class BoardView {
  /** @type {Map<string, SVGElement>} */
  #discs = new Map();
  /** @type {Board | null} */
  #board = null;

  /**
   * @param {HTMLElement} root
   * @param {(column: number) => void} onColumn
   */
  constructor(root, onColumn) {
    this.root = root;
    this.layers = { discs: svg("g"), ghosts: svg("g"), marks: svg("g") };
    this.lanes = Array.from({ length: COLUMNS }, (_, column) => svg("rect", {
      class: "lane", x: column * CELL, y: 0, width: CELL, height: ROWS * CELL, rx: 16, "data-column": column,
      onclick: () => onColumn(column),
      onpointerenter: () => this.aim(column, true), onpointerleave: () => this.aim(column, false),
    }));
    const clip = svg("clipPath", { id: "inside" }, svg("rect", { width: 700, height: 600, rx: 22 }));
    root.append(clip, svg("rect", { class: "back", x: 4, y: 4, width: 692, height: 592, rx: 20 }),
      svg("g", { "clip-path": "url(#inside)" }, this.layers.discs), this.layers.ghosts,
      svg("path", { class: "front", d: frontPath(), "fill-rule": "evenodd" }),
      svg("rect", { class: "edge", x: 1.5, y: 1.5, width: 697, height: 597, rx: 21 }),
      this.layers.marks, ...this.lanes);
  }

  /**
   * Highlight a column, or stop doing so.
   * @param {number} column
   * @param {boolean} on
   */
  aim(column, on) {
    this.lanes[column].classList.toggle("aimed", on && this.#board !== null && canPlay(this.#board, column));
  }

  /**
   * Draw `board`. New discs fall, unless there are more than two. `ghosts` are the columns of the best line.
   * @param {Board} board
   * @param {{ghosts?: number[], isOpen?: boolean, label?: string}} [options]
   */
  show(board, { ghosts = [], isOpen = false, label = "" } = {}) {
    const isNewBoard = board.ply > (this.#board?.ply ?? 0) + 2;
    this.#board = board;
    this.root.classList.toggle("open", isOpen);
    this.root.setAttribute("aria-label", label);
    this.#placeDiscs(board, !isNewBoard);
    this.#mark(board);
    this.#drawGhosts(board, ghosts);
  }

  /**
   * @param {Board} board
   * @param {boolean} areFalling
   */
  #placeDiscs(board, areFalling) {
    const wanted = new Set(board.cells.flatMap((cells, column) =>
      cells.map((player, row) => `${column},${row},${player}`)));
    for (const [key, element] of this.#discs) {
      if (wanted.has(key)) continue;
      element.remove();
      this.#discs.delete(key);
    }
    for (const key of wanted) {
      if (this.#discs.has(key)) continue;
      const [column, row, player] = key.split(",").map(Number);
      const element = disc(player, column, row, areFalling ? "falling" : "");
      const height = ROWS - row, moving = /** @type {SVGElement} */ (element.firstChild);
      moving.style.setProperty("--from", `${-height * CELL}px`);
      moving.style.setProperty("--time", `${Math.round(190 * Math.sqrt(height))}ms`);
      this.#discs.set(key, element);
      this.layers.discs.append(element);
    }
  }

  /** @param {Board} board */
  #mark(board) {
    const marks = [];
    if (board.winner !== null) {
      for (const [column, row] of board.winning) {
        marks.push(svg("circle", { class: "four", cx: x(column), cy: y(row), r: 36, "data-cell": `${column},${row}` }),
          svg("circle", { class: "four-dot", cx: x(column), cy: y(row), r: 9 }));
      }
    } else if (board.ply > 0) {
      const column = board.moves[board.ply - 1], row = board.cells[column].length - 1;
      marks.push(svg("circle", { class: "last-move", cx: x(column), cy: y(row), r: 42 }));
    }
    this.layers.marks.replaceChildren(...marks);
  }

  /**
   * @param {Board} board
   * @param {number[]} columns
   */
  #drawGhosts(board, columns) {
    const heights = board.cells.map((cells) => cells.length);
    this.layers.ghosts.replaceChildren(...columns.slice(0, MAX_GHOSTS).map((column, number) => {
      const row = heights[column]++;
      const group = disc((board.ply + number) % 2, column, row, "ghost");
      const text = svg("text", { class: "ghost-number", y: 9 }, String(number + 1));
      group.append(svg("circle", { class: "ghost-plate", r: 19 }), text);
      return group;
    }));
  }
}

/** Return the outline of the board's front with its holes. */
function frontPath() {
  let path = "M22 0H678a22 22 0 0 1 22 22V578a22 22 0 0 1-22 22H22a22 22 0 0 1-22-22V22A22 22 0 0 1 22 0z";
  for (let column = 0; column < COLUMNS; column++) {
    const left = x(column) - RADIUS + 2;
    for (let row = 0; row < ROWS; row++) path += `M${left} ${y(row)}a38 38 0 1 0 76 0a38 38 0 1 0-76 0z`;
  }
  return path;
}

/**
 * Describe the position in words, column by column.
 * @param {Board} board
 */
export function describe(board) {
  if (board.ply === 0) return "Empty board";
  const columns = board.cells.flatMap((cells, column) => {
    const colours = cells.map((player) => (player ? "red" : "yellow")).join(", ");
    return cells.length ? [`column ${column + 1} from below: ${colours}`] : [];
  });
  return `Board after ${board.ply} ${board.ply === 1 ? "move" : "moves"}; ${columns.join("; ")}`;
}
