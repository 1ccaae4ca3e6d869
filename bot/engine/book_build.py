"""Building the opening book: every position of its deepest ply solved once, in pieces, however often it is killed.

A task is a tuple of keys, a result their scores; nothing else is shared, so the same tasks run in a process pool or on
a Dask cluster. Finished pieces go to a text file beside the output, one "key score" a line, fsynced as they come.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path

from bot.engine.book import Book, board_of_key, complete, unfinished_layers
from bot.errors import BotError, NetworkError, UsageError

PIECE = 64
"""Positions a task: about half a minute at ply 8, the most that a kill can lose in one process."""

Report = Callable[[int, int], None]
"""Told of every finished piece: positions done, positions in all."""


def solve_piece(keys: Sequence[int]) -> list[int]:
    """The exact scores of these book keys. Neighbours share a table: their keys are close, so their games meet."""
    from bot.engine.solver import Solver

    solver = Solver()
    scores: list[int] = []
    for number, key in enumerate(keys):
        board = board_of_key(key)
        told = solver.solve(board.current, board.mask, guess=scores[-1] if scores else 0, keep=number > 0)
        scores.append(told.lower)
    return scores


def build(plies: int, out: Path, workers: int, scheduler: str | None = None, report: Report | None = None) -> Book:
    """Build the book down to ``plies``, write it to ``out`` and return it; goes on where an earlier build was cut off.

    Raises UsageError when the pieces beside ``out`` belong to another book.
    """
    layer = list(unfinished_layers(plies))[plies]
    pieces = out.with_name(out.name + f".ply{plies}")
    known = read_pieces(pieces, layer)
    todo = [key for key in layer if key not in known]
    tasks = [tuple(todo[start : start + PIECE]) for start in range(0, len(todo), PIECE)]
    tell = report or (lambda _done, _total: None)
    tell(len(known), len(layer))
    if tasks:
        with executor(workers, scheduler) as pool, pieces.open("a") as sink:
            for keys, scores in _results(pool, tasks, 2 * max(1, workers)):
                sink.writelines(f"{key} {score}\n" for key, score in zip(keys, scores, strict=True))
                sink.flush()
                os.fsync(sink.fileno())
                known.update(zip(keys, scores, strict=True))
                tell(len(known), len(layer))
    book = complete(known, plies)
    out.write_bytes(book.to_bytes())
    return book


def read_pieces(path: Path, layer: Sequence[int]) -> dict[int, int]:
    """Scores by key of an earlier build; a line torn by a kill is cut off, in the file too."""
    if not path.exists():
        return {}
    content = path.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if whole != content:
        path.write_bytes(whole)
    known = {}
    for line in whole.split(b"\n")[:-1]:
        key, _, score = line.partition(b" ")
        known[int(key)] = int(score)
    if not known.keys() <= set(layer):
        raise UsageError(f"{path} holds positions of another book.", "Move it away, or choose another --out.")
    return known


def _results(
    pool: Executor, tasks: Sequence[tuple[int, ...]], ahead: int
) -> Iterator[tuple[tuple[int, ...], list[int]]]:
    """Tasks with their results as they come, never more than ``ahead`` under way."""
    waiting: dict[Future[list[int]], tuple[int, ...]] = {}
    remaining = iter(tasks)
    for keys in remaining:
        waiting[pool.submit(solve_piece, keys)] = keys
        if len(waiting) >= ahead:
            break
    while waiting:
        done, _ = wait(waiting, return_when=FIRST_COMPLETED)
        for future in done:
            yield waiting.pop(future), future.result()
            keys_next = next(remaining, None)
            if keys_next is not None:
                waiting[pool.submit(solve_piece, keys_next)] = keys_next


@contextmanager
def executor(workers: int, scheduler: str | None) -> Iterator[Executor]:
    """A process pool on this machine, or the executor of a Dask cluster.

    Raises UsageError without the extra, NetworkError where no scheduler answers, BotError when a worker is killed.
    """
    if scheduler is None:
        try:
            with ProcessPoolExecutor(workers, initializer=_end_with_parent) as pool:
                yield pool
        except BrokenProcessPool:
            raise BotError(
                "A worker process was killed, perhaps for want of memory.",
                "Run the command again with fewer --workers.",
            ) from None
        return
    try:
        from distributed import Client
    except ImportError:
        raise UsageError(
            "--scheduler needs Dask.", "Install it with `pip install 'bot-connect-four[scale]'`."
        ) from None
    try:
        client = Client(scheduler, timeout=10)
    except (OSError, ValueError):
        raise NetworkError(f"No Dask scheduler answers at {scheduler}.", "Check the address.") from None
    with client:
        yield client.get_executor(pure=False)


def _end_with_parent() -> None:
    """End this worker when its parent is gone: a parent killed outright leaves its workers waiting for ever."""
    parent = multiprocessing.parent_process()

    def follow() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=follow, daemon=True).start()
