"""Insights checked from the rules alone, with `plain.py`: the pattern must hold, and the better columns avoid it."""

from __future__ import annotations

from functools import cache
from typing import Any

from tests.learn.coach import plain
from tests.learn.coach.plain import Columns, drop, fours, legal, to_move

KINDS = {
    "missed win": (0, True, "four"),
    "missed block": (0, False, "four left open"),
    "poisoned column": (0, False, "cell below a four opened"),
    "missed double threat": (1, True, "double threat"),
    "allowed double threat": (1, False, "double threat"),
    "missed forced sequence": (2, True, "forced sequence"),
    "allowed forced sequence": (2, False, "forced sequence"),
    "gave up the odd threat": (3, True, "zugzwang"),
    "gave up the even threat": (3, True, "zugzwang"),
    "missed follow-up win": (3, True, "follow-up that wins"),
    "allowed the odd threat": (3, False, "zugzwang"),
    "allowed the even threat": (3, False, "zugzwang"),
    "allowed follow-up win": (3, False, "follow-up that wins"),
    "allowed quiet move": (4, False, ""),
}
"""All kinds: how easily people see them, whether the move missed them, and the pattern that their line shows."""
UNSEEN = 5
"""The rank where nothing is seen."""
FOLLOWED = 3
"""The rank of wins by follow-up."""


@cache
def seen(columns: Columns, quiet: int = 0) -> int:
    """Return the rank of the easiest win of the side to move; `UNSEEN` where there is none."""
    player = to_move(columns)
    if is_over(columns):
        return UNSEEN
    if fours(columns, player):
        return 0
    children = [drop(columns, column) for column in legal(columns)]
    if any(len(fours(child, player)) > 1 and not fours(child, 3 - player) for child in children):
        return 1
    if plain.forces(columns, 8):
        return 2
    if any(follows(child, player) for child in children):
        return FOLLOWED
    return 4 if quiet and any(loses(child, quiet - 1) for child in children) else UNSEEN


def is_over(columns: Columns) -> bool:
    """Return whether somebody has four or the board is full."""
    return not legal(columns) or any(plain.four_cells(columns, player) for player in (1, 2))


@cache
def follows(columns: Columns, player: int) -> bool:
    """Return whether ``player``, not to move, wins by follow-up where at most one column has an odd number of cells."""
    odd = sum(len(column) % 2 for column in columns)
    return not is_over(columns) and odd <= 1 and plain.follows(columns, player, {}, 1) == 1


def loses(columns: Columns, quiet: int) -> bool:
    """Return whether the opponent wins at sight after every column of the side to move."""
    return not is_over(columns) and all(seen(drop(columns, column), quiet) < UNSEEN for column in legal(columns))


def problems(before: Columns, column: int, insight: dict[str, Any]) -> list[str]:
    """Return what is wrong with an insight on the move ``column``; empty: nothing."""
    rank, missed, pattern = KINDS[insight["kind"]]
    player, line, better = insight["player"], list(insight["line"]), set(insight["better"])
    quiet = 0 if pattern else next((each for each in (1, 2) if seen(drop(before, column), each) < UNSEEN), 0)
    found = []
    if missed != insight["missed"]:
        found.append("missed and allowed are confused")
    if not better or column in better or not better <= set(legal(before)):
        found.append("no better column")
    if missed and not (line and line[0] in better):
        found.append("the line begins with a worse column")
    if pattern:
        shown = {**insight, "kind": pattern, "quiet": (not missed) + (rank == FOLLOWED)}
        found += plain.problems(before, column, shown)
    else:
        found += _quiet_problems(before, column, insight, quiet)
    if pattern == "zugzwang":
        height = len(_played(before, line[:-1])[line[-1]]) + 1
        if ("odd" if height % 2 else "even") not in insight["kind"].split():
            found.append("the parity is another")
    for each in better & set(legal(before)):
        child = drop(before, each)
        if missed and not (_has_four(child, player) if rank == 0 else follows(child, player) or loses(child, 0)):
            found.append(f"column {each + 1} gives the win up, too")
        if not missed and seen(child, quiet) <= rank:
            found.append(f"column {each + 1} does not avoid it")
    return found


def _quiet_problems(before: Columns, column: int, insight: dict[str, Any], quiet: int) -> list[str]:
    player, line = insight["player"], list(insight["line"])
    last = _played(before, line)
    found = []
    if player == to_move(before) or line[0] != column:
        found.append("the line does not begin with the mistake")
    if not quiet or not loses(_played(before, line[:2]), quiet - 1):
        found.append("a reply refutes the quiet move")
    if not _has_four(last, player) or plain.four_cells(last, player) != set(insight["cells"]):
        found.append("no four at the end")
    return found


def _played(columns: Columns, line: list[int]) -> Columns:
    for column in line:
        assert not is_over(columns), "the line goes on after the end"
        columns = drop(columns, column)
    return columns


def _has_four(columns: Columns, player: int) -> bool:
    return bool(plain.four_cells(columns, player))
