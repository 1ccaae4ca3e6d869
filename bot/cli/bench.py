"""`bot bench solver`: the speed of the exact solver."""

from __future__ import annotations

import time
from contextlib import closing, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from typer import Exit, Typer

from bot.cli.formatting import echo, print_json, print_table
from bot.cli.options import AsJson, Seed, Threads, flag, option, seconds
from bot.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from bot.trials.bench.positions import BenchPosition

bench = Typer(help="Measure the solver.", no_args_is_help=True)

TITLES = {"exact": "exact", "weak": "win/draw/loss"}
_TABLE_MB = 4
"""Size of our table."""


@bench.command()
def solver(
    plies: Annotated[str, option("PLIES", "Plies of random positions, such as 8,12 or 8-12.")] = "8,12,16,20,24,28",
    positions: Annotated[
        int | None, option("N", "Positions per ply (20 by default), or of each file (all by default).", min=1)
    ] = None,
    seed: Seed = 1,
    file: Annotated[
        list[Path] | None, option("FILE", "File of positions: moves, a space, the exact score per line. Repeatable.")
    ] = None,
    peer: Annotated[
        str | None,
        option(
            "command:PATH",
            "Another solver on the same positions: a program that speaks the protocol of bot/trials/bench/README.md.",
        ),
    ] = None,
    peer_wait: Annotated[float, seconds("Longest wait for an answer of PATH.", min=0.01)] = 300.0,
    ask: Annotated[
        Literal["both", "exact", "weak"], option("NAME", "exact, weak (only win, draw or loss) or both.")
    ] = "both",
    threads: Threads = 1,
    cpu_time: Annotated[
        bool, flag("--cpu-time", "Measure processor time, not elapsed time: for a busy machine.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Time the exact solver: no book, an empty table for every position.

    The ratio is the peer's total time divided by ours: above 1 we are faster. Beside it stands its 95 % interval over
    the positions. Emptying our table is part of our time; the last line says what holds for the peer. Just before each
    measurement the solver solves one fixed late position, because emptying the other table flushed the processor's
    caches. A peer measures its own processor time, so ours is processor time too.

    Exit code 0: every value is right; 1: a value contradicts the file's score, the peer, or our own other answer.

    \b
    Examples:
      bot bench solver                             20 random positions for each of six plies
      bot bench solver --file positions.txt --ask exact
      bot bench solver --peer "command:python adapter.py"   beside another solver
    """
    from bot.cli.progress import progress
    from bot.trials.bench.ours import Ours
    from bot.trials.bench.peer import COMMAND, CommandPeer
    from bot.trials.bench.solver import row_of, trials

    if peer is not None and not peer.startswith(COMMAND):
        raise UsageError(f"There is no peer called {peer!r}.", f"Write --peer {COMMAND}PATH.")
    sets = _sets(plies, positions, seed, file or [])
    clock = time.process_time if cpu_time or peer is not None else time.perf_counter
    ours = Ours(_TABLE_MB, threads, clock)
    questions = ("exact", "weak") if ask == "both" else (ask,)
    rows = []
    opened = nullcontext() if peer is None else closing(CommandPeer(peer.removeprefix(COMMAND), peer_wait))
    with opened as other:
        for name, chosen in sets.items():
            done = []
            with progress(name, len(chosen)) as solved:
                for trial in trials(chosen, ours, other, questions):
                    done.append(trial)
                    solved.advance()
            rows.append(row_of(name, done))
    clearing = [] if other is None else [ours.clearing, other.clearing]
    if as_json:
        print_json({"peer": None if other is None else other.name, "clearing": clearing, "rows": rows})
    else:
        _show_solver(rows, questions, has_peer=other is not None)
        for sentence in clearing:
            echo(sentence)
    if any(row["wrong"] for row in rows):
        raise Exit(ExitCode.BUG)


def _sets(plies: str, count: int | None, seed: int, files: list[Path]) -> dict[str, list[BenchPosition]]:
    """Return the positions by the name of their row."""
    from bot.trials.bench.positions import random_positions, read_positions

    if files:
        return {path.name: read_positions(path, count) for path in files}
    return {f"ply {ply}": random_positions(ply, count or 20, seed) for ply in _parse_plies(plies)}


def _parse_plies(text: str) -> list[int]:
    """Return [8, 10, 11, 12] for "8,10-12"."""
    from bot.trials.bench.positions import LAST_PLY

    chosen: list[int] = []
    for part in text.split(","):
        ends = part.strip().split("-", maxsplit=1)
        if not all(map(str.isdecimal, ends)):
            raise UsageError(f"{part!r} is not a ply.", "Write plies as 8,12,16 or 8-12.")
        chosen += range(int(ends[0]), int(ends[-1]) + 1)
    if not chosen or max(chosen) > LAST_PLY:
        raise UsageError(f"{text!r} includes plies without unfinished positions.", f"Choose from 0 to {LAST_PLY}.")
    return chosen


def _show_solver(rows: list[dict[str, Any]], questions: tuple[str, ...], *, has_peer: bool) -> None:
    head = ["", "positions", "nodes", "Mnodes/s", "mean ms", "median ms", "99 % ms", "worst ms"]
    if has_peer:
        head += ["peer ms", "ratio", "95 %"]
    lines = [[*head, "wrong"]]
    for row in rows:
        for question in questions:
            found = {key.removeprefix(f"{question}_"): value for key, value in row.items()}
            cells = [f"{found['name']}  {TITLES[question]}", found["positions"], found["nodes"]]
            cells.append(f"{found['nodes_per_s'] / 1e6:.2f}")
            cells += [f"{found[key] * 1000:.3f}" for key in ("mean_s", "median_s", "p99_s", "worst_s")]
            if has_peer:
                cells += _peer_cells(found)
            lines.append([*cells, found["wrong"]])
    print_table(lines)
    for row in rows:
        for moves in row["wrong_positions"]:
            echo(f"wrong: {row['name']}: {moves}")


def _peer_cells(found: dict[str, Any]) -> list[str]:
    """Return the peer's time per position, how many times faster we are, and the interval of that ratio."""
    low, high = found["ratio_low"], found["ratio_high"]
    interval = "" if low is None else f"{low:.2f}-{high:.2f}x"
    return [f"{found['peer_s'] / found['positions'] * 1000:.3f}", f"{found['ratio']:.2f}x", interval]
