"""Start the command line: `bot`, or `python -m bot`."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:  # the module typing takes time to import
    from typing import NoReturn

_INTERRUPTED = 130
"""As bot.errors.ExitCode.INTERRUPTED, which takes time to import."""


def _open_closed_streams() -> None:
    """Open standard streams that the caller closed (`>&-`) at nothing.

    Python has None in their place. Worse, the next file that is opened, perhaps a journal, would get the number of a
    standard stream, and with it what a library or a child process prints there.
    """
    for name in ("stdin", "stdout", "stderr"):  # in the order of their numbers: the lowest free one is taken
        if getattr(sys, name) is None:
            mode = "r" if name == "stdin" else "w"
            stream = open(os.devnull, mode, encoding="utf-8")  # noqa: SIM115, PTH123
            with suppress(OSError):
                os.set_inheritable(stream.fileno(), True)
            setattr(sys, name, stream)


def main() -> None:
    """Run one command and end the process with its exit code."""
    _open_closed_streams()
    try:
        from bot.engine.interrupt import exit_code, guarded

        with guarded():
            code = _run()
            if code == _INTERRUPTED:
                _end_at_once(exit_code())
    except KeyboardInterrupt:  # while modules are imported
        print("Interrupted.", file=sys.stderr)
        _end_at_once(_INTERRUPTED)
    sys.exit(code)


def _run() -> int:
    from bot.cli.output import forgiving_streams

    with forgiving_streams():
        from bot.cli.app import run

        return run(sys.argv[1:])


def _end_at_once(code: int) -> NoReturn:
    """End without the interpreter's clean-up, which can take seconds after compiled code was loaded."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
