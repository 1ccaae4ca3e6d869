"""The open half of the foreign bots: the client's constants may be tuned on them.

They resemble programs that course staff, students and hobbyists write: mostly minimax at 3 plies, each with its own
evaluation, tie order and mistakes. A number at the end of a name is the search depth in plies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from bot.trials.simulation.kernels import open_habits as index
from bot.trials.simulation.kernels.open_habits import BOT, FIRST, LAST, RANDOM, STUDENT, Integers
from bot.trials.simulation.opponents.foreign import Cells, ForeignBot

LOWEST = (0, 1, 2, 3, 4, 5, 6)
HIGHEST = (6, 5, 4, 3, 2, 1, 0)
CENTRE_FIRST = (3, 2, 4, 1, 5, 0, 6)
CENTRE_FIRST_RIGHT = (3, 4, 2, 5, 1, 6, 0)
EDGES_FIRST = (0, 6, 1, 5, 2, 4, 3)
STRIDE_OF_THREE = (2, 5, 1, 4, 0, 3, 6)
CENTRE_THEN_ODD = (3, 1, 5, 0, 6, 2, 4)

ALL_LINES = 15
NO_RISING_DIAGONAL = 7

CENTRE_COLUMN = ((0, 0, 0, 3, 0, 0, 0),) * 6
LINES_THROUGH_CELL = (
    (3, 4, 5, 7, 5, 4, 3),
    (4, 6, 8, 10, 8, 6, 4),
    (5, 8, 11, 13, 11, 8, 5),
    (5, 8, 11, 13, 11, 8, 5),
    (4, 6, 8, 10, 8, 6, 4),
    (3, 4, 5, 7, 5, 4, 3),
)
LOW_AND_CENTRAL = tuple(tuple(2 * row + 3 - abs(column - 3) for column in range(7)) for row in range(6))
NO_TABLE = ((0,) * 7,) * 6

PLAYOUTS = 30
"""Random playouts for each column of the playout bot."""


@dataclass(frozen=True, eq=False)
class Style:
    """The settings of one minimax bot, as the search kernel's arrays."""

    order: Integers
    habits: Integers
    table: Integers


def _style(
    *,
    plies: int,
    order: Sequence[int],
    table: Sequence[Sequence[int]] = NO_TABLE,
    windows: Sequence[int] = (),
    gaps: Sequence[int] = (0, 0, 0, 0),
    runs: Sequence[int] = (),
    lines: int = ALL_LINES,
    win_speed: int = 0,
    loss_speed: int = 0,
    late_check: bool = False,
    tie: int = FIRST,
    slip_per_mille: int = 0,
) -> Style:
    """Return the arrays of a minimax bot; `open_habits` explains each setting.

    ``windows`` holds six weights, ``gaps`` and ``runs`` four each, the bot's before the student's.
    """
    habits = np.zeros(index.HABITS, dtype=np.int64)
    habits[index.PLIES] = plies
    habits[index.LINES] = lines
    habits[index.WIN_SPEED] = win_speed
    habits[index.LOSS_SPEED] = loss_speed
    habits[index.LATE_CHECK] = late_check
    habits[index.TIE] = tie
    habits[index.SLIP_PER_MILLE] = slip_per_mille
    habits[index.USES_WINDOWS] = bool(windows)
    habits[index.USES_RUNS] = bool(runs)
    habits[index.OWN_WINDOW : index.OWN_WINDOW + 6] = windows or (0,) * 6
    habits[index.OWN_ODD : index.OWN_ODD + 4] = gaps
    habits[index.OWN_PAIR : index.OWN_PAIR + 4] = runs or (0,) * 4
    return Style(
        order=np.array(order, dtype=np.int64),
        habits=habits,
        table=np.array(table, dtype=np.int64),
    )


def _own(cells: Cells) -> Cells:
    """Return a contiguous copy that a kernel may change."""
    return np.array(cells, dtype=np.int8, order="C")


def _reduced(seed: int) -> int:
    """Return a seed of any size as 32 bits; the modulus is prime, so that high bits count too."""
    return seed % 4_294_967_291


def _searched(style: Style, cells: Cells, _last: int, seed: int) -> int:
    """Answer by minimax."""
    from bot.trials.simulation.kernels.open_half import searched_column

    return int(searched_column(_own(cells), style.order, style.habits, style.table, _reduced(seed)))


def _stacked(style: Style, cells: Cells, last: int, seed: int) -> int:
    """Answer by minimax that tries the student's last column first, then the columns nearest to it."""
    from bot.trials.simulation.kernels.open_half import searched_column

    order = style.order if last < 0 else STACKER_ORDERS[last]
    return int(searched_column(_own(cells), order, style.habits, style.table, _reduced(seed)))


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


STACKER_ORDERS = tuple(_headed_by(last, sorted(range(7), key=lambda c: abs(c - last))) for last in range(7))
COPYCAT_ORDERS = (*(_headed_by(6 - last, CENTRE_FIRST) for last in range(7)), np.array(CENTRE_FIRST, dtype=np.int64))
"""By the student's last column; the final entry serves -1, before the student's first move."""
PLAYOUT_ORDER = np.array(CENTRE_FIRST_RIGHT, dtype=np.int64)


