"""The coach over seeded games: the share of mistakes with a reason, and the kinds of the reasons."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from bot.coach.coach import Coach
from bot.coach.reason import Lesson
from bot.files import whole_lines
from bot.game import format_moves
from bot.lab.arena.games import Pairing, play_pairing

BEGINNING = ('{"number": ',)
"""What a file of results begins with."""
PAIRS = ((1, 2), (3, 4), (5, 6), (4, 2), (6, 5), (3, 1))
"""Levels that play the games in turn; the first of a pair starts."""
IMMEDIATE, NEAR = 1, 13
"""Plies of best play before a reason's pattern up to which it counts as immediate and as near."""


def game_of(number: int, seed: int) -> tuple[int, ...]:
    """Return the moves (0..6) of one game of two levels; equal arguments give equal games."""
    first, second = PAIRS[number % len(PAIRS)]
    return play_pairing(Pairing(f"level:{first}", f"level:{second}", f"coach/{seed}/{number}")).moves


def records(numbers: Iterable[int], seed: int, coach: Coach) -> Iterator[dict[str, Any]]:
    """Yield for each game a JSON object: ``number``, ``moves``, ``lessons`` (see `lesson_record`)."""
    for number in numbers:
        moves = game_of(number, seed)
        lessons = [lesson_record(lesson) for lesson in coach.game(moves)]
        yield {"number": number, "moves": format_moves(moves), "lessons": lessons}


def lesson_record(lesson: Lesson) -> dict[str, Any]:
    """Return a lesson as JSON, without texts."""
    kept = ("missed", "player", "line", "quiet", "cells", "pairs")
    reasons = [{"kind": reason.kind.value, **{key: getattr(reason, key) for key in kept}} for reason in lesson.reasons]
    return {
        "ply": lesson.ply,
        "column": lesson.column,
        "verdict": lesson.verdict,
        "grave": lesson.grave,
        "reasons": reasons,
    }


def read_records(path: Path | None) -> list[dict[str, Any]]:
    """Return the games that an earlier run appended to ``path``; a torn last line is left out."""
    return [json.loads(line) for line in whole_lines(path, BEGINNING) if line]


def summary(games: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Return counts of games, mistakes by verdict, mistakes with a reason by distance, and the ten frequent kinds."""
    count = 0
    mistakes: Counter[str] = Counter()
    explained: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for game in games:
        count += 1
        for lesson in game["lessons"]:
            mistakes[lesson["verdict"]] += 1
            if not lesson["reasons"]:
                continue
            first = lesson["reasons"][0]
            kinds[("missed " if first["missed"] else "allowed ") + first["kind"]] += 1
            quiet = first["quiet"] + (1 if first["missed"] else 0)
            explained["any"] += 1
            explained["near"] += quiet <= NEAR
            explained["immediate"] += quiet <= IMMEDIATE
    total = sum(mistakes.values())
    return {
        "games": count,
        "mistakes": total,
        "by_verdict": dict(mistakes),
        "explained": dict(explained),
        "share": {name: number / total for name, number in explained.items()} if total else {},
        "kinds": dict(kinds.most_common(10)),
    }
