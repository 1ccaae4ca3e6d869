"""The result of a match: score by starting player, intervals, move times, and the Elo difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from bot.agents.games import Played
from bot.game import format_moves
from bot.lab.arena.games import Game
from bot.lab.arena.match_run import pairs_of
from bot.lab.arena.pairs import Pentanomial
from bot.lab.arena.statistics import Tally, elo, share, summary_s


@dataclass(frozen=True)
class MatchResult:
    """A match of ``one`` against ``other``, from the view of ``one``."""

    one: str
    other: str
    games: Sequence[Game]

    @cached_property
    def views(self) -> list[tuple[int, Played]]:
        """Each game and which player ``one`` is, 0 or 1; when an agent plays itself, it starts games 0, 2, ..."""
        if self.one == self.other:
            return [(number % 2, played) for number, (_, played) in enumerate(self.games)]
        return [(int(pairing.first != self.one), played) for pairing, played in self.games]

    @cached_property
    def pairs(self) -> Pentanomial:
        """The pairs of games with one opening, repetitions left out."""
        return pairs_of(self.games)

    def tally(self, *players: int, only_different: bool = False) -> Tally:
        """Return the results of the games in which ``one`` was one of these players (0 or 1).

        A game is different if no other with the same starting agent has the same moves.
        """
        results = [
            (player, played.moves, abs(player - played.result)) for player, played in self.views if player in players
        ]
        return Tally.of(points for _, _, points in (set(results) if only_different else results))

    @property
    def total(self) -> Tally:
        return self.tally(0, 1)

    @property
    def elo(self) -> tuple[float | None, float | None, float | None]:
        """Elo difference and its 95 % interval: from the pairs, or where there is none from the games."""
        different = self.tally(0, 1, only_different=True)
        return elo(self.pairs.estimate if self.pairs.pairs else share(different.points, different.games))

    def _move_s(self, swap: int) -> dict[str, float]:
        """Return the move times of ``one`` (0) or ``other`` (1)."""
        return summary_s([time for player, game in self.views for time in game.of_player(player ^ swap, game.seconds)])

    def as_json(self) -> dict[str, Any]:
        """Return the whole result; Elo differences are null where they are infinite (a score of 0 or 1)."""
        parts = {"total": (0, 1), "started": (0,), "replied": (1,)}
        different = {name: self.tally(*players, only_different=True) for name, players in parts.items()}
        score = self.pairs.estimate
        return {
            "agents": [self.one, self.other],
            "games": len(self.games),
            "different_games": different["total"].games,
            **{name: self.tally(*players).as_json(different[name]) for name, players in parts.items()},
            "pairs": {"counts": list(self.pairs.counts), "score_interval": [score.low, score.high]},
            "elo": dict(zip(("difference", "low", "high"), self.elo, strict=True)),
            "move_s": {"first": self._move_s(0), "second": self._move_s(1)},
            "each": [
                {
                    "started": pairing.first,
                    "moves": format_moves(played.moves),
                    "given_plies": played.opening,
                    "result": played.result,
                    "forfeit": played.forfeit or None,
                }
                for pairing, played in self.games
            ],
        }
