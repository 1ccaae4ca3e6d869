"""`bot serve`: the embedded course server on its own."""

from __future__ import annotations

import signal
import threading
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

from typer import echo

from bot.cli.options import Opponent, RandomSeed, Starter, option


def serve(
    port: Annotated[int, option("N", "Port to listen on; 0 takes a free one.", min=0, max=65535)] = 8000,
    host: Annotated[str, option("ADDRESS", "Address to listen on.")] = "127.0.0.1",
    opponent: Opponent = "depth3",
    seed: RandomSeed = None,
    db: Annotated[Path | None, option("FILE", "SQLite file for all games; else they are kept in memory.")] = None,
    dialect: Annotated[
        Literal["current", "jan21"],
        option("NAME", "Form of the replies: current or jan21 (no /stats, null state on -1)."),
    ] = "current",
    starter: Starter = "random",
    api_key: Annotated[
        str, option("KEY", "Key that requests must carry.", envvar="BOT_API_KEY", show_default=False)
    ] = "nyckel",
    faults: Annotated[str | None, option("PLAN", "Requests that fail, and how; the plan is described above.")] = None,
) -> None:
    """Serve the course's protocol on this machine: a stand-in for the real server, for play and for tests.

    The first line printed names the address. Ctrl-C ends the server with exit code 130, SIGTERM with 0. --faults PLAN
    makes it fail, on a schedule or at random. A plan is a list of items with commas between them:

    \b
    default           20 % of the requests fail, all kinds equally often
    default=0.4       the same with another share
    KIND=0.05         this share of the requests fails in this way
    @7:KIND           the 7th request fails in this way
    delay=0.05:2.0    seconds, for delay, drip (for each byte) and refuse

    The kinds: refuse (connections, for a while), reset_before, reset_after (before or after the request is processed),
    delay (of the reply), truncate, drip (one byte at a time), html_before, html_after (status 200), empty_before,
    empty_after, 5xx_before, 5xx_after, or a code: 503_after. Without _before or _after, one of the two is chosen at
    random. Requests are the POSTs, /move and /stats alike. GET /faults returns the counts and never fails.

    \b
    Examples:
      bot serve --opponent perfect                 on port 8000
      bot serve --port 0 --faults default          on a free port; 20 % of the requests fail
      bot play --server http://127.0.0.1:8000 --stil-id me
    """
    from bot.agents.catalogue import dependable_agent
    from bot.cli.progress import loading_engine
    from bot.config import COURSE_KEY
    from bot.course.server.embedded import embedded_server
    from bot.trials.faults.plan import FaultPlan
    from bot.trials.faults.proxy import failing

    plan = None if faults is None else FaultPlan.parse(faults, seed)
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    with ExitStack() as stack:
        with loading_engine():
            server = embedded_server(
                dependable_agent(opponent, seed=seed),
                api_key=api_key if api_key.strip() else COURSE_KEY,
                db=db,
                seed=seed,
                dialect=dialect,
                starter=starter,
                front=None if plan is None else partial(failing, plan),
                host=host,
                port=port,
                notice=partial(echo, err=True),
            )
            url = stack.enter_context(server)
        echo(f"Serving {opponent} at {url} (Ctrl-C ends it)")
        ended.wait()
