"""Reasons and insights checked from the rules alone: lists of discs, no bitboards, nothing of `bot.learn.coach`.

`check_line` and `check_insight` play out a stated line, and raise AssertionError where it does not show what is said.
Exact scores are compared in `test_coach.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, reduce
from typing import Any

Columns = tuple[tuple[int, ...], ...]
"""Seven columns of discs from the bottom: 1 or 2."""
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
    "allowed quiet move": (4, False, "quiet move"),
}
"""All kinds: how easily people see them, whether the move missed them, and the pattern that their line shows."""
UNSEEN = 5
"""The rank where nothing is seen."""
FOLLOWED = 3
"""The rank of wins by follow-up."""


def to_move(columns: Columns) -> int:
    """Return 1 or 2."""
    return 1 + sum(map(len, columns)) % 2


def legal(columns: Columns) -> list[int]:
    """Return the columns with room."""
    return [column for column in range(7) if len(columns[column]) < 6]


def put(columns: Columns, column: int, player: int) -> Columns:
    """Return the position after a disc of ``player``, whichever side is to move."""
    return (*columns[:column], (*columns[column], player), *columns[column + 1 :])


def drop(columns: Columns, column: int) -> Columns:
    """Return the position after a disc of the side to move."""
    assert column in legal(columns), "the column is full"
    return put(columns, column, to_move(columns))


def position(moves: Iterable[int]) -> Columns:
    """Return the position after these moves."""
    return reduce(drop, moves, ((),) * 7)


@cache
def four_cells(columns: Columns, column: int) -> frozenset[int]:
    """Return the cells (column * 6 + row) of the fours that the top disc of ``column`` is part of."""
    row = len(columns[column]) - 1
    found: set[int] = set()
    for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
        cells = {column * 6 + row}
        for sense in (1, -1):
            x, y = column + sense * right, row + sense * up
            while 0 <= x < 7 and 0 <= y < len(columns[x]) and columns[x][y] == columns[column][row]:
                cells.add(x * 6 + y)
                x, y = x + sense * right, y + sense * up
        if len(cells) >= 4:
            found |= cells
    return frozenset(found)


@cache
def fours(columns: Columns, player: int) -> list[int]:
    """Return the columns in which ``player`` would make four now."""
    return [column for column in legal(columns) if four_cells(put(columns, column, player), column)]


def is_over(columns: Columns) -> bool:
    """Return whether somebody has four or the board is full."""
    return not legal(columns) or any(discs and four_cells(columns, column) for column, discs in enumerate(columns))


def answer(columns: Columns, player: int, last: int) -> int | None:
    """Return the follower's column after the opponent's disc in ``last``; None where it has none."""
    wanted = [*fours(columns, player), *fours(columns, 3 - player), last]
    return next((column for column in wanted if column in legal(columns)), None)


@cache
def follows(columns: Columns, player: int, least: int = 0) -> int:
    """Return what ``player`` achieves by follow-up with the opponent to move: 1 always wins, 0 never loses, else -1.

    A result below ``least`` may be too high.
    """
    if fours(columns, 3 - player):
        return -1
    worst = 1 if legal(columns) else 0
    for column in legal(columns):
        after = drop(columns, column)
        reply = answer(after, player, column)
        if reply is None:
            worst = -1 if legal(after) else min(worst, 0)
        elif reply not in fours(after, player):
            worst = min(worst, follows(drop(after, reply), player, least))
        if worst < least:
            break
    return worst


@cache
def forces(columns: Columns, threats_left: int) -> bool:
    """Return whether the side to move makes four within ``threats_left`` threats, by trying everything."""
    player = to_move(columns)
    if fours(columns, player) or threats_left == 0:
        return bool(fours(columns, player))
    children = [drop(columns, column) for column in legal(columns)]
    return any(
        all(forces(drop(child, reply), threats_left - 1) for reply in legal(child))
        for child in children
        if fours(child, player) and not fours(child, 3 - player)
    )


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
    if forces(columns, 8):
        return 2
    if any(wins_by_follow_up(child, player) for child in children):
        return FOLLOWED
    return 4 if quiet and any(loses(child, quiet - 1) for child in children) else UNSEEN


def wins_by_follow_up(columns: Columns, player: int) -> bool:
    """Return whether ``player``, not to move, wins by follow-up where at most one column has an odd number of cells."""
    odd = sum(len(column) % 2 for column in columns)
    return not is_over(columns) and odd <= 1 and follows(columns, player, 1) == 1


def loses(columns: Columns, quiet: int) -> bool:
    """Return whether the opponent wins at sight after every column of the side to move."""
    return not is_over(columns) and all(seen(drop(columns, column), quiet) < UNSEEN for column in legal(columns))


def check_line(before: Columns, mistake: int, said: Any, kind: str, quiet: int) -> Columns:
    """Play out the line of a reason or an insight and return its end; ``quiet``: the plies before ``kind`` holds."""
    player, line = said.player, said.line
    assert player == (to_move(before) if said.missed else 3 - to_move(before)), "it speaks for the wrong player"
    assert said.missed or (quiet > 0 and line[0] == mistake), "the line does not begin with the mistake"
    steps = [before]
    for column in line:
        assert not is_over(steps[-1]), "the line goes on after the end"
        steps.append(drop(steps[-1], column))
    holds = kind == "follow-up that holds"
    assert holds or to_move(steps[-2]) == player, "the line ends with the wrong player"
    assert holds or four_cells(steps[-1], line[-1]), "no four at the end"
    assert set(said.cells) == (set() if holds else four_cells(steps[-1], line[-1])), "the marked cells are not the four"
    if kind == "quiet move":
        assert loses(steps[2], quiet - 1), "a reply refutes the quiet move"
    elif kind.startswith("follow-up") or kind == "zugzwang":
        _check_follow_up(steps, line, player, kind, quiet)
    else:
        _check_threats(steps, line, player, kind, quiet)
    return steps[-1]


def _check_threats(steps: list[Columns], line: tuple[int, ...], player: int, kind: str, quiet: int) -> None:
    for ply in range(quiet, len(line) - 1, 2):
        after = steps[ply + 1]
        assert not fours(after, 3 - player), "the opponent could make four instead"
        assert fours(after, player), "a move that threatens nothing"
        escapes = {reply for reply in legal(after) if not fours(drop(after, reply), player)}
        assert escapes <= {line[ply + 1]}, "the opponent had another answer"
    if kind == "double threat":
        assert len(line) == quiet + 3 and len(fours(steps[quiet + 1], player)) > 1, "no two fours at the same time"
    elif kind != "forced sequence":
        assert len(line) == quiet + 1, "not at once"
    if kind in ("four left open", "cell below a four opened"):
        was_open = line[1] in fours(steps[0], player) and line[1] != line[0]
        assert quiet == 1 and was_open == (kind == "four left open"), "not the cell that is meant"


def _check_follow_up(steps: list[Columns], line: tuple[int, ...], player: int, kind: str, quiet: int) -> None:
    assert to_move(steps[quiet]) != player, "follow-up begins with the wrong player"
    least = 0 if kind == "follow-up that holds" else 1
    assert follows(steps[quiet], player) >= least, "a line of the opponent refutes follow-up"
    for ply in range(quiet + 1, len(line), 2):
        assert line[ply] == answer(steps[ply], player, line[ply - 1]), "an answer against the rules of follow-up"
    if kind == "zugzwang":
        last = steps[-3]
        assert not fours(last, player), "no zugzwang"
        assert all(each in fours(drop(last, each), player) for each in legal(last)), "no zugzwang"


def check_insight(before: Columns, column: int, said: Any) -> None:
    """Raise AssertionError where an insight on the move ``column`` does not hold, or its better columns do not help."""
    rank, missed, pattern = KINDS[said.kind]
    assert said.missed == missed, "missed and allowed are confused"
    assert said.better and column not in said.better, "no better column"
    assert not missed or said.line[0] in said.better, "the line begins with a worse column"
    quiet = 0
    if pattern == "quiet move":
        quiet = next((each for each in (1, 2) if seen(drop(before, column), each) < UNSEEN), 0)
    end = check_line(before, column, said, pattern, quiet or (not missed) + (rank == FOLLOWED))
    if pattern == "zugzwang":
        assert ("even", "odd")[len(end[said.line[-1]]) % 2] in said.kind, "the parity is another"
    for each in said.better:
        child = drop(before, each)
        if not missed:
            assert seen(child, quiet) > rank, f"column {each + 1} does not avoid it"
        elif rank == 0:
            assert four_cells(child, each), f"column {each + 1} makes no four"
        else:
            assert wins_by_follow_up(child, said.player) or loses(child, 0), f"column {each + 1} gives the win up, too"
