"""The gauntlet against truth: ``python -m tests.lab.gauntlet_figures passing`` or ``losses``, in two processes.

Passing: for each agent the interval of the probability to pass, as the gauntlet finds it, and the share of 1,000 series
of 20 games, drawn from fresh games, in which none is lost. Losses: the move that lost each of 500 games, beside a walk
that knows only the exact scores of all columns, and every reason's line played out by the rules.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from statistics import median
from typing import Any

from bot.engine.score import sign
from bot.game import Board
from bot.lab.arena.games import Pairing, PlayedPairing, play_pairing, points_of
from bot.lab.arena.workers import run_tasks
from bot.lab.exact import solved_scores
from bot.lab.gauntlet.losses import LostGame, explain
from bot.lab.gauntlet.passing import COURSE_BOTS, GOAL, CourseBot, course_pairing, play_for_pass

AGENTS = (
    *(f"level:{level}" for level in range(1, 10)),
    "random",
    *(f"depth{depth}" for depth in range(1, 7)),
    *(f"uct:{playouts}" for playouts in (50, 100, 200, 400)),
    *("kang-h2:2", "kang-h2:4", "tommy-ab:2", "tommy-ab:4", "tommy-ab:5"),
    *("vds:4", "edap01:3", "edap01:5", "rmarcus:3", "halim:4"),
)
"""Noisy and deterministic ones, weak and strong."""
FRESH = 2000
MOST = 1280
RESOLUTION = 0.0005
"""Half of one of 1,000 series: a probability of 1e-10 is counted as 0."""


def play(pairings: Sequence[Pairing]) -> list[PlayedPairing]:
    return [(pairing, play_pairing(pairing)) for pairing in pairings]


def passing(task: tuple[str, CourseBot]) -> dict[str, Any]:
    """Return what the gauntlet predicts, and the share of series that pass."""
    agent, bot = task
    predicted, _ = play_for_pass(agent, bot, play, most=MOST, has_chance=True)
    chance = random.Random(f"{agent}/{bot.name}")
    points = []
    for number in range(FRESH):
        pairing = course_pairing(agent, bot, "fresh", number)
        points.append(points_of(agent, (pairing, play_pairing(pairing))))
    series = [all(chance.choice(points) > 0 for _ in range(GOAL)) for _ in range(1000)]
    return {"interval": predicted.interval, "games": predicted.games, "truth": sum(series) / len(series)}


def show_passing() -> None:
    tasks = [(agent, bot) for agent in AGENTS for bot in COURSE_BOTS]
    inside, widths, games = 0, [], []
    for (agent, bot), found in run_tasks(passing, tasks, workers=2):
        low, high = found["interval"]
        is_inside = low - RESOLUTION <= found["truth"] <= high + RESOLUTION
        inside += is_inside
        widths.append(high - low)
        games.append(found["games"])
        print(
            f"{agent} {bot.name}: {low:.3f} to {high:.3f} of {found['games']}; counted {found['truth']:.3f} {is_inside}"
        )
    print(
        f"{inside} of {len(tasks)} intervals hold the truth; median width {median(widths):.3f}, games {median(games)}"
    )


def walk(task: tuple[str, str, int]) -> list[str]:
    """Return what is wrong in the explanation of one game, and "game" where there was one."""
    agent, opponent, number = task
    players = (agent, opponent) if number % 2 == 0 else (opponent, agent)
    pairing = Pairing(*players, seed=f"walk/{number}")
    played = play_pairing(pairing)
    side = number % 2
    if abs(side - played.result) > 0:
        return []
    loss = explain(LostGame(played.moves, side, 0.0))
    assert loss is not None
    last, kept = None, list[int]()
    for ply in range(side, len(played.moves), 2):
        scores = solved_scores(played.moves[:ply])
        outcomes = [None if score is None else sign(score) for score in scores]
        best = max(outcome for outcome in outcomes if outcome is not None)
        if best >= 0:
            last, kept = ply, [column for column, outcome in enumerate(outcomes) if outcome == best]
    found = ["game"] + ["reason"] * bool(loss["reason"]) + ["plain"] * bool(loss["plain"])
    if loss["ply"] != last or (last is not None and loss["right"] != kept):
        found.append(f"wrong {agent} {played.moves}")
    if loss["plain"] and loss["plain"]["ply"] < (last or 0):
        found.append(f"early {agent} {played.moves}")
    for told in (loss, loss["plain"]):
        if told and told["reason"] and not _ends(told, played.moves):
            found.append(f"line {agent} {played.moves} {told}")
    return found


def _ends(told: dict[str, Any], moves: Sequence[int]) -> bool:
    """Return whether the line of a reason is legal and ends with a four; one by follow-up may hold a draw."""
    board = Board.from_moves(moves[: told["ply"]])
    for column in told["line"]:
        if not board.can_play(column) or board.is_over:
            return False
        board = board.play(column)
    return board.has_winner or "follow-up" in told["name"]


def show_losses() -> None:
    tasks = [
        (agent, opponent, number) for number in range(8) for agent in AGENTS[:20] for opponent in ("depth4", "level:9")
    ]
    tasks += [(agent, "perfect", number) for number in range(16) for agent in AGENTS[:20]]
    found: list[str] = []
    for _, each in run_tasks(walk, tasks, workers=2):
        found += each
        if found.count("game") >= 500:
            break
    counts = {name: found.count(name) for name in ("game", "reason", "plain")}
    print(counts, [each for each in found if each not in counts])


if __name__ == "__main__":
    {"passing": show_passing, "losses": show_losses}[sys.argv[1]]()
