// The drawn board: discs fall behind a front with holes.

import { COLUMNS, IN_SENTENCE, ROWS, canPlay } from "./rules.js";
import { nothing, render, svg } from "./vendor/lit-html.js";

/** @import { Board } from "./rules.js" */

/** Width of a cell; radius of its hole and of the disc in it, whose ring fills the hole to its edge. */
const CELL = 100, HOLE = 42, RADIUS = 40;
/** Height of the board's edge below its front. */
const FOOT = 6;
/** Number of moves of a line that are drawn. */
const MAX_GHOSTS = 5;
/** Rest between a disc that has landed and the reply, milliseconds. */
const REST_MS = 250;
/** Time between two discs of a four that light up, milliseconds. */
const LIGHT_MS = 140;
/** Whether the user wants no motion: then everything is there at once. */
const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @param {number} column */
const x = (column) => column * CELL + CELL / 2;
/**
 * Return how long a disc falls to this row, milliseconds.
 * @param {number} row
 */
const fallTime = (row) => Math.round(190 * Math.sqrt(ROWS - row));
/** @param {number} row */
const y = (row) => (ROWS - 1 - row) * CELL + CELL / 2;

/**
 * Return the transformation to the middle of a cell.
 * @param {number} column
 * @param {number} row
 */
const to = (column, row) => `translate(${x(column)} ${y(row)})`;

/** What tells the discs apart without their colours. */
const RING = svg`<circle class="mark" r="20" />`, CROSS = svg`<path class="mark" d="M-16-16 16 16M16-16-16 16" />`;

/**
 * A disc; a style goes through the element's properties, for the page's policy forbids the attribute.
 * @param {number} player
 * @param {number} column
 * @param {number} row
 * @param {string} classes
 * @param {{style?: string, content?: unknown}} [more]
 */
const disc = (player, column, row, classes, { style = "", content = nothing } = {}) => svg`<g
  transform=${to(column, row)}><g class="disc ${player ? "second" : "first"} ${classes}" .style=${style}>
    <circle r=${RADIUS} />${player ? CROSS : RING}</g>${content}</g>`;

/**
 * Add a group of its own to a layer.
 * @param {Element} layer
 * @param {unknown} content
 */
function add(layer, content) {
  const group = document.createElementNS("http://www.w3.org/2000/svg", "g");
  render(content, group);
  layer.append(group);
  return group;
}

/**
 * @typedef {{column: number, row: number, text: string, kind: string}} Note  a text in a cell; `kind` is its style
 */

export class BoardView {
  /** @type {Map<string, SVGElement>} */
  #discs = new Map();
  /** @type {Board | null} */
  #board = null;
  /** When the next disc may fall, by the page's clock, milliseconds. */
  #freeAt = 0;

  /** @param {Element} root */
  constructor(root) {
    this.root = root;
    // A falling disc is seen behind the front only: what stands out of an inner drawing is cut off.
    render(svg`<path class="back" d=${outline(0)} />
      <svg width=${COLUMNS * CELL} height=${ROWS * CELL}><g></g></svg><g></g>
      <path class="deep" d=${outline(0) + holes()} fill-rule="evenodd" />
      <path class="front" d=${outline(FOOT) + holes()} fill-rule="evenodd" /><g></g><g></g>`, root);
    const [discs, ghosts, notes, marks] = root.querySelectorAll("g");
    this.layers = { discs, ghosts, notes, marks };
  }

