"""What the coach says, checked from the rules alone: lists of discs, no bitboards, nothing of `bot.learn.coach`.

`check_line` plays out a stated line, and raises AssertionError where it does not show what is said. `right` finds what
a person could have seen, by trying every move. Exact scores are compared in `test_coach.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache, reduce
from typing import Any

Columns = tuple[tuple[int, ...], ...]
"""Seven columns of discs from the bottom: 1 or 2."""
SIGHT = 5
"""Plies that a person can look ahead."""
SAID = {
    "four": "{who} could make four at once in column {first}.",
    "four left open": "{who} could make four in column {first}: that cell was left open.",
    "cell below a four opened": "{who} could make four in column {first}, on top of {other}'s disc there.",
    "double threat": "{who} could open two fours at the same time with column {first}; {other} could block only one.",
    "forced sequence": "{who} could force a four with {shown}: each threat must be blocked.",
    "quiet move": "{who} could play column {first}: then every reply loses.",
    "win by waiting": (
        "{who} would only have to answer every disc in the same column: in the end no column is safe for {other}, "
        "and column {last} lets {who} make four."
    ),
    "follow-up that wins": (
        "{who} could make four whatever the replies: it is enough to answer every disc in the same column, making "
        "or blocking fours."
    ),
    "follow-up that holds": (
        "{who} could no longer lose: it is enough to answer every disc in the same column, making or blocking fours."
    ),
}
"""The kinds of reasons, the plainest first, and how each is put."""
HINTS = {
    "four left open": "could still make four.",
    "cell below a four opened": "could make four on top.",
    "double threat": "could open two fours at once.",
    "forced sequence": "could force a four.",
    "quiet move": "could win by a quiet move.",
}
"""What is said of a wrong column at first: no cell and no column."""


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
    elif kind.startswith("follow-up") or kind == "win by waiting":
        _check_follow_up(steps, line, player, kind, quiet)
    else:
        _check_threats(steps, line, player, kind, quiet)
    begins = begin(line[:quiet], sum(map(len, steps[quiet])), missed=said.missed)
    assert said.text == begins + words(kind, player, line[quiet:]), "the sentence is another"


def begin(quiet: tuple[int, ...], discs: int, *, missed: bool) -> str:
    """Return how a reason begins: from when it holds, after quiet plies that lead to this number of discs."""
    many = f"columns {_numbers(quiet[1:])}" if len(quiet) <= 5 else f"best play up to move {discs}"
    best_play = {0: "", 1: "", 2: f"column {_numbers(quiet[1:])}"}.get(len(quiet), many)
    if missed and quiet:
        return f"With column {quiet[0] + 1} instead{best_play and f' and then {best_play}'}, "
    return best_play and f"After {best_play}, "


def words(kind: str, player: int, shown: tuple[int, ...]) -> str:
    """Return how a reason is put that these columns show."""
    return SAID[kind].format(
        who="XO"[player - 1],
        other="OX"[player - 1],
        shown=_numbers(shown),
        first=shown[0] + 1,
        last=shown[-1] + 1,
    )


def hint(kind: str, player: int) -> str:
    """Return what is said at first of a wrong column that allows this."""
    return f"{'XO'[player - 1]} {HINTS[kind]}"


def _numbers(columns: tuple[int, ...]) -> str:
    return " ".join(str(column + 1) for column in columns)


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
    if kind == "win by waiting":
        assert line[-1] == line[-2], "the four is in another column"
        last = steps[-3]
        assert not fours(last, player), "a column is safe"
        assert all(each in fours(drop(last, each), player) for each in legal(last)), "a column is safe"
