"""`bot doctor`: is everything in order on this machine?

It says what no error message says: how fast the engine is here and whether its scores are right, and whether moves
arrive in time. `bot streak` shows what settings and server are, `bot replay FILE --verify` whether a journal is right.
"""

from __future__ import annotations

import os
import platform
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer
from typer import Exit, colors, style

from bot.cli.formatting import duration, echo, fitted, print_json
from bot.cli.options import AsJson, Logs
from bot.cli.output import as_bot_error
from bot.errors import BotError, ExitCode, UsageError
from bot.files import check_folder
from bot.game.notation import with_count

FEW_NODES = 2_000_000
"""Nodes per second below which the solver leaves more openings to the search."""
CAP_S = 0.3
"""Time limit of the measured searches, seconds."""
KEPT_BACK_S = 0.35
"""Reserve of every move for what is measured here, seconds; a session subtracts it from the time limit."""
POSITIONS = (("17117653653", -2), ("614767242476", -3), ("72165147276", 0), ("6555221665711", 6))
"""Positions at plies 11 to 13 with their exact scores, on which BitBully 0.0.79 agrees; 0.15 s in all."""
Found = tuple[str, str]
"""What a check says, and what to do about it in one sentence: empty where nothing needs to be done."""


def doctor(
    logs: Logs = Path("logs"),
    as_json: AsJson = False,
) -> None:
    """Check engine and speed.

    What is not in order has a next step. Nothing is changed and nothing is sent: whether a server answers, bot streak
    says. --json prints a list of objects.

    Exit code 0: no errors; otherwise that of the first error.

    \b
    Examples:
      bot doctor                                   this machine
    """
    from bot.cli.progress import ProgressLine

    found: list[CheckResult] = []
    with ProgressLine("Checking") as line:
        for result in examine(logs):
            found.append(result)
            if not as_json:
                line.clear()
                _show(result)
    states = [result.state for result in found]
    if as_json:
        print_json([{"name": one.name, "state": one.state, "text": one.text, "next": one.next_step} for one in found])
    else:
        numbers = [with_count(states.count(state), state, "no") for state in ("error", "warning")]
        echo(f"{', '.join(numbers)}.")
    if "error" in states:
        raise Exit(found[states.index("error")].exit_code)


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One line of the report."""

    name: str
    text: str
    next_step: str = ""
    """What to do, in one sentence; empty where nothing needs to be done."""
    exit_code: ExitCode = ExitCode.DONE
    """Exit code of the process when this is the first error."""

    @property
    def state(self) -> str:
        """ "ok", "warning" (it works, with a drawback) or "error" (a function of the bot does not work)."""
        if self.exit_code:
            return "error"
        return "warning" if self.next_step else "ok"


def _show(result: CheckResult) -> None:
    colour = {"ok": colors.GREEN, "warning": colors.YELLOW, "error": colors.RED}
    line = fitted(f"{result.state:8} {result.name:11} {result.text}", sys.stdout, hang=21)
    typer.echo(style(line[:8], fg=colour[result.state]) + line[8:])
    if result.next_step:
        echo(f"{'':20} -> {result.next_step}")


def examine(logs: Path) -> Iterator[CheckResult]:
    """Yield all results as they are found; a few seconds in all once the engine is compiled."""
    from bot import __version__

    python = f"{platform.python_implementation()} {platform.python_version()}"
    yield CheckResult("python", f"{python}, bot {__version__} on {platform.system()}")
    yield checked("engine", check_engine)
    yield checked("time", check_time, logs)


def checked(name: str, check: Callable[..., Found], *given: Any) -> CheckResult:
    """Return the result of a check of ``given``. What it raises is an error, so that the other checks still run."""
    try:
        return CheckResult(name, *check(*given))
    except Exception as error:
        problem = as_bot_error(error)
        next_step = problem.hint or "Run the command that needs it with -v."
        return CheckResult(name, problem.message, next_step, problem.exit_code)


def check_engine() -> Found:
    """Measure the time until the engine is ready and its nodes per second, and check the scores of some positions."""
    from bot.engine.jit import compiling
    from bot.engine.perfect import shipped_book
    from bot.game import Board, parse_moves

    place = f"in {compiling.CACHE}" if compiling.CACHE else "but not kept, as no cache folder is writable"
    book = "with" if shipped_book() else "without"
    start = time.perf_counter()
    from bot.engine.solver import Solver

    solver = Solver()
    solver.warm_up()
    ready = f"loaded in {time.perf_counter() - start:.1f} s, {place}, {book} the opening book"
    nodes, seconds, wrong = 0, 0.0, []
    for moves, score in POSITIONS:
        solved = solver.solve(Board.from_moves(parse_moves(moves)))
        nodes, seconds = nodes + solved.nodes, seconds + solved.seconds
        if solved.score != score:
            wrong.append(f"{moves} has the score {score:+d}, not {solved.score}")
    if wrong:
        next_step = f"Delete the cache folder {compiling.CACHE} and run the doctor again."
        raise BotError(f"The solver computes wrong scores: {'; '.join(wrong)}.", next_step)
    text = f"{ready}; {nodes / seconds / 1e6:.1f} million nodes per second"
    if nodes / seconds < FEW_NODES:
        return text, "End other programs before you play: at this speed, more early moves are estimates, not proven."
    return f"{text}, the scores of {len(POSITIONS)} positions are right", ""


def check_time(logs: Path) -> Found:
    """Check that moves arrive in time.

    The engine may search until 0.35 s before the time limit. Within those 0.35 s a search that is cut off must return
    and a journal record must reach the disk. Using at most half of them counts as safe.
    """
    check_folder(logs, "--logs")
    folder = next(each for each in (logs.absolute(), *logs.absolute().parents) if each.is_dir())
    late_s, record_s = max(_overrun_s() for _ in range(3)), _slowest_record_s(folder)
    used_s = late_s + record_s
    text = (
        f"a search that is cut off ends {duration(late_s)} after its cap, a journal record takes {duration(record_s)}: "
        f"{duration(used_s)} of the reserve of {duration(KEPT_BACK_S)} per move"
    )
    if used_s <= KEPT_BACK_S / 2:
        return f"5 s per move are safe: {text}", ""
    next_step = "Choose a --logs folder on a faster disk."
    if late_s >= record_s:
        next_step = "End other programs before you play."
    if used_s < KEPT_BACK_S:
        return f"5 s per move are barely safe: {text}", next_step
    raise UsageError(f"5 s per move are not safe here: {text}.", next_step)


def _overrun_s() -> float:
    """Return the seconds by which a search exceeds its limit, on a position that it cannot finish."""
    from bot.engine.agent import Limit
    from bot.engine.timed import TimedSearch
    from bot.game import Board

    start = time.perf_counter()
    TimedSearch("mtdf").choose(Board.from_moves([3]), Limit(hard_s=CAP_S, think_s=CAP_S))
    return max(0.0, time.perf_counter() - start - CAP_S)


def _slowest_record_s(folder: Path) -> float:
    """Return the time of the slowest of ten records written and synchronised to the disk in ``folder``, seconds."""
    import tempfile

    slowest_s = 0.0
    with tempfile.TemporaryFile(dir=folder) as file:
        for _ in range(10):
            start = time.perf_counter()
            file.write(b"." * 300)
            file.flush()
            os.fsync(file.fileno())
            slowest_s = max(slowest_s, time.perf_counter() - start)
    return slowest_s
