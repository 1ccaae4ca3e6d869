"""The page's routes. Every error is a JSON object with one readable sentence: ``{"error": "..."}``."""

from __future__ import annotations

import gzip
import hashlib
import traceback
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, StreamingResponse
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

from bot.course.journal.journal import parse_journal, read_journal
from bot.errors import BotError
from bot.game import Board
from bot.web import agents, analysis
from bot.web.bodies import JournalText, MoveRequest, PageRequest, PositionRequest
from bot.web.broadcast import Broadcast
from bot.web.explorer import explore as look_up
from bot.web.jobs import BusyError, CancelledJobError, Jobs
from bot.web.middleware import RequestFilter
from bot.web.people import add_people
from bot.web.room import Room, public_run
from bot.web.runs import Runs, bug_sentence, whole_run_json

STATIC = Path(__file__).with_name("static")
MIN_COMPRESSED = 1000
"""Smallest JSON reply that is compressed, bytes."""
_TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


def create_app(
    logs: Path,
    jobs: Jobs | None = None,
    pool: agents.AgentPool | None = None,
    room: Room | None = None,
    public_url: str | None = None,
) -> FastAPI:
    """Return the page's application, with the journals in the folder ``logs``; ``room`` admits spectators.

    ``public_url`` is named where results are shared.
    """
    app = FastAPI(title="bot", docs_url=None, redoc_url=None, openapi_url=None)
    jobs, runs = jobs or Jobs(), Runs(logs)
    app.add_middleware(GZipMiddleware, minimum_size=MIN_COMPRESSED)
    app.add_middleware(RequestFilter, room=room)
    _add_error_handlers(app)
    _add_files(app)
    _add_searches(app, jobs, pool or agents.AgentPool(), runs)
    _add_journals(app, runs, room)
    add_people(app, jobs, public_url)
    return app


def _add_files(app: FastAPI) -> None:
    """Serve the files of `STATIC`, read and compressed once. The ETag is that of the bytes sent, packed or not."""
    files = {path.relative_to(STATIC).as_posix(): path.read_bytes() for path in STATIC.rglob("*") if path.is_file()}
    packed = {name: gzip.compress(content, mtime=0) for name, content in files.items()}

    @app.get("/")
    async def page(request: Request) -> Response:
        return await static("index.html", request)

    @app.get("/static/{name:path}")
    async def static(name: str, request: Request) -> Response:
        if name not in files:
            raise HTTPException(404)
        is_packed = "gzip" in request.headers.get("accept-encoding", "")
        content = (packed if is_packed else files)[name]
        headers = {"etag": f'"{hashlib.sha256(content).hexdigest()}"', "vary": "accept-encoding"}
        if headers["etag"] in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        if is_packed:
            headers["content-encoding"] = "gzip"
        return Response(content, headers=headers, media_type=_TYPES.get(Path(name).suffix, "text/plain"))


def _add_searches(app: FastAPI, jobs: Jobs, pool: agents.AgentPool, runs: Runs) -> None:
    @app.get("/api/agents")
    async def list_agents() -> list[dict[str, Any]]:
        return pool.as_json()

    @app.get("/api/agent", response_model=None)
    def own_agent() -> dict[str, Any] | JSONResponse:
        from bot.gauntlet.run import history

        if pool.own is None:
            return JSONResponse({"error": "This page was started without an agent: name one with --agent."}, 404)
        label, name = pool.own
        return history(runs.folder, name) | {"agent": label}

    @app.post("/api/move")
    async def move(body: MoveRequest, request: Request) -> dict[str, Any]:
        return agents.decision_json(await jobs.run(request, lambda stop: pool.choose(body, stop)))

    @app.post("/api/analysis")
    async def analyse(body: PositionRequest, request: Request) -> dict[str, Any]:
        return await jobs.run(request, lambda stop: analysis.analyse(body.moves, body.time_s, stop))

    @app.post("/api/review")
    async def review(body: PositionRequest, request: Request) -> dict[str, Any]:
        return await jobs.run(request, lambda stop: analysis.review(body.moves, body.time_s, stop))

    @app.post("/api/explore")
    async def explore(body: PositionRequest, request: Request) -> dict[str, Any]:
        return await jobs.run(request, lambda stop: look_up(Board.from_moves(body.moves), runs, stop))

    @app.post("/api/proof")
    async def proof(body: PositionRequest, request: Request) -> dict[str, Any]:
        from bot.proof.explain import proof_json

        return await jobs.run(request, lambda _stop: proof_json(body.moves))

    @app.post("/api/page")
    async def page(body: PageRequest, request: Request) -> dict[str, str]:
        from bot.web.standalone import SavedGame, web_page

        game = SavedGame(body.moves, body.names, start=body.start)
        return {"text": await jobs.run(request, lambda stop: web_page(game, position_s=body.time_s, stop=stop))}


def _add_journals(app: FastAPI, runs: Runs, room: Room | None) -> None:
    newest = Broadcast(runs)

    @app.get("/api/room")
    async def describe_room(request: Request) -> dict[str, Any]:
        is_spectator = request.scope["spectator"]
        link = None if room is None or is_spectator else room.link
        return {"spectator": is_spectator, "link": link, "watching": newest.spectators}

    @app.get("/api/runs")
    def all_runs(request: Request) -> list[dict[str, Any]]:
        summaries = runs.summaries()
        if request.scope["spectator"]:
            return [public_run(run) for run in summaries if "error" not in run]
        return summaries

    @app.get("/api/runs/{name}")
    def one_run(name: str, request: Request) -> dict[str, Any]:
        is_spectator = request.scope["spectator"]
        journal = read_journal(runs.path(name, spectator=is_spectator))
        run = whole_run_json(journal, runs.before(journal))
        return public_run(run) if is_spectator else run

    @app.post("/api/journal")
    def opened_journal(body: JournalText) -> dict[str, Any]:
        return whole_run_json(parse_journal(body.text.encode(errors="replace"), Path("opened.jsonl")), ())

    @app.get("/api/live")
    async def live(request: Request) -> StreamingResponse:
        events = newest.events(spectator=request.scope["spectator"])
        return StreamingResponse(events, media_type="text/event-stream")


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
    async def missing(_request: Request, error: HTTPException) -> Response:
        sentence = "There is nothing at this address." if error.status_code == 404 else f"{error.detail}."
        return error_json(error.status_code, sentence)

    @app.exception_handler(CancelledJobError)
    async def cancelled(_request: Request, _error: CancelledJobError) -> Response:
        return Response(status_code=499)  # never read: the client has closed the connection

    @app.exception_handler(Exception)
    async def bug(_request: Request, error: Exception) -> Response:
        traceback.print_exception(error)
        return error_json(500, bug_sentence("Something went wrong", error))
