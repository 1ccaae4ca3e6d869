"""The course server's HTTP interface, in FastAPI like the course's own, so that forms and 422 bodies agree."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, FastAPI, Form, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import Field, StringConstraints

from bot.course.protocol import Dialect
from bot.course.server.guard import foreign, names_of
from bot.course.server.referee import STATISTICS, WRONG_KEY, Referee
from bot.course.server.sockets import LOOPBACK

TITLE = "Connect Four course server (embedded)"

FormStilId = Annotated[str, StringConstraints(pattern=r"^[\w\d_-]+$", min_length=1, max_length=50)]
FormStilIds = Annotated[list[FormStilId], Form(), Field(min_length=1)]
FormMove = Annotated[int, Form(ge=-1, le=6)]
FormKey = Annotated[str, Form(alias="api_key", min_length=1)]


def create_app(referee: Referee, *, dialect: Dialect = "current", api_key: str, host: str = LOOPBACK) -> FastAPI:
    """Return the application around ``referee``; the January 2021 dialect has no /stats (404).

    ``host`` is the address that the server listens on: it answers only to its names.

    Endpoints are plain functions, which FastAPI runs in worker threads: a searching opponent does not block the other
    players.
    """
    names = names_of(host)

    async def refuse_foreign(request: Request) -> None:
        """Refuse requests that a foreign web page sends, which could play moves and give up games.

        Requests of programs pass: they have no Origin, and their Host is an address of this server.
        """
        found = foreign(request.headers, names)
        if found is not None:
            text = f"The header {found.value} names another host: this server answers only at its own address."
            raise HTTPException(403, text)

    async def arrival() -> float:
        """Return when a request arrived: here, and not in its worker thread, which it may have to wait for."""
        return referee.clock()

    app = FastAPI(
        title=TITLE,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        dependencies=[Depends(refuse_foreign)],
        responses={400: {}, 403: {}},
    )

    @app.exception_handler(RequestValidationError)
    def reject(_request: Request, error: RequestValidationError) -> JSONResponse:
        """Return the course server's 422 body: location, message and type of every error."""
        detail = []
        for entry in error.errors():
            detail.append({"loc": entry["loc"], "msg": entry["msg"], "type": entry["type"]})
        return JSONResponse({"detail": detail}, 422)

    @app.get("/")
    def title() -> dict[str, str]:
        return {"title": TITLE}

    @app.post("/move")
    def move(stil_id: FormStilIds, move: FormMove, key: FormKey, arrived_s: float = Depends(arrival)) -> dict[str, Any]:
        if key != api_key:
            return WRONG_KEY.as_json()
        return referee.move(_player(stil_id), move, arrived_s).as_json()

    if dialect == "current":

        @app.post("/stats")
        def stats(stil_id: FormStilIds, key: FormKey) -> dict[str, Any]:
            if key != api_key:  # the course server's answer is unknown; this one mirrors /move
                return {"msg": WRONG_KEY.msg, "status": False, "stil_id": None, **dict.fromkeys(STATISTICS)}
            return referee.stats(_player(stil_id))

    return app


def _player(stil_ids: list[str]) -> str:
    """Return the key of a group: its ids, sorted and joined with "+"."""
    return "+".join(sorted(stil_ids))
