"""The figures of a campaign: counts by group and bot, losses per 100 lost replies with intervals."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.lab.arena.statistics import CONFIDENCE, wilson
from bot.trials.simulation.campaign import SeriesResult
from bot.trials.simulation.illegal import in_words as illegal_in_words
from bot.trials.simulation.opponents.roster import group_of

REASONS = ("played", "illegal", "forfeit", "duplicate")
SHOWN_ILLEGAL = 10
"""Maximum number of illegal moves in the text; --json has all."""
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
    illegal: list[dict[str, Any]] = field(default_factory=list)
    """See `IllegalMove.as_json`."""
    series: dict[int, tuple[int, int]] = field(default_factory=dict)
    """(lost, games) by the number of the series."""
    stopped: Counter[str] = field(default_factory=Counter)

    def add(self, result: SeriesResult) -> None:
        """Add a series."""
        for name in ("games", "won", "drawn", "requests", "kills", "invented", "given_away", "unavoidable"):
            setattr(self, name, getattr(self, name) + getattr(result, name))
        self.lost += result.lost
        self.lost_replies += result.lost_replies
        self.faults += result.faults
        self.wrong_guesses += result.wrong_guesses
        self.illegal += [move.as_json(result.bot) for move in result.illegal]
        self.series[result.number] = result.lost.total(), result.games
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
            "illegal_moves": {
                "avoidable": sum(move["avoidable"] for move in self.illegal),
                "others": sum(not move["avoidable"] for move in self.illegal),
                "moves": self.illegal,
            },
            "stopped_early": dict(sorted(self.stopped.items())),
        }

    def beside(self, oracle: Totals) -> dict[str, Any]:
        """Return the oracle's losses in the same series, and the policy's additional losses per 1,000 games."""
        sums = oracle.as_json()
        names = ("games", "lost", "lost_by", "lost_per_1000_games", "lost_per_100_lost_replies")
        return {**{name: sums[name] for name in names}, "policy_loses_more_per_1000_games": self._more(oracle)}

    def _more(self, oracle: Totals) -> dict[str, Any]:
        numbers = sorted(self.series.keys() & oracle.series.keys())
        return difference(1000, [(self.series[number], oracle.series[number]) for number in numbers])

    def _lost(self, we_started: bool) -> int:
        return sum(count for (side, _), count in self.lost.items() if side is we_started)


def per(unit: int, count: int, trials: int) -> dict[str, Any]:
    """Return ``count`` per ``unit`` trials with its interval; None for both without trials."""
    if trials == 0 or count > trials:
        return {"count": count, "of": trials, "value": None, "interval": None}
    interval = [round(unit * bound, 3) for bound in wilson(count, trials)]
    return {"count": count, "of": trials, "value": round(unit * count / trials, 3), "interval": interval}


Share = tuple[int, int]
"""Count and trials."""


def difference(unit: int, pairs: Sequence[tuple[Share, Share]]) -> dict[str, Any]:
    """Return the first shares' total less the second's, per ``unit``, with a 95 % interval.

    Each pair is one cluster (a game, a series) in both treatments; the interval is that of a difference of two ratios
    over clusters.
    """
    counts, trials = ([[pair[side][part] for pair in pairs] for side in (0, 1)] for part in (0, 1))
    totals = [sum(side) for side in trials]
    if not all(totals):
        return {"value": None, "interval": None, "of": len(pairs)}
    rates = [sum(side) / total for side, total in zip(counts, totals, strict=True)]
    residuals = [
        sum(sign * (pair[side][0] - rates[side] * pair[side][1]) / totals[side] for side, sign in ((0, 1), (1, -1)))
        for pair in pairs
    ]
    spread = sum(each**2 for each in residuals) * len(pairs) / max(1, len(pairs) - 1)
    value, half = unit * (rates[0] - rates[1]), unit * CONFIDENCE * math.sqrt(spread)
    return {"value": round(value, 3), "interval": [round(value - half, 3), round(value + half, 3)], "of": len(pairs)}


@dataclass(slots=True)
class Report:
    """A campaign's sums by group and by bot."""

    groups: dict[str, Totals] = field(default_factory=dict)
    bots: dict[str, Totals] = field(default_factory=dict)
    oracle: Report | None = None
    """The report of the same series played by the oracle."""

    @classmethod
    def of(cls, results: Iterable[SeriesResult], oracle: Iterable[SeriesResult] = ()) -> Report:
        """Return the report of these series, with that of the oracle's series if there are any."""
        decided = list(oracle)
        report = cls(oracle=cls.of(decided) if decided else None)
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
        """Whether the client forfeited no game, invented no result and gave no value away avoidably."""
        return not any(
            totals.invented or totals.given_away or totals.stopped or _forfeits(totals)
            for totals in self.groups.values()
        )

    def as_json(self) -> dict[str, Any]:
        """Return the object of --json, without times."""
        return {
            "games": self.games,
            "groups": {name: {**totals.as_json(), **self._oracle(name)} for name, totals in self.groups.items()},
            "bots": {name: totals.as_json() for name, totals in sorted(self.bots.items())},
        }

    def in_words(self) -> str:
        """Return the figures as text, some lines for each group."""
        groups = self.as_json()["groups"]
        return "\n".join(line for name, sums in groups.items() for line in _lines(name, sums))

    def _oracle(self, name: str) -> dict[str, Any]:
        if self.oracle is None or name not in self.oracle.groups:
            return {}
        return {"oracle": self.groups[name].beside(self.oracle.groups[name])}


