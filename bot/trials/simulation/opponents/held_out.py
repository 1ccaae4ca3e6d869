"""The held-out half of the foreign bots: the client is measured against them and never tuned on them.

Depth counts plies from the bot's own move. Unless a description says otherwise, a bot checks every line for four in a
row, scores a game that is won at once higher than one that is won later, and plays the first of several equal columns
in the tie order.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

import numpy as np

from bot.trials.simulation.kernels import held_out as compiled
from bot.trials.simulation.kernels import held_out_rules as rules
from bot.trials.simulation.kernels.held_out_rules import COLUMNS, ROWS, Int64s
from bot.trials.simulation.opponents.foreign import Cells, ForeignBot

SEED_RANGE = 2**61
"""Seeds are reduced to this range, which fits the kernels' integers."""

Order = tuple[int, ...]
ASCENDING: Order = (0, 1, 2, 3, 4, 5, 6)
DESCENDING: Order = (6, 5, 4, 3, 2, 1, 0)
CENTRE_FIRST: Order = (3, 2, 4, 1, 5, 0, 6)
EDGES_FIRST: Order = (0, 6, 1, 5, 2, 4, 3)
ODD_ORDER: Order = (2, 5, 0, 3, 6, 1, 4)
"""A fixed order without symmetry."""


def table(*shape: int, entries: dict[tuple[int, int], int] | None = None) -> Int64s:
    """Return a table of zeros with the given entries."""
    result = np.zeros(shape, dtype=np.int64)
    for place, value in (entries or {}).items():
        result[place] = value
    return result


def by_column(*values: int) -> Int64s:
    """Return a table of cell values that depend on the column only."""
    return np.tile(np.array(values, dtype=np.int64), (ROWS, 1))


@dataclass(frozen=True, slots=True, eq=False)
class Searcher:
    """Settings of a bot that chooses by minimax search."""

    depth: int
    order: Order
    ties: int = compiled.FIRST
    prefers_faster_wins: bool = True
    four_test: int = compiled.TEST_ALL
    directions: int = 4
    """Directions checked for lines; with three, the bot does not see rising diagonals."""
    slip_permille: int = 0
    """Moves in a thousand that are random."""
    turns_order: bool = False
    """Whether the tie order at the root starts one place further with each disc on the board."""
    liberty: int = 0
    """Weight of the empty neighbour cells."""
    windows: Int64s | None = None
    """Score of a group of four cells by [own discs, student's discs]."""
    values: Int64s | None = None
    """Score of a disc by cell, from row 0 on top; the student's discs count negative."""
    runs: Int64s | None = None
    """Score of a run of discs by [0 own or 1 student's, length up to 4]."""
    threats: Int64s | None = None
    """Score of an empty cell that completes four by [0 own or 1 student's, array row modulo 2]."""
    settings: Int64s = field(init=False)
    """The numbers above as the kernel reads them."""

    def __post_init__(self) -> None:
        """Pack the settings once, so that an answer only passes arrays."""
        settings = np.zeros(9, dtype=np.int64)
        settings[rules.DEPTH] = self.depth
        settings[rules.HASTE] = self.prefers_faster_wins
        settings[rules.FOUR_TEST] = self.four_test
        settings[rules.DIRECTIONS] = self.directions
        settings[rules.LIBERTY] = self.liberty
        settings[rules.TIES] = self.ties
        settings[rules.SLIP_PERMILLE] = self.slip_permille
        settings[rules.TURNING] = self.turns_order
        terms = (
            (rules.WINDOWS, self.windows),
            (rules.CELLS, self.values),
            (rules.RUNS, self.runs),
            (rules.THREATS, self.threats),
        )
        settings[rules.PARTS] = sum(bit for bit, weights in terms if weights is not None)
        object.__setattr__(self, "settings", settings)


NO_WINDOWS, NO_VALUES, NO_RUNS, NO_THREATS = table(5, 5), table(ROWS, COLUMNS), table(2, 5), table(2, 2)


