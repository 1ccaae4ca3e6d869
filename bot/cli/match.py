"""`bot match` and `bot tournament`: agents against each other, without a server."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from bot.cli.formatting import duration, echo, print_json, print_table
from bot.cli.options import (
    MAX_GAMES,
    AsJson,
    GameFile,
    OneAgent,
    RandomPlies,
    Scheduler,
    Seed,
    TimeLimit,
    Workers,
    argument,
    complete_agent,
    option,
)
from bot.engine.agent import NO_LIMIT_S, Limit
from bot.errors import UsageError
from bot.game.notation import with_count

if TYPE_CHECKING:
    from bot.game import PlayedGame
    from bot.gauntlet.arena.games import Pairing


def match(
    one: OneAgent,
    other: OneAgent,
    *,
    games: Annotated[int, option("N", "Games.", min=1, max=MAX_GAMES)] = 20,
    seed: Seed = 0,
    random_plies: RandomPlies = 0,
    time_limit: TimeLimit = NO_LIMIT_S,
    workers: Workers = 1,
    scheduler: Scheduler = None,
    record: GameFile = None,
    as_json: AsJson = False,
) -> None:
    """Play two agents against each other: score, move times and Elo.

    Results are shown by who started, with 95 % intervals. The agents start in turn, and two games share an opening. The
    interval of all games and Elo count such a pair as one observation (the pentanomial model); the intervals by who
    started count games. A game that repeats another counts only once: without random plies two deterministic agents
    play two games again and again. --json prints, from the first agent's view, total, started and replied (won, drawn,
    lost, score and its interval), pairs (counts of 0, 0.5, 1, 1.5 and 2 points), elo (difference, low, high; null where
    infinite), move_s of both, and each game: who started, the moves, the length of the opening, the result for the
    agent that started, and why it was forfeited.

    \b
    Examples:
      bot match perfect depth8                     20 games, each agent starting 10
      bot match tommy-ab:4 halim:4 --random-plies 6 --games 200 --workers 2
      bot match mtdf@nodes=2000 mtdf@nodes=1000 --random-plies 8 --record games.jsonl
    """
    from bot.agents.games import check_agents
    from bot.gauntlet.arena.games import match_pairings
    from bot.gauntlet.arena.match import match_result

    check_agents((one, other))
    pairings = match_pairings(one, other, games, seed, random_plies=random_plies, limit=Limit(hard_s=time_limit))
    plan = {"match": [one, other], "seed": seed, "plies": random_plies, "time_limit": time_limit}
    played = play_recorded(pairings, record, plan, workers=workers, scheduler=scheduler)
    found = {**match_result(one, other, played), "seed": seed, "random_plies": random_plies}
    if as_json:
        print_json(found)
    else:
        _show(found, played)


def play_recorded(
    pairings: Sequence[Pairing], record: Path | None, plan: dict[str, Any], **how: Any
) -> list[PlayedGame]:
    """Play the games that ``record`` lacks, and return all; ``plan`` is its head, ``how`` is for `play_all`."""
    from bot import __version__
    from bot.cli.progress import ProgressLine
    from bot.gauntlet.arena.match import play_all
    from bot.gauntlet.store import RecordStore

    total = len(pairings)
    with RecordStore(record, {"bot": __version__, **plan}) as kept:
        before = sum(int(number) < total for number in kept.known)
        with ProgressLine("games", total, before) as done:
            return play_all(pairings, kept, on_game=done.advance, **how)


def show_forfeits(played: Sequence[PlayedGame]) -> None:
    """Print how many games each agent forfeited, and the reason of the first one, which may begin with its name."""
    from bot.gauntlet.arena.games import forfeits

    for name, reasons in forfeits(played).items():
        reason = reasons[0].removeprefix(f"{name} failed: ")
        echo(f"  {name} forfeited {with_count(len(reasons), 'game')}: {reason}")


def _show(found: dict[str, Any], played: list[PlayedGame]) -> None:
    """Print what --json prints as ``found``, in words."""
    one, other = found["agents"]
    echo(f"{one} against {other}")
    labels = {"total": "all games", "started": f"{one} started", "replied": f"{other} started"}
    for key, label in labels.items():
        part = found[key]
        low, high = part["score_interval"]
        counts = f"won {part['won']}, drawn {part['drawn']}, lost {part['lost']}"
        echo(f"  {label}: {counts}; score {part['score']:.3f} ({low:.3f} to {high:.3f})")
    if found["different_games"] < found["games"]:
        echo(f"  {found['different_games']} different games; the others repeat them and count once in the intervals")
    echo(f"  pairs with 0, 0.5, 1, 1.5, 2 points: {' '.join(map(str, found['pairs']['counts']))}")
    difference, low, high = found["elo"].values()
    side = "below" if found["total"]["score"] == 0 else "above"
    echo(f"  Elo difference: {_elo(difference, side)} ({_elo(low, 'below')} to {_elo(high, 'above')})")
    show_forfeits(played)
    for name, times in zip((one, other), found["move_s"].values(), strict=True):
        if not times["max"]:
            continue  # it made no move, or does not measure its moves
        mean, median, largest = (duration(times[key]) for key in ("mean", "median", "max"))
        echo(f"  move times of {name}: mean {mean}, median {median}, slowest {largest}")


def _elo(difference: float | None, side: str) -> str:
    return f"unbounded {side}" if difference is None else f"{difference:+.0f}"


def tournament(
    names: Annotated[list[str], argument("AGENT...", "Two or more agents.", autocompletion=complete_agent)],
    *,
    rounds: Annotated[int, option("N", "Rounds; in each, every pair plays two games.", min=1, max=100_000)] = 1,
    seed: Seed = 0,
    random_plies: RandomPlies = 4,
    time_limit: TimeLimit = NO_LIMIT_S,
    workers: Workers = 1,
    scheduler: Scheduler = None,
    record: GameFile = None,
    as_json: AsJson = False,
) -> None:
    """Play a round robin: cross table, and Elo with error bars.

    The ratings have the mean 0, and the bars are 95 % intervals. --json prints the agents in order of strength (elo,
    elo_error, move_s, games, won, drawn, lost, forfeited, score and intervals) and, in the same order, the cross_table:
    won, drawn and lost of each row against each column.

    \b
    Examples:
      bot tournament perfect depth8 mtdf random --rounds 5
      bot tournament tommy-ab:4 halim:4 kang-h2:4 --rounds 20 --workers 2
    """
    from bot.agents.games import check_agents
    from bot.gauntlet.arena.tournament import tabulate, tournament_pairings

    if len(names) < 2 or len(set(names)) < len(names):
        raise UsageError("A tournament needs two or more different agents.", "Give each one once.")
    check_agents(names)
    pairings = tournament_pairings(names, rounds, seed, random_plies, Limit(hard_s=time_limit))
    plan = {"tournament": names, "rounds": rounds, "seed": seed, "plies": random_plies, "time_limit": time_limit}
    played = play_recorded(pairings, record, plan, workers=workers, scheduler=scheduler)
    found = {"rounds": rounds, "seed": seed, "random_plies": random_plies, **tabulate(names, played)}
    if as_json:
        print_json(found)
    else:
        _show_tournament(found, played)


def _show_tournament(found: dict[str, Any], played: list[PlayedGame]) -> None:
    """Print what --json prints as ``found``, in words."""
    agents, table = found["agents"], found["cross_table"]
    lines: list[list[object]] = [["", "agent", "Elo", "games", "score", "ms/move"]]
    points: list[list[object]] = [["", *range(1, len(agents) + 1), ""]]
    for number, (agent, row) in enumerate(zip(agents, table, strict=True), start=1):
        elo, time_ms = f"{agent['elo']:+.0f} ± {agent['elo_error']:.0f}", f"{agent['move_s'] * 1000:.2f}"
        lines.append([number, agent["name"], elo, agent["games"], f"{agent['score']:5.3f}", time_ms])
        cells = ["-" if cell is None else f"{cell['won'] + cell['drawn'] / 2:g}" for cell in row]
        points.append([number, *cells, agent["name"]])
    print_table(lines)
    show_forfeits(played)
    echo(f"\nPoints of each row against each column, of {sum(table[0][1].values())} games:")
    print_table(points)
