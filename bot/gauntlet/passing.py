"""Will it pass? The probability of 20 games in a row without a loss, from games as the course plays them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bot.game import PlayedGame
from bot.game.notation import with_count
from bot.gauntlet.arena.games import Pairing, points_of, side_of
from bot.gauntlet.arena.statistics import edge, outcomes
from bot.gauntlet.sight import COURSE_LIMIT

GOAL = 20
"""Games in a row without a loss that the course asks for."""
MOST_GAMES = 1280
"""Games against one bot after which the answer stays open."""
_ERROR = 0.05
"""Probability that the interval ever, after any number of games, leaves out the true probability."""
YES, NO, OPEN = "yes", "no", "not yet"


@dataclass(frozen=True)
class CourseBot:
    """A bot of the course's server."""

    name: str
    about: str
    student_starts: bool = False
    """Whether the student always starts; otherwise each side starts in half of the games."""


COURSE_BOTS = (
    CourseBot("depth3", "the course's bot since 2024"),
    CourseBot("random", "the course's bot of January 2021, where the student starts", student_starts=True),
)


def course_bot(name: str) -> CourseBot:
    """Return the course's bot of this name, or any agent as a bot against which each side starts half of the games."""
    return next((bot for bot in COURSE_BOTS if bot.name == name), CourseBot(name, "a bot of your choice"))


def course_pairing(agent: str, bot: CourseBot, number: int) -> Pairing:
    """Return game ``number`` of a sample, as the course plays it; games 0 and 1, 2 and 3, ... have both beginners."""
    starts = bot.student_starts or number % 2 == 0
    players = (agent, bot.name) if starts else (bot.name, agent)
    return Pairing(*players, seed=f"pass/{number}", limit=COURSE_LIMIT)


def evidence(games: float, lost: float, share: float) -> float:
    """Return how much better a mixture explains the games than this share of games without a loss, as a logarithm.

    The mixture: with probability one half the agent never loses, else all probabilities of passing are equally likely.
    By Ville's inequality the evidence against the truth exceeds 20 in at most 5 % of all series, however often one
    looks.
    """
    kept = games - lost
    spread = math.log(GOAL) + math.lgamma(kept + GOAL) + math.lgamma(lost + 1) - math.lgamma(games + GOAL + 1)
    mixture = float(np.logaddexp(spread, -math.inf if lost else 0.0)) - math.log(2)
    if share in (0.0, 1.0):
        is_possible = (kept if share == 0.0 else lost) == 0
        return mixture if is_possible else math.inf
    return mixture - kept * math.log(share) - lost * math.log(1 - share)


def interval(games: float, lost: float) -> tuple[float, float]:
    """Return the 95 % interval of the probability of passing, which holds for all numbers of games at once."""
    if not games:
        return 0.0, 1.0

    def is_possible(share: float) -> bool:
        return evidence(games, lost, share) <= -math.log(_ERROR)

    likeliest = 1 - lost / games
    return edge(is_possible, likeliest, 0.0) ** GOAL, edge(is_possible, likeliest, 1.0) ** GOAL


def verdict_of(low: float, high: float) -> str:
    """Return whether an interval lies above or below one half."""
    if low > 0.5:
        return YES
    return NO if high < 0.5 else OPEN


def games_needed(games: int, lost: int) -> int:
    """Return how many further games would decide, if losses stay as frequent as they are; at most `MOST_GAMES` in all.

    Without a game none will be lost.
    """
    share = lost / max(1, games)
    total = games
    while total < MOST_GAMES and verdict_of(*interval(total, share * total)) == OPEN:
        total += 2
    return total - games


