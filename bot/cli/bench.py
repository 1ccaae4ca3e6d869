"""`bot bench`: how fast the solver and the engine are."""

from __future__ import annotations

import json
import time
from dataclasses import asdict
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from rich.progress import Progress

    from bot.bench.positions import Position

bench = typer.Typer(help="Measure the solver and the engine.", no_args_is_help=True)

PLIES = "8,12,16,20,24,28"
QUESTIONS = {"both": ("exact", "weak"), "exact": ("exact",), "weak": ("weak",)}
TITLES = {"exact": "exact", "weak": "win/draw/loss"}


@bench.command()
def solver(
    plies: Annotated[str, typer.Option(help="Plies of random positions, such as 8,12 or 8-12.")] = PLIES,
    positions: Annotated[
        int | None, typer.Option(help="Positions a ply (20 by default), or of each file (all by default).", min=1)
    ] = None,
    seed: Annotated[int, typer.Option(help="Chooses the random positions.")] = 1,
    file: Annotated[
        list[Path] | None,
        typer.Option(help="Positions of a file instead: moves, a space, the exact score, one a line. Repeatable."),
    ] = None,
    peer: Annotated[
        str | None, typer.Option(help="Another solver on the same positions: bitbully (extra: peer).")
    ] = None,
    ask: Annotated[str, typer.Option(help="exact, weak (win, draw or loss alone) or both.")] = "both",
    table_mb: Annotated[int, typer.Option("--table-mb", help="Size of our table in MB.", min=1, max=4096)] = 4,
    cpu_time: Annotated[
        bool, typer.Option("--cpu-time", help="Measure processor time, not elapsed time: for a busy machine.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Time the exact solver: one thread, no book, a cold table for every position.

    Emptying our table counts as our time; emptying BitBully's, some 40 ms, is left
    out of its time. Just before each timed answer the solver answers one fixed late
    position untimed, since the other's clearing has flushed the processor's caches.

    The ratio is the peer's total time divided by ours: above 1 we are faster.

    Exit code 0: every value is right; 1: a value contradicts the file's score, the
    peer, or our own other answer.
    """
    if ask not in QUESTIONS:
        raise UsageError(f"There is nothing called {ask!r} to ask for.", f"Choose one of: {', '.join(QUESTIONS)}.")
    from bot.bench.solver import row_of, trials
    from bot.bench.solvers import Ours, peer_called

    sets = _sets(plies, positions, seed, file or [])
    other = None if peer is None else peer_called(peer)
    ours = Ours(table_mb)
    clock = time.thread_time if cpu_time else time.perf_counter
    rows = []
    with _progress() as bar:
        for name, chosen in sets.items():
            task = bar.add_task(name, total=len(chosen))
            done = []
            for trial in trials(chosen, ours, other, QUESTIONS[ask], clock):
                done.append(trial)
                bar.advance(task)
                bar.refresh()
            rows.append(row_of(name, done))
    if as_json:
        typer.echo(json.dumps({"peer": peer, "rows": rows}))
    else:
        _show_solver(rows, QUESTIONS[ask], peer)
    if any(row["wrong"] for row in rows):
        raise typer.Exit(ExitCode.BUG)


def _sets(plies: str, count: int | None, seed: int, files: list[Path]) -> dict[str, list[Position]]:
    """The positions by the name of their row."""
    from bot.bench.positions import random_positions, read_positions

    if files:
        return {path.name: read_positions(path, count) for path in files}
    return {f"ply {ply}": random_positions(ply, count or 20, seed) for ply in _parse_plies(plies)}


def _parse_plies(text: str) -> list[int]:
    """[8, 10, 11, 12] of "8,10-12"."""
    from bot.bench.positions import LAST_PLY

    chosen: list[int] = []
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()):
            raise UsageError(f"{part!r} is no ply.", "Write plies as 8,12,16 or 8-12.")
        chosen += range(int(first), int(last if dash else first) + 1)
    if not chosen or max(chosen) > LAST_PLY:
        raise UsageError(f"{text!r} are no plies of unfinished positions.", f"Choose from 0 to {LAST_PLY}.")
    return chosen


def _show_solver(rows: list[dict[str, Any]], questions: tuple[str, ...], peer: str | None) -> None:
    width = max(len(str(row["name"])) for row in rows)
    peers = f"  {peer:>9} ms   ratio" if peer else ""
    times = "    mean ms  median ms    99 % ms   worst ms"
    typer.echo(f"{'':{width}}  {'':13}  positions        nodes  Mnodes/s{times}{peers}  wrong")
    for row in rows:
        for question in questions:
            number = {key.removeprefix(f"{question}_"): value for key, value in row.items()}
            times = "  ".join(f"{number[key] * 1000:9.3f}" for key in ("mean_s", "median_s", "p99_s", "worst_s"))
            against = f"  {number['peer_s'] / row['positions'] * 1000:12.3f}  {number['ratio']:5.2f}x" if peer else ""
            typer.echo(
                f"{row['name']:{width}}  {TITLES[question]:13}  {row['positions']:9}  {number['nodes']:11}  "
                f"{number['nodes_per_s'] / 1e6:8.2f}  {times}{against}  {row['wrong']:5}"
            )
    for row in rows:
        for moves in row["wrong_positions"]:
            typer.echo(f"wrong: {row['name']}: {moves}")


@bench.command()
def engine(
    engine: Annotated[str, typer.Option(help="The engine to measure.")] = "perfect",
    opponent: Annotated[str, typer.Option(help="What it plays against.")] = "depth3",
    games: Annotated[int, typer.Option(help="Games; the engine moves first in every other one.", min=1)] = 20,
    seed: Annotated[int, typer.Option(help="Seed of the random positions and of the agents' chance.")] = 1,
    time_limit: Annotated[float, typer.Option(help="Seconds that a move may take.", min=0.01)] = 5.0,
    think: Annotated[float, typer.Option(help="Seconds that an engine without a fixed depth aims at.", min=0.0)] = 0.2,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Play an engine from random positions (0 to 20 plies) to the end and show its move times.

    Everything is compiled before the first move. The engine keeps what it remembers
    from game to game, as in `play`.
    """
    from bot.agent import Limit
    from bot.agents import make_agent
    from bot.bench.engine import move_times, rows_of
    from bot.engine.warmup import warm_up

    ours, other = make_agent(engine, seed=seed), make_agent(opponent, seed=seed)
    warm_up_s = warm_up(ours, other)
    times = []
    with _progress() as bar:
        task = bar.add_task("games", total=games)
        for game in move_times(ours, other, games, seed, Limit(hard_s=time_limit, think_s=think)):
            times += game
            bar.advance(task)
            bar.refresh()
    rows = rows_of(times)
    if as_json:
        told = {"engine": engine, "opponent": opponent, "games": games, "seed": seed, "warm_up_s": warm_up_s}
        typer.echo(json.dumps({**told, "rows": rows}))
        return
    typer.echo(f"{engine} against {opponent}, {games} games; ready after {warm_up_s:.2f} s")
    typer.echo(f"{'':10}  moves  median ms      95 %      99 %  worst ms")
    for row in rows:
        shown = "  ".join(f"{row[key] * 1000:8.2f}" for key in ("median_s", "p95_s", "p99_s", "worst_s"))
        typer.echo(f"{row['name']:10}  {row['moves']:5}   {shown}")


@bench.command()
def limits(
    agents: Annotated[
        list[str] | None, typer.Argument(help="Agents to measure; by default mtdf, alphabeta and depth8.")
    ] = None,
    repetitions: Annotated[int, typer.Option(help="Measurements in each situation.", min=1, max=1000)] = 5,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Measure how late agents answer: past a cap on a move's time, and after a stop.

    Everything is compiled before. A busy machine wakes timers late, so look at the
    median, and measure on idle cores. Below zero: before the cap.
    """
    from bot.agents import make_agent
    from bot.bench.limits import latenesses
    from bot.engine.warmup import warm_up

    rows: list[dict[str, Any]] = []
    chosen = [make_agent(name, seed=1) for name in agents or ("mtdf", "alphabeta", "depth8")]
    warm_up(*chosen)
    with _progress() as bar:
        for agent in chosen:
            task = bar.add_task(agent.name, total=None)
            for found in latenesses(agent, repetitions):
                low, middle, high = min(found.late_s), median(found.late_s), max(found.late_s)
                situation = {"agent": found.agent, "situation": found.situation, "after_s": found.after_s}
                rows.append({**situation, "least_s": low, "median_s": middle, "worst_s": high})
                bar.advance(task)
                bar.refresh()
    if as_json:
        typer.echo(json.dumps({"repetitions": repetitions, "rows": rows}))
        return
    typer.echo(f"{'':12}        after   late by: least     median      worst")
    for row in rows:
        late = "  ".join(f"{row[key] * 1000:6.1f} ms" for key in ("least_s", "median_s", "worst_s"))
        typer.echo(f"{row['agent']:12} {row['situation']:4} {row['after_s'] * 1000:5.0f} ms         {late}")


@bench.command()
def techniques(
    plies: Annotated[str, typer.Option(help="Plies of random positions, such as 8,12 or 8-12.")] = "8-12",
    positions: Annotated[int, typer.Option(help="Positions a ply, or of the file.", min=1)] = 20,
    seed: Annotated[int, typer.Option(help="Chooses the random positions.")] = 1,
    file: Annotated[Path | None, typer.Option(help="Positions of a file instead.")] = None,
    weak: Annotated[bool, typer.Option("--weak", help="Ask for win, draw or loss only.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Measure what each technique of the solver gains: the kernel is compiled without it and asked the same.

    Nodes and processor time are multiples of the whole solver's: 2.00 means twice as many without the technique.
    """
    from bot.bench.ablation import TECHNIQUES, gains

    chosen = [
        position for entry in _sets(plies, positions, seed, [file] if file else []).values() for position in entry
    ]
    found = []
    with _progress() as bar:
        task = bar.add_task("techniques", total=len(TECHNIQUES))
        for gain in gains(chosen, weak=weak):
            found.append(gain)
            bar.advance(task)
            bar.refresh()
    if as_json:
        rows = [asdict(gain) for gain in found]
        typer.echo(json.dumps({"positions": len(chosen), "weak": weak, "rows": rows}))
    else:
        typer.echo(f"{'without':50}  nodes   time  wrong")
        for gain in found:
            typer.echo(f"{gain.name:50} {gain.nodes:5.2f}x {gain.seconds:5.2f}x {gain.wrong:6}")
    if any(gain.wrong for gain in found):
        raise typer.Exit(ExitCode.BUG)


@bench.command()
def threads(
    plies: Annotated[str, typer.Option(help="Plies of random positions, such as 4,6 or 4-8.")] = "4,6",
    positions: Annotated[int, typer.Option(help="Positions a ply.", min=1)] = 8,
    seed: Annotated[int, typer.Option(help="Chooses the random positions.")] = 1,
    number: Annotated[int, typer.Option("--threads", help="How many threads against one.", min=2, max=64)] = 2,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Measure what more threads gain for one position, by the clock on the wall: on idle cores only."""
    from bot.bench.threads import compare

    rows: list[dict[str, Any]] = []
    with _progress() as bar:
        for name, chosen in _sets(plies, positions, seed, []).items():
            task = bar.add_task(name, total=len(chosen))
            one_s = several_s = 0.0
            wrong = 0
            for told in compare(chosen, number):
                one_s, several_s, wrong = one_s + told.one_s, several_s + told.several_s, wrong + (not told.agree)
                bar.advance(task)
                bar.refresh()
            ratio = round(one_s / several_s, 2)
            row = {"name": name, "positions": len(chosen), "one_s": round(one_s, 3), "several_s": round(several_s, 3)}
            rows.append({**row, "ratio": ratio, "wrong": wrong})
    if as_json:
        typer.echo(json.dumps({"threads": number, "rows": rows}))
    else:
        for row in rows:
            typer.echo(
                f"{row['name']}: one thread {row['one_s']:.3f} s, {number} threads {row['several_s']:.3f} s: "
                f"{row['ratio']:.2f} times as fast"
            )
    if any(row["wrong"] for row in rows):
        raise typer.Exit(ExitCode.BUG)


@bench.command()
def recovery(
    half: Annotated[str, typer.Option(help="Opponents: open, held-out, or both.")] = "both",
    only: Annotated[
        str | None, typer.Option(help="Ingredients to switch off, comma-separated (all by default).")
    ] = None,
    workers: Annotated[int, typer.Option(help="Processes on this machine.", min=1)] = 2,
    results: Annotated[
        Path | None, typer.Option(help="File to which finished games are appended, and from which a run goes on.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Measure what each ingredient of the policy for lost replies gains: the policy plays without it.

    Every single lost reply of games against foreign bots is played out, at first contact
    and after 20 games. Prints the Markdown table of bot/session/README.md.
    """
    from bot.bench.recovery import VARIANTS, finished, markdown, measured, table_of, tasks
    from bot.simulation.opponents.roster import GROUPS

    if half not in (*GROUPS, "both"):
        raise UsageError(f"There is no half {half!r}.", "Choose open, held-out or both.")
    chosen = list(VARIANTS) if only is None else ["whole policy", *(name.strip() for name in only.split(","))]
    if not set(chosen) <= VARIANTS.keys():
        raise UsageError("There is no such ingredient.", f"Choose among: {', '.join(list(VARIANTS)[1:])}.")
    places = tasks(GROUPS if half == "both" else (half,), chosen)
    done = finished(results, places)
    with _progress() as bar:
        task = bar.add_task("games", total=len(places), completed=len(done))
        for result in measured([each for each in places if each not in done], workers, results):
            done[result.task] = result
            bar.advance(task)
            bar.refresh()
    table = table_of(places, done.values())
    if as_json:
        cells = {
            place: {name: {each: asdict(cell) for each, cell in column.items()} for name, column in settings.items()}
            for place, settings in table.items()
        }
        typer.echo(json.dumps(cells))
    else:
        typer.echo(markdown(table))


def _progress() -> Progress:
    """A bar on stderr that draws only between measurements, never during one."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True), auto_refresh=False)
