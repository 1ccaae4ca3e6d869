"""`bot web`: the page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from bot.cli.formatting import echo
from bot.cli.options import Logs, flag, option


def web(
    *,
    port: Annotated[
        int | None,
        option(
            "N", "Port on 127.0.0.1, 0 for a free one; default 8044, or a free one if it is taken.", min=0, max=65535
        ),
    ] = None,
    no_browser: Annotated[bool, flag("--no-browser", "Do not open the browser.")] = False,
    logs: Logs = Path("logs"),
    agent: Annotated[
        list[str] | None, option("AGENT", "Agent from outside that the page offers too; repeat it for more.")
    ] = None,
    host: Annotated[
        str | None,
        option(
            "ADDRESS", "Let others in the network watch at this address of this machine, with a link; 0.0.0.0 for all."
        ),
    ] = None,
    public_url: Annotated[
        str | None,
        option("URL", "Address at which others find such a page: shared results name it. Also a line of bot.toml."),
    ] = None,
) -> None:
    """Play, analyse, watch and replay in a browser.

    It is one page, served to this machine only. The first line printed names the address. Ctrl-C ends it with exit code
    130, SIGTERM with 0. The page offers the agents of `bot agents`, and those from files and commands only if --agent
    named them.

    With --host, a second line gives the link for spectators: they watch and replay runs and can change nothing, they
    see no student's id, and the link is made anew at each start. At one address of this machine, the link's port is the
    page's; at 0.0.0.0 it is a free one.

    \b
    Examples:
      bot web                                      open the page in the browser
      bot web --port 0 --no-browser                on a free port; only print its address
      bot web --agent mine.py:Searcher             also play against an agent of your own
      bot web --host 0.0.0.0                       let a class watch a run on their phones
    """
    from bot.agents.games import check_agents
    from bot.config import load_public_url
    from bot.web.service import PORT, serve_page

    def ready(url: str, link: str | None) -> None:
        print(f"The page is at {url} (Ctrl-C ends it)", flush=True)
        if port is None and not url.endswith(f":{PORT}"):
            problem = f"Port {PORT} is taken, perhaps by another `bot web`"
            next_step = f"to see those of {PORT}, end that program and start the page again"
            echo(f"Note: {problem}. The browser keeps games and streaks by port: {next_step}.", err=True)
        if link is not None:
            print(f"Spectators watch at {link}", flush=True)
        if not no_browser:
            import threading
            import webbrowser

            # In a thread: a browser in the terminal returns only when it is closed.
            threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()

    check_agents(agent or ())
    public_url = load_public_url(public_url)
    serve_page(port, logs, ready, agent or (), spectators_at=host, public_url=public_url)
