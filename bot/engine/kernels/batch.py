"""Many positions in one compiled loop: their moves are read, and their exact scores are found."""

from __future__ import annotations

from numpy import int64, uint8
from numpy.typing import NDArray

from bot.engine.jit.arrays import Words
from bot.engine.jit.bits import FULL, STRIDE, four, popcount
from bot.engine.jit.compiling import kernel
from bot.engine.kernels.solve import CLOSED, solve

NO_POSITION = -1
"""The discs of a text that the loop does not understand, or of a position that cannot be solved."""
UNSOLVED = 100
"""The score of a position that the loop leaves to others; beyond every score."""
_COLUMN = 0b111111


@kernel(inline=True)
def _column_of(character: int) -> int:
    """Return the column 0..6 of a character 1-7, a-g or A-G, or another number."""
    if character < 58:
        return character - 49
    return (character | 32) - 97


@kernel()
def read_positions(text: NDArray[uint8], ends: Words, boards: Words) -> None:
    """Play the moves of many positions, written one after another.

    Parameters
    ----------
    text : uint8, one dimension
        Characters. Blanks, commas and dashes are skipped, as `bot.game.parse_moves` does.
    ends : int64, one for each position
        The places in ``text`` where the positions end.
    boards : int64, two for each position, written
        Discs of the side to move, and all discs; ``NO_POSITION`` where the text is no unfinished position.
    """
    start = 0
    for number in range(len(ends)):
        current, mask = 0, 0
        for place in range(start, ends[number]):
            character = int64(text[place])
            if character in (32, 44, 45):
                continue
            column = _column_of(character)
            if column < 0 or column > 6 or four(current ^ mask):
                mask = NO_POSITION
                break
            cell = (mask + (1 << column * STRIDE)) & (_COLUMN << column * STRIDE)
            if cell == 0:
                mask = NO_POSITION
                break
            current ^= mask
            mask |= cell
        if mask == FULL or four(current ^ mask):
            mask = NO_POSITION
        start = ends[number]
        boards[number, 0] = current
        boards[number, 1] = mask


@kernel()
def solve_positions(
    boards: Words,
    results: Words,
    first: int,
    from_ply: int,
    node_budget: int,
    table_at: int,
    work_at: int,
    flag_at: int,
) -> int:
    """Solve positions from ``first`` on, each with a cold table, until ``node_budget`` nodes are spent.

    Writes score and nodes of each into ``results``, the score ``UNSOLVED`` where it is no position, has fewer than
    ``from_ply`` discs, or needs more nodes than the workspace allows. Returns the number of the next position.

    Table, workspace and flag are passed by their addresses.
    """
    spent = 0
    for number in range(first, len(boards)):
        if spent >= node_budget:
            return number
        results[number, 0] = UNSOLVED
        mask = boards[number, 1]
        if mask == NO_POSITION or popcount(mask) < from_ply:
            continue
        status, score, _, nodes = solve(boards[number, 0], mask, 0, -21, 21, 0, table_at, work_at, flag_at, flag_at)
        if status == CLOSED:
            results[number, 0] = score
        results[number, 1] = nodes
        spent += nodes
    return len(boards)
