"""`bot serve`: the embedded course server on its own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bot.errors import UsageError


def serve(
    port: Annotated[int, typer.Option(help="Port to listen on; 0 takes a free one.", min=0, max=65535)] = 8000,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    opponent: Annotated[
        str, typer.Option(help="The bot: random, depth1..depth8, perfect, scripted:COLUMNS or any agent's name.")
    ] = "depth3",
    seed: Annotated[int | None, typer.Option(help="Makes the bot's choices and the starter repeatable.")] = None,
    db: Annotated[Path | None, typer.Option(help="SQLite file to keep everything in; left out: memory only.")] = None,
    dialect: Annotated[
        str, typer.Option(help="Which year's answers to give: current or jan21 (no /stats, null state on -1).")
    ] = "current",
    starter: Annotated[str, typer.Option(help="Who moves first: random, student or bot.")] = "random",
    api_key: Annotated[
        str, typer.Option(envvar="BOT_API_KEY", help="The key that requests must carry.", show_default=False)
    ] = "nyckel",
) -> None:
    """Serve the course's protocol on this machine: a stand-in for the real server, for play and for tests."""
    from bot.cli.agents import make_agent
    from bot.server.app import create_app
    from bot.server.embedded import address, listen, uvicorn_server
    from bot.server.opponents import make_opponent
    from bot.server.referee import Dialect, Referee, Starter
    from bot.server.store import Store

    if dialect not in set(Dialect):
        raise UsageError(f"There is no dialect {dialect!r}.", "Choose current or jan21.")
    if starter not in set(Starter):
        raise UsageError(f"There is no starter {starter!r}.", "Choose random, student or bot.")
    sock = listen(host, port)
    bot = make_opponent(opponent, seed, make_agent)
    store = Store(db)
    store.open()
    referee = Referee(store, bot, dialect=Dialect(dialect), starter=Starter(starter), seed=seed)
    app = create_app(referee, dialect=Dialect(dialect), api_key=api_key)
    typer.echo(f"Serving {opponent} at {address(sock)} (Ctrl-C ends it)")
    try:
        uvicorn_server(app).run(sockets=[sock])
    finally:
        store.close()
        sock.close()
