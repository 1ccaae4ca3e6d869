"""The EDAP01 report of 2021 (Hicham Mohamad, Lund): the alpha-beta agent that played the course's server.

The report describes the search in full (bot/papers/edap01/notes.md). Of the evaluation it only says that scores come
"from evaluating the streaks of different length from 2 to 4 played discs": what a streak is has two readings here, and
the constants below are an assumption.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from bot.agents.family import Family, numbers, one_of
from bot.agents.kernels.arrays import Rules
from bot.agents.paper import PaperAgent
from bot.agents.program import ORDERS, Ends, Program, linear, ordered
from bot.engine.jit.bits import popcount
from bot.engine.jit.compiling import kernel
from bot.game.columns import CENTRE_FIRST
from bot.papers.windows import DIRECTIONS, OWN_WINDOWS, linear_value, weighted_squares

BOUND = 1_000_000
"""Half width of the report's first window."""
STREAKS = (10, 100, 100_000)
"""Assumed values of a streak of two, three and four discs."""
COLUMNS = (6, 3, 1)
"""Assumed values of a disc in column d, in c or e, and further out; the report only ranks them."""


@kernel()
def streak_value(mine: int, rules: Rules) -> int:
    """Return the value of one side's longest runs of adjacent discs: of exactly two, exactly three, four or more.

    What lies beside a run does not matter.
    """
    total = 0
    for step, _ in DIRECTIONS:
        two = mine & mine >> step & ~(mine << step)  # the first cells of runs of at least two
        three = two & mine >> 2 * step
        four = three & mine >> 3 * step
        total += rules[OWN_WINDOWS + 2] * popcount(two ^ three)
        total += rules[OWN_WINDOWS + 3] * popcount(three ^ four)
        total += rules[OWN_WINDOWS + 4] * popcount(four)
    return total


@kernel()
def runs_value(mine: int, theirs: int, _side: int, rules: Rules) -> int:
    """Return the leaf value where streaks are runs: the maximiser's runs and squares less those of the minimiser."""
    squares: int = weighted_squares(mine, rules) - weighted_squares(theirs, rules)
    return squares + streak_value(mine, rules) - streak_value(theirs, rules)


FORMS = {"windows": linear_value, "runs": runs_value}
"""Readings of a streak: two to four own discs of a window without an opposing disc, or a longest run of adjacent own
discs, whatever lies beside it."""


def program(streaks: tuple[int, ...], columns: tuple[int, ...], form: str, order: str, intended: bool) -> Program:
    """Return the report's program, without its defects if ``intended``; ``form`` is a key of `FORMS`.

    The defects: the minimiser's nodes test the wrong board for four in a row, so that only the maximiser's find one;
    the remaining depth is added to wins of either side; and a full board is valued by its streaks.
    """
    centre, beside, outer = columns
    row, windows = (outer, outer, beside, centre, beside, outer, outer), (0, 0, *streaks)
    lost_per_ply = -1 if intended else 1
    ends = Ends(0, 0, 1, lost_per_ply, add_leaf_value=True, draw_is_leaf=not intended, one_sided=not intended)
    options = linear(windows, windows, squares=[row] * 6)
    return Program(FORMS[form], ends, options, ordered(CENTRE_FIRST, order), bound=BOUND)


class Published(PaperAgent):
    """The report's agent with its defects; it searches every column of the root with the whole window."""

    exact = 7


def _make(name: str, depth: int, _seed: int | None, *, intended: bool, **choices: Any) -> PaperAgent:
    kind = PaperAgent if intended else Published
    return kind(name, depth, program(intended=intended, **choices))


OPTIONS = {
    "form": one_of("What a streak is: discs in an open window, or the longest run of adjacent discs", *FORMS),
    "streaks": numbers("Values of a streak of two, three and four discs", *STREAKS),
    "columns": numbers("Values of a disc in column d, in c or e, and further out", *COLUMNS),
    "order": one_of("Order of the columns: the report's list, from the left, or from the edge", *ORDERS),
}
SOURCE = "EDAP01 report 2021"
FAMILIES = (
    Family("edap01", SOURCE, "alpha-beta on streaks, as published", partial(_make, intended=False), OPTIONS, 5, 5),
    Family("edap01-intended", SOURCE, "the same without its defects", partial(_make, intended=True), OPTIONS, 5, 5),
)
