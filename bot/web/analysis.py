"""The page's analyses as JSON, and how they share their time; the analysis itself is `bot.engine.analysis`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from bot.engine.agent import StopFlag
from bot.engine.analysis import Analyst, best_columns
from bot.engine.review import review as review_game
from bot.engine.score import Solved, label
from bot.game import CENTRE_FIRST, Board

PV_SHARE = 0.2
"""Share of the time for the principal variation."""
PV_MOST_S = 0.4
"""Seconds that are enough for it: the board shows ten moves."""

LESSONS_LEAST_S = 1.0
"""Time for what a game teaches, even where the review has used all of its own, seconds: most games take 0.2."""


def analyse(columns: tuple[int, ...], deadline_s: float, stop: StopFlag | None = None) -> dict[str, Any]:
    """Return the page's analysis of the position after ``columns`` (0..6).

    ``columns``: for each column null where it is full, else ``exact`` (null where not solved) and ``text``.
    ``best``: the columns that are proven best. ``pv``: the principal variation.
    """
    analyst = ready_analyst(stop)
    board = Board.from_moves(columns)
    found: list[Solved | None] = [None] * 7
    if not board.is_over:
        found = analyst.columns(board, deadline_s=deadline_s * (1 - PV_SHARE), stop=stop)
    best = sorted(best_columns(found), key=CENTRE_FIRST.index)
    known = found[best[0]] if best else None
    score = None if known is None else known.score
    line: tuple[int, ...] = ()
    if score is not None:
        line = analyst.line(board, score, deadline_s=min(PV_MOST_S, deadline_s * PV_SHARE), stop=stop)
    return {
        "columns": [bounds and {"exact": bounds.score, "text": label(bounds, board.ply)} for bounds in found],
        "best": best,
        "score": score,
        "text": known and label(known, board.ply),
        "pv": list(line),
    }


def review(columns: Sequence[int], deadline_s: float, stop: StopFlag | None = None) -> dict[str, Any]:
    """Return every position's exact score, in the first player's view, and every move's verdict; null: out of time.

    With them what the game teaches, `bot.learn.coach.moments.GameLessons`.
    """
    from bot.learn.coach.coach import Coach

    start = time.perf_counter()
    analyst = ready_analyst(stop)
    reviewed = review_game(columns, analyst, deadline_s, stop)
    left_s = max(LESSONS_LEAST_S, start + deadline_s - time.perf_counter())
    taught = Coach(analyst).game(columns, reviewed, deadline_s=left_s, stop=stop)
    return {"scores": reviewed.scores, "moves": asdict(reviewed)["moves"], **asdict(taught)}


def coach(columns: tuple[int, ...], deadline_s: float, stop: StopFlag) -> dict[str, Any]:
    """Return ``position``: threats and facts, the most urgent first, null when it is over; and ``last``: the lesson on
    the last move, null where there is none or time ran out."""
    from bot.learn.coach.coach import Coach
    from bot.learn.coach.position import facts, view

    board = Board.from_moves(columns)
    position = last = None
    if not board.is_over:
        seen = view(board)
        position = {"threats": seen.threats, "facts": facts(seen, board.ply)}
    if columns:
        before = Board.from_moves(columns[:-1])
        last = Coach(ready_analyst(stop)).lesson(before, columns[-1], deadline_s=deadline_s, stop=stop)
    return {"position": position, "last": last}


def hint(columns: tuple[int, ...], deadline_s: float, stop: StopFlag) -> dict[str, Any]:
    """Return the ``steps`` of a hint for an unfinished position, none where time runs out, and the ``cells`` of each.

    In an open game, the page has asked for no scores that could be used.
    """
    from bot.learn.coach.position import hint_cells, hint_steps

    board = Board.from_moves(columns)
    found = ready_analyst(stop).columns(board, deadline_s=deadline_s, stop=stop)
    best = min(best_columns(found), key=CENTRE_FIRST.index, default=None)
    known = None if best is None else found[best]
    if best is None or known is None or known.score is None:
        return {"steps": (), "cells": ()}
    return {"steps": hint_steps(board, best, known.score), "cells": ([], *hint_cells(board, best))}


def proof(columns: tuple[int, ...], _deadline_s: float, _stop: StopFlag) -> dict[str, Any]:
    """Return what the proof says in a position, see `bot.proof.explain.proof_json`; it needs no search."""
    from bot.proof.explain import proof_json

    return proof_json(columns)


def ready_analyst(stop: StopFlag | None) -> Analyst:
    """Return a new analyst whose kernels are compiled already, so that none compiles on the clock."""
    from bot.web.jobs import prepared

    return prepared("solver", _warm_analyst, stop)


def _warm_analyst() -> Analyst:
    from bot.engine.perfect import shipped_book

    analyst = Analyst(shipped_book())
    analyst.warm_up()
    return analyst
