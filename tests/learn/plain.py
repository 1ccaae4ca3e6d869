"""What the coach says, checked from the rules alone: lists of discs, no bitboards, nothing of `bot.learn.coach`.

`check_line` plays out a stated line, and raises AssertionError where it does not show what is said. `right` finds what
a person could have seen, by trying every move. Exact scores are compared in `test_coach.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache, reduce
from typing import Any

Columns = tuple[tuple[int, ...], ...]
"""Seven columns of discs from the bottom: 1 or 2."""
SIGHT = 5
"""Plies that a person can look ahead."""


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


@lru_cache(1 << 16)
def wins(columns: Columns, plies: int) -> bool:
    """Return whether the side to move makes four within ``plies`` whatever the opponent plays, by trying everything."""
    if plies < 1 or is_over(columns):
        return False
    children = (drop(columns, column) for column in legal(columns))
    return bool(fours(columns, to_move(columns))) or any(loses(child, plies - 2) for child in children)


def loses(columns: Columns, plies: int) -> bool:
    """Return whether the opponent wins within ``plies`` after every move of the side to move."""
    return plies > 0 and not is_over(columns) and all(wins(drop(columns, each), plies) for each in legal(columns))


def right(columns: Columns, played: int, *, missed: bool) -> tuple[tuple[int, ...], bool]:
    """Return the columns that avoid what a move missed or allowed within `SIGHT` plies, none where it was nothing.

    And whether they only delay it: each loses within `SIGHT` plies, too, but later.
    """
    children = {column: drop(columns, column) for column in legal(columns)}
    if missed:
        most = 1 if fours(columns, to_move(columns)) else SIGHT
        winning = tuple(each for each, child in children.items() if four_cells(child, each) or loses(child, most - 2))
        return () if played in winning else winning, False
    lost = {each: [n for n in (1, 3, 5) if wins(child, n)] for each, child in children.items()}
    if not lost[played]:
        return (), False
    safe = tuple(each for each, plies in lost.items() if not plies)
    late = tuple(each for each, plies in lost.items() if plies and plies[0] > lost[played][0])
    return safe or late, not safe and bool(late)


def check_line(before: Columns, mistake: int, said: Any) -> None:
    """Play out the line of a reason; after its quiet plies its kind holds."""
    player, line, kind, quiet = said.player, said.line, said.kind, said.quiet
    assert player == (to_move(before) if said.missed else 3 - to_move(before)), "it speaks for the wrong player"
    assert said.missed or (quiet > 0 and line[0] == mistake), "the line does not begin with the mistake"
    steps = [before]
    for column in line:
        assert not is_over(steps[-1]), "the line goes on after the end"
        steps.append(drop(steps[-1], column))
    holds = kind == "follow-up that holds"
    assert holds or to_move(steps[-2]) == player, "the line ends with the wrong player"
    made = four_cells(steps[-1], line[-1])
    assert not legal(steps[-1]) if holds else made, "no draw or no four at the end"
    assert set(said.cells) == made and (not holds or not made), "the marked cells are not the four"
    if kind == "quiet move":
        assert loses(steps[quiet + 1], SIGHT - 2), "a reply refutes the quiet move"
        assert not forces(steps[quiet], (len(line) - quiet) // 2), "threats alone win as fast"
    elif kind.startswith("follow-up") or kind == "win by leaving the opponent no safe column":
        _check_follow_up(steps, line, player, kind, quiet)
    else:
        _check_threats(steps, line, player, kind, quiet)
    _check_words(said, sum(map(len, steps[quiet])))


def _check_words(said: Any, discs: int) -> None:
    """Compare player and numbers in a reason's sentence with its line; ``discs`` are on the board where it holds."""
    quiet, shown = said.line[: said.quiet], said.line[said.quiet :]
    decisive = {"forced sequence": shown, "win by leaving the opponent no safe column": shown[-1:]}
    named = decisive.get(said.kind, shown[: not said.kind.startswith("follow-up")])
    columns = [column + 1 for column in (*quiet[not said.missed :], *named)]
    if len(quiet) > 5:  # best play that is not listed
        columns[said.missed : len(quiet) - (not said.missed)] = [discs]
    assert [*map(int, re.findall(r"\d+", said.text))] == columns, "other columns are named"
    assert re.findall(r"\b[XO]\b", said.text)[0] == "XO"[said.player - 1], "another player is named"


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
    if kind == "win by leaving the opponent no safe column":
        assert line[-1] == line[-2], "the four is in another column"
        last = steps[-3]
        assert not fours(last, player), "a column is safe"
        assert all(each in fours(drop(last, each), player) for each in legal(last)), "a column is safe"
