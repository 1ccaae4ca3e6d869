"""`bot bench`: the speed of the solver and the engine, and the effect of their techniques."""

from __future__ import annotations

import json
import time
from dataclasses import asdict
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.cli.bench_people import levels
from bot.cli.formatting import counted
from bot.cli.help import complete_agent
from bot.cli.options import MAX_GAMES, AsJson, Think, TimeLimit, Workers
from bot.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from bot.bench.positions import Position

bench = typer.Typer(
    help="Measure the solver, the engine, the policy for lost replies and the levels.", no_args_is_help=True
)
bench.command()(levels)

PLIES = "8,12,16,20,24,28"
QUESTIONS = {"both": ("exact", "weak"), "exact": ("exact",), "weak": ("weak",)}
Plies = Annotated[str, typer.Option(metavar="PLIES", help="Plies of random positions, such as 8,12 or 8-12.")]
Seed = Annotated[int, typer.Option(metavar="N", help="Seed of the random positions.")]

TITLES = {"exact": "exact", "weak": "win/draw/loss"}


@bench.command()
def solver(
    plies: Plies = PLIES,
    positions: Annotated[
        int | None,
        typer.Option(metavar="N", help="Positions per ply (20 by default), or of each file (all by default).", min=1),
    ] = None,
    seed: Seed = 1,
    file: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="File of positions: moves, a space, the exact score per line. Repeatable."),
    ] = None,
    peer: Annotated[
        str | None, typer.Option(metavar="NAME", help="Another solver on the same positions: bitbully (extra: peer).")
    ] = None,
    ask: Annotated[str, typer.Option(metavar="NAME", help="exact, weak (only win, draw or loss) or both.")] = "both",
    table_mb: Annotated[int, typer.Option("--table-mb", metavar="MB", help="Size of our table.", min=1, max=4096)] = 4,
    cpu_time: Annotated[
        bool, typer.Option("--cpu-time", help="Measure processor time, not elapsed time: for a busy machine.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Time the exact solver: one thread, no book, an empty table for every position.

    Emptying our table is part of our time; emptying BitBully's, some 40 ms, is not part of its time. Just before each
    measurement the solver solves one fixed late position, because emptying the other table flushed the processor's
    caches. The ratio is the peer's total time divided by ours: above 1 we are faster.

    Exit code 0: every value is right; 1: a value contradicts the file's score, the peer, or our own other answer.

    \b
    Examples:
      bot bench solver                             20 random positions for each of six plies
      bot bench solver --plies 12 --peer bitbully
      bot bench solver --file positions.txt --ask exact
    """
    if ask not in QUESTIONS:
        raise UsageError(f"There is no value {ask!r} for --ask.", f"Choose one of: {', '.join(QUESTIONS)}.")
    from bot.bench.solver import row_of, trials
    from bot.bench.solvers import Ours, peer_called
    from bot.cli.progress import progress

    sets = _sets(plies, positions, seed, file or [])
    other = None if peer is None else peer_called(peer)
    ours = Ours(table_mb)
    clock = time.thread_time if cpu_time else time.perf_counter
    rows = []
    with progress(between=True) as bars:
        for name, chosen in sets.items():
            part = bars.part(name, len(chosen))
            done = []
            for trial in trials(chosen, ours, other, QUESTIONS[ask], clock):
                done.append(trial)
                part.advance()
            rows.append(row_of(name, done))
    if as_json:
        typer.echo(json.dumps({"peer": peer, "rows": rows}))
    else:
        _show_solver(rows, QUESTIONS[ask], peer)
    if any(row["wrong"] for row in rows):
        raise typer.Exit(ExitCode.BUG)


def _sets(plies: str, count: int | None, seed: int, files: list[Path]) -> dict[str, list[Position]]:
    """Return the positions by the name of their row."""
    from bot.bench.positions import random_positions, read_positions

    if files:
        return {path.name: read_positions(path, count) for path in files}
    return {f"ply {ply}": random_positions(ply, count or 20, seed) for ply in _parse_plies(plies)}


def _parse_plies(text: str) -> list[int]:
    """Return [8, 10, 11, 12] for "8,10-12"."""
    from bot.bench.positions import LAST_PLY

    chosen: list[int] = []
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()):
            raise UsageError(f"{part!r} is not a ply.", "Write plies as 8,12,16 or 8-12.")
        chosen += range(int(first), int(last if dash else first) + 1)
    if not chosen or max(chosen) > LAST_PLY:
        raise UsageError(f"{text!r} includes plies without unfinished positions.", f"Choose from 0 to {LAST_PLY}.")
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
    engine: Annotated[
        str, typer.Option(metavar="AGENT", help="Engine to measure.", autocompletion=complete_agent)
    ] = "perfect",
    opponent: Annotated[
        str, typer.Option(metavar="AGENT", help="Its opponent.", autocompletion=complete_agent)
    ] = "depth3",
    games: Annotated[
        int, typer.Option(metavar="N", help="Games; the engine moves first in every other one.", min=1, max=MAX_GAMES)
    ] = 20,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed of the random positions and of the agents.")] = 1,
    time_limit: TimeLimit = 5.0,
    think: Think = 0.2,
    as_json: AsJson = False,
) -> None:
    """Play an engine from random positions (0 to 20 plies) to the end and show its move times.

    Everything is compiled before the first move. The engine keeps its table from game to game, as in `bot play`.

    \b
    Examples:
      bot bench engine                             the bot against the course's depth 3
      bot bench engine --engine mtdf --opponent perfect --games 4
    """
    from bot.agent_types import Limit
    from bot.agents import make_agent
    from bot.bench.engine import move_times, rows_of
    from bot.cli.progress import loading_engine, progress
    from bot.engine.warmup import warm_up

    with loading_engine():
        ours, other = make_agent(engine, seed=seed), make_agent(opponent, seed=seed)
        warm_up_s = warm_up(ours, other)
    times = []
    with progress(between=True) as bars:
        part = bars.part("games", games)
        for game in move_times(ours, other, games, seed, Limit(hard_s=time_limit, think_s=think)):
            times += game
            part.advance()
    rows = rows_of(times)
    if as_json:
        run = {"engine": engine, "opponent": opponent, "games": games, "seed": seed, "warm_up_s": warm_up_s}
        typer.echo(json.dumps({**run, "rows": rows}))
        return
    typer.echo(f"{engine} against {opponent}, {counted(games, 'game')}; ready after {warm_up_s:.2f} s")
    typer.echo(f"{'':10}  moves  median ms      95 %      99 %  worst ms")
    for row in rows:
        shown = "  ".join(f"{row[key] * 1000:8.2f}" for key in ("median_s", "p95_s", "p99_s", "worst_s"))
        typer.echo(f"{row['name']:10}  {row['moves']:5}   {shown}")


@bench.command()
def limits(
    agents: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="AGENT",
            help="By default mtdf, alphabeta and depth8.",
            autocompletion=complete_agent,
        ),
    ] = None,
    repetitions: Annotated[int, typer.Option(metavar="N", help="Measurements per situation.", min=1, max=1000)] = 5,
    as_json: AsJson = False,
) -> None:
    """Measure how late agents answer: past a cap on a move's time, and after a stop.

    Everything is compiled before. A busy machine wakes timers late, so look at the
    median, and measure on idle cores. Below zero: before the cap.

    \b
    Examples:
      bot bench limits                             mtdf, alphabeta and depth8
      bot bench limits perfect --repetitions 20
    """
    from bot.agents import make_agent
    from bot.bench.limits import latenesses
    from bot.cli.progress import loading_engine, progress
    from bot.engine.warmup import warm_up

    rows: list[dict[str, Any]] = []
    with loading_engine():
        chosen = [make_agent(name, seed=1) for name in agents or ("mtdf", "alphabeta", "depth8")]
        warm_up(*chosen)
    with progress(between=True) as bars:
        for agent in chosen:
            part = bars.part(agent.name)
            for found in latenesses(agent, repetitions):
                low, middle, high = min(found.late_s), median(found.late_s), max(found.late_s)
                situation = {"agent": found.agent, "situation": found.situation, "after_s": found.after_s}
                rows.append({**situation, "least_s": low, "median_s": middle, "worst_s": high})
                part.advance()
    if as_json:
        typer.echo(json.dumps({"repetitions": repetitions, "rows": rows}))
        return
    typer.echo(f"{'':12}        after   late by: least     median      worst")
    for row in rows:
        late = "  ".join(f"{row[key] * 1000:6.1f} ms" for key in ("least_s", "median_s", "worst_s"))
        typer.echo(f"{row['agent']:12} {row['situation']:4} {row['after_s'] * 1000:5.0f} ms         {late}")


@bench.command()
def techniques(
    plies: Plies = "8-12",
    positions: Annotated[int, typer.Option(metavar="N", help="Positions per ply, or of the file.", min=1)] = 20,
    seed: Seed = 1,
    file: Annotated[Path | None, typer.Option(metavar="FILE", help="File of positions instead.")] = None,
    weak: Annotated[bool, typer.Option("--weak", help="Solve for win, draw or loss only.")] = False,
    as_json: AsJson = False,
) -> None:
    """Measure each technique of the solver: the kernel is compiled without it and solves the same positions.

    Nodes and processor time are multiples of the full solver's: 2.00 means twice as many without the technique.

    \b
    Examples:
      bot bench techniques --plies 12 --positions 10
    """
    from bot.bench.ablation import TECHNIQUES, gains
    from bot.cli.progress import progress

    chosen = [
        position for entry in _sets(plies, positions, seed, [file] if file else []).values() for position in entry
    ]
    found = []
    with progress(between=True) as bars:
        part = bars.part("techniques", len(TECHNIQUES))
        for gain in gains(chosen, weak=weak):
            found.append(gain)
            part.advance()
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
    plies: Plies = "4,6",
    positions: Annotated[int, typer.Option(metavar="N", help="Positions per ply.", min=1)] = 8,
    seed: Seed = 1,
    number: Annotated[
        int, typer.Option("--threads", metavar="N", help="Threads to compare with one.", min=2, max=64)
    ] = 2,
    as_json: AsJson = False,
) -> None:
    """Measure the gain of more threads for one position, in elapsed time: run it on idle cores only.

    \b
    Examples:
      bot bench threads --plies 4 --threads 2
    """
    from bot.bench.threads import compare
    from bot.cli.progress import progress

    rows: list[dict[str, Any]] = []
    with progress(between=True) as bars:
        for name, chosen in _sets(plies, positions, seed, []).items():
            part = bars.part(name, len(chosen))
            one_s = several_s = 0.0
            wrong = 0
            for pair in compare(chosen, number):
                one_s, several_s, wrong = one_s + pair.one_s, several_s + pair.several_s, wrong + (not pair.agree)
                part.advance()
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
    half: Annotated[str, typer.Option(metavar="NAME", help="Opponents: open, held-out, or both.")] = "both",
    only: Annotated[
        str | None, typer.Option(metavar="NAMES", help="Ingredients to switch off, comma-separated (all by default).")
    ] = None,
    setting: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Situation, by its name in the table; may be repeated (all by default)."),
    ] = None,
    workers: Workers = 2,
    results: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="File to which finished games are appended, and from which a run resumes."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measure each ingredient of the policy for lost replies: the policy plays without it.

    Every single lost reply of games against foreign bots is played out, at first contact and after 20 games. Prints
    the Markdown table of bot/session/README.md.

    \b
    Examples:
      bot bench recovery --half open --results recovery.jsonl
    """
    from bot.bench.recovery import SETTINGS, VARIANTS, finished, markdown, measured, table_of, tasks
    from bot.cli.progress import progress
    from bot.simulation.opponents.roster import GROUPS

    if half not in (*GROUPS, "both"):
        raise UsageError(f"There is no group of opponents called {half!r}.", "Choose open, held-out or both.")
    chosen = list(VARIANTS) if only is None else ["whole policy", *(name.strip() for name in only.split(","))]
    if not set(chosen) <= VARIANTS.keys():
        raise UsageError("There is no such ingredient.", f"Choose among: {', '.join(list(VARIANTS)[1:])}.")
    settings = [each for each in SETTINGS if not setting or each.name in setting]
    if len(settings) < len(setting or ()) or not settings:
        raise UsageError("There is no such setting.", f"Choose among: {'; '.join(each.name for each in SETTINGS)}.")
    places = tasks(GROUPS if half == "both" else (half,), chosen, settings)
    done = finished(results, places)
    with progress(between=True) as bars:
        part = bars.part("games", len(places), len(done))
        for result in measured([each for each in places if each not in done], workers, results):
            done[result.task] = result
            part.advance()
    table = table_of(places, done.values())
    if as_json:
        cells = {
            place: {name: {each: asdict(cell) for each, cell in column.items()} for name, column in settings.items()}
            for place, settings in table.items()
        }
        typer.echo(json.dumps(cells))
    else:
        typer.echo(markdown(table))
