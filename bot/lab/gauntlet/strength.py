"""How strong is it? Elo against fixed opponents, and the share of judged positions whose outcome an agent keeps."""

from __future__ import annotations

import math
from collections.abc import Sequence

from bot.engine.agent import Limit
from bot.engine.score import sign
from bot.lab.arena.games import Pairing, PlayedPairing, match_pairings, points_of
from bot.lab.arena.pairs import expected_score
from bot.lab.arena.statistics import CONFIDENCE, ELO_UNIT, Estimate, share
from bot.lab.judge.answers import Answer
from bot.lab.positions import PHASES, ScoredPosition

RATINGS = {
    "random": 0,
    "depth1": 706,
    "level:3": 768,
    "depth3": 952,
    "depth2": 956,
    "depth4": 1030,
    "level:6": 1067,
    "level:9": 1394,
}
"""Elo of the opponents, random at 0, with 95 % intervals of 25 to 40 and that of random of 100, by
`bot tournament random depth1 depth2 depth3 depth4 level:3 level:6 level:9 --rounds 100 --random-plies 4 --seed 39`."""
_RANDOM_PLIES = 4
"""Plies of the openings, from which each side starts once."""
_HALVINGS = 60


def strength_pairings(agent: str, games: int, limit: Limit) -> list[Pairing]:
    """Return ``games`` pairings with the opponents in turn, two from each opening."""
    pairs = math.ceil(games / 2 / len(RATINGS))
    of_each = {name: match_pairings(agent, name, 2 * pairs, 0, _RANDOM_PLIES, limit) for name in RATINGS}
    ordered = [each for pair in range(pairs) for found in of_each.values() for each in found[2 * pair : 2 * pair + 2]]
    return ordered[:games]


def elo_of(agent: str, played: Sequence[PlayedPairing]) -> Estimate:
    """Return the rating at which these games were likeliest, on the scale of `RATINGS`.

    One drawn game against the strongest and one against the weakest opponent are added, so that it is finite. Games
    count as independent, although two share an opening.
    """
    ratings = [float(RATINGS[pairing.opponent_of(agent)]) for pairing, _ in played]
    points = sum(points_of(agent, game) for game in played) + 1
    ratings += [min(RATINGS.values()), max(RATINGS.values())]
    low, high = -4000.0, 6000.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if sum(expected_score(middle - rating) for rating in ratings) < points:
            low = middle
        else:
            high = middle
    expected = [expected_score(low - rating) for rating in ratings]
    error = ELO_UNIT / math.sqrt(sum(each * (1 - each) for each in expected))
    return Estimate(low, low - CONFIDENCE * error, low + CONFIDENCE * error, len(played), "games", error)


def kept_by_phase(positions: Sequence[ScoredPosition], answers: Sequence[Answer]) -> dict[str, Estimate]:
    """Return the share of positions whose outcome the answers keep: in all, then by phase."""
    answered = zip(positions, answers, strict=True)
    kept = [sign(position.after(answer.column)) == sign(position.best) for position, answer in answered]
    found = {"all": share(sum(kept), len(kept), "positions")}
    for phase, (first, last) in PHASES.items():
        of_phase = [each for position, each in zip(positions, kept, strict=True) if first <= position.ply <= last]
        found[phase] = share(sum(of_phase), len(of_phase), "positions")
    return found
