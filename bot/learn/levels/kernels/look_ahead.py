"""Depth-limited search of a player who overlooks some of the 69 lines: alpha-beta over the lines that each side sees.

Values are in the view of the side to move: ``WIN`` less the plies from the empty board for a four on a seen line, the
negative of that for a loss, 0 for a full board, otherwise the weights of the seen lines that are still open.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bot.engine.jit.bits import EVEN_ROWS, FULL, ODD_ROWS, playable_cells, popcount
from bot.engine.jit.compiling import kernel
from bot.engine.jit.vectors import fours
from bot.game.columns import CENTRE_FIRST

WIN = 100_000
ZUGZWANG = 4
"""Index of the weight that a threat on a row of the right parity adds; indices 1 to 3 are for one to three discs."""


@kernel()
def completes(discs: int, lines: NDArray[np.int64]) -> bool:
    """Return whether ``discs`` fill one of ``lines``."""
    for line in lines:  # noqa: SIM110  # a kernel
        if discs & line == line:
            return True
    return False


@kernel()
def judgement(discs: int, other: int, lines: NDArray[np.int64], good_rows: int, weights: NDArray[np.int64]) -> int:
    """Return the value of one side's open lines; ``good_rows`` holds the rows where its threats win by zugzwang."""
    total = 0
    for line in lines:
        if line & other == 0:
            count = popcount(line & discs)
            total += weights[count]
            if count == 3 and line & ~discs & good_rows:
                total += weights[ZUGZWANG]
    return total


@kernel(
    "int64(int64, int64, int64, int64, int64, int64, int64[::1], int64[::1], int64[::1], uint8[::1], uint8[::1])",
)
def look_ahead(
    current: int,
    mask: int,
    ply: int,
    depth: int,
    alpha: int,
    beta: int,
    own_lines: NDArray[np.int64],
    other_lines: NDArray[np.int64],
    weights: NDArray[np.int64],
    stop: NDArray[np.uint8],
    deadline: NDArray[np.uint8],
) -> int:
    """Return the value ``depth`` plies deep, fail-soft; void once a flag is set.

    ``own_lines`` are the lines that count for the side to move, ``other_lines`` those that count for its opponent, both
    int64 of any length; ``weights`` has five items; the flags are uint8 of one item each.
    """
    if stop[0] | deadline[0]:
        return 0
    other = current ^ mask
    if fours(other) and completes(other, other_lines):
        return ply - WIN
    if mask == FULL:
        return 0
    if depth == 0:
        own_rows, other_rows = (ODD_ROWS, EVEN_ROWS) if ply % 2 == 0 else (EVEN_ROWS, ODD_ROWS)
        own = judgement(current, other, own_lines, own_rows, weights)
        return own - judgement(other, current, other_lines, other_rows, weights)
    best = -2 * WIN
    for column in CENTRE_FIRST:
        move = playable_cells(mask) & (63 << 7 * column)
        if move == 0:
            continue
        value = -look_ahead(
            other,
            mask | move,
            ply + 1,
            depth - 1,
            -beta,
            -max(alpha, best),
            other_lines,
            own_lines,
            weights,
            stop,
            deadline,
        )
        if value > best:
            best = value
            if best >= beta:
                break
    return best
