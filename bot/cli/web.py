"""`bot web`: the page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bot.cli.options import Logs


def web(
    port: Annotated[
        int,
        typer.Option(metavar="N", help="Port on 127.0.0.1; a free one if it is taken, or 0.", min=0, max=65535),
    ] = 8044,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open the browser.")] = False,
    logs: Logs = Path("logs"),
    agent: Annotated[
        list[str] | None,
        typer.Option(metavar="AGENT", help="Agent from outside that the page offers too; repeat it for more."),
    ] = None,
) -> None:
    """Play, analyse, watch and replay in a browser: one page, served to this machine only.

    The first line printed names the address. Ctrl-C ends it with exit code 130, SIGTERM with 0. The page offers the
    agents of `bot agents`, and those from files and commands only if --agent named them.

    \b
    Examples:
      bot web                                      open the page in the browser
      bot web --port 0 --no-browser                on a free port; only print its address
      bot web --agent mine.py:Searcher             also play against an agent of your own
    """
    from bot.lab.arena.games import check_agents
    from bot.web.service import serve_page

    def ready(url: str) -> None:
        print(f"The page is at {url} (Ctrl-C ends it)", flush=True)
        if not no_browser:
            import threading
            import webbrowser

            # In a thread: a browser in the terminal returns only when it is closed.
            threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()

    check_agents(agent or ())
    serve_page(port, logs, ready, agent or ())
