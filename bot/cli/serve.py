"""`bot serve`: the embedded course server on its own."""

from __future__ import annotations

import signal
import threading
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
    seed: Annotated[
        int | None, typer.Option(help="Makes the bot's choices, the starter and the faults repeatable.")
    ] = None,
    db: Annotated[Path | None, typer.Option(help="SQLite file to keep everything in; left out: memory only.")] = None,
    dialect: Annotated[
        str, typer.Option(help="Which year's answers to give: current or jan21 (no /stats, null state on -1).")
    ] = "current",
    starter: Annotated[str, typer.Option(help="Who moves first: random, student or bot.")] = "random",
    api_key: Annotated[
        str, typer.Option(envvar="BOT_API_KEY", help="The key that requests must carry.", show_default=False)
    ] = "nyckel",
    faults: Annotated[str | None, typer.Option(help="Which requests fail, and how: see above.", metavar="PLAN")] = None,
) -> None:
    """Serve the course's protocol on this machine: a stand-in for the real server, for play and for tests.

    The first line printed names the address. SIGTERM ends the server with exit
    code 0, Ctrl-C with 130.

    --faults PLAN makes it fail, on a schedule or at random. A plan is a list of
    items with commas between them:

    \b
    default           20 % of the requests fail, all kinds equally often
    default=0.4       the same with another share
    KIND=0.05         this share of the requests fails in this way
    @7:KIND           the 7th request fails in this way
    delay=0.05:2.0    seconds, for delay, drip (for each byte) and refuse

    The kinds: refuse (connections, for a while), reset_before, reset_after
    (before or after the request is processed), delay (of the reply), truncate,
    drip (one byte at a time), html_before, html_after (status 200),
    empty_before, empty_after, 5xx_before, 5xx_after, or a code: 503_after.
    Without _before or _after, chance decides. Requests are the POSTs, /move and
    /stats alike. GET /faults counts what has happened and never fails.
    """
    from bot.agents import make_agent
    from bot.server.embedded import embedded_server
    from bot.server.faults import FaultPlan
    from bot.server.referee import Dialect, Starter

    if dialect not in set(Dialect):
        raise UsageError(f"There is no dialect {dialect!r}.", "Choose current or jan21.")
    if starter not in set(Starter):
        raise UsageError(f"There is no starter {starter!r}.", "Choose random, student or bot.")
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    with embedded_server(
        make_agent(opponent, seed=seed),
        api_key=api_key,
        db=db,
        seed=seed,
        dialect=Dialect(dialect),
        starter=Starter(starter),
        faults=FaultPlan.parse(faults, seed) if faults is not None else None,
        host=host,
        port=port,
    ) as url:
        typer.echo(f"Serving {opponent} at {url} (Ctrl-C ends it)")
        ended.wait()
