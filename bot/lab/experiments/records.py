"""Raw games: what a task that plays games is given, and what it leaves of each turn.

A task of games is a dict with labels of its experiment and ``games``, a list of pairings as JSON. Its result is
``{"games": [record, ...]}`` in the same order. So the task alone decides its games, and an edit of the code that
tabulates them needs no new run.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from bot.agents.games import Played
from bot.lab.arena.games import Pairing, play_pairing
from bot.lab.experiments.base import Results, Task

Record = dict[str, Any]
"""One game: ``moves`` (columns 0..6 as text), ``opening`` (plies given), ``result`` (points of the first player), and,
for each turn after the opening, ``values``, ``leaves``, ``passes``, ``nodes`` and ``seconds``."""

Game = tuple[dict[str, Any], Record]
"""A pairing and its record."""
TURNS = ("values", "leaves", "passes", "nodes", "seconds")
WITHOUT_FIXED_WORK = ("perfect", "proof+perfect", "mtdf", "alphabeta")
"""Agents that search as long as their time lasts."""


def pairing_json(first: str, second: str, seed: int | str, opening: Sequence[int] = ()) -> dict[str, Any]:
    """Return one game to be played, as part of a task."""
    game: dict[str, Any] = {"first": first, "second": second, "seed": seed}
    return {**game, "opening": "".join(map(str, opening))} if opening else game


def play(task: Task) -> dict[str, Any]:
    """Play the games of a task."""
    return {"games": [record(play_pairing(_pairing(game))) for game in task["games"]]}


def _pairing(game: dict[str, Any]) -> Pairing:
    return Pairing(game["first"], game["second"], game["seed"], tuple(map(int, game.get("opening", ""))))


def record(played: Played) -> Record:
    """Return a game as it is saved; ``forfeit`` is there only where a foreign agent forfeited."""
    forfeit = {"forfeit": played.forfeit} if played.forfeit else {}
    return {
        **forfeit,
        "moves": "".join(map(str, played.moves)),
        "opening": played.opening,
        "result": played.result,
        "values": [_as_json(value) for value in played.values],
        "leaves": list(played.leaves),
        "passes": list(played.passes),
        "nodes": list(played.nodes),
        "seconds": [round(second, 7) for second in played.seconds],
    }


def _as_json(value: float | None) -> float | str | None:
    """Return a value as JSON, which knows no infinite numbers."""
    if value is None or math.isfinite(value):
        return value
    return "inf" if value > 0 else "-inf"


def of_player(game: Record, player: int, what: str) -> list[float]:
    """Return the numbers of one player's turns, 0 the first or 1 the second, without None."""
    turns = range(game["opening"], len(game["moves"]))
    return [count for ply, count in zip(turns, game[what], strict=True) if ply % 2 == player and count is not None]


def games_of(results: Results, **labels: Any) -> list[Game]:
    """Return the pairings and records of all tasks with these labels, in order."""
    return [
        (game, played)
        for task, result in results
        if all(task.get(key) == value for key, value in labels.items())
        for game, played in zip(task.get("games", ()), result.get("games", ()), strict=True)
    ]


def different(games: Iterable[Game]) -> list[Game]:
    """Return the games without those that repeat an earlier one: the same players, in the same order, same moves."""
    seen: dict[tuple[str, str, str], Game] = {}
    for game, played in games:
        seen.setdefault((game["first"], game["second"], played["moves"]), (game, played))
    return list(seen.values())


def has_time_budget(name: str) -> bool:
    """Return whether an agent's moves depend on the time that they take, so that a rerun may differ."""
    head, *options = name.split(",")
    default_time = head in ("vds", "vds-intended")
    return head in WITHOUT_FIXED_WORK or default_time or any(option.startswith("think=") for option in options)
