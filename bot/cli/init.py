"""`bot init`: write the settings file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

from bot.cli.formatting import echo
from bot.cli.options import ServerUrl, StilIdOption, flag
from bot.errors import UsageError

TEMPLATE = """\
# Settings of `bot`, read from the folder in which it is started.
# Options such as --server and environment variables such as BOT_SERVER come before this file.

# Base address of the course server, without /move. It needs stil_id.
{server_mark}server = "{server}"

# STIL ids of your group, all members. Without this line `bot play` plays the embedded course server.
{ids_mark}stil_id = [{ids}]

# The course's key. Leave it out to use the one that the course publishes.
# Do not commit a key of your own: list bot.toml in .gitignore.
# api_key = "..."

# Address of a page that others can open: shared results of puzzles name it.
# public_url = "https://..."
"""


def init(
    stil_id: StilIdOption = None,
    server: ServerUrl = None,
    force: Annotated[bool, flag("--force", "Overwrite an existing file.")] = False,
) -> None:
    """Write a settings file with comments.

    With it, commands need no --server and --stil-id.

    \b
    Examples:
      bot init                                     every setting commented out
      bot init --stil-id ab1234cd-s                play the course server as this student
    """
    from bot.config import COURSE_SERVER, SETTINGS_FILE, checked

    settings = checked({"server": server or COURSE_SERVER, "stil_id": stil_id or ()}, {})
    server_mark, ids_mark = ("" if given else "# " for given in (server, stil_id))
    ids = ", ".join(f'"{each}"' for each in stil_id or ["ab1234cd-s", "ef5678gh-s"])
    text = TEMPLATE.format(server_mark=server_mark, server=settings.server, ids_mark=ids_mark, ids=ids)
    try:
        if force:  # a file that existed would keep its mode
            Path(SETTINGS_FILE).unlink(missing_ok=True)
        with open(SETTINGS_FILE, "x", encoding="utf-8", opener=_open_privately) as target:
            target.write(text)
    except FileExistsError:
        raise UsageError(
            f"The file {SETTINGS_FILE} exists already.", "Edit it, or overwrite it with --force."
        ) from None
    except OSError as error:
        raise UsageError(
            f"The file {SETTINGS_FILE} cannot be written: {error.strerror}.", "Start it in another folder."
        ) from None
    echo(f"Wrote {SETTINGS_FILE}. Check it and the server with `bot streak`.")


def _open_privately(path: str, flags: int) -> int:
    """Open a new file that only its owner may read: it may hold a key."""
    return os.open(path, flags, 0o600)
