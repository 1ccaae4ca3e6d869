"""The page's routes. Every error is a JSON object with one readable sentence: ``{"error": "..."}``."""

from __future__ import annotations

import traceback
from importlib import resources
from pathlib import Path
from typing import Annotated, Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException

from bot.errors import BotError, UsageError
from bot.game import Board, parse_moves
from bot.journal.reader import read_journal
from bot.web import agents, analysis
from bot.web.jobs import BusyError, CancelledJobError, Jobs
from bot.web.live import follow
from bot.web.middleware import RequestFilter
from bot.web.people import add_people
from bot.web.runs import Runs, game_json, run_json

_TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}

Moves = Annotated[str, Field(max_length=42)]


class MoveRequest(BaseModel):
    """Body of /api/move: a position, and the agent that chooses a move in it."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    moves: Moves = ""
    agent: Annotated[str, Field(max_length=40)] = "perfect"
    depth: Annotated[int, Field(ge=1, le=42)] | None = None
    options: Annotated[str, Field(max_length=100)] = ""
    time_s: Annotated[float, Field(ge=0.05, le=60)] = 2.0
    random: bool = False


class PositionRequest(BaseModel):
    """Body of /api/analysis and /api/review: a position or a game, and the time to spend on it."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    moves: Moves = ""
    time_s: Annotated[float, Field(ge=0.05, le=60)] = 5.0


def create_app(logs: Path, jobs: Jobs | None = None, pool: agents.AgentPool | None = None) -> FastAPI:
    """Return the page's application, with the journals in the folder ``logs``."""
    app = FastAPI(title="bot", docs_url=None, redoc_url=None, openapi_url=None)
    app.add_middleware(RequestFilter)
    _add_error_handlers(app)
    _add_files(app)
    _add_searches(app, jobs or Jobs(), pool or agents.AgentPool())
    _add_journals(app, Runs(logs))
    add_people(app)
    return app


def _add_files(app: FastAPI) -> None:
    folder = resources.files("bot.web").joinpath("static")
    files = {entry.name: entry.read_bytes() for entry in folder.iterdir() if Path(entry.name).suffix in _TYPES}

    def send(name: str) -> Response:
        if name not in files:
            raise HTTPException(404)
        return Response(files[name], media_type=_TYPES[Path(name).suffix])

    @app.get("/")
    async def page() -> Response:
        return send("index.html")

    @app.get("/static/{name}")
    async def static(name: str) -> Response:
        return send(name)


def _add_searches(app: FastAPI, jobs: Jobs, pool: agents.AgentPool) -> None:
    @app.get("/api/agents")
    async def list_agents() -> list[dict[str, Any]]:
        return agents.page_agents(pool.external)

    @app.post("/api/move")
    async def move(body: MoveRequest, request: Request) -> dict[str, Any]:
        board = Board.from_moves(parse_moves(body.moves))
        if board.is_over:
            raise UsageError("The game is over, so there is no move to choose.", "Start a new game.")
        choice = agents.AgentChoice(body.agent, body.depth, body.options, body.time_s, body.random)
        pool.check(choice)
        return agents.decision_json(await jobs.run(request, lambda stop: pool.choose(board, choice, stop)))

    @app.post("/api/analysis")
    async def analyse(body: PositionRequest, request: Request) -> dict[str, Any]:
        columns = parse_moves(body.moves)
        Board.from_moves(columns)
        return await jobs.run(request, lambda stop: analysis.analyse(columns, body.time_s, stop))

    @app.post("/api/review")
    async def review(body: PositionRequest, request: Request) -> dict[str, Any]:
        columns = parse_moves(body.moves)
        Board.from_moves(columns)
        return await jobs.run(request, lambda stop: analysis.review(columns, body.time_s, stop))


def _add_journals(app: FastAPI, runs: Runs) -> None:
    @app.get("/api/runs")
    def all_runs() -> list[dict[str, Any]]:
        return runs.summaries()

    @app.get("/api/runs/{name}")
    def one_run(name: str) -> dict[str, Any]:
        journal = read_journal(runs.path(name))
        games = [game_json(game) for game in journal.games]
        return {**run_json(journal, runs.before(journal)), "torn": journal.torn, "all": games}

    @app.get("/api/live")
    async def live(run: str | None = None) -> StreamingResponse:
        if run is not None:
            runs.path(run)
        return StreamingResponse(follow(runs, run), media_type="text/event-stream")


def _add_error_handlers(app: FastAPI) -> None:
    def error_json(status: int, sentence: str) -> JSONResponse:
        return JSONResponse({"error": sentence}, status)

    @app.exception_handler(BotError)
    async def known(_request: Request, error: BotError) -> Response:
        return error_json(503 if isinstance(error, BusyError) else 400, str(error))

    @app.exception_handler(RequestValidationError)
    async def invalid(_request: Request, error: RequestValidationError) -> Response:
        detail = error.errors()[0]
        field = ".".join(str(part) for part in detail["loc"] if part != "body")
        return error_json(422, f"The request is invalid: {field}: {detail['msg']}.".replace(": :", ":"))

    @app.exception_handler(HTTPException)
    async def missing(_request: Request, error: HTTPException) -> Response:
        return error_json(error.status_code, "There is nothing at this address.")

    @app.exception_handler(CancelledJobError)
    async def cancelled(_request: Request, _error: CancelledJobError) -> Response:
        return Response(status_code=499)  # never read: the client has closed the connection

    @app.exception_handler(Exception)
    async def bug(_request: Request, error: Exception) -> Response:
        traceback.print_exception(error)
        return error_json(
            500, f"This is a bug: {type(error).__name__}. The traceback is in the terminal of `python -m bot web`."
        )
