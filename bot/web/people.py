"""The page's routes for people who learn: levels, the coach, lessons and puzzles."""

from __future__ import annotations

import datetime
from dataclasses import asdict
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import FastAPI, Query, Request

from bot.engine.agent import StopFlag
from bot.errors import UsageError
from bot.game import Board
from bot.web.analysis import analyse, ready_analyst
from bot.web.bodies import ChanceRequest, PositionRequest
from bot.web.compiling import prepared
from bot.web.jobs import Jobs

if TYPE_CHECKING:
    from bot.learn.coach.reason import Lesson
    from bot.learn.puzzles.generate import Generator


EARLIEST_DAY = datetime.timedelta(days=-366)
"""First day whose puzzles the page makes, from today: its streaks count days in a row up to about a year."""
LATEST_DAY = datetime.timedelta(days=1)
"""Last day, from today: a browser in another time zone may have tomorrow's date."""


def add_people(app: FastAPI, jobs: Jobs, public_url: str | None = None) -> None:
    """Add the routes to ``app``; searches run as ``jobs``. ``public_url``: where others find such a page."""
    days: dict[datetime.date, list[dict[str, Any]]] = {}

    @app.get("/api/levels")
    async def levels() -> dict[str, Any]:
        return levels_json()

    @app.post("/api/coach")
    async def coach(body: PositionRequest, request: Request) -> dict[str, Any]:
        return await jobs.run(request, lambda stop: coach_json(body.moves, body.time_s, stop))

    @app.post("/api/hint")
    async def hint(body: PositionRequest, request: Request) -> dict[str, Any]:
        return await jobs.run(request, lambda stop: hint_json(body.moves, body.time_s, stop))

    @app.post("/api/chance")
    async def chance(body: ChanceRequest, request: Request) -> dict[str, Any]:
        return await jobs.run(request, lambda stop: chance_json(body, stop))

    @app.get("/api/lessons")
    def lessons() -> list[dict[str, Any]]:
        return lessons_json()

    @app.get("/api/puzzles")
    async def puzzles(
        request: Request,
        seed: Annotated[int, Query(ge=0, le=2**32)] = 1,
        count: Annotated[int, Query(ge=1, le=20)] = 5,
        hardest: Annotated[int, Query(ge=1, le=5)] = 5,
    ) -> list[dict[str, Any]]:
        return await jobs.run(request, lambda stop: puzzles_json(seed, count, hardest, stop))

    @app.get("/api/puzzles/daily")
    async def daily(request: Request, day: datetime.date) -> dict[str, Any]:
        today = datetime.date.today()
        first, last = today + EARLIEST_DAY, today + LATEST_DAY
        if not first <= day <= last:
            raise UsageError(f"There are no puzzles of {day} here.", f"Choose a day from {first} to {last}.")
        if day not in days:
            made = await jobs.run(request, lambda stop: daily_json(day, stop))
            days.clear()  # one day is asked for again and again, others hardly ever
            days[day] = made
        return {"puzzles": days[day], "url": public_url}


def levels_json() -> dict[str, Any]:
    """Return the levels for people: ``default``, and ``levels`` with ``number``, ``name`` and ``about``."""
    from bot.learn.levels.table import DEFAULT_LEVEL, LEVELS

    levels = [{"number": level.number, "name": level.name, "about": level.about} for level in LEVELS]
    return {"default": DEFAULT_LEVEL, "levels": levels}


def coach_json(columns: tuple[int, ...], time_s: float, stop: StopFlag) -> dict[str, Any]:
    """Return ``position``: the facts about the position, null when it is over; and ``last``: the lesson on the last
    move, null where there is none or time ran out."""
    from bot.learn.coach.coach import Coach

    board = Board.from_moves(columns)
    position = None if board.is_over else position_json(board)
    last: Lesson | None = None
    if columns:
        coach = Coach(ready_analyst(stop))
        last = coach.lesson(Board.from_moves(columns[:-1]), columns[-1], deadline_s=time_s, stop=stop)
    return {"position": position, "last": last}


def position_json(board: Board) -> dict[str, Any]:
    """Return what is seen in an unfinished position: ``threats``, and ``facts``, the most urgent first."""
    from bot.learn.coach.position import facts, view

    seen = view(board)
    return {"threats": seen.threats, "facts": facts(seen, board.ply)}


def hint_json(columns: tuple[int, ...], time_s: float, stop: StopFlag) -> dict[str, Any]:
    """Return a hint for an unfinished position: ``column`` and its ``steps``; null and none where time runs out."""
    from bot.learn.coach.position import hint_steps

    answer = analyse(columns, time_s, stop)
    best, score = answer["best"][:1], answer["score"]
    if not best or score is None:
        return {"column": None, "steps": ()}
    return {"column": best[0], "steps": hint_steps(Board.from_moves(columns), best[0], score)}


def chance_json(body: ChanceRequest, stop: StopFlag) -> dict[str, Any]:
    """Return ``ply`` and ``share`` of the last turn from which a level would have let the loser off; null if none."""
    from bot.learn.levels.chance import last_chance
    from bot.learn.levels.player import LevelPlayer

    prepared("levels", LevelPlayer(1, 0).warm_up, stop)
    found = last_chance(body.moves, body.side, body.level, stop=stop)
    return {"ply": None, "share": None} if found is None else asdict(found)


@cache
def lessons_json() -> list[dict[str, Any]]:
    """Return the lessons with their exercises (see `bot.learn.lessons.as_json`)."""
    from bot.learn.lessons import LESSONS, as_json

    return list(map(as_json, LESSONS))


def puzzles_json(seed: int, count: int, hardest: int, stop: StopFlag) -> list[dict[str, Any]]:
    """Return the first puzzles of a seed up to this grade (see `bot.learn.puzzles.puzzle.as_json`)."""
    from bot.learn.puzzles.puzzle import as_json

    stream = prepared("puzzles", _generator, stop).puzzles(seed, grades=range(1, hardest + 1), stop=stop)
    return [as_json(puzzle) for puzzle in islice(stream, count)]


def daily_json(day: datetime.date, stop: StopFlag) -> list[dict[str, Any]]:
    """Return the puzzles of a day, from easy to hard."""
    from bot.learn.puzzles.puzzle import as_json

    return [as_json(puzzle) for puzzle in prepared("puzzles", _generator, stop).daily(day, stop)]


def _generator() -> Generator:
    from bot.learn.puzzles.generate import Generator

    generator = Generator()
    generator.warm_up()
    return generator
