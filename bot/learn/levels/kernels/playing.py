"""How a level plays: the lines that it sees, the column that looks best to it, and whole games of two levels.

The look-ahead is alpha-beta over the lines that each side sees. Its values are in the view of the side to move: ``WIN``
less the plies from the empty board for a four on a seen line, the negative of that for a loss, 0 for a full board,
otherwise the weights of the seen lines that are still open.
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
# Factors on a level's probability of overlooking a line; see `bot.learn.levels.player`.
GAP = 1.3
"""Three discs with the gap inside, such as X X . X."""
IMAGINED = 1.25
"""A line without three discs: its four would have to be imagined."""
OPPONENT = 1.25
"""A line for the opponent."""
MOST = 0.95


@kernel()
def _shape_factor(line: int, discs: int) -> float:
    if popcount(line & discs) < 3:
        return IMAGINED
    missing = line & ~discs
    return 1.0 if missing == line & -line or missing > line - missing else GAP


@kernel("UniTuple(i8[::1], 2)(i8, i8, i8[::1], f8[::1], f8[::1])")
def seen(
    current: int, opponent: int, lines: NDArray[np.int64], factors: NDArray[np.float64], draws: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the lines that the side to move sees: for itself, and for its opponent.

    ``factors``: the probability of overlooking each of ``lines``, before its discs count; ``draws``: two numbers from 0
    to 1 for each.
    """
    own, other = np.empty_like(lines), np.empty_like(lines)
    owns = others = 0
    for index, line in enumerate(lines):
        if draws[2 * index] >= min(MOST, factors[index] * _shape_factor(line, current)):
            own[owns] = line
            owns += 1
        if draws[2 * index + 1] >= min(MOST, factors[index] * OPPONENT * _shape_factor(line, opponent)):
            other[others] = line
            others += 1
    return own[:owns], other[:others]


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


@kernel("i8(i8, i8, i8, i8, i8[::1], i8[::1], i8[::1], f8[::1], u1[::1], u1[::1])")
def best_column(
    current: int,
    mask: int,
    ply: int,
    depth: int,
    own: NDArray[np.int64],
    other: NDArray[np.int64],
    weights: NDArray[np.int64],
    errors: NDArray[np.float64],
    stop: NDArray[np.uint8],
    deadline: NDArray[np.uint8],
) -> int:
    """Return the column that looks best to a player who sees the lines ``own`` and ``other``, with these ``errors``.

    A column whose search was interrupted counts only where there is no other.
    """
    opponent = current ^ mask
    own, other = own[own & opponent == 0], other[other & current == 0]  # the others are closed for good
    best, most = -1, -2.0 * WIN
    for column in CENTRE_FIRST:
        move = playable_cells(mask) & (63 << 7 * column)
        if move == 0:
            continue
        value = 2.0 * WIN
        if not completes(current | move, own):
            # What does not exceed the best column so far need not be known exactly.
            enough = int(most - 1 if abs(most) > WIN // 2 else most - 1 - max(0.0, errors[column]))
            enough = max(enough - 1, -2 * WIN)
            found = -look_ahead(
                opponent, mask | move, ply + 1, depth - 1, -2 * WIN, -enough, other, own, weights, stop, deadline
            )
            if stop[0] | deadline[0]:
                return column if best < 0 else best
            value = found if abs(found) > WIN // 2 else found + errors[column]
        if best < 0 or value > most:
            best, most = column, value
    return best


@kernel("i8(i8, i8, i8, i8, i8, i8[::1], f8[:, ::1], f8[:, ::1], i8[:, ::1], u1[::1], u1[::1])")
def games_not_lost(
    current: int,
    mask: int,
    ply: int,
    games: int,
    seed: int,
    lines: NDArray[np.int64],
    factors: NDArray[np.float64],
    sides: NDArray[np.float64],
    weights: NDArray[np.int64],
    stop: NDArray[np.uint8],
    deadline: NDArray[np.uint8],
) -> int:
    """Play ``games`` from a position; return how many of them the side to move does not lose; void once a flag is set.

    ``factors``: for each column where a player may look, the probability of overlooking each line, for a level that
    overlooks ordinary lines always; ``sides``: for the side to move and for its opponent, how often it does, the plies
    of its look-ahead, and the deviation of its errors; ``weights``: theirs for `look_ahead`.
    """
    np.random.seed(seed)  # of this thread's generator
    errors = np.empty(7)
    tops = np.empty(7, np.int64)
    kept = 0
    for _ in range(games):
        own, board, played = current, mask, ply
        while board != FULL:
            side = (played - ply) & 1
            count = 0
            for column in range(7):
                errors[column] = np.random.normal(0.0, 1.0) * sides[side, 2]
                top = (board + (1 << 7 * column) & 127 << 7 * column) >> 1
                if top & board & ~own:
                    tops[count] = column
                    count += 1
            where = tops[np.random.randint(count)] if count else 3
            seen_own, seen_other = seen(own, own ^ board, lines, factors[where] * sides[side, 0], np.random.random(138))
            depth = int(sides[side, 1])
            column = best_column(own, board, played, depth, seen_own, seen_other, weights[side], errors, stop, deadline)
            if stop[0] | deadline[0]:
                return kept
            after = board | board + (1 << 7 * column)
            own = own | after ^ board
            if fours(own):
                kept += side == 0
                break
            own, board, played = own ^ after, after, played + 1
        else:
            kept += 1
    return kept
