"""`bot match`: two agents against each other, without a server."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from bot.lab.arena.match import MatchResult, Record


def match(
    one: Annotated[str, typer.Argument(help="The agent whose results are shown.")],
    other: Annotated[str, typer.Argument(help="Its opponent.")],
    games: Annotated[int, typer.Option(help="Games; the agents start in turn.", min=1)] = 20,
    seed: Annotated[int, typer.Option(help="Seed of openings and of the agents' chance.")] = 0,
    random_plies: Annotated[
        int, typer.Option(help="Random plies before the agents take over; two games share an opening.", min=0, max=41)
    ] = 0,
    time_limit: Annotated[float, typer.Option(help="Seconds that a move may take.", min=0.01)] = 86_400.0,
    think: Annotated[float, typer.Option(help="Seconds that an engine without a fixed depth aims at.", min=0.0)] = 0.2,
    workers: Annotated[int, typer.Option(help="Processes on this machine.", min=1)] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Play a match and show results by who started, 95 % intervals, move times and the Elo difference.

    Without random plies two agents without chance repeat the same two games. --json prints, from the first agent's
    view, total, started and replied (won, drawn, lost, score and intervals), elo (difference, low, high; null where
    infinite), move_s of both, and each game: who started, the moves, how many of them were given, and the result for
    the agent that started.
    """
    from bot.agent import Limit
    from bot.cli.progress import collect
    from bot.lab.arena.games import match_pairings, play_pairing, ready_agent
    from bot.lab.arena.match import judge

    for name in (one, other):
        ready_agent(name)
    pairings = match_pairings(one, other, games, seed, random_plies, Limit(hard_s=time_limit, think_s=think))
    played = collect("games", play_pairing, pairings, workers=workers)
    result = judge(one, other, list(zip(pairings, played, strict=True)))
    if as_json:
        typer.echo(json.dumps({**result.as_json(), "seed": seed, "random_plies": random_plies}))
        return
    _show(result)


def _show(result: MatchResult) -> None:
    typer.echo(f"{result.one} against {result.other}")
    for label, record in (
        ("all games", result.total),
        (f"{result.one} started", result.started),
        (f"{result.other} started", result.replied),
    ):
        typer.echo(f"  {label}: {_line(record)}")
    summary = result.as_json()
    elo, move_s = summary["elo"], summary["move_s"]
    low, high = summary["total"]["score_interval"]
    scores = {"difference": summary["total"]["score"], "low": low, "high": high}
    shown = [_elo(elo[key], score) for key, score in scores.items()]
    typer.echo(f"  Elo difference: {shown[0]} ({shown[1]} to {shown[2]})")
    for name, times in ((result.one, move_s["first"]), (result.other, move_s["second"])):
        mean, median, largest = (times[key] * 1000 for key in ("mean", "median", "max"))
        typer.echo(f"  move times of {name}: mean {mean:.2f} ms, median {median:.2f} ms, slowest {largest:.2f} ms")


def _elo(difference: float | None, score: float) -> str:
    if difference is None:
        return "+infinite" if score > 0 else "-infinite"
    return f"{difference:+.0f}"


def _line(record: Record) -> str:
    from bot.lab.arena.statistics import wilson

    if not record.games:
        return "none"
    low, high = wilson(record.points, record.games)
    return (
        f"won {record.won}, drawn {record.drawn}, lost {record.lost}; "
        f"score {record.score:.3f} ({low:.3f} to {high:.3f})"
    )
