"""Checks of the engine: compiled kernels, the book, the solver's speed and the time that a move takes."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bot.cli.checks.check_result import CheckResult, error, ok, warning
from bot.cli.formatting import duration
from bot.errors import ExitCode

FEW_NODES = 2_000_000
"""Nodes per second below which the solver leaves more openings to the search."""
LIMIT_S = 5.0
"""The course's time limit of a move, seconds."""
CAP_S = 0.3
"""Time limit of the measured searches, seconds."""
KEPT_BACK_S = 0.35
"""Reserve of every move for what is measured here, seconds; `MoveClock` subtracts it from the time limit."""

POSITIONS = (("17117653653", -2), ("614767242476", -3), ("72165147276", 0), ("6555221665711", 6))
"""Positions at plies 11 to 13 with their exact scores, on which BitBully 0.0.79 agrees; 0.15 s in all."""


def check_cache() -> Iterator[CheckResult]:
    """Check the folder of the compiled kernels: its place, its size, whether it can be written."""
    from bot.engine.jit import compiling

    wanted = os.environ.get("NUMBA_CACHE_DIR") or "the user's cache directory"
    if compiling.CACHE is None:
        yield warning(
            "cache",
            f"No cache folder can be written ({wanted}): the engine is compiled in every run.",
            "Set NUMBA_CACHE_DIR to a folder that can be written, or correct XDG_CACHE_HOME, the user's directory.",
        )
    else:
        size = sum(path.stat().st_size for path in compiling.CACHE.rglob("*") if path.is_file())
        content = "nothing compiled yet" if compiling.is_cold() else f"{size / 1e6:.1f} MB, compiled"
        yield ok("cache", f"{compiling.CACHE}, writable, {content}")


def check_engine() -> Iterator[CheckResult]:
    """Measure the time until the engine is ready and its nodes per second, and check the scores of some positions."""
    from bot.agents.catalogue import make_agent
    from bot.engine.jit import compiling
    from bot.engine.warmup import warm_up
    from bot.game import Board, parse_moves

    how = "compiled" if compiling.is_cold() else "loaded from the cache"
    ready = f"{how} in {warm_up(make_agent('perfect')):.1f} s"
    from bot.engine.solver import Solver  # loads kernels: not before the time is taken

    solver = Solver()
    solver.warm_up()
    nodes, seconds, wrong = 0, 0.0, []
    for moves, score in POSITIONS:
        board = Board.from_moves(parse_moves(moves))
        solved = solver.solve(board)
        nodes, seconds = nodes + solved.nodes, seconds + solved.seconds
        if solved.score != score:
            wrong.append(f"{moves} has the score {score:+d}, not {solved.score}")
    rate = nodes / seconds
    text = f"{ready}; {rate / 1e6:.1f} million nodes per second"
    if wrong:
        next_step = "Delete the cache folder named above and run the doctor again."
        yield error("engine", f"The solver computes wrong scores: {'; '.join(wrong)}.", next_step, ExitCode.BUG)
    elif rate < FEW_NODES:
        next_step = "End other programs before you play: at this speed, more early moves are estimates, not proven."
        yield warning("engine", text, next_step)
    else:
        yield ok("engine", f"{text}, the scores of {len(POSITIONS)} positions are right")


def check_time(folder: Path) -> Iterator[CheckResult]:
    """Check that moves arrive in time.

    The engine may search until 0.35 s before the time limit. Within those 0.35 s a search that is cut off must return
    and a journal record must reach the disk. Using at most half of them counts as safe.
    """
    late_s, record_s = max(_overrun_s() for _ in range(3)), _slowest_record_s(folder)
    used_s = late_s + record_s
    next_step = "Choose a --logs folder on a faster disk."
    if late_s >= record_s:
        next_step = "End other programs before you play."
    text = (
        f"a search that is cut off ends {duration(late_s)} after its cap, a journal record takes {duration(record_s)}: "
        f"{duration(used_s)} of the reserve of {duration(KEPT_BACK_S)} per move"
    )
    if used_s >= KEPT_BACK_S:
        yield error("time", f"{LIMIT_S:g} s per move are not safe here: {text}.", next_step)
    elif used_s > KEPT_BACK_S / 2:
        yield warning("time", f"{LIMIT_S:g} s per move are barely safe: {text}", next_step)
    else:
        yield ok("time", f"{LIMIT_S:g} s per move are safe: {text}")


def _overrun_s() -> float:
    """Return the seconds by which the slower of solver and search exceeds its limit, on a position neither finishes."""
    from bot.engine.agent import Limit
    from bot.engine.solver import Solver
    from bot.engine.timed import TimedSearch
    from bot.game import Board

    board = Board.from_moves([3])
    start = time.perf_counter()
    Solver().solve(board, deadline_s=CAP_S)
    solver_s = time.perf_counter() - start
    start = time.perf_counter()
    TimedSearch("mtdf").choose(board, Limit(hard_s=CAP_S, think_s=CAP_S))
    return max(0.0, max(solver_s, time.perf_counter() - start) - CAP_S)


def _slowest_record_s(folder: Path) -> float:
    """Return the time of the slowest of ten records written and synchronised to the disk in ``folder``, seconds."""
    slowest_s = 0.0
    with tempfile.TemporaryFile(dir=folder) as file:
        for _ in range(10):
            start = time.perf_counter()
            file.write(b"." * 300)
            file.flush()
            os.fsync(file.fileno())
            slowest_s = max(slowest_s, time.perf_counter() - start)
    return slowest_s


def check_book() -> Iterator[CheckResult]:
    """Check that the book exists, is undamaged and has the right score of the empty board."""
    from bot.engine.book.lookup import Book
    from bot.game import Board

    again = "Check it with `bot book check`, and install the package again."
    try:
        book = Book.load()
    except OSError:
        yield warning("book", "No opening book is installed: the first moves are searched.", again)
        return
    score = book.score(Board())
    if score == 1:
        yield ok("book", f"{len(book.keys):,} positions up to ply {book.plies}, checksum right")
    else:
        text = f"The book gives the empty board the score {score}, but the first player wins with +1."
        yield error("book", text, again, ExitCode.BUG)
