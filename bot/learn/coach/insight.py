"""Insights: mistakes as people know them, such as a missed block. Proven by patterns, without the solver."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from bot.engine.agent import StopFlag
from bot.game import Board
from bot.learn.coach.pattern import Pattern, pattern_for, reason_of, refutations, winning
from bot.learn.coach.reason import Insight, ReasonKind
from bot.learn.coach.words import parity

if TYPE_CHECKING:
    from bot.engine.review import MoveVerdict, Review

MOST_QUIET_MOVES = 2
"""Quiet moves of the winner that a lost game's moment may need. Of 200 lost games 167 need none, 18 one, 10 two and 5
more; with three, some games would take seconds."""
_KINDS = {
    ReasonKind.FOUR: (0, "missed win"),
    ReasonKind.UNBLOCKED: (0, "missed block"),
    ReasonKind.OPENED: (0, "poisoned column"),
    ReasonKind.DOUBLE_THREAT: (1, "{} double threat"),
    ReasonKind.FORCED_SEQUENCE: (2, "{} forced sequence"),
    ReasonKind.ZUGZWANG: (3, "{} the {} threat"),
    ReasonKind.FOLLOW_UP_WIN: (3, "{} follow-up win"),
    ReasonKind.QUIET_MOVE: (4, "{} quiet move"),
}
"""How easily a kind is seen, 0 at once; and its name for people, with "missed" or "allowed" and a threat's parity."""
_UNSEEN = 5


def insight(board: Board, column: int, quiet: int = 0) -> Insight | None:
    """Return the most obvious of what the move ``column`` (0..6) in ``board`` missed or allowed; None: nothing.

    Up to ``quiet`` moves that threaten nothing may precede what the opponent wins by.
    """
    legal = board.legal_columns()
    found: list[tuple[Pattern, Insight]] = []
    own = winning(board)
    if own is not None:
        better = tuple(each for each in legal if _keeps(board, each, own))
        if column not in better:
            found.append((own, _insight(own, (), board, better)))
    allowed = {each: winning(board.play(each), quiet) for each in legal}
    ranks = {each: _KINDS[pattern.kind][0] if pattern else _UNSEEN for each, pattern in allowed.items()}
    pattern, best = allowed[column], max(ranks.values())
    if pattern is not None and ranks[column] < best:
        better = tuple(each for each in legal if ranks[each] == best)
        found.append((pattern, _insight(pattern, (column,), board.play(column), better)))
    return min(found, key=lambda each: _KINDS[each[0].kind])[1] if found else None


def _insight(pattern: Pattern, line: tuple[int, ...], board: Board, better: tuple[int, ...]) -> Insight:
    """Return the insight of a pattern for the side to move in ``board``, where ``line`` (the move, or nothing) led."""
    reason = reason_of(pattern, line, board, board.ply % 2 + 1, missed=not line)
    verb = "allowed" if line else "gave up" if reason.kind is ReasonKind.ZUGZWANG else "missed"
    name = _KINDS[reason.kind][1].format(verb, parity(reason))
    return Insight(name, not line, reason.player, reason.line, reason.cells, reason.pairs, reason.text, better)


def _keeps(board: Board, column: int, own: Pattern) -> bool:
    """Return whether the side to move, which wins by ``own``, still wins at sight after ``column``."""
    child = board.play(column)
    if own.kind is ReasonKind.FOUR or child.is_over:
        return child.has_winner
    return bool(pattern_for(child, board.ply % 2 + 1, to_win=True) or refutations(child))


@dataclass(frozen=True, slots=True)
class Account:
    """What a person could have understood of a game."""

    insights: tuple[Insight | None, ...]
    """For each move; None where it is best or its verdict unknown, except for the moment, and where nothing is seen."""
    moment: int | None
    """Discs before the loser's last move that allowed a win at sight where another column avoided it; without such a
    move, before its last mistake in exact play, if possible one that changed the outcome. None where no side lost."""
    doomed: int | None
    """Discs before the loser's first move, where all of its moves lost in exact play; else None."""
    doomed_text: str | None
    """The same as a sentence."""


def account(columns: Sequence[int], reviewed: Review, deadline_s: float, stop: StopFlag | None = None) -> Account:
    """Return what a person could have understood of a game (columns 0..6), as far as ``deadline_s`` allows.

    It may take 1 s longer: time and stop are not looked at within the search for one move.
    """
    end = time.perf_counter() + deadline_s

    def is_late() -> bool:
        return time.perf_counter() > end or (stop is not None and stop.is_set)

    boards = list(accumulate(columns, Board.play, initial=Board()))
    insights = [
        insight(board, column) if _is_mistake(verdict) and not is_late() else None
        for board, column, verdict in zip(boards, columns, reviewed.moves, strict=False)
    ]
    winner = boards[-1].winner
    if winner is None:
        return Account(tuple(insights), None, None, None)
    own = range(2 - winner, len(columns), 2)
    found = _moment(boards, columns, own, is_late)
    if found is None:
        mistakes = [(one.grave, ply) for ply in own if (one := reviewed.moves[ply]) and _is_mistake(one)]
        moment = max(mistakes)[1] if mistakes else None
    else:
        moment, quiet = found
        insights[moment] = insight(boards[moment], columns[moment], quiet)
    if any((score := reviewed.positions[ply]) is None or score >= 0 for ply in own):
        return Account(tuple(insights), moment, None, None)
    text = f"Every move of {'OX'[winner - 1]} lost from the start: {'XO'[winner - 1]} never gave the win away."
    return Account(tuple(insights), moment, own[0], text)


def _is_mistake(verdict: MoveVerdict | None) -> bool:
    return verdict is not None and verdict.kind not in ("best", "kept")


def _moment(
    boards: list[Board], columns: Sequence[int], own: range, is_late: Callable[[], bool]
) -> tuple[int, int] | None:
    """Return the last of the ``own`` plies where a column avoided what the played one allowed, or None.

    With it the number of quiet moves up to which that was searched for: the fewest that give a moment.
    """
    for quiet in range(MOST_QUIET_MOVES + 1):
        for ply in reversed(own):
            if is_late():
                return None
            if winning(boards[ply].play(columns[ply]), quiet) is None:
                break
            others = map(boards[ply].play, boards[ply].legal_columns())
            if any(not is_late() and winning(other, quiet) is None for other in others):
                return ply, quiet
    return None
