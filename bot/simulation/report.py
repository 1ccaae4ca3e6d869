"""What a campaign showed: counts by group and bot, losses per 100 lost replies with intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from bot.lab.arena.statistics import wilson
from bot.simulation.campaign import SeriesResult
from bot.simulation.opponents.roster import group_of

REASONS = ("played", "illegal", "forfeit", "duplicate")
SIDES = (("moving_first", True), ("moving_second", False))


@dataclass(slots=True)
class Totals:
    """Sums over series."""

    games: int = 0
    won: int = 0
    drawn: int = 0
    lost: Counter[tuple[bool, str]] = field(default_factory=Counter)
    lost_replies: Counter[bool] = field(default_factory=Counter)
    requests: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    kills: int = 0
    invented: int = 0
    wrong_guesses: Counter[str] = field(default_factory=Counter)
    given_away: int = 0
    unavoidable: int = 0
    stopped: Counter[str] = field(default_factory=Counter)

    def add(self, result: SeriesResult) -> None:
        """Count a series in."""
        for name in ("games", "won", "drawn", "requests", "kills", "invented", "given_away", "unavoidable"):
            setattr(self, name, getattr(self, name) + getattr(result, name))
        self.lost += result.lost
        self.lost_replies += result.lost_replies
        self.faults += result.faults
        self.wrong_guesses += result.wrong_guesses
        if result.stopped:
            self.stopped[result.stopped] += 1

    def as_json(self) -> dict[str, Any]:
        """Return the sums, with shares and their 95 % Wilson intervals."""
        reasons = Counter(reason for (_, reason), count in self.lost.items() for _ in range(count))
        return {
            "games": self.games,
            "won": self.won,
            "drawn": self.drawn,
            "lost": self.lost.total(),
            "lost_by": {reason: reasons[reason] for reason in REASONS},
            "requests": self.requests,
            "faults": dict(sorted(self.faults.items())),
            "kills": self.kills,
            "lost_per_1000_games": per(1000, self.lost.total(), self.games),
            "lost_per_100_lost_replies": {
                "all": per(100, self.lost.total(), self.lost_replies.total()),
                **{name: per(100, self._lost(side), self.lost_replies[side]) for name, side in SIDES},
            },
            "invented_results": self.invented,
            "wrong_inferences": dict(sorted(self.wrong_guesses.items())),
            "given_away": self.given_away,
            "given_away_unavoidably": self.unavoidable,
            "stopped_early": dict(sorted(self.stopped.items())),
        }

    def _lost(self, we_started: bool) -> int:
        return sum(count for (side, _), count in self.lost.items() if side is we_started)


def per(unit: int, count: int, trials: int) -> dict[str, Any]:
    """Return ``count`` per ``unit`` trials with its interval; no share where there is nothing to divide by."""
    if trials == 0 or count > trials:
        return {"count": count, "of": trials, "value": None, "interval": None}
    interval = [round(unit * bound, 3) for bound in wilson(count, trials)]
    return {"count": count, "of": trials, "value": round(unit * count / trials, 3), "interval": interval}


@dataclass(slots=True)
class Report:
    """A campaign's sums by group and by bot."""

    groups: dict[str, Totals] = field(default_factory=dict)
    bots: dict[str, Totals] = field(default_factory=dict)

    @classmethod
    def of(cls, results: Iterable[SeriesResult]) -> Report:
        """Return the report of these series."""
        report = cls()
        for result in sorted(results, key=lambda result: result.number):
            report.groups.setdefault(group_of(result.bot), Totals()).add(result)
            report.bots.setdefault(result.bot, Totals()).add(result)
        return report

    @property
    def games(self) -> int:
        """All games."""
        return sum(totals.games for totals in self.groups.values())

    @property
    def faultless(self) -> bool:
        """Whether the client forfeited nothing, invented nothing and gave nothing away that it need not."""
        return not any(
            totals.invented or totals.given_away or totals.stopped or _forfeits(totals)
            for totals in self.groups.values()
        )

    def as_json(self) -> dict[str, Any]:
        """Return everything that the command prints with --json, but for times."""
        return {
            "games": self.games,
            "groups": {name: totals.as_json() for name, totals in self.groups.items()},
            "bots": {name: totals.as_json() for name, totals in sorted(self.bots.items())},
        }

    def in_words(self) -> str:
        """Return some lines for each group."""
        return "\n".join(line for name, totals in self.groups.items() for line in _lines(name, totals.as_json()))


def _forfeits(totals: Totals) -> int:
    return sum(count for (_, reason), count in totals.lost.items() if reason == "forfeit")


def _lines(name: str, told: dict[str, Any]) -> list[str]:
    by, rates = told["lost_by"], told["lost_per_100_lost_replies"]
    lines = [
        f"{name}: {told['games']} games: {told['won']} won, {told['drawn']} drawn, {told['lost']} lost "
        f"({by['played']} played out, {by['illegal']} by an illegal move, {by['forfeit']} forfeited).",
        f"  Lost per 100 lost replies: {shown(rates['all'])}; moving first {shown(rates['moving_first'])}; "
        f"moving second {shown(rates['moving_second'])}.",
        f"  {told['requests']} requests, {sum(told['faults'].values())} faults, {told['kills']} kills. "
        f"Invented results: {told['invented_results']}; wrong inferences: {sum(told['wrong_inferences'].values())}.",
    ]
    if told["given_away"] or told["given_away_unavoidably"]:
        lines.append(
            f"  Moves that gave value away: {told['given_away']} where a right column was known, "
            f"{told['given_away_unavoidably']} where none was."
        )
    return lines + [f"  Stopped early ({count} series): {why}" for why, count in told["stopped_early"].items()]


def shown(share: dict[str, Any]) -> str:
    """Return a share from `per` as people read it: "2.96 (1.9 to 4.4) of 778"."""
    if share["value"] is None:
        return f"{share['count']} of {share['of']}"
    low, high = share["interval"]
    return f"{share['value']:.2f} ({low:.1f} to {high:.1f}, of {share['of']})"
