"""Made-up results for the tests of the ledger: the shape of a real run, with the numbers that a test wants."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

from bot.lab.experiments.base import Results, Task
from bot.lab.experiments.defects_positions import DEPTHS as DEFECT_DEPTHS
from bot.lab.experiments.readings import halim_games, kang_games
from bot.lab.experiments.records import pairing_json

from bot.lab.experiments import halim, kang, kang_figures, streak, tommy, tommy_openings

Entries = list[tuple[Task, dict[str, Any]]]

WON = {7: "0102030", 9: "010203660", 11: "01020366550"}
"""Games that the first player wins with the last disc, by their plies."""
LOST = {8: "60102030", 10: "6010203660"}
"""Games that the second player wins with the last disc."""


def record(moves: str, result: float, **turns: list[Any]) -> dict[str, Any]:
    """Return a game; what is not given is 1 for every turn."""
    every: dict[str, Any] = {key: [1] * len(moves) for key in ("values", "leaves", "passes", "nodes", "seconds")}
    return {"moves": moves, "opening": 0, "result": result, **every, **turns}


def by_side(first: str, x_count: float, o_count: float) -> list[float]:
    """Return a count for each of four turns, whose sums are those of the two sides."""
    x_turn = 0 if first == "X" else 1
    return [(x_count if ply % 2 == x_turn else o_count) / 2 for ply in range(4)]


def tommy_results(
    *,
    leaves: dict[int, tuple[float, float]] | None = None,
    passes: dict[int, float] | None = None,
    winners: str = "",
    faster: float = 0.0,
    o_moves: str = "0123",
) -> Results:
    """Return Table 1's games as published, but for what is given.

    ``winners`` are those of all games in turn (X, O, or = for a draw), as many as one likes; ``faster`` is the share of
    time that MTD(f) saves.
    """
    results: Entries = []
    letters = winners or "XOXOXOXOXO=="
    for place, letter in enumerate(letters):
        depth, first = tuple(tommy.PUBLISHED)[place // 2 % 6], "XO"[place % 2]
        row = tommy.PUBLISHED[depth]
        leaves_x, leaves_o = (leaves or {}).get(depth, (float(row[3]), float(row[4])))
        count = (passes or {}).get(depth, float(row[6]))
        points = 0.5 if letter == "=" else float(letter == first)
        for session in range(3):
            game = record(
                "0123" if first == "X" else o_moves,
                points,
                leaves=by_side(first, leaves_x, leaves_o),
                passes=by_side(first, 0, count),
                seconds=by_side(first, 1 + session / 1000, (1 - faster) * (1 + session / 900)),
            )
            results.append(
                ({"depth": depth, "first": first, "run": session * tommy.SESSION, "games": [{}]}, {"games": [game]})
            )
    return results


def openings_results(*, ratio: float = 0.5, first_wins: float = 0.9, odd: float = 5, same: bool = True) -> Results:
    """Return games from 49 openings at each depth; ``odd`` are O's passes at odd depths, 10 those at even ones."""
    results: Entries = []
    for depth, number, first in product(tommy_openings.DEPTHS, range(49), "XO"):
        opening = f"{number // 7}{number % 7}"
        game = record(
            opening + ("33" if same or first == "X" else "44"),
            float(number < 49 * first_wins),
            leaves=by_side(first, 1000 + number, ratio * (1000 + number) + number % 5),
            passes=by_side(first, 0, 2 * (odd if depth % 2 else 10) + number % 3),
        )
        results.append(({"depth": depth, "first": first, "games": [{"opening": opening}]}, {"games": [game]}))
    return results


def ordering_results(by_weight: float) -> Results:
    """Return the leaves of both orderings."""
    return [({"ordering": "list"}, {"leaves": 12242.0}), ({"ordering": "weight"}, {"leaves": by_weight})]


def defects_results(
    *,
    wrong: int = 0,
    poor: int = 0,
    calls: float = 1.0,
    even: float = 0.5,
    odd: float = 0.5,
    threats: tuple[int, int] = (1, 1),
) -> Results:
    """Return blocks of positions and 300 games a depth; ``even`` and ``odd`` are the published program's scores."""
    results: Entries = [({"kind": "threats"}, {"published": threats[0], "intended": threats[1]})]
    for depth in DEFECT_DEPTHS:
        for number in range(8):
            block = {"wrong": wrong, "poor": poor, "calls": calls * (900 + number), "sound_calls": 900 + number % 3}
            results.append(({"kind": "values", "depth": depth, "number": number}, block))
        for number in range(300):
            game = record(f"{number:03}", float(number < 300 * (odd if depth % 2 else even)))
            games = [pairing_json(f"vds:{depth}", f"vds-intended:{depth}", number)]
            results.append(({"kind": "game", "depth": depth, "games": games}, {"games": [game]}))
    return results


