"""The one request whose fate is open, and what is learnt when it turns out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bot.client.odds import FateOdds
from bot.client.worlds import EMPTY, World


@dataclass(frozen=True, slots=True)
class Question:
    """Was it processed?"""

    before: World
    """What was true when it was sent."""
    wait_s: float | None = None
    """How soon it failed; None: nobody knows."""
    killed: bool = False
    """Whether our own process died over it."""

    def settle(self, truth: World, odds: FateOdds) -> dict[str, Any]:
        """Teach ``odds`` what has become of it, now that ``truth`` is known to have come after it.

        Returns what the journal should keep, for the next run to learn from.
        """
        fields: dict[str, Any] = {"killed": True} if self.killed else {"first_byte_s": self.wait_s}
        if self.before.position is None and truth.playing == EMPTY:
            return fields  # no telling: a game that a move opened silently looks like one that -1 has opened
        processed = truth != self.before
        if self.killed:
            odds.killed_over(processed)
        else:
            odds.settled(self.wait_s, processed)
        return {**fields, "processed": processed}