def own_array(cells: Cells) -> Cells:
    """Return a contiguous copy of the cells, which a kernel may change."""
    return np.array(cells, dtype=np.int8, order="C")


def answer_by_search(cells: Cells, last: int, seed: int, *, searcher: Searcher) -> int:  # noqa: ARG001
    """Return the column that the searcher prefers."""
    return int(
        compiled.choose_by_search(
            own_array(cells),
            seed % SEED_RANGE,
            np.array(searcher.order, dtype=np.int64),
            NO_WINDOWS if searcher.windows is None else searcher.windows,
            NO_VALUES if searcher.values is None else searcher.values,
            NO_RUNS if searcher.runs is None else searcher.runs,
            NO_THREATS if searcher.threats is None else searcher.threats,
            searcher.settings,
        )
    )


def answer_by_rule(cells: Cells, last: int, seed: int, *, order: Order, blocks_first: bool, habit: int) -> int:
    """Return the column that the rules choose: win or block, else the habit."""
    columns = np.array(order, dtype=np.int64)
    return int(compiled.choose_by_rule(own_array(cells), last, seed % SEED_RANGE, columns, int(blocks_first), habit))


def answer_by_playouts(cells: Cells, last: int, seed: int, *, playouts: int) -> int:  # noqa: ARG001
    """Return the column with the best result over random games."""
    return int(compiled.choose_by_playouts(own_array(cells), seed % SEED_RANGE, playouts))


def searching_bot(name: str, description: str, searcher: Searcher) -> ForeignBot:
    """Return a bot that chooses by search."""
    return ForeignBot(
        name=name,
        description=description,
        is_deterministic=searcher.ties != compiled.ANY and searcher.slip_permille == 0,
        answer=partial(answer_by_search, searcher=searcher),
    )


LINES_THROUGH_CELL = np.array(
    [
        [3, 4, 5, 7, 5, 4, 3],
        [4, 6, 8, 10, 8, 6, 4],
        [5, 8, 11, 13, 11, 8, 5],
        [5, 8, 11, 13, 11, 8, 5],
        [4, 6, 8, 10, 8, 6, 4],
        [3, 4, 5, 7, 5, 4, 3],
    ],
    dtype=np.int64,
)
"""Number of possible fours through each cell."""

HEIGHTS = np.repeat(np.arange(ROWS, 0, -1, dtype=np.int64)[:, None], COLUMNS, axis=1)
"""Row of each cell, counted from 1 at the bottom."""

