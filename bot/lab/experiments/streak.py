"""The course's goal: 20 games in a row without a loss, at most 5 seconds a move (bot/lab/README.md#edap01-goals)."""

from __future__ import annotations

import random
from itertools import groupby, product
from typing import Any

import numpy as np

from bot.lab.arena.games import Pairing, play_pairing
from bot.lab.arena.statistics import wilson
from bot.lab.experiments.base import Cell, Experiment, Results, Task, markdown_table

GOAL = 20
LIMIT_S = 5.0
GAMES = 100
COURSE_BOT = "depth3"
"""The course's bot: according to its text of 2024, a search of three plies."""
BOT_OF_2021 = "random"
"""The bot that the report's author played in 2021."""
OTHER_BOTS = ("depth1", "depth2", "depth4")
AGENTS = (
    "edap01:5",
    "edap01-intended:5",
    "tommy-ab:5",
    "tommy-mtdf:5",
    "vds:4",
    "vds-intended:4",
    "halim:6",
    "halim:8",
    "kang-h1:4",
    "kang-h2:4",
    "kang-sample:4",
    "rmarcus:5",
)
DEEP_AGENTS = ("tommy-ab:10", "tommy-mtdf:10", "vds:7", "kang-h1:8", "kang-h2:8", "rmarcus:8")
"""The greatest depth of each paper that names several."""


def tasks(quick: bool, seed: int) -> list[Task]:
    """Return 100 games against the course's bots of 2024 and 2021, and 20 against others (quick: 20 and none)."""
    if quick:
        return _games(AGENTS, (COURSE_BOT, BOT_OF_2021), GOAL, seed)
    agents = (*AGENTS, *DEEP_AGENTS)
    return _games(agents, (COURSE_BOT, BOT_OF_2021), GAMES, seed) + _games(agents, OTHER_BOTS, GOAL, seed)


def _games(agents: tuple[str, ...], bots: tuple[str, ...], games: int, seed: int) -> list[Task]:
    return [
        {"agent": agent, "bot": bot, "game": game, "seed": seed}
        for agent, bot, game in product(agents, bots, range(games))
    ]


def work(task: Task) -> dict[str, Any]:
    """Play one game; the starting player is random, as on the course's server."""
    seed = f"{task['seed']}/{task['game']}/{task['bot']}"
    starts = random.Random(f"starter/{seed}").random() < 0.5
    names = (task["agent"], task["bot"]) if starts else (task["bot"], task["agent"])
    played = play_pairing(Pairing(*names, seed))
    points = played.result if starts else 1 - played.result
    return {
        "points": points,
        "started": starts,
        "moves": "".join(map(str, played.moves)),
        "seconds": played.of_player(0 if starts else 1, played.seconds),
    }


def games_of(results: Results, agent: str, bot: str) -> list[dict[str, Any]]:
    """Return the results of one agent against one bot, in order."""
    return [result for task, result in results if (task["agent"], task["bot"]) == (agent, bot)]


def longest_streak(games: list[dict[str, Any]]) -> int:
    """Return the largest number of consecutive games without a loss."""
    runs = [sum(1 for _ in run) for kept, run in groupby(games, lambda game: game["points"] > 0) if kept]
    return max(runs, default=0)


def cells(results: Results) -> list[Cell]:
    """Return, for each agent against each of the course's bots, the goal's numbers beside the measured ones."""
    table = []
    for bot, agent in product((COURSE_BOT, BOT_OF_2021), _agents(results)):
        games = games_of(results, agent, bot)
        row = f"{agent} against {bot}"
        seconds = [second for game in games for second in game["seconds"]]
        lost = sum(game["points"] == 0 for game in games)
        table += [
            Cell(row, "streak at the start", GOAL, _first_streak(games), digits=0),
            Cell(row, "passed with the first 20 games", "yes", "yes" if _first_streak(games) >= GOAL else "no"),
            Cell(row, "longest streak", None, longest_streak(games), digits=0),
            Cell(row, "share lost", 0, lost / len(games), wilson(lost, len(games))),
            Cell(row, "slowest move (s)", LIMIT_S, max(seconds), digits=4),
            Cell(row, "95 % of moves within (s)", LIMIT_S, float(np.quantile(seconds, 0.95)), digits=4),
        ]
    return table


def _agents(results: Results) -> list[str]:
    return list(dict.fromkeys(task["agent"] for task, _ in results))


def _first_streak(games: list[dict[str, Any]]) -> int:
    lost = [number for number, game in enumerate(games[:GOAL]) if game["points"] == 0]
    return lost[0] if lost else len(games[:GOAL])


def notes(results: Results) -> list[str]:
    """Return the agents that pass, and the record against every bot."""
    agents = _agents(results)
    bots = list(dict.fromkeys(task["bot"] for task, _ in results))
    passed = {
        bot: [agent for agent in agents if _first_streak(games_of(results, agent, bot)) >= GOAL]
        for bot in (COURSE_BOT, BOT_OF_2021)
    }
    rows = []
    for agent in agents:
        row: list[object] = [agent]
        for bot in bots:
            points = [game["points"] for game in games_of(results, agent, bot)]
            row.append(f"{points.count(1)}/{points.count(0.5)}/{points.count(0)}" if points else "-")
        games = games_of(results, agent, COURSE_BOT)
        kept = 1 - sum(game["points"] == 0 for game in games) / len(games)
        rows.append([*row, len({game["moves"] for game in games}), f"{kept**GOAL:.2f}"])
    header = ["agent", *(f"{bot} (won/drawn/lost)" for bot in bots), f"different games against {COURSE_BOT}"]
    header.append("probability of 20 in a row")
    return [
        f"**Agents without a loss in their first 20 games against {COURSE_BOT} (the course's bot in 2024):** "
        + (", ".join(passed[COURSE_BOT]) or "none")
        + f". Against {BOT_OF_2021} (the course's bot in 2021): "
        + (", ".join(passed[BOT_OF_2021]) or "none")
        + ".",
        markdown_table(rows, header),
        "The probability of a streak is estimated as the share of games not lost against the course's bot, to the 20th"
        " power. Games differ only in who starts and in the bot's choice among equal moves: few games are different,"
        " and another tie-break could reverse a result. The constants of edap01's evaluation are an assumption: its"
        " report gives none.",
    ]


def draw(figure: Any, results: Results) -> None:
    """Draw the share of games lost against the course's bot."""
    axes = figure.subplots()
    lost = [cell for cell in cells(results) if cell.column == "share lost" and cell.row.endswith(COURSE_BOT)]
    labels = [cell.row.partition(" ")[0] for cell in lost]
    shares = np.array([float(cell.measured or 0) for cell in lost])
    bounds = np.array([cell.interval or (0, 0) for cell in lost]).T
    axes.barh(labels[::-1], shares[::-1], xerr=np.abs(bounds - shares)[:, ::-1], capsize=3)
    axes.set(xlabel=f"share of games lost against {COURSE_BOT}, 95 %", xlim=(0, 1))


STREAK = Experiment(
    "edap01-streak",
    "EDAP01: a streak of 20 games without a loss against the course's bot",
    "EDAP01 report 2021, objectives 1, 2 and 4",
    tasks,
    work,
    cells,
    notes,
    draw,
)
