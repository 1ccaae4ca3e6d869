"""The result of a match: score by starting player, intervals, move times, and the Elo difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bot.lab.arena.games import Pairing, Played
from bot.lab.arena.statistics import elo_difference, summary_s, wilson


@dataclass(frozen=True)
class Record:
    """Games won, drawn and lost by one agent."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> float:
        """Points: 1 for a win, 0.5 for a draw."""
        return self.won + self.drawn / 2

    @property
    def score(self) -> float:
        """Points per game; 0 without games."""
        return self.points / self.games if self.games else 0.0

    def plus(self, points: float) -> Record:
        """Return the record with one more game, of 1, 0.5 or 0 points."""
        return Record(self.won + (points == 1), self.drawn + (points == 0.5), self.lost + (points == 0))

    def as_json(self) -> dict[str, Any]:
        """Return the counts, and the score with the 95 % Wilson intervals of score, wins and losses."""
        return {
            "won": self.won,
            "drawn": self.drawn,
            "lost": self.lost,
            "score": self.score,
            "score_interval": list(wilson(self.points, self.games)),
            "won_interval": list(wilson(self.won, self.games)),
            "lost_interval": list(wilson(self.lost, self.games)),
        }


@dataclass(frozen=True)
class MatchResult:
    """A match of ``one`` against ``other``, from the view of ``one``."""

    one: str
    other: str
    started: Record
    """Games in which ``one`` made the first move."""
    replied: Record
    """Games in which ``other`` made the first move, from the view of ``one``."""
    seconds: tuple[list[float], list[float]]
    """Move times of ``one`` and of ``other``."""
    each: tuple[tuple[str, Played], ...] = ()
    """All games, each with the name of the agent that started."""

    @property
    def total(self) -> Record:
        first, second = self.started, self.replied
        return Record(first.won + second.won, first.drawn + second.drawn, first.lost + second.lost)

    @property
    def forfeits(self) -> dict[str, list[str]]:
        """The reasons of the games that each agent forfeited, by its name."""
        found: dict[str, list[str]] = {}
        for starter, played in self.each:
            if played.forfeit:
                replier = self.other if starter == self.one else self.one
                found.setdefault(replier if played.result else starter, []).append(played.forfeit)
        return found

    def as_json(self) -> dict[str, Any]:
        """Return the whole result; Elo differences are null where they are infinite (a score of 0 or 1)."""
        total = self.total
        low, high = wilson(total.points, total.games)
        return {
            "agents": [self.one, self.other],
            "games": total.games,
            "total": total.as_json(),
            "started": self.started.as_json(),
            "replied": self.replied.as_json(),
            "elo": {
                "difference": elo_difference(total.score),
                "low": elo_difference(low),
                "high": elo_difference(high),
            },
            "move_s": {"first": summary_s(self.seconds[0]), "second": summary_s(self.seconds[1])},
            "each": [
                {
                    "started": name,
                    "moves": "".join(str(column + 1) for column in played.moves),
                    "given_plies": played.opening,
                    "result": played.result,
                    "forfeit": played.forfeit or None,
                }
                for name, played in self.each
            ],
        }


def judge(one: str, other: str, games: Sequence[tuple[Pairing, Played]]) -> MatchResult:
    """Return the result of a match's games; when an agent plays itself, games 0, 2, ... count as started."""
    started = replied = Record()
    seconds: tuple[list[float], list[float]] = ([], [])
    for number, (pairing, played) in enumerate(games):
        is_start = pairing.first == one if one != other else number % 2 == 0
        if is_start:
            started = started.plus(played.result)
        else:
            replied = replied.plus(1 - played.result)
        mine = 0 if is_start else 1
        seconds[0].extend(played.of_player(mine, played.seconds))
        seconds[1].extend(played.of_player(1 - mine, played.seconds))
    each = tuple((pairing.first, played) for pairing, played in games)
    return MatchResult(one, other, started, replied, seconds, each)
