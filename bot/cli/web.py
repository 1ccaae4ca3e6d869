"""`bot web`: the page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def web(
    port: Annotated[
        int, typer.Option(help="Port on 127.0.0.1; when it is taken, or 0, a free one is used.", min=0, max=65535)
    ] = 8044,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open the browser.")] = False,
    logs: Annotated[Path, typer.Option(help="Folder of the journals to watch and replay.")] = Path("logs"),
) -> None:
    """Play, analyse, watch and replay in a browser: one page, served to this machine only.

    The first line printed names the address. SIGTERM ends it with exit code 0,
    Ctrl-C with 130.
    """
    from bot.web.service import serve_page

    def ready(url: str) -> None:
        print(f"The page is at {url} (Ctrl-C ends it)", flush=True)
        if not no_browser:
            import threading
            import webbrowser

            # Beside the server: a browser of the terminal comes back only when it is closed.
            threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()

    serve_page(port, logs, ready)
