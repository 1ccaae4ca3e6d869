"""Check the coach's reasons in seeded games of levels 1 to 6: python -m tests.learn.coach.check_reasons --games 200.

Every stated line is played out by `plain.py`, which shares no code with the coach. Then, in random order until the
time is over, the exact scores along the quiet moves are compared with the solver's.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from bot.engine.analysis import Analyst
from bot.engine.perfect import shipped_book
from bot.engine.review import review
from bot.engine.score import finished_score
from bot.engine.solver import Solver
from bot.game import Board, format_moves, parse_moves
from bot.lab.arena.games import Pairing, play_pairing
from bot.learn.coach.coach import Coach
from bot.learn.coach.reason import Lesson
from tests.learn.coach import plain


@dataclass
class Scores:
    """Exact scores by book and solver."""

    solver: Solver = field(default_factory=Solver)
    known: dict[Board, int] = field(default_factory=dict)

    def of(self, board: Board, guess: int = 0) -> int:
        """Return the exact score for the side to move."""
        if board.is_over:
            return finished_score(board)
        book = shipped_book()
        score = None if book is None else book.score(board)
        if score is None and board not in self.known:
            solved = self.solver.solve(board, guess=guess, keep=True).score
            assert solved is not None
            self.known[board] = solved
        return self.known[board] if score is None else score


def false_scores(before: Board, mistake: int, verdict: str, reason: dict[str, Any], scores: Scores) -> list[str]:
    """Return what is wrong with a reason's exact scores: the mistake must lose score, a quiet move must keep it."""
    found = []
    start = scores.of(before)
    lost = start + scores.of(before.play(mistake))
    if lost <= 0:
        found.append("the move was no mistake")
    board = before
    for ply, column in enumerate(reason["line"][: reason["quiet"]]):
        score, child = scores.of(board), board.play(column)
        if (ply > 0 or reason["missed"]) and scores.of(child, -score) != -score:
            found.append(f"quiet move {ply + 1} loses score")
        board = child
    score = scores.of(board)
    ours = score if board.ply % 2 == reason["player"] - 1 else -score
    if (ours > 0) != (reason["kind"] != "follow-up that holds") or ours < 0:
        found.append("the outcome is another")
    if verdict in ("slower", "sooner"):
        found += _false_distance(before, mistake, verdict, reason, scores)
    return found


def _false_distance(before: Board, mistake: int, verdict: str, reason: dict[str, Any], scores: Scores) -> list[str]:
    """Return whether the line ends no sooner than the game would, after the mistake (slower) or without it (sooner)."""
    other = scores.of(before.play(mistake)) if verdict == "slower" else scores.of(before)
    end = 2 * (22 - abs(other)) - (1 if reason["player"] == 1 else 0)
    return [] if before.ply + len(reason["line"]) < end else ["the line is as slow as the alternative"]


PAIRS = ((1, 2), (3, 4), (5, 6), (4, 2), (6, 5), (3, 1))
"""Levels that play the games in turn; the first of a pair starts."""


def records(count: int, seed: int, analyst: Analyst) -> list[dict[str, Any]]:
    """Return for each game a dictionary with its ``moves`` and ``lessons``; equal arguments give equal games."""
    found = []
    for number in range(count):
        first, second = PAIRS[number % len(PAIRS)]
        moves = play_pairing(Pairing(f"level:{first}", f"level:{second}", f"coach/{seed}/{number}")).moves
        lessons = Coach(analyst).game(moves, review(moves, analyst, deadline_s=600.0))
        found.append({"moves": format_moves(moves), "lessons": [lesson_record(each) for each in lessons]})
    return found


def lesson_record(lesson: Lesson) -> dict[str, Any]:
    """Return a lesson as a dictionary, without texts."""
    kept = ("missed", "player", "line", "quiet", "cells", "pairs")
    reasons = [{"kind": reason.kind.value, **{key: getattr(reason, key) for key in kept}} for reason in lesson.reasons]
    return {"ply": lesson.ply, "column": lesson.column, "verdict": lesson.verdict, "reasons": reasons}


def reasons_of(games: list[dict[str, Any]]) -> Iterator[tuple[tuple[int, ...], dict[str, Any], dict[str, Any]]]:
    """Yield the moves before a mistake, its lesson, and each reason."""
    for game in games:
        moves = parse_moves(game["moves"])
        for lesson in game["lessons"]:
            assert moves[lesson["ply"]] == lesson["column"]
            for reason in lesson["reasons"]:
                yield moves[: lesson["ply"]], lesson, reason


def main() -> None:
    """Print how much was checked and what is false."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=600.0, help="time for the exact scores")
    options = parser.parse_args()
    games = records(options.games, options.seed, Analyst(shipped_book()))
    todo = list(reasons_of(games))
    false = 0
    for moves, lesson, reason in todo:
        columns = plain.EMPTY
        for column in moves:
            columns = plain.drop(columns, column)
        for problem in plain.problems(columns, lesson["column"], reason):
            false += 1
            print(f"{moves} {lesson['column']} {reason}: {problem}")
    print(f"{len(games)} games, {len(todo)} reasons played out: {false} false", flush=True)
    random.Random(1).shuffle(todo)
    scores, end, checked, wrong = Scores(), time.monotonic() + options.seconds, 0, 0
    for moves, lesson, reason in todo:
        if time.monotonic() > end:
            break
        checked += 1
        for problem in false_scores(Board.from_moves(moves), lesson["column"], lesson["verdict"], reason, scores):
            wrong += 1
            print(f"{moves} {lesson['column']} {reason}: {problem}")
    print(f"{checked} of {len(todo)} reasons against the solver: {wrong} false")


if __name__ == "__main__":
    main()
