"""The result of a match: score by starting player, intervals, move times, and the Elo difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.agents.games import Played
from bot.lab.arena.games import Pairing
from bot.lab.arena.match_run import pairs_of
from bot.lab.arena.pairs import Pentanomial
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

    def joined(self, other: Record) -> Record:
        """Return the record of both."""
        return Record(self.won + other.won, self.drawn + other.drawn, self.lost + other.lost)

    def plus(self, points: float) -> Record:
        """Return the record with one more game, of 1, 0.5 or 0 points."""
        return Record(self.won + (points == 1), self.drawn + (points == 0.5), self.lost + (points == 0))

    def as_json(self, different: Record | None = None) -> dict[str, Any]:
        """Return the counts, and the score with the 95 % Wilson intervals of score, wins and losses.

        The intervals are those of ``different``, the games that are no repetition of another, if it is given.
        """
        basis = different or self
        return {
            "won": self.won,
            "drawn": self.drawn,
            "lost": self.lost,
            "score": self.score,
            "score_interval": list(wilson(basis.points, basis.games)),
            "won_interval": list(wilson(basis.won, basis.games)),
            "lost_interval": list(wilson(basis.lost, basis.games)),
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
    different: tuple[Record, Record] = (Record(), Record())
    """`started` and `replied` without games that repeat an earlier one move for move."""
    pairs: Pentanomial = field(default_factory=Pentanomial)
    """The pairs of games with one opening, repetitions left out."""

    @property
    def total(self) -> Record:
        return self.started.joined(self.replied)

    @property
    def elo(self) -> tuple[float | None, float | None, float | None]:
        """Elo difference and its 95 % interval: from the pairs, or where there is none from the games."""
        if self.pairs.pairs:
            return self.pairs.elo
        different = self.different[0].joined(self.different[1])
        low, high = wilson(different.points, different.games)
        return elo_difference(different.score), elo_difference(low), elo_difference(high)

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
        total, different = self.total, self.different[0].joined(self.different[1])
        return {
            "agents": [self.one, self.other],
            "games": total.games,
            "different_games": different.games,
            "total": total.as_json(different),
            "started": self.started.as_json(self.different[0]),
            "replied": self.replied.as_json(self.different[1]),
            "pairs": {"counts": list(self.pairs.counts), "score_interval": list(self.pairs.interval)},
            "elo": dict(zip(("difference", "low", "high"), self.elo, strict=True)),
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
    started = replied = different_started = different_replied = Record()
    seen: set[tuple[bool, tuple[int, ...]]] = set()
    seconds: tuple[list[float], list[float]] = ([], [])
    for number, (pairing, played) in enumerate(games):
        is_start = pairing.first == one if one != other else number % 2 == 0
        is_new = (is_start, played.moves) not in seen
        seen.add((is_start, played.moves))
        if is_start:
            started = started.plus(played.result)
            different_started = different_started.plus(played.result) if is_new else different_started
        else:
            replied = replied.plus(1 - played.result)
            different_replied = different_replied.plus(1 - played.result) if is_new else different_replied
        mine = 0 if is_start else 1
        seconds[0].extend(played.of_player(mine, played.seconds))
        seconds[1].extend(played.of_player(1 - mine, played.seconds))
    each = tuple((pairing.first, played) for pairing, played in games)
    different = different_started, different_replied
    return MatchResult(one, other, started, replied, seconds, each, different, pairs_of(games))
