// The rules of Connect Four on lists of columns.

export const COLUMNS = 7;
export const ROWS = 6;
/** What the players are called, at the beginning of a sentence and within one. */
export const COLOURS = ["Yellow", "Red"], IN_SENTENCE = ["yellow", "red"];
const DIRECTIONS = [[0, 1], [1, 0], [1, 1], [1, -1]], FOUR = [0, 1, 2, 3];

/**
 * @typedef {object} Board
 * @property {number[][]} cells  players (0 first, 1 second) by column, from the bottom up
 * @property {number[]} moves  columns 0..6 in order of play
 * @property {number} ply  number of discs
 * @property {number} toMove  player to move
 * @property {number | null} winner
 * @property {number[][]} winning  cells [column, row] of the winning fours
 * @property {boolean} isOver
 */

/**
 * Return the position after `moves`.
 * @param {number[]} moves
 * @returns {Board}
 */
export function position(moves) {
  /** @type {number[][]} */
  const cells = Array.from({ length: COLUMNS }, () => []);
  /** @type {number[][]} */
  let winning = [];
  for (const [ply, column] of moves.entries()) {
    cells[column].push(ply % 2);
    if (ply === moves.length - 1) winning = fours(cells, column);
  }
  const ply = moves.length;
  const winner = winning.length ? (ply - 1) % 2 : null;
  const isOver = winner !== null || ply === COLUMNS * ROWS;
  return { cells, moves, ply, toMove: ply % 2, winner, winning, isOver };
}

/**
 * @param {Board} board
 * @param {number} column
 */
export function canPlay(board, column) {
  return !board.isOver && column >= 0 && column < COLUMNS && board.cells[column].length < ROWS;
}

/**
 * Return the columns of a text such as "4435" or "ddce", up to the first illegal move.
 * @param {string | null | undefined} text
 */
export function readMoves(text) {
  const moves = [];
  for (const character of (text || "").toLowerCase()) {
    const column = /[1-7]/.test(character) ? +character - 1 : "abcdefg".indexOf(character);
    if (column < 0) continue;
    if (!canPlay(position(moves), column)) break;
    moves.push(column);
  }
  return moves;
}

/**
 * Return a sentence that says what is wrong with a text of moves; "" if all can be played.
 * @param {string | null} text
 */
export function problemIn(text) {
  const wanted = (text ?? "").replace(/[\s,.;-]/g, ""), strange = /[^1-7a-g]/i.exec(wanted);
  if (strange) return `Moves are columns 1 to 7 or a to g: "${strange[0]}" is none.`;
  const played = readMoves(wanted).length;
  if (played === wanted.length) return "";
  const part = played ? `only the first ${played} can` : "not even the first can";
  return `Of the moves ${wanted.slice(0, 60)}, ${part} be played.`;
}

/** @param {number[]} moves */
export const writeMoves = (moves) => moves.map((column) => column + 1).join("");

/**
 * Return the cells [column, row] of all fours through the top disc of `column`.
 * @param {number[][]} cells
 * @param {number} column
 */
function fours(cells, column) {
  const row = cells[column].length - 1, player = cells[column][row];
  /** @type {Map<string, number[]>} */
  const found = new Map();
  for (const [right, up] of DIRECTIONS) {
    for (const first of [-3, -2, -1, 0]) {
      const line = FOUR.map((step) => [column + (first + step) * right, row + (first + step) * up]);
      if (line.every(([c, r]) => cells[c]?.[r] === player)) for (const cell of line) found.set(String(cell), cell);
    }
  }
  return [...found.values()];
}

/**
 * Return the columns in which a player would make four with one disc.
 * @param {Board} board
 * @param {number} player
 */
export const winsOf = ({ cells }, player) => cells.flatMap((own, column) => {
  const next = cells.map((one, at) => (at === column ? [...one, player] : one));
  return own.length < ROWS && fours(next, column).length ? [column] : [];
});
