"""The course's goal: 20 games in a row without a loss, at most 5 seconds a move (bot/lab/README.md#edap01-goals)."""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import groupby, product
from typing import Any

from bot.lab.experiments.base import Cell, Experiment, Results, Task, markdown_table
from bot.lab.experiments.inference import Estimate, chance_of_streak, middle, share
from bot.lab.experiments.plots import POINTS, cell_bars
from bot.lab.experiments.records import games_of, of_player, pairing_json, play

GOAL = 20
LIMIT_S = 5.0
GAMES, GAMES_2021 = 100, 400
"""Games of the report's own agent against the course's bots of 2024 and of 2021; the other agents have 20."""
COURSE_BOT = "depth3"
"""The course's bot: according to its text of 2024, a search of three plies."""
BOT_OF_2021 = "random"
"""The bot that the report's author played in 2021."""
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
OWN_AGENTS = 2
"""The report's agent, as published and as intended: the first of the list."""
QUICK_AGENTS = 6
"""Agents of a quick run, from the beginning of the list."""
DEEP_AGENTS = ("tommy-ab:10", "tommy-mtdf:10", "kang-h1:8")
"""The greatest depths of Tommy's programs and of Kang's Heuristic-1."""


def tasks(quick: bool, seed: int) -> list[Task]:
    """Return the games against the course's bots of 2024 and 2021.

    A quick run has 20 games of the shallower agents.
    """
    bots = (COURSE_BOT, BOT_OF_2021)
    if quick:
        return _games(AGENTS[:QUICK_AGENTS], bots, GOAL, seed)
    return [
        *_games(AGENTS[:OWN_AGENTS], (COURSE_BOT,), GAMES, seed),
        *_games(AGENTS[:OWN_AGENTS], (BOT_OF_2021,), GAMES_2021, seed),
        *_games((*AGENTS[OWN_AGENTS:], *DEEP_AGENTS), bots, GOAL, seed),
    ]


def _games(agents: tuple[str, ...], bots: tuple[str, ...], games: int, seed: int) -> list[Task]:
    return [
        {"agent": agent, "bot": bot, "game": game, "games": [_game(agent, bot, f"{seed}/{game}/{bot}")]}
        for agent, bot, game in product(agents, bots, range(games))
    ]


def _game(agent: str, bot: str, seed: str) -> dict[str, Any]:
    """Return one game; the starting player is random, as on the course's server."""
    starts = random.Random(f"starter/{seed}").random() < 0.5
    return pairing_json(*((agent, bot) if starts else (bot, agent)), seed)


@dataclass(frozen=True)
class Game:
    """A game from the agent's view."""

    points: float
    started: bool
    moves: str
    seconds: list[float]


def games_against(results: Results, agent: str, bot: str) -> list[Game]:
    """Return the games of one agent against one bot, in order."""
    games = []
    for pairing, played in games_of(results, agent=agent, bot=bot):
        starts = pairing["first"] == agent
        points = played["result"] if starts else 1 - played["result"]
        games.append(Game(points, starts, played["moves"], of_player(played, 0 if starts else 1, "seconds")))
    return games


def kept(games: list[Game]) -> Estimate:
    """Return the share of the games that were not lost; the sample's size is the number of different games."""
    different = {(game.started, game.moves) for game in games}
    return share(sum(game.points > 0 for game in games), len(games), len(different))


def longest_streak(games: list[Game]) -> int:
    """Return the largest number of consecutive games without a loss."""
    runs = [sum(1 for _ in run) for not_lost, run in groupby(games, lambda game: game.points > 0) if not_lost]
    return max(runs, default=0)


def first_streak(games: list[Game]) -> int:
    """Return the number of games before the first loss, at most the goal."""
    lost = [number for number, game in enumerate(games[:GOAL]) if game.points == 0]
    return lost[0] if lost else len(games[:GOAL])


