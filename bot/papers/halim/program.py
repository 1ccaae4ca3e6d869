"""Halim, Judianto, Lukas, Widjaja: minimax with alpha-beta and a linear evaluation, depth 1 to 8.

f = a1 x1 + a2 x2 + a3 x3 + a4 x4 with the weights 1, 200, 100, 1000. The paper does not define exactly what x1 to x4
count. The default here is the recommended reading of bot/papers/halim/notes.md; its alternatives are options.
"""

from __future__ import annotations

from typing import Any

from bot.agents.family import Family, above_0, one_of
from bot.agents.kernels.arrays import Rules
from bot.agents.paper import TIES, PaperAgent
from bot.agents.program import Ends, Program, linear
from bot.engine.jit.bits import popcount
from bot.engine.jit.compiling import kernel
from bot.game.columns import CENTRE_FIRST
from bot.papers.windows import DIRECTIONS, LINEAR_END, by_count, free_windows, linear_value

A1, A2, A3, A4 = 1, 200, 100, 1000
DOMINANT = 10_000_000
"""Value of a won game, above every sum of the other terms."""
ENDS = {
    "dominant": Ends(won=DOMINANT, lost=-DOMINANT, won_per_ply=1, lost_per_ply=-1),
    "flat": Ends(won=DOMINANT, lost=-DOMINANT),
    "added": Ends(won=A4, lost=-A4, add_leaf_value=True),
    "only": Ends(won=A4, lost=-A4),
}
"""Readings of x4. A finished game outranks everything, the quicker win first, or without regard to its length; it adds
+-1000 to the other terms, as printed; or it counts +-1000 and nothing else."""
VIEWS = ("own", "mover", "last")
"""Whose evaluation a leaf has: the system's, that of the side to move there, or that of the side that moved last."""

# Options of the evaluation, behind those of the linear one.
COVERED = LINEAR_END
"""Least own discs of an open window whose discs are counted once each (0: none), and the weights of own and other."""
VIEW = LINEAR_END + 3
"""Place in VIEWS."""


@kernel()
def covered_discs(mine: int, theirs: int, least: int) -> int:
    """Return the number of own discs that lie in open windows of at least ``least`` (1..3) own discs."""
    discs = 0
    for step, starts in DIRECTIONS:
        chosen = 0
        for held, windows in enumerate(by_count(mine, free_windows(theirs, step, starts), step)):
            if held + 1 >= least:
                chosen |= windows
        discs |= chosen | chosen << step | chosen << 2 * step | chosen << 3 * step
    return popcount(discs & mine)


@kernel()
def evaluate(mine: int, theirs: int, side: int, rules: Rules) -> int:
    """Return the leaf value of one reading of x1, x2 and x3."""
    sign = 1
    if (rules[VIEW] == 1 and side < 0) or (rules[VIEW] == 2 and side > 0):
        mine, theirs, sign = theirs, mine, -1
    total: int = linear_value(mine, theirs, side, rules)
    if rules[COVERED]:
        total += rules[COVERED + 1] * covered_discs(mine, theirs, rules[COVERED])
        total -= rules[COVERED + 2] * covered_discs(theirs, mine, rules[COVERED])
    return sign * total


def reading(
    *,
    lines: int,
    discs: int,
    difference: bool,
    distinct: bool,
    plus: bool,
    defend: bool,
    alone: bool,
    ends: str,
    view: str,
) -> Program:
    """Return a reading of the paper's evaluation; the options' defaults give the recommended one.

    x1 counts the system's open windows that hold at least ``lines`` (0..3) of its discs, with ``difference`` less the
    opponent's. x2 counts the own discs of the windows that hold at least ``discs`` (1..3) of them: once in each window,
    with ``distinct`` only once. x3, which is subtracted, is the same for the opponent; with ``plus`` it is added, as
    the formula is printed. With ``defend`` the weights of x2 and x3 change places: 100 and 200, so that a2 < a3;
    ``alone`` leaves x2 and x3 out. ``ends`` is a key of `ENDS`, ``view`` one of `VIEWS`.
    """
    attack, defence = (A3, A2) if defend else (A2, A3)
    if alone:
        attack = defence = 0
    if plus:
        defence = -defence
    x1 = [A1 if count >= lines else 0 for count in range(5)]
    counted = [0 if distinct or count < discs else count for count in range(5)]
    own = [x1[count] + attack * counted[count] for count in range(5)]
    other = [(x1[count] if difference else 0) + defence * counted[count] for count in range(5)]
    covered = (discs, attack, defence) if distinct else (0, 0, 0)
    options = (*linear(own, other), *covered, VIEWS.index(view))
    return Program(evaluate, ENDS[ends], options, inner=CENTRE_FIRST)


READINGS = {
    "lines": one_of("Least own discs of a window that counts in x1", 0, 1, 2, 3),
    "discs": one_of("Least own discs of a window whose discs count in x2 and x3", 1, 2, 3),
    "difference": one_of("Whether x1 counts the system's windows less the opponent's", False, True),
    "distinct": one_of("Whether x2 and x3 count each disc once instead of once in each window", False, True),
    "plus": one_of("Whether x3 is added, as printed, instead of subtracted", False, True),
    "defend": one_of("Whether a2 and a3 change places", False, True),
    "alone": one_of("Whether a2 and a3 are 0", False, True),
    "ends": one_of("Value of a finished game", *ENDS),
    "view": one_of("Whose evaluation a leaf has: the system's, the side to move's, or that of the last mover", *VIEWS),
}
"""What the paper leaves open: one option for each phrase that has several readings. `defend` and `alone` are ours."""


def _make(name: str, depth: int, seed: int | None, *, ties: str, think: float | None, **choices: Any) -> PaperAgent:
    return PaperAgent(name, depth, reading(**choices), ties=ties, seed=seed, think_s=think)


FAMILIES = (
    Family(
        "halim",
        "Halim et al.: minimax with a linear evaluation",
        _make,
        {
            **READINGS,
            "ties": one_of("Which of equal columns is played", *TIES),
            "think": above_0("Time after which no further depth is started", float),
        },
    ),
)