def halim_results(*, longer: bool = True, better_first: bool = True, leaves: int = 1000) -> Results:
    """Return the recommended reading's games, of 9 plies with some of 11, and those of its variants."""
    results: Entries = []
    for option, opponent, system in product(("", *halim.VARIANTS), halim.DEPTHS, halim.DEPTHS):
        some = (opponent + system) % 7 == 0
        moves = WON[11] if some else WON[9]
        if option == halim.DEFENSIVE:
            moves = WON[11] if longer else WON[7]
        if option == halim.MOVES_SECOND:  # the system has the second move: it wins what the second player wins
            moves = WON[9] if better_first else LOST[10]
        if option == "" and not better_first and not some:
            moves = LOST[8]
        task = {"option": option, "opponent": opponent, "system": system, "games": [{}]}
        results.append((task, {"games": [record(moves, 1.0, leaves=[leaves] * len(moves))]}))
    return results


def halim_readings(game: Callable[[int, int], str]) -> Results:
    """Return four readings that all play ``game``, given the opponent's depth and the system's."""
    return [
        ({**task, "part": part}, {"moves": [game(*cell) for cell in halim_games.cells_of(part)], "nodes": 1})
        for task in halim_games.tasks(False, 0)[:4]
        for part in ("training", "held out")
    ]


def cell_games(cell: str, one: str, other: str, won: float, games: int = 400, started: bool = False) -> Entries:
    """Return a cell's different games, of which ``one`` wins a share; it starts every second game, or all."""
    pairs, played = [], []
    for number in range(games):
        starts = started or number // 100 % 2 == 0
        pairs.append(pairing_json(*((one, other) if starts else (other, one)), number))
        wins = number % 100 < 100 * won
        played.append(record(f"{number:04}", float(wins == starts)))
    return [({"cell": cell, "games": pairs}, {"games": played})]


def kang_results(shares: dict[str, float], ties: tuple[str, ...] = kang.TIES[:1]) -> Results:
    """Return the cells of H1 against H2 with these shares of wins, for orders of ties."""
    return [
        entry
        for order, (cell, share) in product(ties, shares.items())
        for entry in cell_games(cell if order == ties[0] else f"{cell}, ties {order}", "h1", "h2", share)
    ]


def table_6_results(deeper: float) -> Results:
    """Return Table 6, in which the deeper search wins a share of the games."""
    results: Entries = []
    for first, second in product(kang.DEPTHS, kang.DEPTHS):
        share = deeper if first > second else 1 - deeper
        results += cell_games(f"{first}-{second}", f"h1:{first}", f"h2:{second}", share, 100, started=True)
    return results


def figure_results(*, falls: bool = True, together: bool = True, nodes: int = 500) -> Results:
    """Return games of 40 moves whose nodes fall or rise, and whose times go with them or against them."""
    results: Entries = []
    for depth, number in product(kang_figures.FIGURES, range(4)):
        counts = [nodes - 10 * (ply if falls else 40 - ply) + number for ply in range(40)]
        seconds = [count if together else 1000 - count for count in counts]
        game = record(f"{number}" * 40, 1.0, nodes=counts, seconds=seconds)
        results.append(({"depth": depth, "games": [pairing_json("h1", "h1", number)]}, {"games": [game]}))
    return results


def kang_readings(shares: dict[int, float]) -> Results:
    """Return four readings of the programs that all have these shares of wins by depth."""
    results: Entries = []
    for program in kang_games.programs()[:4]:
        for depth, share in shares.items():
            for task in kang_games.blocks(program, depth, 50, 0):
                first = task["starter"] == kang_games.STARTERS[0]
                start = int(task["games"][0]["seed"].partition("/")[2])
                games = [
                    record(f"{start + number:03}", float((start + number < 50 * share) == first))
                    for number in range(len(task["games"]))
                ]
                results.append((task, {"games": games}))
    return results


def regret_results(*, kang_loses: bool = False, edap01_loses: bool = False) -> Results:
    """Return reference games in which column 0 keeps the outcome and column 1 gives it away."""
    results: Entries = []
    for number in range(20):
        positions = [
            {
                "ply": ply,
                "scores": [3, -3, 0, 0, 0, 0, 0],
                "picks": {
                    "kang-h1:8": int(kang_loses),
                    "edap01:8": int(edap01_loses and ply % 3 == number % 2),
                    "edap01-intended:8": 0,
                },
            }
            for ply in range(8, 20)
        ]
        results.append(({"game": number, "depths": [4, 8], "first_ply": 8}, {"moves": "", "positions": positions}))
    return results


def openings_scores(*scores: int) -> Results:
    """Return the exact scores of the first moves."""
    return [({"position": ""}, {"scores": list(scores)})]


def streak_results(*, lost: float = 0.0, seconds: float = 0.01) -> Results:
    """Return 400 different games of edap01:5 against both of the course's bots."""
    results: Entries = []
    for bot, number in product((streak.COURSE_BOT, streak.BOT_OF_2021), range(400)):
        game = record(f"{number:03}", float(number % 100 >= 100 * lost), seconds=[seconds] * 3)
        task = {"agent": "edap01:5", "bot": bot, "game": number, "games": [pairing_json("edap01:5", bot, number)]}
        results.append((task, {"games": [game]}))
    return results
