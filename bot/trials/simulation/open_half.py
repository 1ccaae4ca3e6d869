"""The open half of the foreign bots: constants of the client may be tuned on them.

They resemble programs that course staff, students and hobbyists write: mostly minimax, evaluated by lines of four and
by cells. A number at the end of a name is the depth in plies.
"""

from __future__ import annotations

from collections import Counter

from bot.trials.simulation.foreign import COLUMNS, ROWS, Evaluation, ForeignBot, Order, lines, scored

LOWEST: Order = (0, 1, 2, 3, 4, 5, 6)
CENTRE_FIRST: Order = (3, 2, 4, 1, 5, 0, 6)
FOURS = lines(4)


def of_cells(points: tuple[int, ...]) -> Evaluation:
    """Return an evaluation of single cells, from the top left one on; the student's discs count against it."""
    return tuple(((cell,), {(1, 0): each, (0, 1): -each}) for cell, each in enumerate(points))


CENTRE_COLUMN = of_cells((0, 0, 0, 3, 0, 0, 0) * ROWS)
LINES_THROUGH = Counter(cell for line in FOURS for cell in line)
LINES_THROUGH_CELL = of_cells(tuple(LINES_THROUGH[cell] for cell in range(ROWS * COLUMNS)))


def mirrored(order: Order, discs: int, last: int) -> Order:  # noqa: ARG001
    """Return the order after the column opposite the student's last one."""
    return order if last < 0 else (COLUMNS - 1 - last, *order)


BOTS = (
    ForeignBot(
        "o-tutorial-3",
        "Minimax over 3 plies with the lines and the centre bonus of a popular tutorial, lowest of equal columns; it "
        "may pass over an immediate win.",
        LOWEST,
        depth=3,
        evaluation=scored(FOURS, {(2, 0): 2, (3, 0): 5, (0, 3): -4}) + CENTRE_COLUMN,
    ),
    ForeignBot(
        "o-outcome-3",
        "Minimax over 3 plies that knows only win and loss and picks at random among equal columns; it may pass over "
        "an immediate win, and once lost it plays at random.",
        LOWEST,
        depth=3,
        is_random=True,
    ),
    ForeignBot(
        "o-table-3",
        "Minimax over 3 plies that counts the lines through each cell, centre first among equal columns.",
        CENTRE_FIRST,
        depth=3,
        evaluation=LINES_THROUGH_CELL,
        hurries=True,
    ),
    ForeignBot(
        "o-late-check-4",
        "Minimax over 4 plies that counts the lines still open to each side and evaluates the last ply before it looks "
        "for a four there, lowest of equal columns.",
        LOWEST,
        depth=4,
        evaluation=scored(FOURS, {(1, 0): 1, (2, 0): 1, (3, 0): 1, (0, 1): -1, (0, 2): -1, (0, 3): -1}),
        hurries=True,
        checks_late=True,
    ),
    ForeignBot(
        "o-playouts",
        "Plays 30 random games for each column and takes the one with the best result, centre first among equal ones.",
        CENTRE_FIRST,
        playouts=30,
    ),
    ForeignBot(
        "o-copycat",
        "Blocks, else wins, else plays opposite the student's last move, else near the centre.",
        CENTRE_FIRST,
        arrange=mirrored,
        takes=1,
        blocks=2,
    ),
)
