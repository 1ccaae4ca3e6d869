"""Starts the command line."""

from __future__ import annotations

import os
import sys

_KEY_OPTION = "--api-key"


def _hide_key(argv: list[str]) -> None:
    """Start anew with the key in the environment: every user of the machine can read a process's arguments."""
    rest: list[str] = []
    key = None
    arguments = iter(argv)
    for argument in arguments:
        if argument == _KEY_OPTION:
            key = next(arguments, None)
        elif argument.startswith(_KEY_OPTION + "="):
            key = argument.partition("=")[2]
        else:
            rest.append(argument)
    if key is not None and os.name == "posix":
        os.environ["BOT_API_KEY"] = key
        interpreter = sys.orig_argv[: len(sys.orig_argv) - len(argv)]
        os.execv(sys.executable, [sys.executable, *interpreter[1:], *rest])


def main() -> None:
    """The `bot` console command and `python -m bot`."""
    _hide_key(sys.argv[1:])
    from bot.cli.app import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
