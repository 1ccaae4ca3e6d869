"""Key moments: of all mistakes of a game, the few that teach most, the plainest first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.engine.review import Review
from bot.learn.coach.reason import Lesson
from bot.learn.coach.sentences import LOST_FROM_THE_START

MOST_MOMENTS = 3
"""Key moments of one side."""


@dataclass(frozen=True, slots=True)
class GameLessons:
    """What a game teaches."""

    lessons: tuple[Lesson, ...]
    """A lesson for every mistake, in order of play."""
    moments: tuple[tuple[int, ...], tuple[int, ...]]
    """Key moments of the first and of the second player: discs before the move, in the order in which they teach."""
    turns: dict[int, int]
    """For each mistake's ply, from where its player can turn the game around: that ply, or, where the position was
    lost, the player's last turn before it at which the game could still be held. Missing where there was none."""
    lost_side: int | None
    """0 or 1: the side whose moves all lost in exact play, from its first one on; else None."""
    lost_text: str | None
    """The same as a sentence."""


def game_lessons(lessons: Sequence[Lesson], reviewed: Review, winner: int | None) -> GameLessons:
    """Return what a reviewed game teaches; ``winner``: 1, 2, or None."""
    side = None if winner is None else 2 - winner
    text = None
    if side is not None and all(
        score is not None and score < 0 for score in reviewed.positions[side : len(reviewed.moves) : 2]
    ):
        text = LOST_FROM_THE_START.format(loser="XO"[side], winner="OX"[side])
    turns = {lesson.ply: turn for lesson in lessons if (turn := _turn(reviewed, lesson.ply)) is not None}
    moments = _key(lessons, 0), _key(lessons, 1)
    return GameLessons(tuple(lessons), moments, turns, side if text else None, text)


def _key(lessons: Sequence[Lesson], side: int) -> tuple[int, ...]:
    """Return the plies of a side's key moments, in the order in which they teach.

    First what a person could have seen, each kind once; then a win or draw that was given away to a pattern at once.
    Where all of these came when the game was lost already, the last move that gave the outcome away is added.
    """
    own = [lesson for lesson in lessons if lesson.ply % 2 == side]
    found: dict[str, Lesson] = {}
    for lesson in sorted(own, key=_by_use):
        if lesson.is_visible or (lesson.name and lesson.verdict.grave):
            found.setdefault(lesson.name, lesson)
    moments = sorted(found.values(), key=_by_plainness)[:MOST_MOMENTS]
    if all(lesson.was_lost for lesson in moments):
        last_chance = [lesson for lesson in own if lesson.verdict.grave and lesson.name not in found][-1:]
        moments = moments[: MOST_MOMENTS - len(last_chance)] + last_chance
    return tuple(lesson.ply for lesson in moments)


def _by_use(lesson: Lesson) -> tuple[bool, bool, bool, bool, int]:
    """Sort those of one kind: what could be seen and saved the game first, and the latest of several."""
    return not lesson.is_visible, lesson.only_delays, not lesson.verdict.grave, lesson.was_lost, -lesson.ply


def _by_plainness(lesson: Lesson) -> tuple[bool, int, int]:
    return not lesson.is_visible, lesson.reasons[0].kind.rank, lesson.ply


def _turn(reviewed: Review, ply: int) -> int | None:
    """Return the last turn of the side that moves after ``ply`` discs, up to then, at which its game was not lost."""
    for turn in range(ply, -1, -2):
        score = reviewed.positions[turn]
        if score is not None and score >= 0:
            return turn
    return None
