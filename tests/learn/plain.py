"""What the coach says, checked from the rules alone: by boards that are played on, nothing of `bot.learn.coach`.

`check_line` plays out a stated line, and raises AssertionError where it does not show what is said. `right` finds what
a person could have seen, by trying every move. Exact scores are compared in `test_coach.py`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import accumulate
from typing import Any

from bot.game import Board

SIGHT = 5
"""Plies that a person can look ahead."""


def to_move(board: Board) -> int:
    """Return 1 or 2."""
    return 1 + board.ply % 2


def four_of(board: Board) -> set[int]:
    """Return the cells (column * 6 + row) of the fours on a board."""
    return {bit // 7 * 6 + bit % 7 for bit in range(49) if board.winning_cells >> bit & 1}


@cache
def fours(board: Board, player: int) -> list[int]:
    """Return the columns in which ``player`` would make four now."""
    mine = board if to_move(board) == player else Board(board.opponent, board.mask)
    return [column for column in board.legal_columns() if mine.wins_with(column)]


def answer(board: Board, last: int) -> int | None:
    """Return the column of a follower who is to move after the opponent's disc in ``last``; None where it has none."""
    player = to_move(board)
    return next(filter(board.can_play, (*fours(board, player), *fours(board, 3 - player), last)), None)


@cache
def follows(board: Board) -> int:
    """Return what the side that is not to move achieves by follow-up: 1 always wins, 0 never loses, else -1."""
    if fours(board, to_move(board)):
        return -1
    worst = int(not board.is_full)
    for column in board.legal_columns():
        after = board.play(column)
        reply = answer(after, column)
        if reply is None:
            worst = min(worst, after.is_full - 1)
        elif not after.wins_with(reply):
            worst = min(worst, follows(after.play(reply)))
        if worst < 0:
            break
    return worst


@cache
def forces(board: Board, threats_left: int) -> bool:
    """Return whether the side to move makes four within ``threats_left`` threats, by trying everything."""
    player = to_move(board)
    if fours(board, player) or threats_left == 0:
        return bool(fours(board, player))
    children = map(board.play, board.legal_columns())
    return any(
        all(forces(child.play(reply), threats_left - 1) for reply in child.legal_columns())
        for child in children
        if fours(child, player) and not fours(child, 3 - player)
    )


@lru_cache(1 << 16)
def wins(board: Board, plies: int) -> bool:
    """Return whether the side to move makes four within ``plies`` whatever the opponent plays, by trying everything."""
    if plies < 1 or board.is_over:
        return False
    children = map(board.play, board.legal_columns())
    return bool(fours(board, to_move(board))) or any(loses(child, plies - 2) for child in children)


def loses(board: Board, plies: int) -> bool:
    """Return whether the opponent wins within ``plies`` after every move of the side to move."""
    return plies > 0 and not board.is_over and all(wins(board.play(each), plies) for each in board.legal_columns())


def right(board: Board, played: int, *, missed: bool) -> tuple[tuple[int, ...], bool]:
    """Return the columns that avoid what a move missed or allowed within `SIGHT` plies, none where it was nothing.

    And whether they only delay it: each loses within `SIGHT` plies, too, but later.
    """
    children = {column: board.play(column) for column in board.legal_columns()}
    if missed:
        most = 1 if fours(board, to_move(board)) else SIGHT
        winning = tuple(each for each, child in children.items() if child.has_winner or loses(child, most - 2))
        return () if played in winning else winning, False
    lost = {each: [n for n in (1, 3, 5) if wins(child, n)] for each, child in children.items()}
    if not lost[played]:
        return (), False
    safe = tuple(each for each, plies in lost.items() if not plies)
    late = tuple(each for each, plies in lost.items() if plies and plies[0] > lost[played][0])
    return safe or late, not safe and bool(late)


def check_line(before: Board, mistake: int, said: Any) -> None:
    """Play out the line of a reason; after its quiet plies its kind holds."""
    player, line, kind, quiet = said.player, said.line, said.kind, said.quiet
    assert player == (to_move(before) if said.missed else 3 - to_move(before)), "it speaks for the wrong player"
    assert said.missed or (quiet > 0 and line[0] == mistake), "the line does not begin with the mistake"
    steps = list(accumulate(line, Board.play, initial=before))
    assert not any(board.is_over for board in steps[:-1]), "the line goes on after the end"
    holds = kind == "follow-up that holds"
    assert holds or to_move(steps[-2]) == player, "the line ends with the wrong player"
    assert steps[-1].has_winner is not holds and steps[-1].is_over, "no draw or no four at the end"
    assert set(said.cells) == four_of(steps[-1]), "the marked cells are not the four"
    if kind == "quiet move":
        assert loses(steps[quiet + 1], SIGHT - 2), "a reply refutes the quiet move"
        assert not forces(steps[quiet], (len(line) - quiet) // 2), "threats alone win as fast"
    elif kind.startswith("follow-up") or kind == "win by leaving the opponent no safe column":
        _check_follow_up(steps, line, player, kind, quiet)
    else:
        _check_threats(steps, line, player, kind, quiet)
    _check_words(said, steps[quiet].ply)


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


def _check_threats(steps: Sequence[Board], line: tuple[int, ...], player: int, kind: str, quiet: int) -> None:
    for ply in range(quiet, len(line) - 1, 2):
        after = steps[ply + 1]
        assert not fours(after, 3 - player), "the opponent could make four instead"
        assert fours(after, player), "a move that threatens nothing"
        escapes = {reply for reply in after.legal_columns() if not fours(after.play(reply), player)}
        assert escapes <= {line[ply + 1]}, "the opponent had another answer"
    if kind == "double threat":
        assert len(line) == quiet + 3 and len(fours(steps[quiet + 1], player)) > 1, "no two fours at the same time"
    elif kind != "forced sequence":
        assert len(line) == quiet + 1, "not at once"
    if kind in ("four left open", "cell below a four opened"):
        was_open = line[1] in fours(steps[0], player) and line[1] != line[0]
        assert quiet == 1 and was_open == (kind == "four left open"), "not the cell that is meant"


def _check_follow_up(steps: Sequence[Board], line: tuple[int, ...], player: int, kind: str, quiet: int) -> None:
    assert to_move(steps[quiet]) != player, "follow-up begins with the wrong player"
    assert follows(steps[quiet]) == (kind != "follow-up that holds"), "a line of the opponent refutes follow-up"
    for ply in range(quiet + 1, len(line), 2):
        assert line[ply] == answer(steps[ply], line[ply - 1]), "an answer against the rules of follow-up"
    if kind == "win by leaving the opponent no safe column":
        assert line[-1] == line[-2], "the four is in another column"
        last = steps[-3]
        assert not fours(last, player), "a column is safe"
        assert all(each in fours(last.play(each), player) for each in last.legal_columns()), "a column is safe"
