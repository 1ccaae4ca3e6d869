"""The page's routes. Every error is one readable sentence: ``{"error": "..."}``."""

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
from bot.web import analysis, players
from bot.web.jobs import BusyError, GoneError, Thinking
from bot.web.live import follow
from bot.web.middleware import Guard
from bot.web.runs import Runs, game_json, run_json

_TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}

Moves = Annotated[str, Field(max_length=42)]


class MoveQuestion(BaseModel):
    """Which column would this agent play here?"""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    moves: Moves = ""
    agent: Annotated[str, Field(max_length=40)] = "perfect"
    depth: Annotated[int, Field(ge=1, le=42)] | None = None
    options: Annotated[str, Field(max_length=100)] = ""
    time_s: Annotated[float, Field(ge=0.05, le=60)] = 2.0
    random: bool = False


class PositionQuestion(BaseModel):
    """What is this position, or this game, worth?"""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    moves: Moves = ""
    time_s: Annotated[float, Field(ge=0.05, le=60)] = 5.0


def create_app(logs: Path, thinking: Thinking | None = None, table: players.Table | None = None) -> FastAPI:
    """The whole page, with the journals in ``logs``."""
    app = FastAPI(title="bot", docs_url=None, redoc_url=None, openapi_url=None)
    app.add_middleware(Guard)
    _answer_errors(app)
    _serve_files(app)
    _answer_questions(app, thinking or Thinking(), table or players.Table())
    _tell_runs(app, Runs(logs))
    return app


def _serve_files(app: FastAPI) -> None:
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


def _answer_questions(app: FastAPI, thinking: Thinking, table: players.Table) -> None:
    @app.get("/api/agents")
    async def agents() -> list[dict[str, Any]]:
        return players.players()

    @app.post("/api/move")
    async def move(question: MoveQuestion, request: Request) -> dict[str, Any]:
        board = Board.from_moves(parse_moves(question.moves))
        if board.is_over:
            raise UsageError("The game is over: there is no move to choose.", "Start a new one.")
        choice = players.Choice(question.agent, question.depth, question.options, question.time_s, question.random)
        players.full_name(choice)
        return players.as_json(await thinking.run(request, lambda stop: table.choose(board, choice, stop)))

    @app.post("/api/analysis")
    async def analyse(question: PositionQuestion, request: Request) -> dict[str, Any]:
        columns = parse_moves(question.moves)
        Board.from_moves(columns)
        return await thinking.run(request, lambda stop: analysis.analyse(columns, question.time_s, stop))

    @app.post("/api/review")
    async def review(question: PositionQuestion, request: Request) -> dict[str, Any]:
        columns = parse_moves(question.moves)
        Board.from_moves(columns)
        return await thinking.run(request, lambda stop: analysis.review(columns, question.time_s, stop))


def _tell_runs(app: FastAPI, runs: Runs) -> None:
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


def _answer_errors(app: FastAPI) -> None:
    def sentence(status: int, text: str) -> JSONResponse:
        return JSONResponse({"error": text}, status)

    @app.exception_handler(BotError)
    async def wrong(_request: Request, error: BotError) -> Response:
        return sentence(503 if isinstance(error, BusyError) else 400, str(error))

    @app.exception_handler(RequestValidationError)
    async def invalid(_request: Request, error: RequestValidationError) -> Response:
        detail = error.errors()[0]
        field = ".".join(str(part) for part in detail["loc"] if part != "body")
        return sentence(422, f"The request is wrong: {field}: {detail['msg']}.".replace(": :", ":"))

    @app.exception_handler(HTTPException)
    async def missing(_request: Request, error: HTTPException) -> Response:
        return sentence(error.status_code, "There is nothing at this address.")

    @app.exception_handler(GoneError)
    async def gone(_request: Request, _error: GoneError) -> Response:
        return Response(status_code=499)  # nobody is there to read it

    @app.exception_handler(Exception)
    async def bug(_request: Request, error: Exception) -> Response:
        traceback.print_exception(error)
        return sentence(500, f"This is a bug: {type(error).__name__}. The terminal of `python -m bot web` says more.")