def cells(results: Results) -> list[Cell]:
    """Return, for each agent against each of the course's bots, the goals beside the measured numbers."""
    table = []
    for bot, agent in product((COURSE_BOT, BOT_OF_2021), agents_of(results)):
        games = games_against(results, agent, bot)
        row = f"{agent} against {bot}"
        seconds = [second for game in games for second in game.seconds]
        not_lost, typical = kept(games), middle(seconds)
        chance = chance_of_streak(not_lost, GOAL)
        basis = f"{not_lost.size} different of {len(games)} games"
        moves = f"{len(seconds)} moves"
        table += [
            Cell(row, "streak at the start", None, first_streak(games), None, 0, GOAL, f"first {GOAL} games"),
            Cell(row, "longest streak", None, longest_streak(games), None, 0, GOAL, f"{len(games)} games"),
            Cell(row, "share not lost", None, not_lost.value, not_lost.interval, basis=basis),
            Cell(row, "chance of 20 in a row", None, chance.value, chance.interval, basis=basis),
            Cell(row, "median move (s)", None, typical.value, typical.interval, 4, LIMIT_S, moves),
            Cell(row, "slowest move (s)", None, max(seconds), None, 4, LIMIT_S, moves),
        ]
    return table


def agents_of(results: Results) -> list[str]:
    """Return the agents in the order of the tasks."""
    return list(dict.fromkeys(task["agent"] for task, _ in results))


def notes(results: Results) -> list[str]:
    """Return the agents that reach the goal, and the record against every bot."""
    agents = agents_of(results)
    bots = list(dict.fromkeys(task["bot"] for task, _ in results))
    rows = []
    for agent in agents:
        row: list[object] = [agent]
        for bot in bots:
            points = [game.points for game in games_against(results, agent, bot)]
            row.append(f"{points.count(1)}/{points.count(0.5)}/{points.count(0)}" if points else "-")
        games = games_against(results, agent, COURSE_BOT)
        chance = chance_of_streak(kept(games), GOAL)
        rows.append([*row, first_streak(games), f"{kept(games).size} of {len(games)}"])
        rows[-1].append(f"{chance.value:.2f} ({chance.low:.2f} to {chance.high:.2f})")
    header = ["agent", *(f"{bot} (won/drawn/lost)" for bot in bots), f"first games not lost against {COURSE_BOT}"]
    return [
        f"The goal of {GOAL} games in a row is the course's, and {LIMIT_S:g} s a move is its limit; no source prints"
        " results. Games differ only in who starts and in the bot's choice among equal moves, so that many repeat each"
        " other: only different games count as the size of the sample, from which the interval follows. The chance of a"
        f" streak is the share of games not lost to the power of {GOAL}, and so are its bounds."
        " The constants of edap01's evaluation are an assumption: its report gives none.",
        markdown_table(rows, [*header, "different games", "chance of 20 in a row (95 %)"]),
    ]


def draw(figure: Any, results: Results) -> None:
    """Draw the share of games not lost against each of the course's bots."""
    table = cells(results)
    for axes, bot in zip(figure.subplots(1, 2, sharey=True), (COURSE_BOT, BOT_OF_2021), strict=True):
        chosen = [cell for cell in table if cell.column == "share not lost" and cell.row.endswith(f" {bot}")][::-1]
        shares, errors = cell_bars(chosen)
        labels = [cell.row.partition(" ")[0] for cell in chosen]
        axes.errorbar(shares, labels, xerr=errors, **{**POINTS[0], "linestyle": "none"}, label="share, 95 % interval")
        axes.axvline(0.5 ** (1 / GOAL), color="black", linestyle=":", label="even chance of 20 in a row")
        axes.set(title=f"Against {bot}", xlabel="share of games not lost", xlim=(-0.02, 1.02))
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=2)


STREAK = Experiment(
    "edap01-streak",
    "EDAP01: a streak of 20 games without a loss against the course's bot",
    "EDAP01 report 2021, objectives 1, 2 and 4",
    tasks,
    play,
    cells,
    notes,
    draw,
)