def _forfeits(totals: Totals) -> int:
    return sum(count for (_, reason), count in totals.lost.items() if reason == "forfeit")


def _lines(name: str, sums: dict[str, Any]) -> list[str]:
    by, rates = sums["lost_by"], sums["lost_per_100_lost_replies"]
    lines = [
        f"{name}: {sums['games']} games: {sums['won']} won, {sums['drawn']} drawn, {sums['lost']} lost "
        f"({by['played']} played out, {by['illegal']} by an illegal move, {by['forfeit']} forfeited).",
        f"  Lost per 1,000 games: {shown(sums['lost_per_1000_games'])}. Lost per 100 lost replies: {by_side(rates)}.",
        *_beside(sums.get("oracle")),
        f"  {sums['requests']} requests, {sum(sums['faults'].values())} faults, {sums['kills']} kills. "
        f"Invented results: {sums['invented_results']}; wrong inferences: {sum(sums['wrong_inferences'].values())}.",
    ]
    if sums["given_away"] or sums["given_away_unavoidably"]:
        lines.append(
            f"  Moves that gave value away: {sums['given_away']} where a right column was known, "
            f"{sums['given_away_unavoidably']} where none was."
        )
    lines += [f"  Stopped early ({count} series): {why}" for why, count in sums["stopped_early"].items()]
    return lines + _illegal(sums["illegal_moves"])


def _beside(oracle: dict[str, Any] | None) -> list[str]:
    """Return the line of the oracle."""
    if oracle is None:
        return []
    return [
        f"  The oracle: {shown(oracle['lost_per_1000_games'])} per 1,000 games; per 100 lost replies: "
        f"{by_side(oracle['lost_per_100_lost_replies'])}. The policy loses "
        f"{signed(oracle['policy_loses_more_per_1000_games'])} more per 1,000 games."
    ]


def _illegal(sums: dict[str, Any]) -> list[str]:
    """Return lines about illegal moves."""
    others = [move for move in sums["moves"] if not move["avoidable"]]
    if not sums["moves"]:
        return []
    lines = [
        f"  Illegal moves: {sums['avoidable']} although a column that was legal in all hypotheses was as good, "
        f"{len(others)} {'other' if len(others) == 1 else 'others'}."
    ]
    lines += [f"  {illegal_in_words(move)}" for move in others[:SHOWN_ILLEGAL]]
    hidden = len(others) - SHOWN_ILLEGAL
    return [*lines, f"  {hidden} more are listed with --json."] if hidden > 0 else lines


def shown(share: dict[str, Any]) -> str:
    """Return a share from `per` as text: "2.96 (1.9 to 4.4, of 778)"."""
    if share["value"] is None:
        return f"{share['count']} of {share['of']}"
    low, high = share["interval"]
    return f"{share['value']:.2f} ({low:.1f} to {high:.1f}, of {share['of']})"


def by_side(rates: dict[str, Any]) -> str:
    """Return as text the shares of all games, of those in which we move first, and of those in which we move second."""
    return (
        f"{shown(rates['all'])}; moving first {shown(rates['moving_first'])}; "
        f"moving second {shown(rates['moving_second'])}"
    )


def signed(difference: dict[str, Any]) -> str:
    """Return a difference with its interval as text: "+0.52 (-0.10 to +1.14)"."""
    if difference["value"] is None:
        return "(no games)"
    low, high = difference["interval"]
    return f"{difference['value']:+.2f} ({low:+.2f} to {high:+.2f})"
