"""The review of a game: the score of every position, and a verdict on every move.

The page uses `review`, the journal's move review uses `judge_bounds` on the positions that the server confirmed.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from bot.engine.agent import StopFlag
from bot.engine.score import Bounds, sign
from bot.game import Board

if TYPE_CHECKING:
    from bot.engine.analysis import Analyst


@dataclass(frozen=True, slots=True)
class MoveVerdict:
    """What a move did to the score."""

    kind: str
    """"best"; "slower" (a later win) or "sooner" (a sooner loss); "blunder"; "kept": the outcome, distance unknown."""
    text: str
    """The same for people, said of the move: "turned a won position into a lost one"."""
    grave: bool = False
    """Whether the move changed the outcome."""


def judge(best: int, played: int) -> MoveVerdict:
    """Return the verdict on a move of score ``played`` where the best score was ``best``, both in the mover's view."""
    verdict = judge_bounds(Bounds.of(best), Bounds.of(played))
    assert verdict is not None, "exact scores always settle the outcome"
    return verdict


def judge_bounds(best: Bounds, played: Bounds) -> MoveVerdict | None:
    """Return what the bounds prove about a move, both in the mover's view; None where the outcome is not settled."""
    if sign(played.upper) < sign(best.lower):
        had = "won" if best.lower > 0 else "drawn"
        now = "drawn" if sign(played.upper) == 0 else "lost"
        return MoveVerdict("blunder", f"turned a {had} position into a {now} one", grave=True)
    if sign(played.lower) < sign(best.upper):
        return None
    lost = best.lower - played.upper
    if lost > 0:
        moves = "1 move" if lost == 1 else f"{lost} moves"
        if best.lower > 0:
            return MoveVerdict("slower", f"made the win {moves} longer")
        return MoveVerdict("sooner", f"brought the loss {moves} closer")
    if played.lower >= best.upper:
        text = "was best, but every move lost" if best.upper < 0 else "was best"
        return MoveVerdict("best", text)
    return MoveVerdict("kept", "kept the outcome")


@dataclass(frozen=True, slots=True)
class Review:
    """The scores and verdicts of a game; None where time ran out."""

    positions: tuple[int | None, ...]
    """The exact score of every position for the side to move, the first and the last position included."""
    moves: tuple[MoveVerdict | None, ...]
    """The verdict on every move; one fewer than positions."""

    @property
    def scores(self) -> tuple[int | None, ...]:
        """The exact score of every position in the first player's view."""
        scores = list(self.positions)
        for ply in range(1, len(scores), 2):
            score = scores[ply]
            scores[ply] = None if score is None else -score
        return tuple(scores)


def review(columns: Sequence[int], analyst: Analyst, deadline_s: float, stop: StopFlag | None = None) -> Review:
    """Review the game of these columns (0..6) within ``deadline_s``, from its last position backwards.

    The end of a game is solved at once, its beginning is not; no position gets more than half of the remaining time, so
    that an early one that cannot be solved leaves enough for those in the book. Raises BoardError at an illegal move.
    """
    end = time.perf_counter() + deadline_s
    boards = [Board()]
    for column in columns:
        boards.append(boards[-1].play(column))
    scores: list[int | None] = [None] * len(boards)
    for ply in reversed(range(len(boards))):
        left_s = end - time.perf_counter()
        is_stopped = stop is not None and stop.is_set
        if left_s <= 0 or is_stopped:
            break
        scores[ply] = analyst.bounds(boards[ply], deadline_s=left_s / 2, stop=stop).score
    moves: list[MoveVerdict | None] = []
    for before, after in pairwise(scores):
        if before is None or after is None:
            moves.append(None)
        else:
            moves.append(judge(before, -after))
    return Review(tuple(scores), tuple(moves))