THREE_PLIES: tuple[ForeignBot, ...] = (
    searching_bot(
        "h-windows-plain",
        "Searches 3 plies, scores groups of four and the centre column, takes the lowest best column, and may pass over"
        " an immediate win because all wins count the same.",
        Searcher(
            depth=3,
            order=ASCENDING,
            prefers_faster_wins=False,
            windows=table(5, 5, entries={(2, 0): 2, (3, 0): 5, (0, 3): -4}),
            values=by_column(0, 0, 0, 3, 0, 0, 0),
        ),
    ),
    searching_bot(
        "h-own-runs",
        "Searches 3 plies without stopping at a finished game, scores only its own runs and completed fours, keeps the"
        " last best column, and may pass over an immediate win.",
        Searcher(
            depth=3,
            order=ASCENDING,
            ties=compiled.LAST,
            four_test=compiled.TEST_NONE,
            runs=table(2, 5, entries={(0, 2): 1, (0, 3): 100, (0, 4): 10_000, (1, 4): -100_000}),
        ),
    ),
    searching_bot(
        "h-outcome-centre",
        "Searches 3 plies for wins and losses only and takes the best column nearest to the centre.",
        Searcher(depth=3, order=CENTRE_FIRST),
    ),
    searching_bot(
        "h-outcome-random",
        "Searches 3 plies for wins and losses only, picks at random among the best columns, and may pass over an"
        " immediate win because all wins count the same.",
        Searcher(depth=3, order=ASCENDING, ties=compiled.ANY, prefers_faster_wins=False),
    ),
    searching_bot(
        "h-even-threats",
        "Searches 3 plies, scores cells that complete a four by the parity of their row as the second player would, and"
        " resolves ties in a fixed odd order.",
        Searcher(
            depth=3,
            order=ODD_ORDER,
            threats=table(2, 2, entries={(0, 0): 30, (0, 1): 10, (1, 0): -10, (1, 1): -30}),
        ),
    ),
    searching_bot(
        "h-towers",
        "Searches 3 plies, prefers discs high above the ground to runs of two and three, and takes the equal column"
        " nearest to an edge.",
        Searcher(
            depth=3,
            order=EDGES_FIRST,
            values=HEIGHTS,
            runs=table(2, 5, entries={(0, 2): 1, (0, 3): 5, (1, 3): -5}),
        ),
    ),
    searching_bot(
        "h-turning-order",
        "Searches 3 plies, scores neighbouring discs of one colour, and starts its tie order one column further with"
        " each disc on the board.",
        Searcher(
            depth=3,
            order=ASCENDING,
            turns_order=True,
            runs=table(2, 5, entries={(0, 2): 1, (0, 3): 1, (0, 4): 1, (1, 2): -1, (1, 3): -1, (1, 4): -1}),
        ),
    ),
    searching_bot(
        "h-leaf-blind",
        "Searches 3 plies without checking for a four on the last ply, scores empty neighbour cells and open twos and"
        " threes, and takes the highest best column.",
        Searcher(
            depth=3,
            order=DESCENDING,
            four_test=compiled.TEST_INNER,
            liberty=1,
            windows=table(5, 5, entries={(2, 0): 1, (3, 0): 4, (0, 2): -1, (0, 3): -4}),
        ),
    ),
)
"""The bots that search exactly 3 plies."""

OTHERS: tuple[ForeignBot, ...] = (
    searching_bot(
        "h-lost-diagonal",
        "Searches 4 plies and scores open lines, but sees no rising diagonal, whether its own or the student's.",
        Searcher(
            depth=4,
            order=CENTRE_FIRST,
            directions=3,
            windows=table(
                5,
                5,
                entries={(1, 0): 1, (2, 0): 4, (3, 0): 9, (0, 1): -1, (0, 2): -4, (0, 3): -9},
            ),
        ),
    ),
    searching_bot(
        "h-slipping-five",
        "Searches 5 plies with the number of lines through each cell as evaluation and plays 1 move in 20 at random.",
        Searcher(depth=5, order=CENTRE_FIRST, slip_permille=50, values=LINES_THROUGH_CELL),
    ),
    searching_bot(
        "h-edge-lover",
        "Searches 2 plies, keeps away from the centre, and by a sign error scores the student's open threes as good.",
        Searcher(
            depth=2,
            order=EDGES_FIRST,
            windows=table(5, 5, entries={(2, 0): 1, (3, 0): 6, (0, 3): 6}),
            values=by_column(6, 4, 2, 0, 2, 4, 6),
        ),
    ),
    ForeignBot(
        name="h-never-twice",
        description="Wins, else blocks, else plays at random in a column that it cannot have played last.",
        is_deterministic=False,
        answer=partial(answer_by_rule, order=CENTRE_FIRST, blocks_first=False, habit=compiled.AVOID_OWN_COLUMN),
    ),
    ForeignBot(
        name="h-block-first",
        description="Blocks before it wins, and otherwise follows the student's column or the next free one.",
        is_deterministic=True,
        answer=partial(answer_by_rule, order=ASCENDING, blocks_first=True, habit=compiled.FOLLOW_STUDENT),
    ),
    ForeignBot(
        name="h-playouts",
        description="Plays 30 random games for each column and takes the column with the best result.",
        is_deterministic=False,
        answer=partial(answer_by_playouts, playouts=30),
    ),
)
"""The bots that search another depth, follow rules or play random games."""

BOTS: tuple[ForeignBot, ...] = THREE_PLIES + OTHERS
