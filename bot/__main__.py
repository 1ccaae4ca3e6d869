"""Start the command line, and keep the API key out of the process list.

Every user of a machine can read the arguments of its processes. From the most private to the least, a key can be given

- in the environment variable BOT_API_KEY, or as ``api_key`` in bot.toml;
- with ``--api-key-file FILE``, or ``--api-key-file -`` to read it from standard input (without echo in a terminal):
  both work with every command and never put the key among the arguments;
- with ``--api-key KEY``: then the process replaces itself at once by one without that option. The key can be seen until
  the interpreter has started, which nothing in this program can shorten: about 0.1 s in a virtual environment with many
  packages, longer on a busy machine. Programs that start this one (``timeout``, ``sudo``, a shell's history) keep it.

Replacing a process needs POSIX. On Windows the arguments stay as they are; only the same user and administrators can
read them there.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:  # the module typing takes time to import
    from typing import NoReturn

_VARIABLE = "BOT_API_KEY"
_OPTIONS = ("--api-key", "--api-key-file")
_MAX_KEY = 4096
"""Maximum length of a key that is read from a file, characters."""
_INTERRUPTED = 130
"""As bot.errors.ExitCode.INTERRUPTED, which takes time to import."""


def _open_closed_streams() -> None:
    """Open standard streams that the caller closed (`>&-`) at nothing.

    Python has None in their place. Worse, the next file that is opened, perhaps a journal, would get the number of a
    standard stream, and with it what a library or a child process prints there.
    """
    for name in ("stdin", "stdout", "stderr"):  # in the order of their numbers: the lowest free one is taken
        if getattr(sys, name) is None:
            stream = open(os.devnull, "r" if name == "stdin" else "w", encoding="utf-8")  # noqa: SIM115, PTH123
            with suppress(OSError):
                os.set_inheritable(stream.fileno(), True)
            setattr(sys, name, stream)


def _without_key(argv: list[str]) -> tuple[list[str], dict[str, str]]:
    """Split ``argv`` into the other arguments and the values of the key options, the last one of each."""
    rest: list[str] = []
    values: dict[str, str] = {}
    index = 0
    while index < len(argv):
        name, separator, value = argv[index].partition("=")
        if argv[index] == "--":
            return rest + argv[index:], values
        if name in _OPTIONS and separator:
            values[name] = value
        elif name in _OPTIONS and index + 1 < len(argv):
            index += 1
            values[name] = argv[index]
        else:
            rest.append(argv[index])
        index += 1
    return rest, values


def _read_key(file: str) -> str:
    """Return the key in ``file``, or on standard input for "-"; end the process with a sentence if there is none."""
    key = ""
    try:
        if file != "-":
            with open(file, encoding="utf-8-sig") as stream:  # noqa: PTH123  # pathlib is slow to import
                key = stream.read(_MAX_KEY)
        elif sys.stdin.isatty():
            from getpass import getpass

            with suppress(EOFError):  # no key was typed
                key = getpass("API key: ")
        else:
            key = sys.stdin.readline(_MAX_KEY)
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        _refuse(f"The key file {file!r} cannot be read: {reason}. Check --api-key-file.")
    key = key.strip()
    if not key or "\n" in key or "\0" in key:
        _refuse("The key file must hold one line, the key. Check --api-key-file.")
    return key


def _refuse(sentence: str) -> NoReturn:
    print(f"bot: {sentence}", file=sys.stderr)
    sys.exit(2)  # as bot.errors.ExitCode.USAGE


def _take_key(argv: list[str]) -> list[str]:
    """Put a key given as an option into the environment; return the other arguments.

    If the key itself is an argument, the process is replaced where that is possible, and this does not return.
    """
    rest, values = _without_key(argv)
    if len(values) == len(_OPTIONS):
        _refuse("The key is given twice. Use either --api-key or --api-key-file.")
    if "--api-key-file" in values:
        os.environ[_VARIABLE] = _read_key(values["--api-key-file"])
        return rest
    if "--api-key" in values and os.name == "posix":
        os.environ[_VARIABLE] = values["--api-key"]
        interpreter = sys.orig_argv[: len(sys.orig_argv) - len(argv)]
        os.execv(sys.executable, [sys.executable, *interpreter[1:], *rest])
    return argv


def main() -> None:
    """Run the `bot` console command, or `python -m bot`."""
    _open_closed_streams()
    if not os.path.isfile(__file__):  # noqa: PTH113  # pathlib is slow to import
        _refuse("The program cannot run from an archive. Install it with pip, or unpack the archive.")
    try:
        sys.argv[1:] = _take_key(sys.argv[1:])
        from bot.cli.interrupt import guarded

        with guarded():
            code = _run()
            if code == _INTERRUPTED:
                _end_at_once(code)
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
    """End without the interpreter's clean-up, which can take seconds after compiled code has been loaded."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            with suppress(OSError, ValueError):
                stream.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
