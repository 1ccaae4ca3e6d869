"""The course server's HTTP face: FastAPI, as the course's own, so that forms and 422 bodies agree."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import FastAPI, Form, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import Field, StringConstraints
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bot.server.referee import WRONG_KEY, Dialect, Referee

MAX_BODY = 64 * 1024
"""Bytes; a form of the protocol is about 60."""
_MAX_DRAINED = 16 * 1024 * 1024

TITLE = "Connect Four course server (embedded)"

StilId = Annotated[str, StringConstraints(pattern=r"^[\w\d_-]+$", min_length=1, max_length=50)]
StilIds = Annotated[list[StilId], Form(), Field(min_length=1)]
Move = Annotated[int, Form(ge=-1, le=6)]
Key = Annotated[str, Form(alias="api_key", min_length=1)]


class BodyLimit:
    """Answers 413 to a body over 64 KB, declared or streamed, before anything parses it.

    The rest of such a body is read and dropped, within reason: an answer sent while the client still writes would
    reach it as a broken connection.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        body, length, more = b"", 0, True
        while more and length <= _MAX_DRAINED:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            piece = message.get("body", b"")
            length += len(piece)
            if length <= MAX_BODY:
                body += piece
            more = message.get("more_body", False)
        if length > MAX_BODY:
            await JSONResponse({"detail": f"The body is over {MAX_BODY} bytes."}, 413)(scope, receive, send)
            return
        await self._app(scope, _replay(body, receive), send)


def _replay(body: bytes, receive: Receive) -> Receive:
    sent = False

    async def replayed() -> Message:
        nonlocal sent
        if sent:
            return await receive()
        sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replayed


def create_app(referee: Referee, *, dialect: Dialect = Dialect.CURRENT, api_key: str) -> FastAPI:
    """The application around ``referee``; the January 2021 dialect has no /stats (404).

    Endpoints are plain functions: they run in worker threads, so that a thinking opponent holds up nobody else.
    """
    refusals: dict[int | str, dict[str, Any]] = {
        400: {"description": "The body cannot be parsed."},
        413: {"description": f"The body is over {MAX_BODY} bytes."},
    }
    app = FastAPI(title=TITLE, docs_url=None, redoc_url=None, responses=refusals)
    app.add_middleware(BodyLimit)

    @app.exception_handler(RequestValidationError)
    def refuse(_request: Request, error: RequestValidationError) -> JSONResponse:
        """The 422 body of the course server: place, message and type of every complaint."""
        detail = [{key: entry[key] for key in ("loc", "msg", "type")} for entry in error.errors()]
        return JSONResponse({"detail": detail}, 422)

    @app.get("/")
    def title() -> dict[str, str]:
        return {"title": TITLE}

    @app.post("/move")
    def move(stil_id: StilIds, move: Move, key: Key) -> dict[str, Any]:
        if key != api_key:
            return WRONG_KEY.as_json()
        return referee.move(_player(stil_id), move).as_json()

    if dialect is Dialect.CURRENT:

        @app.post("/stats")
        def stats(stil_id: StilIds, key: Key) -> dict[str, Any]:
            if key != api_key:  # the true answer is unknown; this one mirrors /move
                return {"msg": WRONG_KEY.msg, "status": False, "stil_id": None} | dict.fromkeys(
                    ("played", "won", "lost", "streak", "streak_max", "total_reward")
                )
            return referee.stats(_player(stil_id))

    return app


def _player(stil_ids: list[str]) -> str:
    """The key of a group: its ids sorted and joined with +."""
    return "+".join(sorted(stil_ids))
