"""The course server: its HTTP interface, and a thread of this process that serves it on a port.

It is FastAPI like the course's own, so that forms and 422 bodies agree.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from math import inf
from pathlib import Path
from typing import Annotated, Any

import uvicorn
from fastapi import Depends, FastAPI, Form, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import Field, StringConstraints

from bot.course.protocol import Dialect
from bot.course.server.network import LOOPBACK, address, foreign, listen, names_of
from bot.course.server.referee import STATISTICS, WRONG_KEY, OverloadedError, Referee, SentReply, Starter
from bot.course.server.store import Store, only_server
from bot.engine.agent import Agent
from bot.engine.warmup import warm_up
from bot.errors import NetworkError

TITLE = "Connect Four course server (embedded)"

FormStilId = Annotated[str, StringConstraints(pattern=r"^[\w\d_-]+$", min_length=1, max_length=50)]
FormStilIds = Annotated[list[FormStilId], Form(), Field(min_length=1)]
FormMove = Annotated[int, Form(ge=-1, le=6)]
FormKey = Annotated[str, Form(alias="api_key", min_length=1)]
_START_S = 30.0
"""Time limit for starting, seconds."""
_SHUTDOWN_S = 3
"""Time limit for open requests at the end, seconds."""


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


@contextmanager
def embedded_server(
    opponent: Agent,
    *,
    api_key: str,
    db: Path | None = None,
    seed: int | None = None,
    dialect: Dialect = "current",
    starter: Starter = "random",
    host: str = LOOPBACK,
    port: int = 0,
    notice: Callable[[str], None] = lambda _text: None,
    limit_s: float = inf,
    only: Mapping[str, str] = {},
    at_end: Callable[[Store], None] = lambda _store: None,
) -> Iterator[str]:
    """Run the course server while the context lasts; yield its base URL once it accepts requests.

    ``opponent`` is warmed up first. Without ``db``, games and statistics are kept in memory. ``notice`` and
    ``limit_s`` are those of `Referee`, ``only`` is that of `create_app`. ``at_end`` gets the store before
    the server ends. Raises UsageError if the port is taken, ``db``
    cannot be used, or another server plays with it.
    """
    with closing(listen(host, port)) as sock, only_server(db, address(sock)), closing(Store(db)) as store:
        if store.set_aside:
            notice(
                f"The database {db} is a backup or a copy, not what its last server left. Running games are set aside "
                "and count for nobody, since their players may have moved on. The next request of each starts a new "
                f"game: {', '.join(store.set_aside)}."
            )
        warm_up(opponent)
        referee = Referee(store, opponent, dialect=dialect, starter=starter, seed=seed, notice=notice, limit_s=limit_s)
        app = create_app(referee, api_key=api_key, host=host, only=only)
        with serving(app, sock) as url:
            try:
                yield url
            finally:
                at_end(store)


@contextmanager
def serving(app: FastAPI, sock: socket.socket | None = None) -> Iterator[str]:
    """Serve ``app`` from a daemon thread while the context lasts; yield the base URL once it accepts requests.

    Raises OSError where the system refuses what the server needs, such as open files.
    """
    sock = sock or listen()
    server = uvicorn.Server(
        uvicorn.Config(
            app,
            log_level="error",
            access_log=False,
            lifespan="off",
            timeout_keep_alive=30,  # longer than any player takes between two moves
            timeout_graceful_shutdown=_SHUTDOWN_S,
        )
    )
    failures: list[OSError] = []

    def serve() -> None:
        try:
            server.run(sockets=[sock])
        except OSError as error:
            failures.append(error)

    thread = threading.Thread(target=serve, name="course-server", daemon=True)
    thread.start()
    try:
        deadline = time.monotonic() + _START_S
        while not server.started:
            if not thread.is_alive() or time.monotonic() > deadline:
                if failures:
                    raise failures[0]
                raise NetworkError("The embedded course server did not start.", "Run the command again with -v.")
            time.sleep(0.005)
        yield address(sock)
    finally:
        server.should_exit = True
        thread.join(_SHUTDOWN_S + 2)
        sock.close()
