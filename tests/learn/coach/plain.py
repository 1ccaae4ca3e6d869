"""Reasons checked from the rules alone: lists of discs, no bitboards, nothing of `bot.learn.coach`.

`problems` plays out a stated line. What it calls the solver for (exact scores of the quiet moves) is in
`check_reasons.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

Columns = tuple[tuple[int, ...], ...]
"""Seven columns of discs from the bottom: 1 or 2."""
EMPTY: Columns = ((),) * 7


def to_move(columns: Columns) -> int:
    """Return 1 or 2."""
    return 1 + sum(map(len, columns)) % 2


def legal(columns: Columns) -> list[int]:
    """Return the columns with room."""
    return [column for column in range(7) if len(columns[column]) < 6]


def drop(columns: Columns, column: int) -> Columns:
    """Return the position after a disc of the side to move."""
    assert len(columns[column]) < 6, "the column is full"
    fallen = (*columns[column], to_move(columns))
    return (*columns[:column], fallen, *columns[column + 1 :])


def at(columns: Columns, column: int, row: int) -> int:
    """Return the disc in a cell; 0 where there is none or no such cell."""
    return columns[column][row] if 0 <= column < 7 and 0 <= row < len(columns[column]) else 0


@cache
def makes_four(columns: Columns, column: int, player: int) -> bool:
    """Return whether a disc of ``player`` dropped in ``column`` would complete four."""
    row = len(columns[column])
    if row >= 6:
        return False
    for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
        count = 1
        for sense in (1, -1):
            step = sense
            while at(columns, column + right * step, row + up * step) == player:
                count, step = count + 1, step + sense
        if count >= 4:
            return True
    return False


def fours(columns: Columns, player: int) -> list[int]:
    """Return the columns in which ``player`` would make four now."""
    return [column for column in legal(columns) if makes_four(columns, column, player)]


def four_cells(columns: Columns, player: int) -> set[int]:
    """Return the cells (column * 6 + row) of all complete fours of ``player``."""
    found: set[int] = set()
    for column in range(7):
        for row in range(6):
            for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                cells = [(column + right * step, row + up * step) for step in range(4)]
                if all(at(columns, *cell) == player for cell in cells):
                    found.update(x * 6 + y for x, y in cells)
    return found


def answer(columns: Columns, player: int, last: int) -> int | None:
    """Return the follower's column after the opponent's disc in ``last``; None where it has none."""
    own, urgent = fours(columns, player), fours(columns, 3 - player)
    if own:
        return own[0]
    if urgent:
        return urgent[0]
    return last if len(columns[last]) < 6 else None


def follows(columns: Columns, player: int, known: dict[Columns, int], least: int = 0) -> int:
    """Return what ``player`` achieves by follow-up with the opponent to move: 1 always wins, 0 never loses, else -1.

    A result below ``least`` may be too high.
    """
    if columns in known:
        return known[columns]
    worst = 1 if legal(columns) else 0
    for column in legal(columns):
        if makes_four(columns, column, 3 - player):
            worst = -1
            break
        after = drop(columns, column)
        if not legal(after):
            worst = min(worst, 0)
            continue
        reply = answer(after, player, column)
        if reply is None:
            worst = -1
            break
        if not makes_four(after, reply, player):
            worst = min(worst, follows(drop(after, reply), player, known, least))
        if worst < least:
            break
    known[columns] = worst
    return worst


@cache
def forces(columns: Columns, threats_left: int) -> bool:
    """Return whether the side to move makes four within ``threats_left`` threats, by trying everything."""
    player = to_move(columns)
    if fours(columns, player):
        return True
    if threats_left == 0:
        return False
    for column in legal(columns):
        after = drop(columns, column)
        if fours(after, 3 - player) or not fours(after, player):
            continue
        if all(forces(drop(after, reply), threats_left - 1) for reply in legal(after)):
            return True
    return False


def problems(before: Columns, mistake: int, reason: dict[str, Any]) -> list[str]:
    """Return what is wrong with a reason, apart from the exact scores of its quiet moves; empty: nothing."""
    player, line, quiet = reason["player"], list(reason["line"]), reason["quiet"]
    mover = to_move(before)
    found: list[str] = []
    if player != (mover if reason["missed"] else 3 - mover):
        found.append("the reason speaks for the wrong player")
    if not reason["missed"] and (quiet < 1 or line[0] != mistake):
        found.append("the line does not begin with the mistake")
    positions = [before]
    for number, column in enumerate(line):
        if len(positions[-1][column]) >= 6:
            return [*found, "a full column"]
        if makes_four(positions[-1], column, to_move(positions[-1])) and number < len(line) - 1:
            return [*found, "the line goes on after a four"]
        positions.append(drop(positions[-1], column))
    holds = reason["kind"] == "follow-up that holds"
    if set(reason["cells"]) != (set() if holds else four_cells(positions[-1], player)):
        found.append("the marked cells are not the four")
    checks = _forced if reason["kind"] in _FORCED_KINDS else _followed
    return found + checks(reason["kind"], positions, line, quiet, player)


_FORCED_KINDS = ("four", "four left open", "cell below a four opened", "double threat", "forced sequence")


def _forced(kind: str, positions: list[Columns], line: Sequence[int], quiet: int, player: int) -> list[str]:
    found = []
    start, shown = positions[quiet], line[quiet:]
    if to_move(start) != player or len(shown) % 2 == 0:
        return ["the sequence begins or ends with the wrong player"]
    if not makes_four(positions[-2], line[-1], player):
        found.append("no four at the end")
    for ply in range(quiet, len(line) - 1, 2):
        after, reply = positions[ply + 1], line[ply + 1]
        if fours(after, 3 - player):
            found.append("the opponent could make four instead")
        if not fours(after, player):
            found.append("a move that threatens nothing")
        if any(not fours(drop(after, other), player) for other in legal(after) if other != reply):
            found.append("the opponent had another answer")
    if kind == "double threat" and (len(shown) != 3 or len(fours(positions[quiet + 1], player)) < 2):
        found.append("no two fours at the same time")
    if kind in _FORCED_KINDS[:3] and len(shown) != 1:
        found.append("not at once")
    if kind in _FORCED_KINDS[1:3]:
        above = line[0] == line[1]
        if quiet != 1 or above != (kind == "cell below a four opened"):
            found.append("not the cell that is meant")
        if not above and line[1] not in fours(positions[0], player):
            found.append("the four was not open before")
    return found


def _followed(kind: str, positions: list[Columns], line: Sequence[int], quiet: int, player: int) -> list[str]:
    start = positions[quiet]
    if to_move(start) == player:
        return ["follow-up begins with the wrong player"]
    found = []
    reached = follows(start, player, {})
    if reached < (0 if kind == "follow-up that holds" else 1):
        found.append("a line of the opponent refutes follow-up")
    for ply in range(quiet + 1, len(line), 2):
        if line[ply] != answer(positions[ply], player, line[ply - 1]):
            found.append("an answer against the rules of follow-up")
    if kind != "follow-up that holds" and not makes_four(positions[-2], line[-1], player):
        found.append("no four at the end")
    if kind == "zugzwang":
        last = positions[-3]
        if fours(last, player) or any(not makes_four(drop(last, each), each, player) for each in legal(last)):
            found.append("no zugzwang")
    return found
