"""Ctrl-C ends a long search at once: while a kernel runs, Python sees no signal, but a thread can."""

from __future__ import annotations

import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from bot.agent_types import Stop

END = b"\0"
"""The number of no signal."""


@contextmanager
def stopped_by_interrupt() -> Iterator[Stop]:
    """A Stop that the interrupt signal sets; the search ends, and then Python raises KeyboardInterrupt as usual.

    Outside the main thread, where Python receives no signals, the Stop is never set.
    """
    stop = Stop()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    previous = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    watcher = threading.Thread(target=_watch, args=(reader, stop), daemon=True)
    watcher.start()
    try:
        yield stop
    finally:
        signal.set_wakeup_fd(previous)
        writer.send(END)  # closing would not do: forked workers hold the same socket
        watcher.join()
        writer.close()
        reader.close()


def _watch(reader: socket.socket, stop: Stop) -> None:
    signals = b""
    while END not in signals:
        signals = reader.recv(64)
        if signal.SIGINT in signals:
            stop.set()
