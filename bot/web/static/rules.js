// The rules: what a row of columns (0..6) comes to.

export const COLUMNS = 7;
export const ROWS = 6;
const DIRECTIONS = [[0, 1], [1, 0], [1, 1], [1, -1]];

/** The position after `moves`: cells[column] holds players (0 first, 1 second) from the bottom up. */
export function position(moves) {
  const cells = Array.from({ length: COLUMNS }, () => []);
  let winning = [];
  for (const [ply, column] of moves.entries()) {
    cells[column].push(ply % 2);
    if (ply === moves.length - 1) winning = fours(cells, column);
  }
  const winner = winning.length ? (moves.length - 1) % 2 : null;
  const isDraw = winner === null && moves.length === COLUMNS * ROWS;
  return { cells, moves, ply: moves.length, toMove: moves.length % 2, winner, winning, isDraw, isOver: winner !== null || isDraw };
}

export function canPlay(board, column) {
  return !board.isOver && column >= 0 && column < COLUMNS && board.cells[column].length < ROWS;
}

/** The columns of a text such as "4435" or "ddce"; whatever is illegal ends it. */
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

/** What is wrong with a text of moves, as a sentence; "" where all of them can be played. */
export function faultIn(text) {
  const wanted = (text || "").replace(/[\s,.;-]/g, ""), played = readMoves(text).length;
  if (played === wanted.length) return "";
  return `Of the moves ${wanted.slice(0, 60)} ${played ? `only ${played}` : "none"} can be played.`;
}

export const writeMoves = (moves) => moves.map((column) => column + 1).join("");

/** The cells [column, row] of all fours through the top disc of `column`. */
function fours(cells, column) {
  const row = cells[column].length - 1, player = cells[column][row];
  const found = new Map();
  for (const [right, up] of DIRECTIONS) {
    const line = [[column, row]];
    for (const sign of [1, -1]) {
      let c = column + sign * right, r = row + sign * up;
      while (cells[c] && cells[c][r] === player) {
        if (sign > 0) line.push([c, r]); else line.unshift([c, r]);
        c += sign * right; r += sign * up;
      }
    }
    if (line.length >= 4) for (const cell of line) found.set(String(cell), cell);
  }
  return [...found.values()];
}
