"""The page's routes. Every error is a JSON object with one readable sentence: ``{"error": "..."}``."""

from __future__ import annotations

import datetime
import json
import mimetypes
import traceback
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import FastAPI, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.staticfiles import StaticFiles

from bot.agents.external.names import without_folders
from bot.engine.agent import StopFlag
from bot.errors import BotError
from bot.learn.puzzles.puzzle import as_json as puzzle_json
from bot.web import analysis
from bot.web.agents import AgentPool
from bot.web.bodies import ChanceRequest, MoveRequest, PageRequest, PositionRequest
from bot.web.jobs import BusyError, CancelledJobError, Jobs, prepared
from bot.web.middleware import answer, filtered
from bot.web.reading import bug_sentence
from bot.web.room import Room
from bot.web.runs import Runs

if TYPE_CHECKING:
    from bot.learn.puzzles.generate import Generator

STATIC = Path(__file__).with_name("static")
MIN_COMPRESSED = 1000
"""Smallest JSON reply that is compressed, bytes."""
SAVED_S = 0.8
"""Time to spend on each position of a game that is saved as a web page, seconds."""
mimetypes.add_type("text/javascript", ".js")  # some systems name another type, and then no script runs


def create_app(
    logs: Path,
    jobs: Jobs | None = None,
    pool: AgentPool | None = None,
    room: Room | None = None,
    public_url: str | None = None,
) -> FastAPI:
    """Return the page's application, with the journals in the folder ``logs``; ``room`` admits spectators.

    ``public_url`` is named where results are shared.
    """
    app = FastAPI(title="bot", docs_url=None, redoc_url=None, openapi_url=None)
    jobs, runs, pool = jobs or Jobs(), Runs(logs), pool or AgentPool()
    app.add_middleware(GZipMiddleware, minimum_size=MIN_COMPRESSED)
    app.add_middleware(filtered, room=room)
    _add_error_handlers(app)
    files = StaticFiles(directory=STATIC)
    app.mount("/static", files)

    @app.get("/")
    async def page(request: Request) -> Response:
        return await files.get_response("index.html", request.scope)

    for name, work in (
        ("analysis", analysis.analyse),
        ("review", analysis.review),
        ("coach", analysis.coach),
        ("hint", analysis.hint),
        ("proof", analysis.proof),
    ):
        _add_search(app, jobs, f"/api/{name}", work)

    @app.post("/api/page")
    async def saved_page(body: PageRequest, request: Request) -> dict[str, str]:
        """Return a game's web page, one file, as `text`."""
        from bot.web.standalone import SavedGame, web_page

        game = SavedGame(body.moves, body.names, start=body.start)
        return {"text": await jobs.run(request, lambda stop: web_page(game, position_s=SAVED_S, stop=stop))}

    _add_opponents(app, jobs, pool, runs)
    _add_puzzles(app, jobs, public_url)
    _add_journals(app, runs, room)
    return app


def _add_search(
    app: FastAPI, jobs: Jobs, path: str, work: Callable[[tuple[int, ...], float, StopFlag], dict[str, Any]]
) -> None:
    """Add a route that answers what ``work`` returns of a position or a game, in the time for it."""

    @app.post(path)
    async def search(body: PositionRequest, request: Request) -> dict[str, Any]:
        """Return what the function of this name in `bot.web.analysis` says."""
        return await jobs.run(request, lambda stop: work(body.moves, body.time_s, stop))


def _add_opponents(app: FastAPI, jobs: Jobs, pool: AgentPool, runs: Runs) -> None:
    @app.get("/api/agents")
    async def list_agents() -> list[dict[str, Any]]:
        """Return the agents with their controls."""
        return pool.as_json()

    @app.get("/api/agent", response_model=None)
    def own_agent() -> dict[str, Any] | JSONResponse:
        """Return what `bot gauntlet` found for the agent that --agent named first; 404 if none was named."""
        from bot.gauntlet.run import history

        if pool.own is None:
            return JSONResponse({"error": "This page was started without an agent: name one with --agent."}, 404)
        return history(runs.folder, pool.own) | {"name": without_folders(pool.own)}

    @app.get("/api/levels")
    async def levels() -> Any:
        """Return the levels; one moves as `agent` "level" with `depth` NUMBER."""
        from bot.learn.levels.table import LEVELS

        return LEVELS

    @app.post("/api/move")
    async def move(body: MoveRequest, request: Request) -> dict[str, int]:
        """Return an agent's column. An agent from outside is one object in all moves with the same `game`."""
        return {"column": (await jobs.run(request, lambda stop: pool.choose(body, stop))).column}

    @app.post("/api/chance")
    async def chance(body: ChanceRequest, request: Request) -> Any:
        """Return the turns of a lost game from which the level would have let off."""
        from bot.learn.levels.chance import chances
        from bot.learn.levels.player import LevelPlayer

        def measured(stop: StopFlag) -> Any:
            prepared("levels", LevelPlayer(1, 0).warm_up, stop)
            return chances(body.moves, body.side, body.level, body.moments, stop=stop)

        return await jobs.run(request, measured)


