"""The course server: its HTTP interface, and a thread of this process that serves it on a port.

It is FastAPI like the course's own, so that forms and 422 bodies agree.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator, Set
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated, Any

import uvicorn
from fastapi import Depends, FastAPI, Form, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import StringConstraints

from bot.course.server.network import LOOPBACK, address, foreign, listen, names_of
from bot.course.server.referee import OverloadedError, Referee, SentReply
from bot.course.server.store import Store, only_server
from bot.engine.agent import Agent

TITLE = "Connect Four course server (embedded)"

FormStilId = Annotated[str, StringConstraints(pattern=r"^[\w\d_-]+$", max_length=50)]
FormStilIds = Annotated[list[FormStilId], Form()]
FormMove = Annotated[int, Form(ge=-1, le=6)]
FormKey = Annotated[str, Form(alias="api_key")]
_SHUTDOWN_S = 3
"""Time limit for open requests at the end, seconds."""


def create_app(referee: Referee, *, api_key: str, host: str = LOOPBACK, only: Set[str] = frozenset()) -> FastAPI:
    """Return the application around ``referee``; the January 2021 dialect has no /stats (404).

    ``host`` is the address that the server listens on: it answers only to its names. ``only`` are the ids that may
    play, in small letters; without one, all may.

    Endpoints are plain functions, which FastAPI runs in worker threads: a searching opponent does not block the other
    players.
    """
    answers_to = names_of(host)

    async def refuse_foreign(request: Request) -> None:
        """Refuse requests that a foreign web page sends, which could play moves and give up games.

        Requests of programs pass: they have no Origin, and their Host is an address of this server.
        """
        header = foreign(request.headers, answers_to)
        if header is not None:
            text = f"The header {header} names another host: this server answers only at its own address."
            raise HTTPException(403, text)

    async def arrival() -> float:
        """Return when a request arrived: here, and not in its worker thread, which it may have to wait for."""
        return referee.clock()

    def refusal(stil_ids: list[str], key: str) -> str | None:
        """Return the ``msg`` for a request with a wrong key, or of somebody who may not play; None for all others."""
        if key != api_key:
            return "Incorrect API key."
        for stil_id in stil_ids:
            if only and stil_id.casefold() not in only:
                return f"{stil_id} is not on this server's list of players."
        return None

    def player_of(stil_ids: list[str]) -> str:
        """Return the key of a group: its ids in small letters, each once, sorted and joined with "+"."""
        return "+".join(sorted(set(map(str.casefold, stil_ids))))

    app = FastAPI(title=TITLE, openapi_url=None, dependencies=[Depends(refuse_foreign)])

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
    ) -> SentReply:
        refused = refusal(stil_id, key)
        if refused is not None:
            return SentReply(refused, status=False)
        try:
            waited_s = referee.clock() - arrived_s
            return referee.move(player_of(stil_id), move, waited_s, request.client and request.client.host)
        except OverloadedError:
            text = "The server is busy: nothing of this request was carried out. Send it again."
            raise HTTPException(503, text, {"Retry-After": "1"}) from None

    if referee.dialect == "current":

        @app.post("/stats")
        def stats(stil_id: FormStilIds, key: FormKey) -> dict[str, Any]:
            refused = refusal(stil_id, key)
            if refused is not None:
                return {"msg": refused, "status": False}  # choice made here: the course server's answer is unknown
            return referee.stats(player_of(stil_id))

    return app


@contextmanager
def embedded_server(
    opponent: Agent,
    *,
    api_key: str,
    db: Path | None = None,
    host: str = LOOPBACK,
    port: int = 0,
    only: Set[str] = frozenset(),
    at_end: Callable[[str], None] = lambda _line: None,
    **rules: Any,
) -> Iterator[str]:
    """Run the course server while the context lasts; yield its base URL.

    ``opponent`` is warmed up first. Without ``db``, games and statistics are kept in memory. ``only`` is that of
    `create_app`, and ``rules`` are the options of `Referee`. ``at_end`` gets a line about each player when the server
    ends. Raises UsageError if the port is taken, ``db`` cannot be used, or another server plays with it; OSError where
    the system refuses what the server needs, such as open files.
    """
    with closing(listen(host, port)) as sock, only_server(db, address(sock)), closing(Store(db)) as store:
        referee = Referee(store, opponent, **rules)
        if store.set_aside:
            referee.notice(
                f"The database {db} is a backup or a copy, not what its last server left. Running games are set aside "
                "and count for nobody, since their players may have moved on. The next request of each starts a new "
                f"game: {', '.join(store.set_aside)}."
            )
        opponent.warm_up()
        with serving(create_app(referee, api_key=api_key, host=host, only=only), sock) as url:
            try:
                yield url
            finally:
                for line in store.summary():
                    at_end(line)


@contextmanager
def serving(app: FastAPI, sock: socket.socket | None = None) -> Iterator[str]:
    """Serve ``app`` from a daemon thread while the context lasts; yield the base URL.

    Requests that come before the thread is ready wait in the socket's queue.
    """
    sock = sock or listen()
    config = uvicorn.Config(
        app,
        log_level="error",
        access_log=False,
        lifespan="off",
        timeout_keep_alive=30,  # longer than any player takes between two moves
        timeout_graceful_shutdown=_SHUTDOWN_S,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([sock],), name="course-server", daemon=True)
    thread.start()
    try:
        yield address(sock)
    finally:
        server.should_exit = True
        thread.join(_SHUTDOWN_S + 2)
        sock.close()
