"""`bot match`: two agents against each other, without a server."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.formatting import counted, duration
from bot.cli.help import complete_agent
from bot.cli.options import MAX_GAMES, AsJson, RandomPlies, Seed, Think, TimeLimit, Workers

if TYPE_CHECKING:
    from bot.lab.arena.match import MatchResult, Record


def match(
    one: Annotated[
        str, typer.Argument(metavar="ONE", help="Agent whose results are shown.", autocompletion=complete_agent)
    ],
    other: Annotated[str, typer.Argument(metavar="OTHER", help="Its opponent.", autocompletion=complete_agent)],
    games: Annotated[
        int, typer.Option(metavar="N", help="Games; the agents start in turn.", min=1, max=MAX_GAMES)
    ] = 20,
    seed: Seed = 0,
    random_plies: RandomPlies = 0,
    time_limit: TimeLimit = 86_400.0,
    think: Think = 0.2,
    workers: Workers = 1,
    as_json: AsJson = False,
) -> None:
    """Play a match and show results by who started, 95 % intervals, move times and the Elo difference.

    Without random plies two deterministic agents repeat the same two games. --json prints, from the first agent's
    view, total, started and replied (won, drawn, lost, score and intervals), elo (difference, low, high; null where
    infinite), move_s of both, and each game: who started, the moves, the length of the opening, and the result for
    the agent that started.

    \b
    Examples:
      bot match perfect depth8                     20 games, each agent starting 10
      bot match tommy-ab:4 halim:4 --random-plies 6 --games 200 --workers 2
    """
    from bot.agent_types import Limit
    from bot.cli.progress import collect
    from bot.lab.arena.games import check_agents, match_pairings, play_pairing
    from bot.lab.arena.match import judge

    check_agents((one, other))
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
    for name, reasons in result.forfeits.items():
        typer.echo(f"  {name} forfeited {counted(len(reasons), 'game')}: {reasons[0]}")
    for name, times in ((result.one, move_s["first"]), (result.other, move_s["second"])):
        mean, median, largest = (duration(times[key]) for key in ("mean", "median", "max"))
        typer.echo(f"  move times of {name}: mean {mean}, median {median}, slowest {largest}")


def _elo(difference: float | None, score: float) -> str:
    if difference is None:
        return "unbounded above" if score > 0 else "unbounded below"
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
