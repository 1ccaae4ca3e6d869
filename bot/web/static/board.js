// The drawn board: discs fall behind a front with holes.

import { svg } from "./dom.js";
import { COLUMNS, ROWS, canPlay } from "./rules.js";

const CELL = 100, RADIUS = 40;
const x = (column) => column * CELL + CELL / 2;
const y = (row) => (ROWS - 1 - row) * CELL + CELL / 2;

export function disc(player, column, row, classes = "") {
  const mark = player === 0
    ? svg("circle", { class: "mark", r: 24, fill: "none" })
    : svg("path", { class: "mark", d: "M-16-16 16 16M16-16-16 16" });
  return svg("g", { transform: `translate(${x(column)} ${y(row)})` },
    svg("g", { class: `disc ${player === 0 ? "first" : "second"} ${classes}` }, svg("circle", { r: RADIUS }), mark));
}

export class BoardView {
  #discs = new Map();
  #board = null;

  constructor(root, onColumn) {
    this.root = root;
    const hole = (column, row) => `M${x(column) - RADIUS + 2} ${y(row)}a38 38 0 1 0 76 0a38 38 0 1 0-76 0z`;
    let front = "M22 0H678a22 22 0 0 1 22 22V578a22 22 0 0 1-22 22H22a22 22 0 0 1-22-22V22A22 22 0 0 1 22 0z";
    for (let column = 0; column < COLUMNS; column++) for (let row = 0; row < ROWS; row++) front += hole(column, row);
    this.layers = Object.fromEntries(["discs", "ghosts", "marks"].map((name) => [name, svg("g")]));
    this.lanes = Array.from({ length: COLUMNS }, (_, column) => svg("rect", {
      class: "lane", x: column * CELL, y: 0, width: CELL, height: ROWS * CELL, rx: 16, "data-column": column,
      onclick: () => onColumn(column), onpointerenter: () => this.aim(column, true), onpointerleave: () => this.aim(column, false),
    }));
    const clip = svg("clipPath", { id: "inside" }, svg("rect", { width: 700, height: 600, rx: 22 }));
    root.append(clip, svg("rect", { class: "back", x: 4, y: 4, width: 692, height: 592, rx: 20 }),
      svg("g", { "clip-path": "url(#inside)" }, this.layers.discs), this.layers.ghosts,
      svg("path", { class: "front", d: front, "fill-rule": "evenodd" }),
      svg("rect", { class: "edge", x: 1.5, y: 1.5, width: 697, height: 597, rx: 21 }), this.layers.marks, ...this.lanes);
  }

  aim(column, on) {
    this.lanes[column].classList.toggle("aimed", on && this.#board !== null && canPlay(this.#board, column));
  }

  /** Draw `board`; a disc that is new falls, unless more than two are. `ghosts` are columns to come. */
  show(board, { ghosts = [], isOpen = false, label = "" } = {}) {
    const isNewBoard = board.ply > (this.#board?.ply ?? 0) + 2;
    this.#board = board;
    this.root.classList.toggle("open", isOpen);
    this.root.setAttribute("aria-label", label);
    const wanted = new Map();
    board.cells.forEach((cells, column) => cells.forEach((player, row) => wanted.set(`${column},${row},${player}`, [player, column, row])));
    for (const [key, element] of this.#discs) if (!wanted.has(key)) { element.remove(); this.#discs.delete(key); }
    for (const [key, [player, column, row]] of wanted) if (!this.#discs.has(key)) {
      const element = disc(player, column, row, isNewBoard ? "" : "falling");
      const height = ROWS - row;
      element.firstChild.style.setProperty("--from", `${-height * CELL}px`);
      element.firstChild.style.setProperty("--time", `${Math.round(190 * Math.sqrt(height))}ms`);
      this.#discs.set(key, element);
      this.layers.discs.append(element);
    }
    this.#mark(board);
    this.#ghosts(board, ghosts);
  }

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

  #ghosts(board, columns) {
    const heights = board.cells.map((cells) => cells.length);
    this.layers.ghosts.replaceChildren(...columns.slice(0, 10).map((column, number) => {
      const row = heights[column]++;
      const group = disc((board.ply + number) % 2, column, row, "ghost");
      group.append(svg("circle", { class: "ghost-plate", r: 19 }), svg("text", { class: "ghost-number", y: 9 }, String(number + 1)));
      return group;
    }));
  }
}

/** The position in words, column by column. */
export function describe(board) {
  if (board.ply === 0) return "Empty board";
  const columns = board.cells.map((cells, column) =>
    cells.length ? `column ${column + 1} from below: ${cells.map((player) => (player ? "red" : "yellow")).join(", ")}` : "");
  return `Board after ${board.ply} moves; ${columns.filter(Boolean).join("; ")}`;
}
