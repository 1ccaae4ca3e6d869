"""What a series has come to: games by outcome, the streak, and how it is judged."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Tally:
    """Counts of a run of games; ``streak`` begins where the journals left it."""

    goal: int
    streak: int = 0
    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    longest: int = field(init=False)
    """The longest streak that was standing at some moment of this run."""
    slowest_move_s: float = 0.0

    def __post_init__(self) -> None:
        self.longest = self.streak

    def add(self, result: float) -> None:
        """Count a finished game by the server's result: 1 won, 0.5 drawn, anything below lost (-10 too).

        A draw keeps the streak going (the course's rule: a pass is 20 games in a row without a loss).
        """
        self.played += 1
        if result > 0:
            self.won += result == 1
            self.drawn += result != 1
            self.streak += 1
            self.longest = max(self.longest, self.streak)
        else:
            self.lost += 1
            self.streak = 0

    @property
    def passed(self) -> bool:
        """Whether the goal stood at some moment of this run."""
        return self.longest >= self.goal
