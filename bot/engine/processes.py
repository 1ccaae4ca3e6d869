"""Work in processes, in order, that ends at once when its results are no longer wanted.

A process is an interpreter of its own that loads nothing of the caller's program. Those of multiprocessing load it
again, where they are not forked: a plain script without ``if __name__ == "__main__":`` would start itself in each.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from itertools import cycle
from queue import SimpleQueue
from typing import Any, TextIO, TypeVar

from bot.errors import BotError

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")


def in_processes(
    work: Callable[[_Task], Iterable[_Result]], tasks: Iterator[_Task], processes: int
) -> Generator[_Result, None, None]:
    """Yield the results of ``work`` on each of ``tasks``, in their order; two tasks for each process are on the way.

    An error of ``work`` is raised after the results before it, and a BotError where a process is killed. Closing the
    iterator ends the processes, even in the middle of a task.
    """
    workers: list[Any] = []
    waiting: deque[Any] = deque()
    turns = cycle(range(processes))
    try:
        while True:
            while len(waiting) < 2 * processes and (task := next(tasks, None)) is not None:
                turn = next(turns)
                if turn == len(workers):
                    workers.append(_started())
                waiting.append(workers[turn])
                call = pickle.dumps((work, task))
                with suppress(OSError):  # a process that has ended is noticed where its answer is missing
                    pickle.dump(call, workers[turn].stdin)
                    workers[turn].stdin.flush()
            if not waiting:
                return
            found, error = _answer(waiting.popleft())
            yield from found
            if error is not None:
                raise error
    finally:
        for worker in workers:
            worker.kill()
            worker.communicate()


def _started() -> Any:
    """Start a process that finds the modules that this one finds, and leaves Ctrl-C to it."""
    ignore = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
    code = f"import sys; sys.path[:] = {sys.path!a}; {ignore}; from {__name__} import serve; serve()"
    return subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def _answer(worker: Any) -> Any:
    """Return what a process found, and the error that ended its work."""
    try:
        return pickle.load(worker.stdout)
    except (EOFError, pickle.UnpicklingError):
        raise BotError(
            "A worker process was killed, perhaps because the memory was full.",
            "Run the same again with fewer processes.",
        ) from None


def serve() -> None:
    """Answer the calls on standard input: the whole program of a process that was started here."""
    requests, replies = private_streams()
    calls: SimpleQueue[bytes] = SimpleQueue()

    def read() -> None:
        """Queue the calls, and end this process, whatever it does, when its caller closes the pipe, or dies."""
        try:
            while True:
                calls.put(pickle.load(requests.buffer))
        finally:
            os._exit(1)

    threading.Thread(target=read, daemon=True).start()
    while True:
        pickle.dump(_collect(calls.get()), replies.buffer)
        replies.flush()


def _collect(call: bytes) -> tuple[list[Any], Exception | None]:
    """Return the results of a call, and the error that ended it."""
    found: list[Any] = []
    try:
        work, task = pickle.loads(call)
        found.extend(work(task))
    except Exception as error:
        return found, error
    return found, None


def private_streams() -> tuple[TextIO, TextIO]:
    """Return standard input and output for the caller only: others read nothing, and print to standard error.

    A process that is forked later neither reads nor writes them.
    """
    streams = os.fdopen(os.dup(0), encoding="utf-8", errors="backslashreplace"), os.fdopen(os.dup(1), "w")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr

    def detach() -> None:
        for stream in streams:
            os.dup2(nothing, stream.fileno())

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=detach)
    return streams
