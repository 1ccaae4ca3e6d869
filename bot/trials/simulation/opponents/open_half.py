"""The open half of the foreign bots: the client's constants may be tuned on them.

They resemble programs that course staff, students and hobbyists write: mostly minimax at 3 plies, each with its own
evaluation, tie order and mistakes. A number at the end of a name is the search depth in plies.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from bot.trials.simulation.opponents.foreign import BOT, STUDENT, Cells, ForeignBot, Integers

LOWEST = (0, 1, 2, 3, 4, 5, 6)
HIGHEST = (6, 5, 4, 3, 2, 1, 0)
CENTRE_FIRST = (3, 2, 4, 1, 5, 0, 6)
CENTRE_FIRST_RIGHT = (3, 4, 2, 5, 1, 6, 0)

CENTRE_COLUMN = ((0, 0, 0, 3, 0, 0, 0),) * 6
LINES_THROUGH_CELL = (
    (3, 4, 5, 7, 5, 4, 3),
    (4, 6, 8, 10, 8, 6, 4),
    (5, 8, 11, 13, 11, 8, 5),
    (5, 8, 11, 13, 11, 8, 5),
    (4, 6, 8, 10, 8, 6, 4),
    (3, 4, 5, 7, 5, 4, 3),
)
NO_TABLE = ((0,) * 7,) * 6

SearchArrays = tuple[Integers, Integers, Integers, Integers]
"""Order of columns, habits, weights of windows and of cells."""
PLAYOUTS = 30
"""Random playouts for each column of the playout bot."""


def _own(cells: Cells) -> Cells:
    """Return a contiguous copy that a kernel may change."""
    return np.array(cells, dtype=np.int8, order="C")


def _reduced(seed: int) -> int:
    """Return a seed of any size as 32 bits; the modulus is prime, so that high bits count too."""
    return seed % 4_294_967_291


def _searched(settings: SearchArrays, is_random: bool, cells: Cells, _last: int, seed: int) -> int:
    """Answer by minimax; ``settings``: the kernel's arrays."""
    from bot.trials.simulation.kernels.open_half import searched_column

    return int(searched_column(_own(cells), *settings, is_random, _reduced(seed)))


def _mirrored(cells: Cells, last: int, _seed: int) -> int:
    """Answer by rule: block, else win, else mirror the student's last move."""
    from bot.trials.simulation.kernels.open_half import ruled_column

    return int(ruled_column(_own(cells), COPYCAT_ORDERS[last], STUDENT, BOT))


def _sampled(cells: Cells, _last: int, seed: int) -> int:
    """Answer by flat Monte Carlo."""
    from bot.trials.simulation.kernels.open_half import sampled_column

    return int(sampled_column(_own(cells), PLAYOUT_ORDER, PLAYOUTS, _reduced(seed)))


def _headed_by(column: int, others: Sequence[int]) -> Integers:
    """Return the columns as an array that starts with one of them."""
    return np.array([column, *(other for other in others if other != column)], dtype=np.int64)


COPYCAT_ORDERS = (*(_headed_by(6 - last, CENTRE_FIRST) for last in range(7)), np.array(CENTRE_FIRST, dtype=np.int64))
"""By the student's last column; the final entry serves -1, before the student's first move."""
PLAYOUT_ORDER = np.array(CENTRE_FIRST_RIGHT, dtype=np.int64)


def _minimax_bot(
    name: str,
    description: str,
    order: Sequence[int],
    *,
    table: Sequence[Sequence[int]] = NO_TABLE,
    windows: Sequence[int] = (),
    win_speed: int = 0,
    loss_speed: int = 0,
    late_check: bool = False,
    is_random: bool = False,
) -> ForeignBot:
    """Return a bot that searches 3 plies; `bot.trials.simulation.kernels.open_half` explains each setting."""
    columns, habits, of_windows, of_cells = (
        np.array(values, dtype=np.int64) for values in (order, (win_speed, loss_speed, late_check), windows, table)
    )
    return ForeignBot(
        name, description, not is_random, partial(_searched, (columns, habits, of_windows, of_cells), is_random)
    )


BOTS: tuple[ForeignBot, ...] = (
    _minimax_bot(
        "o-tutorial-3",
        "Minimax over 3 plies with the windows and centre bonus of a popular tutorial, lowest of equal columns; every "
        "win has the same value, so it may pass over an immediate win.",
        LOWEST,
        windows=(0, 2, 5, 0, 0, -4),
        table=CENTRE_COLUMN,
    ),
    _minimax_bot(
        "o-outcome-3",
        "Minimax over 3 plies that knows only win, loss and draw and picks at random among equal columns; every win "
        "has the same value, so it may pass over an immediate win, and once lost it plays at random.",
        LOWEST,
        is_random=True,
    ),
    _minimax_bot(
        "o-table-3",
        "Minimax over 3 plies that weighs each cell by the lines through it, centre first among equal columns; it "
        "prefers faster wins and slower losses.",
        CENTRE_FIRST,
        table=LINES_THROUGH_CELL,
        win_speed=1,
        loss_speed=1,
    ),
    _minimax_bot(
        "o-late-check-3",
        "Minimax over 3 plies that counts the lines still open to each side and evaluates the last ply before looking "
        "for a win there, highest of equal columns; losses are not delayed.",
        HIGHEST,
        windows=(1, 1, 1, -1, -1, -1),
        win_speed=1,
        late_check=True,
    ),
    ForeignBot(
        name="o-playouts",
        description="Flat Monte Carlo: plays the column with the best result over 30 random playouts each.",
        is_deterministic=False,
        answer=_sampled,
    ),
    ForeignBot(
        name="o-copycat",
        description="Blocks an immediate threat, else takes a win, else mirrors the student's last move, else prefers "
        "the centre.",
        is_deterministic=True,
        answer=_mirrored,
    ),
)
