"""The course server's HTTP interface, in FastAPI like the course's own, so that forms and 422 bodies agree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Form, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import Field, StringConstraints

from bot.course.server.guard import foreign, names_of
from bot.course.server.referee import STATISTICS, WRONG_KEY, OverloadedError, Referee, SentReply
from bot.course.server.sockets import LOOPBACK

TITLE = "Connect Four course server (embedded)"

FormStilId = Annotated[str, StringConstraints(pattern=r"^[\w\d_-]+$", min_length=1, max_length=50)]
FormStilIds = Annotated[list[FormStilId], Form(), Field(min_length=1)]
FormMove = Annotated[int, Form(ge=-1, le=6)]
FormKey = Annotated[str, Form(alias="api_key", min_length=1)]


def create_app(referee: Referee, *, api_key: str, host: str = LOOPBACK, only: Mapping[str, str] = {}) -> FastAPI:
    """Return the application around ``referee``; the January 2021 dialect has no /stats (404).

    ``host`` is the address that the server listens on: it answers only to its names. ``only`` are the ids that may play
    by their casefolded spelling; without one, all may.

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

    def refusal(stil_ids: list[str], key: str) -> SentReply | None:
        """Return the reply to a request with a wrong key, or of somebody who may not play."""
        if key != api_key:
            return WRONG_KEY
        for stil_id in stil_ids:
            if only and stil_id.casefold() not in only:
                return SentReply(f"{stil_id} is not on this server's list of players.", status=False)
        return None

    def player_of(stil_ids: list[str]) -> str:
        """Return the key of a group: its ids, each once and as the list spells it, sorted and joined with "+"."""
        return "+".join(sorted({only.get(stil_id.casefold(), stil_id) for stil_id in stil_ids}))

    app = FastAPI(
        title=TITLE,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        dependencies=[Depends(refuse_foreign)],
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

    @app.post("/move", response_model=None)  # a reply that is checked against a model waits for a thread again
    def move(
        stil_id: FormStilIds, move: FormMove, key: FormKey, request: Request, arrived_s: float = Depends(arrival)
    ) -> dict[str, Any]:
        reply = refusal(stil_id, key)
        if reply is None:
            address = request.client.host if request.client else None
            try:
                reply = referee.move(player_of(stil_id), move, arrived_s, address)
            except OverloadedError:
                text = "The server is busy: nothing of this request was carried out. Send it again."
                raise HTTPException(503, text, {"Retry-After": "1"}) from None
        return reply.as_json()

    if referee.dialect == "current":

        @app.post("/stats")
        def stats(stil_id: FormStilIds, key: FormKey) -> dict[str, Any]:
            refused = refusal(stil_id, key)
            if refused is not None:  # the course server's answer is unknown; this one mirrors /move
                return {"msg": refused.msg, "status": False, "stil_id": None, **dict.fromkeys(STATISTICS)}
            return referee.stats(player_of(stil_id))

    return app
