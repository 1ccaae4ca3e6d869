"""Ctrl-C during a search: Python handles no signal while a kernel runs, so a thread watches for it."""

from __future__ import annotations

import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from bot.engine.agent import StopFlag

END = b"\0"
"""A byte that is not the number of any signal: it ends the thread."""


@contextmanager
def stop_on_interrupt() -> Iterator[StopFlag]:
    """Yield a stop flag that SIGINT sets, so that the search ends and Python can raise KeyboardInterrupt.

    Outside the main thread, where Python receives no signals, the flag is never set.
    """
    stop = StopFlag()
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
        writer.send(END)  # closing is not enough: forked workers hold the same socket
        watcher.join()
        writer.close()
        reader.close()


def _watch(reader: socket.socket, stop: StopFlag) -> None:
    signals = b""
    while END not in signals:
        signals = reader.recv(64)
        if signal.SIGINT in signals:
            stop.set()
