"""Building the opening book: every position of its deepest ply is solved once, in pieces; a killed build resumes.

A task is a tuple of keys, a result their scores; nothing else is shared, so the same tasks run in a process pool or on
a Dask cluster. Finished pieces are appended to a text file beside the output, one "key score" a line, each with fsync.
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

from bot.engine.book.lookup import Book, board_of_key, book_key, complete, unfinished_layers
from bot.engine.score import HIGHEST, LOWEST
from bot.errors import BotError, NetworkError, UsageError

PIECE = 64
"""Positions in a task: about half a minute at ply 8, the most that a kill can lose in one process."""

Report = Callable[[int, int], None]
"""Called after every piece with the number of solved positions and of all positions."""


Task = tuple[tuple[int, int], ...]
"""Pairs of a book key and a lower bound of its score."""


def solve_piece(task: Task, threads: int = 1) -> list[int]:
    """Return the exact scores of these book keys.

    They share one table, because positions with close keys lead to the same later positions.
    """
    from bot.engine.solver import Solver

    solver = Solver(threads=threads)
    scores: list[int] = []
    for number, (key, least) in enumerate(task):
        board = board_of_key(key)
        guess = least if least > LOWEST else scores[-1] if scores else 0
        solved = solver.solve(board, window=(least, HIGHEST), guess=guess, keep=number > 0)
        scores.append(max(solved.lower, least))
    return scores


def build(
    plies: int,
    out: Path,
    workers: int,
    scheduler: str | None = None,
    report: Report | None = None,
    shallower: Book | None = None,
    threads: int = 1,
) -> Book:
    """Build the book down to ``plies``, write it to ``out`` and return it; resume an earlier build where it stopped.

    ``threads`` search each position together. A further worker gains more than a further thread, while there are more
    positions than workers.

    A finished book of one ply less gives a lower bound of every score: no reply to a position scores less than the
    negative of that position's score. Raises UsageError when the pieces beside ``out``, or the shallower book, belong
    to another book.
    """
    layers = list(unfinished_layers(plies))
    layer = layers[plies]
    least = {} if shallower is None else least_scores(layers[plies - 1], shallower, plies)
    pieces = out.with_name(out.name + f".ply{plies}")
    known = read_pieces(pieces, layer)
    todo = [(key, least.get(key, LOWEST)) for key in layer if key not in known]
    tasks = [tuple(todo[start : start + PIECE]) for start in range(0, len(todo), PIECE)]
    notify = report or (lambda _done, _total: None)
    notify(len(known), len(layer))
    if tasks:
        with executor(workers, scheduler) as pool, pieces.open("a") as sink:
            for task, scores in _results(pool, tasks, 2 * max(1, workers), threads):
                found = {key: score for (key, _), score in zip(task, scores, strict=True)}
                sink.writelines(f"{key} {score}\n" for key, score in found.items())
                sink.flush()
                os.fsync(sink.fileno())
                known.update(found)
                notify(len(known), len(layer))
    book = complete(known, plies)
    out.write_bytes(book.to_bytes())
    return book


def least_scores(parents: Sequence[int], shallower: Book, plies: int) -> dict[int, int]:
    """Return a lower bound of each child's score from the scores of its parents, one ply before ``plies``."""
    if shallower.plies != plies - 1:
        raise UsageError(f"The book to extend ends at ply {shallower.plies}, not {plies - 1}.")
    least: dict[int, int] = {}
    for key in parents:
        board = board_of_key(key)
        score = shallower.score(board)
        assert score is not None
        for column in board.legal_columns():
            child = book_key(board.play(column))
            least[child] = max(least.get(child, LOWEST), -score)
    return least


def read_pieces(path: Path, layer: Sequence[int]) -> dict[int, int]:
    """Return the scores by key of an earlier build; an incomplete last line is removed, in the file too."""
    if not path.exists():
        return {}
    content = path.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    known = {}
    try:
        for line in whole.split(b"\n")[:-1]:
            key, _, score = line.partition(b" ")
            known[int(key)] = int(score)
        int(content[len(whole) :].partition(b" ")[0] or b"0")  # of a torn line
    except ValueError:
        raise UsageError(f"{path} holds no pieces of a book.", "Move it away, or choose another --out.") from None
    if not known.keys() <= set(layer):
        raise UsageError(f"{path} contains positions of another book.", "Move it away, or choose another --out.")
    if whole != content:
        path.write_bytes(whole)
    return known


def _results(pool: Executor, tasks: Sequence[Task], ahead: int, threads: int) -> Iterator[tuple[Task, list[int]]]:
    """Yield tasks with their results as they finish; at most ``ahead`` are under way."""
    waiting: dict[Future[list[int]], Task] = {}
    remaining = iter(tasks)
    for keys in remaining:
        waiting[pool.submit(solve_piece, keys, threads)] = keys
        if len(waiting) >= ahead:
            break
    while waiting:
        done, _ = wait(waiting, return_when=FIRST_COMPLETED)
        for future in done:
            yield waiting.pop(future), future.result()
            keys_next = next(remaining, None)
            if keys_next is not None:
                waiting[pool.submit(solve_piece, keys_next, threads)] = keys_next


@contextmanager
def executor(workers: int, scheduler: str | None) -> Iterator[Executor]:
    """Provide a process pool on this machine, or the executor of a Dask cluster.

    Raises UsageError where Dask is not installed, NetworkError where no scheduler answers, BotError when a worker is
    killed.
    """
    if scheduler is None:
        try:
            with ProcessPoolExecutor(workers, initializer=_end_with_parent) as pool:
                yield pool
        except BrokenProcessPool:
            raise BotError(
                "A worker process was killed, perhaps because the memory was full.",
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
    """End this worker when its parent ends, because the workers of a killed parent would wait for ever."""
    parent = multiprocessing.parent_process()

    def follow() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=follow, daemon=True).start()
