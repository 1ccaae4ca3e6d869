"""The held-out half of the foreign bots: the client is measured against them and never tuned on them.

No bot of the open half evaluates the groups of cells, or tries the columns in the orders, that are used here. A number
at the end of a name is the depth in plies.
"""

from __future__ import annotations

from bot.trials.simulation.foreign import COLUMNS, STEPS, Evaluation, ForeignBot, Group, Order, Points, lines, scored

HIGHEST: Order = (6, 5, 4, 3, 2, 1, 0)
EDGES_FIRST: Order = (0, 6, 1, 5, 2, 4, 3)
RIGHT_OF_CENTRE: Order = (4, 3, 5, 2, 6, 1, 0)
SECOND_COLUMNS: Order = (1, 3, 5, 0, 2, 4, 6)
WITHOUT_SYMMETRY: Order = (2, 5, 0, 3, 6, 1, 4)

PAIRS, THREES = lines(2), lines(3)
SQUARES: tuple[Group, ...] = tuple(
    (cell, cell + 1, cell + COLUMNS, cell + COLUMNS + 1) for cell in range(5 * COLUMNS) if cell % COLUMNS < 6
)
RUNS = scored(PAIRS, {(2, 0): 1, (0, 2): -1}) + scored(THREES, {(3, 0): 5, (0, 3): -5})
OWN_RUNS = scored(PAIRS, {(2, 0): 1}) + scored(THREES, {(3, 0): 100})
LIBERTIES = scored(PAIRS, {(1, 0): 1, (0, 1): -1})
CONTACT = scored(PAIRS, {(1, 1): 1})
COMPACT = scored(SQUARES, {(2, 0): 1, (3, 0): 3, (4, 0): 4, (0, 2): -1, (0, 3): -3, (0, 4): -4})


def threats(even: Points, odd: Points) -> Evaluation:
    """Return an evaluation of three discs by the row of the fourth cell of their line, counted from 1 at the bottom.

    Whether the fourth cell is empty is not asked.
    """
    found = []
    for line in lines(4):
        for cell in line:
            others = tuple(other for other in line if other != cell)
            points = even if cell // COLUMNS % 2 == 0 else odd
            found.append((others, points))
    return tuple(found)


PARITY = threats(even={(3, 0): 30, (0, 3): -10}, odd={(3, 0): 10, (0, 3): -30})


def followed(order: Order, discs: int, last: int) -> Order:  # noqa: ARG001
    """Return the order after the student's last column."""
    return order if last < 0 else (last, *order)


def turned(order: Order, discs: int, last: int) -> Order:  # noqa: ARG001
    """Return the order, begun one place further on with each disc on the board."""
    place = discs % COLUMNS
    return order[place:] + order[:place]


BOTS = (
    ForeignBot(
        "h-own-runs-3",
        "Searches 3 plies, counts its own discs that touch in line, highest of equal columns; it may pass over an "
        "immediate win.",
        HIGHEST,
        depth=3,
        evaluation=OWN_RUNS,
    ),
    ForeignBot(
        "h-runs-3",
        "Searches 3 plies and counts the discs of either side that touch in line, in an order without symmetry.",
        WITHOUT_SYMMETRY,
        depth=3,
        evaluation=RUNS,
        hurries=True,
    ),
    ForeignBot(
        "h-parity-3",
        "Searches 3 plies and scores threes by the parity of the row of the missing disc, as the second player would.",
        RIGHT_OF_CENTRE,
        depth=3,
        evaluation=PARITY,
        hurries=True,
    ),
    ForeignBot(
        "h-compact-3",
        "Searches 3 plies, counts discs in squares of four cells, and takes the equal column nearest to an edge.",
        EDGES_FIRST,
        depth=3,
        evaluation=COMPACT,
        hurries=True,
    ),
    ForeignBot(
        "h-turning-3",
        "Searches 3 plies, counts touching discs, and begins its order one column further on with each disc on the "
        "board; it may pass over an immediate win.",
        SECOND_COLUMNS,
        arrange=turned,
        depth=3,
        evaluation=RUNS,
    ),
    ForeignBot(
        "h-late-check-3",
        "Searches 3 plies, counts empty neighbour cells, and evaluates the last ply before it looks for a four there.",
        HIGHEST,
        depth=3,
        evaluation=LIBERTIES,
        hurries=True,
        checks_late=True,
    ),
    ForeignBot(
        "h-contact-3",
        "Searches 3 plies, likes its discs beside the student's, and picks at random among equal columns; it may pass "
        "over an immediate win.",
        SECOND_COLUMNS,
        depth=3,
        evaluation=CONTACT,
        is_random=True,
    ),
    ForeignBot(
        "h-lost-diagonal-4",
        "Searches 4 plies and counts touching discs, but sees no rising diagonal, whether its own or the student's.",
        RIGHT_OF_CENTRE,
        depth=4,
        evaluation=RUNS,
        hurries=True,
        fours=lines(4, STEPS[:3]),
    ),
    ForeignBot(
        "h-lost-column-4",
        "Searches 4 plies, counts discs in squares of four cells, and sees no four that reaches the last column.",
        SECOND_COLUMNS,
        depth=4,
        evaluation=COMPACT,
        hurries=True,
        fours=lines(4, columns=COLUMNS - 1),
    ),
    ForeignBot(
        "h-slipping-5",
        "Searches 5 plies, scores threes by parity, and plays 1 move in 20 at random.",
        WITHOUT_SYMMETRY,
        depth=5,
        evaluation=PARITY,
        hurries=True,
        slips_permille=50,
    ),
    ForeignBot(
        "h-compact-6",
        "Searches 6 plies and counts discs in squares of four cells, right of the centre first.",
        RIGHT_OF_CENTRE,
        depth=6,
        evaluation=COMPACT,
        hurries=True,
    ),
    ForeignBot(
        "h-sign-error-2",
        "Searches 2 plies and, by a wrong sign, counts the student's touching discs as its own; edges first.",
        EDGES_FIRST,
        depth=2,
        evaluation=scored(PAIRS, {(2, 0): 1, (0, 2): 1}) + scored(THREES, {(3, 0): 5, (0, 3): 5}),
        hurries=True,
    ),
    ForeignBot(
        "h-grabber-1",
        "Looks 1 ply ahead, blocks where it does not win, and else makes the longest runs; highest of equal columns.",
        HIGHEST,
        depth=1,
        evaluation=OWN_RUNS,
        blocks=10_000,
    ),
    ForeignBot(
        "h-follower",
        "Wins, else blocks, else follows the student's column, else plays near an edge.",
        EDGES_FIRST,
        arrange=followed,
        takes=2,
        blocks=1,
    ),
)