@dataclass(frozen=True)
class Passing:
    """What the games against one bot say of `GOAL` games in a row without a loss."""

    agent: str
    bot: CourseBot
    games: Sequence[PlayedGame]
    is_certain: bool = False
    """Whether neither player has chance, so that each side's one game is repeated for ever."""
    played: Sequence[PlayedGame] = ()
    """All games, also those of a pair that is not complete."""

    @property
    def lost(self) -> int:
        return sum(points_of(self.agent, game) == 0 for game in self.games)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the probability."""
        if not self.is_certain:
            return interval(len(self.games), self.lost)
        return self.value, self.value

    @property
    def value(self) -> float:
        """The probability that the games suggest."""
        return (1 - self.lost / len(self.games)) ** GOAL if self.games else 0.0

    @property
    def verdict(self) -> str:
        return verdict_of(*self.interval)

    @property
    def is_decided(self) -> bool:
        """Whether further games would not change the answer, or are too many."""
        return self.verdict != OPEN or len(self.games) >= MOST_GAMES

    @property
    def by_beginner(self) -> dict[str, dict[str, int]]:
        """Games won, drawn and lost where the agent began, and where the bot did."""
        points: dict[str, list[float]] = {"agent": [], "bot": []}
        for game in self.games:
            points[("agent", "bot")[side_of(self.agent, game)]].append(points_of(self.agent, game))
        return {who: outcomes(each) for who, each in points.items()}

    def minutes(self, workers: int) -> float:
        """Return about how long the answer will take."""
        if self.is_decided or not self.games:
            return 0.0
        mean_s = sum(sum(game.of_moves["seconds"]) for game in self.games) / len(self.games)
        return games_needed(len(self.games), self.lost) * mean_s / min(workers, 2) / 60

    def as_json(self, workers: int) -> dict[str, Any]:
        """Return all of it, and the answer in words."""
        low, high = self.interval
        found: dict[str, Any] = {"bot": self.bot.name, "about": self.bot.about, "verdict": self.verdict}
        found |= {"value": self.value, "low": low, "high": high, "is_certain": self.is_certain}
        found |= {"games": len(self.games), "lost": self.lost, "by_beginner": self.by_beginner}
        found["minutes"] = self.minutes(workers)
        return found | {"text": _text(found)}


def in_short(found: Mapping[str, Any]) -> str:
    """Return "Does not pass against depth3, the course's bot since 2024: 0 of 40 games won."."""
    answer = {YES: "Passes", NO: "Does not pass", OPEN: "Unknown yet whether it passes"}[found["verdict"]]
    won = sum(counts["won"] for counts in found["by_beginner"].values())
    return f"{answer} against {found['bot']}, {found['about']}: {won} of {with_count(found['games'], 'game')} won."


def _text(found: dict[str, Any]) -> str:
    """Return "yes; chance of 20 in a row without a loss: 100 % (51 % to 100 %) after 104 games (it began: ...)."."""
    if not found["games"]:
        return "Unknown yet: the time ended before its first game. Run the gauntlet again."
    answer, chance = f"{found['verdict']}; ", f"chance of {GOAL} in a row without a loss:"
    if found["verdict"] == OPEN:
        again = f"yet. Run the gauntlet again, about {with_count(max(1, round(found['minutes'])), 'minute')}"
        answer = f"Unknown {again if found['minutes'] else f'after {MOST_GAMES} games'}. "
        chance = chance.capitalize()
    games = []
    for who, counts in found["by_beginner"].items():
        if sum(counts.values()):
            began = "it began" if who == "agent" else "the bot began"
            games.append(f"{began}: won {counts['won']}, drawn {counts['drawn']}, lost {counts['lost']}")
    if found["is_certain"]:
        return f"{found['verdict']}: neither player has chance, so two games say all ({'; '.join(games)})."
    shown = f"{in_percent(found['value'])} ({in_percent(found['low'])} to {in_percent(found['high'])})"
    return f"{answer}{chance} {shown} after {with_count(found['games'], 'game')} ({'; '.join(games)})."


def in_percent(value: float) -> str:
    """Return a probability as "36 %"; near 0 and 1 it is not rounded to a certainty."""
    if 0 < value < 0.005:
        return "below 1 %"
    if 0.995 <= value < 1:
        return "above 99 %"
    return f"{100 * value:.0f} %"
