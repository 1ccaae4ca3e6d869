"""The course server's HTTP interface, in FastAPI like the course's own, so that forms and 422 bodies agree."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import FastAPI, Form, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import Field, StringConstraints
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bot.course.server.guard import discard_body, foreign, names_of
from bot.course.server.referee import STATISTICS, WRONG_KEY, Dialect, Referee
from bot.course.server.sockets import LOOPBACK

MAX_BODY = 64 * 1024
"""Maximum request body, bytes; a form of the protocol has about 60."""

TITLE = "Connect Four course server (embedded)"

StilId = Annotated[str, StringConstraints(pattern=r"^[\w\d_-]+$", min_length=1, max_length=50)]
StilIds = Annotated[list[StilId], Form(), Field(min_length=1)]
Move = Annotated[int, Form(ge=-1, le=6)]
Key = Annotated[str, Form(alias="api_key", min_length=1)]


class OwnRequests:
    """ASGI middleware: answers 403 to requests that a foreign web page sends, which could play moves and give up games.

    Requests of programs pass: they have no Origin, and their Host is an address of this server.
    """

    def __init__(self, app: ASGIApp, host: str) -> None:
        self._app = app
        self._names = names_of(host)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = foreign(Headers(scope=scope), self._names) if scope["type"] == "http" else None
        if found is None:
            await self._app(scope, receive, send)
            return
        await discard_body(receive)
        detail = f"The header {found.value} names another host: this server answers only at its own address."
        await _refusal(403, detail)(scope, receive, send)


class BodyLimit:
    """ASGI middleware: answers 413 to a body over `MAX_BODY`, declared or streamed, before it is parsed."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        body, more = b"", True
        while more and len(body) <= MAX_BODY:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body += message.get("body", b"")
            more = message.get("more_body", False)
        if len(body) > MAX_BODY:
            if more:
                await discard_body(receive)
            await _refusal(413, f"The body is over {MAX_BODY} bytes.")(scope, receive, send)
            return
        await self._app(scope, _replay(body, receive), send)


def _refusal(status: int, detail: str) -> JSONResponse:
    """Return a reply that also closes the connection, on which the rest of a refused body may still arrive."""
    return JSONResponse({"detail": detail}, status, headers={"connection": "close"})


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return a receiver that delivers ``body`` first and then what ``receive`` delivers."""
    sent = False

    async def replayed() -> Message:
        nonlocal sent
        if sent:
            return await receive()
        sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replayed


def create_app(referee: Referee, *, dialect: Dialect = Dialect.CURRENT, api_key: str, host: str = LOOPBACK) -> FastAPI:
    """Return the application around ``referee``; the January 2021 dialect has no /stats (404).

    ``host`` is the address that the server listens on: it answers only to its names.

    Endpoints are plain functions, which FastAPI runs in worker threads: a searching opponent does not block the other
    players.
    """
    rejections: dict[int | str, dict[str, Any]] = {
        400: {"description": "The body cannot be parsed."},
        403: {"description": "The Host or the Origin is another one."},
        413: {"description": f"The body is over {MAX_BODY} bytes."},
    }
    app = FastAPI(title=TITLE, docs_url=None, redoc_url=None, openapi_url=None, responses=rejections)
    app.add_middleware(BodyLimit)
    app.add_middleware(OwnRequests, host=host)

    @app.exception_handler(RequestValidationError)
    def reject(_request: Request, error: RequestValidationError) -> JSONResponse:
        """Return the course server's 422 body: location, message and type of every error."""
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
            if key != api_key:  # the course server's answer is unknown; this one mirrors /move
                return {"msg": WRONG_KEY.msg, "status": False, "stil_id": None, **dict.fromkeys(STATISTICS)}
            return referee.stats(_player(stil_id))

    return app


def _player(stil_ids: list[str]) -> str:
    """Return the key of a group: its ids, sorted and joined with "+"."""
    return "+".join(sorted(stil_ids))