  /**
   * Write notes into cells; one without a text of kind "hint" points at where a disc would land.
   * @param {Board} board
   * @param {Note[]} given
   * @param {number | null} column
   */
  #drawNotes(board, given, column) {
    const isPointed = column !== null && canPlay(board, column);
    const pointed = isPointed ? [{ column, row: board.cells[column].length, text: "", kind: "hint" }] : [];
    render([...given, ...pointed].map(({ column: at, row, text, kind }) => svg`<g class="note ${kind}"
      transform=${to(at, row)} data-column=${at}>${kind.startsWith("threat") ? badge(text)
        : svg`<circle r="30" /><text y="8">${text}</text>`}</g>`), this.layers.notes);
  }

  /**
   * Draw `board`. One or two new discs that follow the position before fall; with `isPaced`, each waits until the one
   * before has landed and rested. `ghosts` are the columns of a line; a hint points at the column `pointed`.
   * @param {Board} board
   * @param {{ghosts: number[], notes: Note[], pointed: number | null, isPaced: boolean, label: string}} options
   */
  show(board, { ghosts, notes, pointed, isPaced, label }) {
    const before = this.#board, isChanged = String(before?.moves) !== String(board.moves);
    this.#board = board;
    this.root.setAttribute("aria-label", label);
    if (isChanged) {
      // Only what follows the position shown falls; another position is simply there.
      const follows = before?.moves.every((move, ply) => move === board.moves[ply]) ?? false;
      const areFalling = before !== null && follows && board.ply <= before.ply + 2;
      this.#mark(board, this.#placeDiscs(board, areFalling, isPaced));
    }
    this.#drawGhosts(board, ghosts);
    this.#drawNotes(board, notes, pointed);
  }

  /**
   * Place the discs; return the time until the last one has landed, milliseconds; 0 if none falls.
   * @param {Board} board
   * @param {boolean} areFalling
   * @param {boolean} isPaced
   */
  #placeDiscs(board, areFalling, isPaced) {
    const wanted = new Map(), heights = Array(COLUMNS).fill(0), now = performance.now();
    board.moves.forEach((column, ply) => wanted.set(`${column},${heights[column]++},${ply % 2}`, ply));
    for (const [key, element] of this.#discs) {
      if (wanted.has(key)) continue;
      element.remove();
      this.#discs.delete(key);
    }
    // Whether a disc is falling or waits, only the browser knows: on a busy machine it draws late.
    const isHurried = !isPaced && this.layers.discs.getAnimations({ subtree: true }).length > 0;
    if (!isPaced && !isHurried) this.#freeAt = 0;
    const fall = areFalling && !isHurried; // else the new disc is simply there
    let landed = now;
    for (const key of wanted.keys()) {
      if (this.#discs.has(key)) continue;
      const [column, row, player] = key.split(",").map(Number), start = Math.max(now, this.#freeAt);
      const style = `--from: ${(row - ROWS) * CELL}px; --time: ${fallTime(row)}ms; --wait: ${start - now}ms`;
      if (fall && !isStill()) {
        landed = start + fallTime(row);
        this.#freeAt = landed + REST_MS;
      }
      this.#discs.set(key, add(this.layers.discs, disc(player, column, row, fall ? "falling" : "", { style })));
    }
    return landed - now;
  }

  /**
   * Mark the winning four, or else the last disc, when it has landed.
   * @param {Board} board
   * @param {number} wait_ms
   */
  #mark(board, wait_ms) {
    const last = board.moves.at(-1), before = [...this.layers.marks.children];
    const four = board.winning.map(([column, row], index) => ring("four", column, row, wait_ms + index * LIGHT_MS));
    if (four.length) add(this.layers.marks, four);
    else if (last !== undefined) {
      add(this.layers.marks, ring("last-move", last, board.cells[last].length - 1, wait_ms));
    }
    setTimeout(() => before.forEach((mark) => mark.remove()), wait_ms);
  }

  /**
   * @param {Board} board
   * @param {number[]} columns
   */
  #drawGhosts(board, columns) {
    const heights = board.cells.map((cells) => cells.length);
    render(columns.slice(0, MAX_GHOSTS).map((column, number) => disc((board.ply + number) % 2, column,
      heights[column]++, "ghost", { content: svg`<circle class="ghost-plate" r="19" />
        <text class="ghost-number" y="9">${number + 1}</text>` })), this.layers.ghosts);
  }
}

/**
 * A ring around a disc, which appears after a while; the cell of a four is named.
 * @param {"four" | "last-move"} kind
 * @param {number} column
 * @param {number} row
 * @param {number} wait_ms
 */
const ring = (kind, column, row, wait_ms) => svg`<circle class="${kind} appears" cx=${x(column)} cy=${y(row)} r="46"
  .style="--wait: ${wait_ms}ms" data-cell="${column},${row}" />`;

/**
 * Return a ring with its text in a badge at the edge, where it leaves room for a disc and its number.
 * @param {string} text
 */
const badge = (text) => svg`<circle r="38" /><rect x="-1" y="-48" width="50" height="26" rx="13" />
  <text x="24" y="-29">${text}</text>`;

/**
 * Return the outline of the board, less so much of its foot.
 * @param {number} less
 */
function outline(less) {
  const low = ROWS * CELL - less;
  return `M26 0H674a26 26 0 0 1 26 26V${low - 26}a26 26 0 0 1-26 26H26a26 26 0 0 1-26-26V26A26 26 0 0 1 26 0z`;
}

/** Return the outlines of all holes. */
const holes = () => Array.from({ length: COLUMNS * ROWS }, (_, cell) =>
  `M${x(cell % COLUMNS) - HOLE} ${y(Math.floor(cell / COLUMNS))}a42 42 0 1 0 84 0a42 42 0 1 0-84 0z`).join("");

/**
 * Describe the position in words, column by column.
 * @param {Board} board
 */
export function describe(board) {
  if (board.ply === 0) return "Empty board";
  const columns = board.cells.flatMap((cells, column) => {
    const colours = cells.map((player) => IN_SENTENCE[player]).join(", ");
    return cells.length ? [`column ${column + 1} from below: ${colours}`] : [];
  });
  return `Board after ${board.ply} ${board.ply === 1 ? "move" : "moves"}; ${columns.join("; ")}`;
}
