"""The engine: compiled kernels, the book, how fast this machine solves and how punctual it is."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bot.doctor.check_result import CheckResult, error, ok, warning
from bot.errors import ExitCode, UsageError

SLOW_COMPILING_S = 30.0
SLOW_LOADING_S = 3.0
FEW_NODES = 2_000_000
"""Nodes a second below which the solver leaves more openings to the search."""
CAP_S = 0.3
KEPT_BACK_S = 0.35
"""What `bot.play.clock` keeps back of every move for all that is measured here."""

POSITIONS = (
    ("41751266515", -4), ("614767242476", -3), ("5624745116422", -2), ("61411661712", -4),
    ("763225731263", -1), ("5221335711166", 0), ("17117653653", -2), ("136137226212", -3),
    ("3552257723775", -3), ("72165147276", 0), ("537317772371", -3), ("2216571753112", -2),
    ("3533144124344", 5), ("6555221665711", 6), ("543673222142551", 2), ("6625415511357", 4),
)  # fmt: skip
"""Positions at plies 11 to 15 with their exact scores, on which BitBully 0.0.79 agrees."""


def check_cache() -> Iterator[CheckResult]:
    """Where compiled kernels lie, whether they can, and how large they are."""
    from bot.kernels import jit

    wanted = os.environ.get("NUMBA_CACHE_DIR") or "the user's cache directory"
    if jit.numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        yield error("cache", "NUMBA_DISABLE_JIT is set: the engine is hundreds of times slower.", "Unset it.")
    elif jit.CACHE is None:
        yield warning(
            "cache",
            f"No cache folder can be written ({wanted}): the engine is compiled anew in every run.",
            "Set NUMBA_CACHE_DIR to a folder that can be written.",
        )
    else:
        size = sum(path.stat().st_size for path in jit.CACHE.rglob("*") if path.is_file())
        content = "nothing compiled yet" if jit.is_cold() else f"{size / 1e6:.1f} MB, compiled"
        yield ok("cache", f"{jit.CACHE}, writable, {content}")


def check_compiling(anew: bool) -> Iterator[CheckResult]:
    """How long it takes until the engine is ready; ``anew`` compiles in a fresh folder in any case."""
    from bot.agents import make_agent
    from bot.engine.warmup import warm_up
    from bot.kernels import jit

    if jit.numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        return
    before = _compiled(jit.CACHE)
    ready_s = warm_up(make_agent("perfect"))
    if jit.CACHE is not None and _compiled(jit.CACHE) == before:
        text = f"the engine was ready in {ready_s:.1f} s, from the cache"
        if ready_s > SLOW_LOADING_S:
            yield warning("loading", text, "Put the cache on a faster disk (NUMBA_CACHE_DIR), or end other programs.")
        else:
            yield ok("loading", text)
        if not anew:
            return
        ready_s = _compile_anew()
    text = f"the engine was compiled and ready in {ready_s:.1f} s"
    if ready_s > SLOW_COMPILING_S:
        yield warning("compiling", text, "End other programs; it happens once for each version of the bot.")
    else:
        yield ok("compiling", text)


def _compiled(cache: Path | None) -> int:
    """How many pieces of machine code lie in the cache; other programs may have left only a part of the engine."""
    return 0 if cache is None else sum(1 for _ in cache.rglob("*.nbc"))


def _compile_anew() -> float:
    """Seconds that a new process takes to make the engine ready in an empty cache folder."""
    script = "from bot.agents import make_agent; from bot.engine.warmup import warm_up; warm_up(make_agent('perfect'))"
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "NUMBA_CACHE_DIR": folder},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
            raise UsageError(f"Compiling in a fresh folder failed: {last}.", "Install numba again.")
        return time.perf_counter() - start


def check_solver() -> Iterator[CheckResult]:
    """Nodes per second, and whether every score is right."""
    from bot.engine.solver import Solver
    from bot.game import Board, parse_moves
    from bot.kernels import jit

    if jit.numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        return
    solver = Solver()
    solver.warm_up()
    nodes, seconds, wrong = 0, 0.0, []
    for moves, score in POSITIONS:
        board = Board.from_moves(parse_moves(moves))
        told = solver.solve(board)
        nodes, seconds = nodes + told.nodes, seconds + told.seconds
        if told.score != score:
            wrong.append(f"{moves} is worth {score:+d}, not {told.score}")
    rate = nodes / seconds
    text = f"{rate / 1e6:.1f} million nodes a second; {len(POSITIONS)} positions solved in {seconds:.2f} s"
    if wrong:
        next_step = "Delete the cache folder named above and run the doctor again."
        yield error("solver", f"The solver computes wrong scores: {'; '.join(wrong)}.", next_step, ExitCode.BUG)
    elif rate < FEW_NODES:
        yield warning("solver", text, "End other programs: below 2 million the search must decide more openings.")
    else:
        yield ok("solver", f"{text}, all scores right")


def check_time(limit_s: float, folder: Path) -> Iterator[CheckResult]:
    """Whether moves come in time here.

    The rule: the engine may think until 0.35 s before the limit. Searches that are cut off must come back, and a
    journal record must reach the disk, within those 0.35 s together; within half of them it is safe.
    """
    from bot.kernels import jit

    if jit.numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        return
    late_s, record_s = max(_overrun_s() for _ in range(3)), _slowest_record_s(folder)
    used_s = late_s + record_s
    text = (
        f"a search that is cut off ends {_ms(late_s)} after its cap, a journal record takes {_ms(record_s)}: "
        f"{_ms(used_s)} of the {_ms(KEPT_BACK_S)} kept back of every move"
    )
    if used_s >= KEPT_BACK_S:
        yield error("time", f"{limit_s:g} s a move are not safe here: {text}.", "End other programs, or use --logs.")
    elif used_s > KEPT_BACK_S / 2:
        yield warning("time", f"{limit_s:g} s a move are just safe: {text}", "End other programs before you play.")
    else:
        yield ok("time", f"{limit_s:g} s a move are safe: {text}")


def _overrun_s() -> float:
    """How long after its cap the slower of solver and search comes back, on a position that neither finishes."""
    from bot.agent_types import Limit
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
    """The slowest of some records written and forced to the disk in ``folder``."""
    slowest_s = 0.0
    with tempfile.TemporaryFile(dir=folder) as file:
        for _ in range(10):
            start = time.perf_counter()
            file.write(b"." * 300)
            file.flush()
            os.fsync(file.fileno())
            slowest_s = max(slowest_s, time.perf_counter() - start)
    return slowest_s


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms" if seconds < 0.01 else f"{seconds * 1000:.0f} ms"


def check_book() -> Iterator[CheckResult]:
    """Whether the book is there, whole, and knows how the game ends."""
    from bot.engine.book.lookup import Book
    from bot.game import Board

    start = time.perf_counter()
    try:
        book = Book.load()
    except OSError:
        yield warning(
            "book",
            "No opening book is installed: the first moves are searched, not known.",
            "Build one (bot book build --out bot/engine/book/data/book.bin), or install a package that carries it.",
        )
        return
    took_s = time.perf_counter() - start
    if book.score(Board()) != 1:
        text = f"The book says {book.score(Board())} of the empty board, but the first player wins with +1."
        yield error("book", text, "Check it with `bot book check`, and install the package again.", ExitCode.BUG)
        return
    positions = f"{len(book.keys):,} positions up to ply {book.plies}"
    yield ok("book", f"{positions}, checksum right, loaded in {_ms(took_s)}")
