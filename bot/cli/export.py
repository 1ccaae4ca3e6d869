"""`bot export`: the bot as a file for other arenas."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

export = typer.Typer(help="Write the bot as a file for another arena.", no_args_is_help=True)


@export.command()
def kaggle(
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="File to write; submission.py without it.")] = None,
) -> None:
    """Write a submission for Kaggle's ConnectX: one Python file that needs numpy only.

    It contains the opening book and the engine's search. Where numba is installed, the search is compiled in the
    background while the book answers the first moves; without numba it runs as plain Python.

    \b
    Examples:
      bot export kaggle                            write submission.py
    """
    from bot.adapters.kaggle_export import write_submission

    out = out or Path("submission.py")
    size = write_submission(out)
    typer.echo(f"Wrote {out}: {size / 1000:.0f} kB. Submit it to ConnectX as it is.")
