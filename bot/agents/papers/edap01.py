"""The EDAP01 report of 2021 (Hicham Mohamad, Lund): the alpha-beta agent that played the course's server.

The report describes the search in full (bot/lab/README.md#edap01-agent). It does not give the evaluation's constants;
those below are an assumption.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from bot.agents.family import Family, numbers, one_of
from bot.agents.kernels.windows import linear as evaluate
from bot.agents.paper import PaperAgent
from bot.agents.program import LEFT_TO_RIGHT, Ends, Program, linear
from bot.game.columns import CENTRE_FIRST

BOUND = 1_000_000
"""Half width of the report's first window."""
STREAKS = (10, 100, 100_000)
"""Assumed values of two, three and four discs in a window without an opposing disc."""
COLUMNS = (6, 3, 1)
"""Assumed values of a disc in column d, in c or e, and further out; the report only ranks them."""
ORDERS = {"list": CENTRE_FIRST, "left": LEFT_TO_RIGHT, "edge": CENTRE_FIRST[::-1]}
"""The order of the columns: the report's list, and two worse ones."""


def program(streaks: tuple[int, ...], columns: tuple[int, ...], order: str, intended: bool) -> Program:
    """Return the report's program, without its defects if ``intended``.

    The defects: the minimiser's nodes test the wrong board for four in a row, so that only the maximiser's find one;
    the remaining depth is added to wins of either side; and a full board is valued by its streaks.
    """
    centre, beside, outer = columns
    row, windows = (outer, outer, beside, centre, beside, outer, outer), (0, 0, *streaks)
    ends = Ends(0, 0, 1, -1 if intended else 1, add_leaf_value=True, draw_is_leaf=not intended, one_sided=not intended)
    options = linear(windows, windows, squares=[row] * 6)
    return Program(evaluate, ends, options, ORDERS[order], bound=BOUND)


class Published(PaperAgent):
    """The report's agent with its defects; it searches every column of the root with the whole window."""

    exact = 7


def _make(name: str, depth: int, _seed: int | None, *, intended: bool, **choices: Any) -> PaperAgent:
    kind = PaperAgent if intended else Published
    return kind(name, depth, program(intended=intended, **choices))


OPTIONS = {
    "streaks": numbers("Values of two, three and four discs in an open window", *STREAKS),
    "columns": numbers("Values of a disc in column d, in c or e, and further out", *COLUMNS),
    "order": one_of("Order of the columns: the report's list, from the left, or from the edge", *ORDERS),
}
SOURCE = "EDAP01 report 2021"
FAMILIES = (
    Family("edap01", SOURCE, "alpha-beta on streaks, as published", partial(_make, intended=False), OPTIONS, 5, 5),
    Family("edap01-intended", SOURCE, "the same without its defects", partial(_make, intended=True), OPTIONS, 5, 5),
)
