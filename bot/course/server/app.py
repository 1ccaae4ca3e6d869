"""The course server's HTTP interface, in FastAPI like the course's own, so that forms and 422 bodies agree."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import FastAPI, Form, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import Field, StringConstraints
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

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


class RequestFilter:
    """ASGI middleware: refuses requests that a foreign web page sends, which could play moves and give up games, and
    bodies over `MAX_BODY`, before they are parsed.

    Requests of programs pass: they have no Origin, their Host is an address of this server, and they state the length
    of a form.
    """

    def __init__(self, app: ASGIApp, host: str) -> None:
        self._app = app
        self._names = names_of(host)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refused = self._refusal(Headers(scope=scope)) if scope["type"] == "http" else None
        if refused is None:
            await self._app(scope, receive, send)
            return
        await discard_body(receive)
        status, detail = refused
        # The rest of the body may still arrive on this connection.
        await JSONResponse({"detail": detail}, status, headers={"connection": "close"})(scope, receive, send)

    def _refusal(self, headers: Headers) -> tuple[int, str] | None:
        """Return status and sentence for a request that is refused; None for one that may pass."""
        found = foreign(headers, self._names)
        if found is not None:
            return 403, f"The header {found.value} names another host: this server answers only at its own address."
        if "transfer-encoding" in headers or int(headers.get("content-length", 0)) > MAX_BODY:
            return 413, f"The body must state its length and have at most {MAX_BODY} bytes."
        return None


def create_app(referee: Referee, *, dialect: Dialect = Dialect.CURRENT, api_key: str, host: str = LOOPBACK) -> FastAPI:
    """Return the application around ``referee``; the January 2021 dialect has no /stats (404).

    ``host`` is the address that the server listens on: it answers only to its names.

    Endpoints are plain functions, which FastAPI runs in worker threads: a searching opponent does not block the other
    players.
    """
    rejections: dict[int | str, dict[str, Any]] = {
        400: {"description": "The body cannot be parsed."},
        403: {"description": "The Host or the Origin is another one."},
        413: {"description": f"The body is over {MAX_BODY} bytes, or does not state its length."},
    }
    app = FastAPI(title=TITLE, docs_url=None, redoc_url=None, openapi_url=None, responses=rejections)
    app.add_middleware(RequestFilter, host=host)

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
