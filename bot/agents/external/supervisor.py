"""Runs one program on Linux, and ends all that it has started as soon as it ends, or its caller does.

``python supervisor.py MEMORY_BYTES PROGRAM ARGUMENTS...``, a process that loads next to nothing. As a subreaper
it becomes the parent of each descendant whose own parent ends, in whatever session and with whatever environment. So
none gets away, not even when the caller is killed. The program has this process's standard streams, and this process
its exit code: 128 and the number for a signal. SIGTERM ends everything, as does closing standard input.
"""

from __future__ import annotations

import _thread  # threading takes as long to load as all the rest
import ctypes
import os
import resource
import select
import signal
import sys
from contextlib import suppress

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_AWAITED = (signal.SIGCHLD, signal.SIGTERM)


def main(memory: str, *command: str) -> int:
    """Run the command to its end and return its exit code."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _AWAITED)
    control = ctypes.CDLL(None).prctl
    control(_PR_SET_CHILD_SUBREAPER, 1)
    with suppress(ValueError):  # a lower limit is set already
        resource.setrlimit(resource.RLIMIT_DATA, (int(memory), int(memory)))
    program = os.fork()
    if not program:
        control(_PR_SET_PDEATHSIG, signal.SIGKILL)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        _become(command)
    os.closerange(1, 3)  # the end of the program ends its output
    _thread.start_new_thread(_watch_caller, ())
    code = None
    while code is None and signal.sigwait(_AWAITED) == signal.SIGCHLD:
        code = _exit_code(program)
    _end_children()
    return code or 0


def _become(command: tuple[str, ...]) -> None:
    os.setsid()
    for number in (signal.SIGPIPE, signal.SIGXFSZ):  # which Python ignores
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        print(f"error it cannot be started: {error.strerror}", flush=True)
        os._exit(1)


def _watch_caller() -> None:
    """End this process when nobody can write to its standard input any more."""
    caller = select.poll()
    caller.register(0, 0)
    caller.poll()
    os.kill(os.getpid(), signal.SIGTERM)


def _exit_code(program: int) -> int | None:
    """Return the program's exit code if it has ended; let go what has ended before it."""
    ended = -1
    while ended not in (0, program):
        ended, status = os.waitpid(-1, os.WNOHANG)
    if not ended:
        return None
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


def _end_children() -> None:
    """Kill children until there are none: those of a killed one are children of this process then."""
    with suppress(ChildProcessError):
        while True:
            with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as children:  # noqa: PTH123
                for number in children.read().split():
                    os.kill(int(number), signal.SIGKILL)
            os.wait()


if __name__ == "__main__":
    os._exit(main(*sys.argv[1:]))
