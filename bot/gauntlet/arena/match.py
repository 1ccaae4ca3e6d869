"""A match: playing its games, kept in a store, and its result with intervals and times."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from statistics import fmean, median
from typing import Any

from bot.game import PlayedGame, format_moves
from bot.gauntlet.arena.games import Pairing, play_pairing, points_of, side_of
from bot.gauntlet.arena.statistics import Pentanomial, elo_difference, pentanomial, share, tally
from bot.gauntlet.arena.workers import run_tasks
from bot.gauntlet.store import RecordStore
from bot.gauntlet.versions import sources_of


def play_all(
    pairings: Sequence[Pairing],
    store: RecordStore,
    *,
    workers: int = 1,
    scheduler: str | None = None,
    on_game: Callable[[], None] = lambda: None,
) -> list[PlayedGame]:
    """Play the games that ``store`` lacks, and return all games in their order."""
    numbers = {pairing: number for number, pairing in enumerate(pairings)}
    names = {pairing.first for pairing in pairings} | {pairing.second for pairing in pairings}
    versions = {name: sources_of(name, play_pairing.__module__) for name in names}

    def sources(pairing: Pairing) -> str:
        return f"{versions[pairing.first]} {versions[pairing.second]}"

    found = {number: store.get(str(number), sources(pairing)) for pairing, number in numbers.items()}
    known = {number: PlayedGame.from_json(saved["game"]) for number, saved in found.items() if saved is not None}
    missing = [pairing for pairing in pairings if numbers[pairing] not in known]
    with closing(run_tasks(play_pairing, missing, workers=workers, scheduler=scheduler)) as results:
        for pairing, game in results:
            number = numbers[pairing]
            known[number] = game
            store.add(str(number), {"game": game.as_json()}, sources(pairing))
            on_game()
    return [known[number] for number in range(len(pairings))]


def pairs_of(games: Sequence[PlayedGame]) -> Pentanomial:
    """Return the results of a match's pairs in the view of the agent that started game 0; repetitions count once."""
    pairs = zip(games[0::2], games[1::2], strict=False)
    points = {}
    for one, other in pairs:
        points[one.moves, other.moves] = points_of(one.first, one) + 1 - points_of(other.first, other)
    return pentanomial(points.values())


def match_result(one: str, other: str, games: Sequence[PlayedGame]) -> dict[str, Any]:
    """Return the result of a match of ``one`` against ``other``, in the view of ``one``, as one JSON object.

    An agent against itself starts games 0, 2, ... A game is different if no other with the same starting agent has the
    same moves. The Elo difference is that of the pairs, or where there is none that of the games; it is null where it
    is infinite (a score of 0 or 1).
    """
    players = [number % 2 if one == other else side_of(one, game) for number, game in enumerate(games)]
    seen = list(zip(players, games, strict=True))
    results = [(player, game.moves, abs(player - points_of(game.first, game))) for player, game in seen]
    different = set(results)
    pairs = pairs_of(games)
    score = pairs.estimate
    elo = score if pairs.pairs else share(sum(points for *_, points in different), len(different))

    def of_player(*wanted: int) -> dict[str, Any]:
        """Return the tally of the games in which ``one`` was one of these players, 0 or 1."""
        every = [points for player, _, points in results if player in wanted]
        once = [points for player, _, points in different if player in wanted]
        return tally(every, once)

    def move_s(swap: int) -> dict[str, float]:
        """Return the move times of ``one`` (0) or ``other`` (1), seconds; zeros without move times."""
        times = [time for player, game in seen for time in game.of_player(player ^ swap, "seconds")] or [0.0]
        return {"mean": fmean(times), "median": median(times), "max": max(times)}

    return {
        "agents": [one, other],
        "games": len(games),
        "different_games": len(different),
        "total": of_player(0, 1) | {"score_interval": [elo.low, elo.high]},
        "started": of_player(0),
        "replied": of_player(1),
        "pairs": {"counts": list(pairs.counts), "score_interval": [score.low, score.high]},
        "elo": {
            "difference": elo_difference(elo.value),
            "low": elo_difference(elo.low),
            "high": elo_difference(elo.high),
        },
        "move_s": {"first": move_s(0), "second": move_s(1)},
        "each": [
            {
                "started": game.first,
                "moves": format_moves(game.moves),
                "given_plies": game.opening,
                "result": game.result,
                "forfeit": game.ended or None,
            }
            for game in games
        ],
    }
