"""Claims of the EDAP01 report 2021, and the goals of its assignment."""

from __future__ import annotations

from functools import partial

from bot.lab.experiments.inference import chance_of_streak
from bot.lab.experiments.ledger.claim import Claim, Data, Exact, Part, Sampled
from bot.lab.experiments.openings import scores
from bot.lab.experiments.regret import depths_of, more_than
from bot.lab.experiments.streak import BOT_OF_2021, COURSE_BOT, GOAL, LIMIT_S, games_against, kept

SOURCE = "EDAP01 report 2021"
STREAK, OPENINGS, REGRET = "edap01-streak", "openings", "regret"
AGENT = "edap01:5"
EVEN = 0.5 ** (1 / GOAL)
"""Share of games not lost that gives an even chance of the goal."""


def _first_wins(data: Data) -> list[Part]:
    score = scores(data.results[OPENINGS])["d"]
    return [Exact("exact score of the first move in column d", f"{score:+d}", score > 0)]


def _by_move_41(data: Data) -> list[Part]:
    score = scores(data.results[OPENINGS])["d"]
    last = 43 - 2 * score
    return [Exact("ply of the win with best play", str(last), score > 0 and last <= 41)]


def _outer_lose(data: Data) -> list[Part]:
    found = {name: score for name, score in scores(data.results[OPENINGS]).items() if name in "abfg"}
    shown = ", ".join(f"{name} {score:+d}" for name, score in found.items())
    return [Exact("exact scores of the outer first moves", shown, all(score < 0 for score in found.values()))]


def _sound_end(data: Data) -> list[Part]:
    results = data.results[REGRET]
    deepest = max(depths_of(results))
    more = more_than(results, [f"edap01:{deepest}"], [f"edap01-intended:{deepest}"])
    label = f"points given away per game at depth {deepest}, as built less as described"
    return [Sampled(label, more, above=-0.05, below=0.05, unit="reference games")]


def _streak(data: Data, bot: str) -> list[Part]:
    games = games_against(data.results[STREAK], AGENT, bot)
    not_lost = kept(games)
    chance = chance_of_streak(not_lost, GOAL)
    label = (
        f"share of games not lost against {bot} (a chance of {GOAL} in a row of {chance.value:.2f},"
        f" {chance.low:.2f} to {chance.high:.2f})"
    )
    return [Sampled(label, not_lost, above=EVEN, unit=f"different of {len(games)} games", digits=3)]


def _within_limit(data: Data) -> list[Part]:
    seconds = [
        second
        for bot in (COURSE_BOT, BOT_OF_2021)
        for game in games_against(data.results[STREAK], AGENT, bot)
        for second in game.seconds
    ]
    shown = f"{max(seconds):.4f} s, the slowest of {len(seconds)} moves of the compiled program"
    return [Exact("time of a move", shown, max(seconds) <= LIMIT_S)]


CLAIMS = (
    Claim(
        "edap01-first-player",
        SOURCE,
        "The game",
        "The first player can force a win by starting in column d.",
        "The exact solver's score of this first move is positive.",
        _first_wins,
        (OPENINGS,),
    ),
    Claim(
        "edap01-move-41",
        SOURCE,
        "The game",
        "The win comes by the 41st disc at the latest.",
        "With best play of both sides the winning disc is the 41st or an earlier one.",
        _by_move_41,
        (OPENINGS,),
        "41",
    ),
    Claim(
        "edap01-outer",
        SOURCE,
        "The game",
        "A start in one of the columns a, b, f, g lets the second player force a win.",
        "The exact solver's scores of these first moves are negative.",
        _outer_lose,
        (OPENINGS,),
    ),
    Claim(
        "edap01-search",
        SOURCE,
        "Agent",
        "The agent is minimax with alpha-beta that ends at a won position.",
        "As built it gives away as many points as the search described, within 0.05 a game (constants assumed).",
        _sound_end,
        (REGRET,),
    ),
    Claim(
        "edap01-streak-2021",
        SOURCE,
        "Assignment, objective 2",
        "Not lose 20 games in a row against the server's bot of 2021, which moved at random.",
        "The chance of such a streak is above 0.5, by bounds from the different games (constants assumed).",
        partial(_streak, bot=BOT_OF_2021),
        (STREAK,),
        goal="20 in a row",
    ),
    Claim(
        "edap01-streak-2024",
        SOURCE,
        "Assignment, objective 2",
        "The same against the course's bot of 2024, a search of three plies.",
        "The chance of such a streak is above 0.5, by bounds from the different games (constants assumed).",
        partial(_streak, bot=COURSE_BOT),
        (STREAK,),
        goal="20 in a row",
    ),
    Claim(
        "edap01-limit",
        SOURCE,
        "Assignment, objective 4",
        "Move within 5 seconds.",
        "The slowest move of the rebuilt, compiled program is within the limit; the report's Python is not measured.",
        _within_limit,
        (STREAK,),
        goal="5 s",
    ),
    Claim(
        "edap01-alphago",
        SOURCE,
        "Summary of AlphaGo",
        "AlphaGo wins 99.8 % of its games against other Go programs.",
        "It concerns another game; nothing here bears on it.",
        published="99.8 %",
    ),
    Claim(
        "edap01-peer",
        SOURCE,
        "Peer review",
        "The reviewed student's solution wins against the server.",
        "The report does not describe that program.",
    ),
)