def _add_puzzles(app: FastAPI, jobs: Jobs, public_url: str | None) -> None:
    days: dict[datetime.date, list[dict[str, Any]]] = {}

    @app.get("/api/lessons")
    def lessons() -> list[dict[str, Any]]:
        """Return the lessons with their exercises."""
        from bot.learn.lessons import lessons_json

        return lessons_json()

    @app.get("/api/puzzles")
    async def puzzles(
        request: Request,
        seed: Annotated[int, Query(ge=0, le=2**32)] = 1,
        count: Annotated[int, Query(ge=1, le=20)] = 5,
        hardest: Annotated[int, Query(ge=1, le=5)] = 5,
    ) -> list[dict[str, Any]]:
        """Return the first `count` puzzles of a seed, none harder than a grade."""

        def made(stop: StopFlag) -> list[dict[str, Any]]:
            stream = prepared("puzzles", _generator, stop).puzzles(seed, grades=range(1, hardest + 1), stop=stop)
            return list(map(puzzle_json, islice(stream, count)))

        return await jobs.run(request, made)

    @app.get("/api/puzzles/daily")
    async def daily(request: Request, day: datetime.date) -> dict[str, Any]:
        """Return the five `puzzles` of a day YYYY-MM-DD, and the `url` of --public-url."""
        if day not in days:
            made = await jobs.run(request, lambda stop: prepared("puzzles", _generator, stop).daily(day, stop))
            days.clear()  # one day is asked for again and again, others hardly ever
            days[day] = list(map(puzzle_json, made))
        return {"puzzles": days[day], "url": public_url}


def _generator() -> Generator:
    from bot.learn.puzzles.generate import Generator

    generator = Generator()
    generator.warm_up()
    return generator


def _add_journals(app: FastAPI, runs: Runs, room: Room | None) -> None:
    @app.get("/api/room")
    def describe_room(request: Request) -> dict[str, Any]:
        """Return whether this is a spectator; for the owner the link, and its picture as a QR code."""
        if room is None or request.scope["spectator"]:
            return {"spectator": request.scope["spectator"], "link": None, "code": None}
        return {"spectator": False, "link": room.link, "code": room.code}

    @app.get("/api/runs")
    def all_runs(request: Request) -> list[dict[str, Any]]:
        """Return header and counts of every journal; `listed` says whether all of its games are known."""
        return runs.summaries(spectator=request.scope["spectator"])

    @app.get("/api/runs/{name}")
    def one_run(name: str, request: Request, since: str = "") -> Response:
        """Return a run with its streak, by whose count the goal is met, and its games.

        With `since`, an earlier reply's `at`, only what has changed, and without `run` where nothing has.
        """
        return _as_json(runs.run(name, since, spectator=request.scope["spectator"]))

    @app.get("/api/live")
    def newest_run(request: Request, since: str = "") -> Response:
        """Return the newest run as `one_run` does; its `run` is null where there is none."""
        return _as_json(runs.newest(since, spectator=request.scope["spectator"]))


def _as_json(value: object) -> Response:
    return Response(json.dumps(value, separators=(",", ":")), media_type="application/json")  # of thousands of games


def _add_error_handlers(app: FastAPI) -> None:
    def error_json(status: int, sentence: str) -> JSONResponse:
        return JSONResponse({"error": sentence}, status)

    @app.exception_handler(BotError)
    async def known(request: Request, error: BotError) -> Response:
        if request.scope["spectator"]:  # a journal's file name contains students' ids
            return error_json(400, "This run cannot be shown. Choose another one.")
        return error_json(503 if isinstance(error, BusyError) else 400, str(error))

    @app.exception_handler(RequestValidationError)
    async def invalid(_request: Request, error: RequestValidationError) -> Response:
        detail = error.errors()[0]
        field = ".".join(str(part) for part in detail["loc"] if part != "body")
        return error_json(422, f"The request is invalid: {field}: {detail['msg']}.".replace(": :", ":"))

    @app.exception_handler(HTTPException)
    async def missing(request: Request, error: HTTPException) -> Response:
        if error.status_code != 404 or request.url.path.startswith("/api/"):
            return error_json(error.status_code, f"{error.detail}.")
        return answer(
            404, "There is nothing at this address. Open it without what follows its first slash.", request.headers
        )

    @app.exception_handler(CancelledJobError)
    async def cancelled(_request: Request, _error: CancelledJobError) -> Response:
        return Response(status_code=499)  # never read: the client has closed the connection

    @app.exception_handler(Exception)
    async def bug(_request: Request, error: Exception) -> Response:
        traceback.print_exception(error)
        return error_json(500, bug_sentence("Something went wrong", error))
