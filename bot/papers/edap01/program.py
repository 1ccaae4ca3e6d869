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
from bot.agents.program import LEFT_TO_RIGHT, Ends, Program, linear
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


FORMS = {"runs": runs_value, "windows": linear_value}
"""Readings of a streak: a longest run of adjacent own discs, whatever lies beside it, or two to four own discs of a
window without an opposing disc."""
ORDERS = {"list": CENTRE_FIRST, "left": LEFT_TO_RIGHT}
"""The report's order of the columns, and a worse one."""
SEARCHES = ("listing", "figure4", "minimax")
"""Listing 1 as printed; Figures 4 and 3, cut off at the depth, with the listing's values of finished games."""


def program(streaks: tuple[int, ...], columns: tuple[int, ...], form: str, order: str, search: str) -> Program:
    """Return the report's program; ``form`` is a key of `FORMS`, ``search`` one of `SEARCHES`, or "intended".

    The listing's defects: the minimiser's nodes test the wrong board for four in a row, so that only the maximiser's
    find one; alpha is not raised at the root; the remaining depth is added to wins of either side; and a full board is
    valued by its streaks. Figures 3 and 4 lack the first two, the intended program all of them.
    """
    centre, beside, outer = columns
    row, windows = (outer, outer, beside, centre, beside, outer, outer), (0, 0, *streaks)
    intended, listed = search == "intended", search == "listing"
    lost_per_ply = -1 if intended else 1
    ends = Ends(0, 0, 1, lost_per_ply, add_leaf_value=True, draw_is_leaf=not intended, one_sided=listed)
    options, prune = linear(windows, windows, squares=[row] * 6), search != "minimax"
    return Program(FORMS[form], ends, options, ORDERS[order], prune=prune, bound=BOUND)


class Published(PaperAgent):
    """The report's agent with its defects; it searches every column of the root with the whole window."""

    exact = 7


def _make(name: str, depth: int, _seed: int | None, *, search: str, **choices: Any) -> PaperAgent:
    kind = Published if search == "listing" else PaperAgent
    return kind(name, depth, program(search=search, **choices))


def _listing(name: str, depth: int, _seed: int | None, *, course: bool) -> PaperAgent:
    from bot.papers.edap01.listing import Listing1

    agent = Listing1(name, depth, program(STREAKS, COLUMNS, "runs", "list", "listing"))
    agent.in_course = course
    return agent


OPTIONS = {
    "form": one_of("What a streak is: the longest run of adjacent discs, or discs in an open window", *FORMS),
    "streaks": numbers("Values of a streak of two, three and four discs", *STREAKS),
    "columns": numbers("Values of a disc in column d, in c or e, and further out", *COLUMNS),
    "order": one_of("Order of the columns: the report's list, or from the left", *ORDERS),
}
SEARCH = one_of("The search: Listing 1, or Figure 4, or Figure 3, which prunes nothing", *SEARCHES)
COURSE = one_of("Whether every node copies the course's environment instead of a plain one", False, True)
SOURCE = "EDAP01 report 2021"
INTENDED = partial(_make, search="intended")
FAMILIES = (
    Family("edap01", f"{SOURCE}: alpha-beta on streaks, as published", _make, OPTIONS | {"search": SEARCH}, 5, True),
    Family("edap01-intended", f"{SOURCE}: the same without its defects", INTENDED, OPTIONS, 5, True),
    Family("edap01-listing", f"{SOURCE}: Listing 1 in plain Python, slow", _listing, {"course": COURSE}, 5, True),
)