def _minimax_bot(name: str, description: str, style: Style, *, is_deterministic: bool = True) -> ForeignBot:
    """Return the bot that searches in a style."""
    return ForeignBot(
        name=name, description=description, is_deterministic=is_deterministic, answer=partial(_searched, style)
    )


THREE_PLIES: tuple[ForeignBot, ...] = (
    _minimax_bot(
        "o-tutorial-3",
        "Minimax over 3 plies with the windows and centre bonus of a popular tutorial, lowest of equal columns; every "
        "win has the same value, so it may pass over an immediate win.",
        _style(plies=3, order=LOWEST, windows=(0, 2, 5, 0, 0, -4), table=CENTRE_COLUMN),
    ),
    _minimax_bot(
        "o-outcome-3",
        "Minimax over 3 plies that knows only win, loss and draw and picks at random among equal columns; every win "
        "has the same value, so it may pass over an immediate win, and once lost it plays at random.",
        _style(plies=3, order=LOWEST, tie=RANDOM),
        is_deterministic=False,
    ),
    _minimax_bot(
        "o-streaks-3",
        "Minimax over 3 plies that counts adjacent twos and threes, blocked or not, and keeps the last of equal "
        "columns; it prefers faster wins and slower losses.",
        _style(plies=3, order=LOWEST, runs=(1, 100, -1, -100), win_speed=1000, loss_speed=1000, tie=LAST),
    ),
    _minimax_bot(
        "o-table-3",
        "Minimax over 3 plies that weighs each cell by the lines through it, centre first among equal columns; it "
        "prefers faster wins and slower losses.",
        _style(plies=3, order=CENTRE_FIRST, table=LINES_THROUGH_CELL, win_speed=1, loss_speed=1),
    ),
    _minimax_bot(
        "o-late-check-3",
        "Minimax over 3 plies that counts the lines still open to each side and evaluates the last ply before looking "
        "for a win there, highest of equal columns; losses are not delayed.",
        _style(plies=3, order=HIGHEST, windows=(1, 1, 1, -1, -1, -1), win_speed=1, late_check=True),
    ),
    _minimax_bot(
        "o-no-diagonal-3",
        "Minimax over 3 plies that does not know rising diagonals and weighs windows evenly for both sides, in a fixed "
        "irregular order; it may pass over an immediate win on such a diagonal.",
        _style(
            plies=3,
            order=STRIDE_OF_THREE,
            windows=(1, 4, 16, -1, -4, -16),
            lines=NO_RISING_DIAGONAL,
            win_speed=1,
            loss_speed=1,
        ),
    ),
    _minimax_bot(
        "o-selfish-3",
        "Minimax over 3 plies whose evaluation sees only its own windows, edges first among equal columns; it prefers "
        "faster wins and does not delay losses.",
        _style(plies=3, order=EDGES_FIRST, windows=(1, 10, 100, 0, 0, 0), win_speed=1),
    ),
    _minimax_bot(
        "o-parity-slips-3",
        "Minimax over 3 plies that weighs threats by odd and even rows, right of the centre first among equal "
        "columns; 1 move in 25 is random, so it may pass over an immediate win.",
        _style(
            plies=3,
            order=CENTRE_FIRST_RIGHT,
            windows=(0, 1, 0, 0, -1, 0),
            gaps=(4, 9, -12, -5),
            win_speed=1,
            loss_speed=1,
            slip_per_mille=40,
        ),
        is_deterministic=False,
    ),
)

OTHERS: tuple[ForeignBot, ...] = (
    ForeignBot(
        name="o-stacker-1",
        description="Takes an immediate win, else plays on the student's last disc or as near to it as possible; "
        "1 move in 5 is random.",
        is_deterministic=False,
        answer=partial(_stacked, _style(plies=1, order=CENTRE_FIRST, slip_per_mille=200)),
    ),
    _minimax_bot(
        "o-sign-slip-2",
        "Minimax over 2 plies that adds the student's open threes where it should subtract them, lowest of equal "
        "columns.",
        _style(plies=2, order=LOWEST, windows=(1, 3, 10, -1, -3, 10), win_speed=1),
    ),
    _minimax_bot(
        "o-off-by-one-4",
        "Minimax over 4 plies, meant as 3 but started below its own move, with windows of both sides and a centre "
        "bonus, centre and odd columns first.",
        _style(
            plies=4,
            order=CENTRE_THEN_ODD,
            windows=(1, 5, 25, -1, -5, -30),
            table=CENTRE_COLUMN,
            win_speed=1,
            loss_speed=1,
        ),
    ),
    _minimax_bot(
        "o-low-discs-5",
        "Alpha-beta over 5 plies that likes low and central discs and keeps the last of equal columns; it prefers "
        "faster wins and slower losses.",
        _style(plies=5, order=LOWEST, table=LOW_AND_CENTRAL, win_speed=1, loss_speed=1, tie=LAST),
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

BOTS: tuple[ForeignBot, ...] = (*THREE_PLIES, *OTHERS)
