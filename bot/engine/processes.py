"""Work in processes that ends at once when its results are no longer wanted, and when its caller dies.

A process is an interpreter of its own that loads nothing of the caller's program. Those of multiprocessing load it
again, where they are not forked: a plain script without ``if __name__ == "__main__":`` would start itself in each.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from typing import Any, TextIO, TypeVar

from bot.errors import BotError

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")
_Given = TypeVar("_Given")
_END_S = 1.0
"""Time for a process to end what it has started itself, seconds; then it is killed."""


class Pool:
    """Processes that are started when there is work for them, and end with the with statement.

    The work of a single one is done in this process.
    """

    def __init__(self, processes: int) -> None:
        self._most = processes
        self._processes: list[Any] = []

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._processes:
            self._calls.put(None)
            with suppress(OSError):
                process.stdin.close()
        for process in self._processes:
            with suppress(subprocess.TimeoutExpired):
                process.wait(_END_S)
            process.kill()
            process.wait()
            process.stdout.close()
        self._processes = []

    def results(
        self, work: Callable[[_Task], Iterable[_Result]], tasks: Iterator[_Task], *, in_order: bool = True
    ) -> Generator[_Result, None, None]:
        """Yield the results of ``work`` on each of ``tasks``, in their order or as they come.

        No more tasks are read ahead than two for each process. An error of ``work`` is raised after the results before
        it, and a BotError where a process is killed. Closing the iterator early ends the processes, even in the middle
        of a task; the next call starts new ones.
        """
        if self._most == 1:
            for only in tasks:
                yield from work(only)
            return
        if not self._processes:
            self._calls: SimpleQueue[Any] = SimpleQueue()
            self._answers: SimpleQueue[Any] = SimpleQueue()
        read = given = 0
        arrived: dict[int, Any] = {}
        try:
            while True:
                while read - given < 2 * self._most and (task := next(tasks, None)) is not None:
                    if len(self._processes) < self._most:
                        self._processes.append(_started(self._calls, self._answers))
                    self._calls.put((read, pickle.dumps((work, task))))
                    read += 1
                if read == given:
                    return
                number, answer = self._answers.get()
                arrived[number if in_order else given] = answer
                while given in arrived:
                    found, error = arrived.pop(given)
                    given += 1
                    yield from found
                    if error is not None:
                        raise error
        except BaseException:
            self.__exit__()
            raise


def _started(calls: SimpleQueue[Any], answers: SimpleQueue[Any]) -> Any:
    """Start a process that finds the modules that this one finds, and leaves Ctrl-C to it; and the thread that asks it.

    The thread ends at a call that is None.
    """
    ignore = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
    code = f"import sys; sys.path[:] = {sys.path!a}; {ignore}; from {__name__} import serve; serve()"
    process: Any = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask() -> None:
        for number, call in iter(calls.get, None):
            try:
                pickle.dump(call, process.stdin)
                process.stdin.flush()
                answer = pickle.load(process.stdout)
            except (OSError, ValueError, EOFError, pickle.UnpicklingError):
                message = "A worker process was killed, perhaps because the memory was full."
                answer = [], BotError(message, "Run the same again with fewer processes.")
            except Exception as error:  # what a class does that is loaded here
                answer = [], error
            answers.put((number, answer))

    threading.Thread(target=ask, name="pool", daemon=True).start()
    return process


def serve() -> None:
    """Answer the calls on standard input: the whole program of a process that was started here."""
    import logging

    logging.disable(logging.WARNING)  # the caller has said it
    requests, replies = private_streams()
    for call in until_closed(partial(pickle.load, requests.buffer)):
        answer = _collect(call)
        try:
            pickle.dump(answer, replies.buffer)
            replies.flush()
        except BrokenPipeError:
            os._exit(1)  # the caller has died


def until_closed(read: Callable[[], _Given]) -> Iterator[_Given]:
    """Yield what ``read`` returns, which a thread calls.

    When it raises an error, because the caller has closed the pipe, or died, this process ends, whatever it does. In a
    process that is forked later, the iterator ends.
    """
    taken: SimpleQueue[Any] = SimpleQueue()

    def take() -> None:
        try:
            while True:
                taken.put(read())
        finally:
            os._exit(1)

    threading.Thread(target=take, name="caller", daemon=True).start()
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=partial(taken.put, None))
    return iter(taken.get, None)


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
