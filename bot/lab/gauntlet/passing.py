"""Will it pass? The probability of 20 games in a row without a loss, with its interval, from games of the course."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.agents.catalogue import may_randomise
from bot.lab.arena.games import Pairing, PlayedPairing, points_of
from bot.lab.arena.statistics import wilson
from bot.lab.gauntlet.rules import COURSE_LIMIT

GOAL = 20
"""Games in a row without a loss that the course asks for."""
NARROW = 0.2
"""Width of the interval of a probability at which no more games are played."""
_KNOWN = 0.5
"""Width of the interval up to which the answer is put in words."""
BATCHES = (20, 20, 40, 80, 160, 320, 640)
"""Games after each of which the interval is looked at."""
Play = Callable[[Sequence[Pairing]], list[PlayedPairing]]


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


@dataclass(frozen=True)
class Passing:
    """The probability of `GOAL` games in a row without a loss against one bot."""

    bot: CourseBot
    games: int
    different: int
    """Games that differ from each other."""
    lost: int
    is_certain: bool
    """Whether neither player has chance, so that each side's one game is repeated for ever."""

    @property
    def value(self) -> float:
        return (1 - self.lost / self.games) ** GOAL if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval: Wilson's of the share of games without a loss, to the power of `GOAL`."""
        if self.is_certain:
            return self.value, self.value
        low, high = wilson(self.games - self.lost, self.games)
        return low**GOAL, high**GOAL

    @property
    def is_narrow(self) -> bool:
        low, high = self.interval
        return high - low <= NARROW

    @property
    def text(self) -> str:
        """The answer in words."""
        games = f"{self.games} games" if self.games != 1 else "1 game"
        played = f"{self.lost} of {games} lost"
        if self.is_certain:
            answer = "Yes" if self.lost == 0 else "No"
            return f"{answer}: without chance the same game is played again and again ({played})."
        low, high = self.interval
        end = "the interval is narrow" if self.is_narrow else "the games are spent"
        seen = f"{played}, {self.different} different; it ended because {end}"
        words = _words(self.value) if high - low <= _KNOWN else "Too few games to say"
        return f"{words}: {in_percent(self.value)} ({in_percent(low)} to {in_percent(high)}); {seen}."


def _words(value: float) -> str:
    for least, words in ((0.95, "Almost certainly"), (0.7, "Probably"), (0.3, "Perhaps"), (0.05, "Probably not")):
        if value >= least:
            return words
    return "Almost certainly not"


def in_percent(value: float) -> str:
    """Return a probability as "36 %"; near 0 and 1 it is not rounded to a certainty."""
    if 0 < value < 0.005:
        return "below 1 %"
    if 0.995 <= value < 1:
        return "above 99 %"
    return f"{100 * value:.0f} %"


def play_for_pass(
    agent: str, bot: CourseBot, play: Play, *, most: int, has_chance: bool
) -> tuple[Passing, list[PlayedPairing]]:
    """Play games from the empty board until the interval is narrow or ``most`` games are played.

    The games of a series repeat themselves as often as those of the sample do, so repetitions count; only where neither
    player has chance, one game of each side is all there is.
    """
    is_certain = not has_chance and not may_randomise(bot.name)
    sides = 1 if bot.student_starts else 2
    played: list[PlayedPairing] = []
    for batch in (sides,) if is_certain else BATCHES:
        end = min(len(played) + batch, max(sides, most))
        played += play([course_pairing(agent, bot, "pass", number) for number in range(len(played), end)])
        passing = passing_of(agent, bot, played, is_certain=is_certain)
        if passing.is_narrow or len(played) >= most:
            break
    return passing, played


def course_pairing(agent: str, bot: CourseBot, seed: str, number: int) -> Pairing:
    """Return game ``number`` of a sample called ``seed``, as the course plays it."""
    starts = bot.student_starts or number % 2 == 0
    players = (agent, bot.name) if starts else (bot.name, agent)
    return Pairing(*players, seed=f"{seed}/{number}", limit=COURSE_LIMIT)


def passing_of(agent: str, bot: CourseBot, played: Sequence[PlayedPairing], *, is_certain: bool = False) -> Passing:
    """Return what games of ``agent`` against ``bot`` say."""
    lost = sum(points_of(agent, game) == 0 for game in played)
    different = len({(pairing.first, game.moves) for pairing, game in played})
    return Passing(bot, len(played), different, lost, is_certain)
