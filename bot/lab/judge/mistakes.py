"""An agent's worst answers, for its author to look at: `bot judge --worst`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bot.engine.score import sign
from bot.game import format_moves
from bot.lab.judge.answers import Answer
from bot.lab.positions import ColumnScores, ScoredPosition


class WrongAnswer(NamedTuple):
    """An answer that gives away a part of what its position is worth."""

    id: int
    """Number of the position in its set, from 1."""
    moves: str
    column: int | None
    """Column 1 to 7; None without a legal move, which counts as the worst column."""
    best: list[int]
    """The columns of the best score."""
    scores: ColumnScores


def worst(positions: Sequence[ScoredPosition], answers: Sequence[Answer], count: int) -> list[WrongAnswer]:
    """Return the ``count`` answers that give away most: first by outcome, then by score."""
    numbered = zip(range(1, len(positions) + 1), positions, answers, strict=True)
    judged = sorted(numbered, key=lambda each: _lost(*each[1:]), reverse=True)
    return [_wrong_answer(*each) for each in judged[:count] if any(_lost(*each[1:]))]


def table(listed: Mapping[str, Sequence[WrongAnswer]]) -> list[list[str]]:
    """Return head and rows of all agents' mistakes; the first two columns are agent and position."""
    rows = [["agent", "position", "moves", "column", "best columns", "scores"]]
    for agent, mistakes in listed.items():
        for each in mistakes:
            scores = " ".join("-" if score is None else str(score) for score in each.scores)
            best = " ".join(map(str, each.best))
            rows.append([agent, str(each.id), each.moves, str(each.column or "none"), best, scores])
    return rows


def _lost(position: ScoredPosition, answer: Answer) -> tuple[int, int]:
    """Return what an answer gives away: 2 for a win that became a loss, 1 for half of it; and points of the score."""
    after = position.after(answer.column)
    return sign(position.best) - sign(after), position.best - after


def _wrong_answer(number: int, position: ScoredPosition, answer: Answer) -> WrongAnswer:
    best = [each for each, score in enumerate(position.scores, start=1) if score == position.best]
    shown = None if answer.column is None else answer.column + 1
    return WrongAnswer(number, format_moves(position.columns), shown, best, position.scores)
