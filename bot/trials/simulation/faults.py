"""Faults of a virtual network, by the grammar of `bot.trials.faults.plan`."""

from __future__ import annotations

from bot.course.session.events import Record, Started
from bot.trials.faults.plan import FaultPlan, Network

VIRTUAL = Network(
    kinds=(
        "refuse",  # the request is certainly not sent
        "reset_before",  # the request is lost before the server processes it
        "reset_after",  # the request is processed, its reply is lost
        "silent_before",  # like reset_before, but noticed by a timeout longer than the move clock
        "silent_after",  # like reset_after, but noticed by a timeout longer than the move clock
        "truncate",  # the request is processed, and the reply is cut short after its status
        "stale",  # the request is not processed, and an earlier reply comes back (a caching proxy)
        "duplicate",  # the request is processed twice, the second reply comes back (a retrying proxy)
        "restart",  # the server restarts without its data, then processes the request
    ),
    besides=(
        "unread",  # a reading of the statistics fails
        "behind",  # a reading of the statistics is one game behind
        "kill",  # the client is killed at a record of its journal
    ),
    usual={
        "refuse": 0.03,
        "reset_before": 0.05,
        "reset_after": 0.05,
        "silent_before": 0.005,
        "silent_after": 0.005,
        "truncate": 0.02,
        "unread": 0.1,
        "kill": 0.002,
    },
)
"""The virtual network: requests are those to /move. By default about one in six fails."""


class Dice(FaultPlan):
    """Draws the faults of a series; see `bot.trials.simulation.world.Faults`."""

    def of_request(self) -> str | None:
        fault = self.advance()
        return None if fault is None else fault.kind

    def of_reading(self) -> str | None:
        return next((kind for kind in ("unread", "behind") if self._happens(kind)), None)

    def kills_after(self, record: Record) -> bool:
        """Return whether the client is killed now; never at its start, so that every run does something."""
        return not isinstance(record, Started) and self._happens("kill")

    def arrives(self) -> bool:
        return self.random.random() < 0.5

    def _happens(self, kind: str) -> bool:
        share = self.spec.besides.get(kind, 0.0)
        return share > 0 and self.random.random() < share
