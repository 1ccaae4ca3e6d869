"""Claims of Kang 2019 on its Tables 5 to 8: Heuristic-1 against itself, and its features against Heuristic-2.

Tables 7 and 8 depend on what the text leaves open: which of equal columns is played, and who starts. A claim on them is
judged over these readings: supported if it holds in all of them, undecided otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from bot.lab.arena.match import Record
from bot.lab.experiments.inference import difference, share
from bot.lab.experiments.kang import TIES, cell_name, deeper, parts_of, published_deeper, record
from bot.lab.experiments.ledger.claim import Claim, Data, Exact, Part, Readings, Sampled

SOURCE = "Kang 2019"
SIX, SEVEN, EIGHT = (f"kang-table{number}" for number in (6, 7, 8))
CLOSE = 0.1
"""Shares within this of each other count as about equal."""
FEWEST_ROUNDS = 50
"""Fewest rounds of Table 8 whose shares can be multiples of 0.02."""


def _over_starters(data: Data, name: str, label: str, holds: Callable[[Shares], bool]) -> list[Part]:
    """Return in how many readings, of ties and of who starts, a statement on H1's results holds."""
    found = [
        {part: record(data.results[name], cell_name(part, ties), starter) for part in parts_of(data.results[name])}
        for ties in TIES
        for starter in ("", "started", "replied")
    ]
    played = [Shares(records) for records in found if all(games.games for games in records.values())]
    return [Readings(label, sum(holds(shares) for shares in played), len(played))]


class Shares:
    """H1's results in one reading, by its features."""

    def __init__(self, records: dict[str, Record]) -> None:
        self._records = records

    def won(self, part: str) -> float:
        """Return the share of games won."""
        return self._records[part].won / self._records[part].games

    def points(self, part: str) -> float:
        """Return the points per game."""
        return self._records[part].score


def _as_printed(data: Data, name: str, printed: Callable[[Data], dict[str, float]]) -> list[Part]:
    """Return in how many readings all shares of a table are within `CLOSE` of the printed ones."""
    shares = printed(data)
    label = f"readings with all shares within {CLOSE:g} of the printed ones"
    return _over_starters(
        data, name, label, lambda found: all(abs(found.won(part) - there) <= CLOSE for part, there in shares.items())
    )


def _table_7(data: Data) -> dict[str, float]:
    return data.printed.kang_table_7


def _table_8(data: Data) -> dict[str, float]:
    return data.printed.kang_table_8


def _deeper(data: Data) -> list[Part]:
    return [Sampled("points per game of the deeper search", deeper(data.results[SIX]), above=0.5)]


def _as_much_deeper(data: Data) -> list[Part]:
    printed = published_deeper(data.printed.kang_table_6)
    label = f"points per game of the deeper search (printed {printed:.2f})"
    found = deeper(data.results[SIX])
    return [Sampled(label, found, printed - CLOSE, printed + CLOSE)]


def _rounds(data: Data) -> list[Part]:
    shares = [value for row in data.printed.kang_table_6.values() for cell in row for value in cell]
    tenths = sum(round(10 * value, 6).is_integer() for value in shares)
    return [Exact("shares that are multiples of 0.1", f"{tenths} of {len(shares)}", tenths < len(shares))]


def _single_features(data: Data) -> list[Part]:
    label = "readings in which each feature has less than half of the points"
    return _over_starters(data, SEVEN, label, lambda found: all(found.points(part) < 0.5 for part in "1234"))


def _pairs(data: Data) -> list[Part]:
    def alike(found: Shares) -> bool:
        return all(abs(found.won(one) - found.won(other)) < CLOSE for one, other in (("1", "3"), ("2", "4")))

    return _over_starters(data, SEVEN, f"readings in which both pairs differ by less than {CLOSE:g}", alike)


def _more_features(data: Data) -> list[Part]:
    label = "readings in which the share won rises with each feature"
    return _over_starters(
        data, EIGHT, label, lambda found: found.won("1+2") < found.won("1+2+3") < found.won("1+2+3+4")
    )


def _two_equal_h2(data: Data) -> list[Part]:
    label = f"readings in which features 1 and 2 have half of the points, within {CLOSE:g}"
    return _over_starters(data, EIGHT, label, lambda found: abs(found.points("1+2") - 0.5) < CLOSE)


def _same_setting(data: Data) -> list[Part]:
    eight, nine = data.printed.kang_table_8["1+2+3+4"], data.printed.kang_table_9[4][0]
    gap = difference(share(FEWEST_ROUNDS * eight, FEWEST_ROUNDS), share(100 * nine, 100))
    label = f"share won in Table 8 less Table 9, if Table 8 has {FEWEST_ROUNDS} rounds"
    return [Sampled(label, gap, -CLOSE, CLOSE, unit="rounds")]


CLAIMS = (
    Claim(
        "kang-deeper",
        SOURCE,
        "Table 6",
        "The deeper search wins.",
        "The deeper side's points per game are above 0.5, over all pairs of unequal depths (lowest of equal columns).",
        _deeper,
        (SIX,),
    ),
    Claim(
        "kang-table6",
        SOURCE,
        "Table 6",
        "The deeper search scores 0.75 points per game.",
        "The deeper side's points per game are within 0.1 of the printed table's.",
        _as_much_deeper,
        (SIX,),
        "0.75 (from the table's cells)",
    ),
    Claim(
        "kang-rounds",
        SOURCE,
        "Table 5",
        "Table 6 has 100 rounds a cell.",
        "Of shares from 100 rounds, some are no multiples of 0.1 (the table's caption says 10 rounds).",
        _rounds,
        (),
        "100 rounds",
    ),
    Claim(
        "kang-table7",
        SOURCE,
        "Table 7",
        "One feature alone wins 0.48, 0.40, 0.48 and 0.40 of the games against Heuristic-2.",
        "Each share is within 0.1 of the printed one in a reading.",
        partial(_as_printed, name=SEVEN, printed=_table_7),
        (SEVEN,),
        "0.48, 0.40, 0.48, 0.40",
    ),
    Claim(
        "kang-single",
        SOURCE,
        "Text to Table 7",
        "No single feature beats Heuristic-2.",
        "The points per game of each feature are below 0.5 in a reading.",
        _single_features,
        (SEVEN,),
    ),
    Claim(
        "kang-alike",
        SOURCE,
        "Text to Table 7",
        "Features 1 and 3 are about equally strong, and so are features 2 and 4.",
        "The shares won differ by less than 0.1 in a reading.",
        _pairs,
        (SEVEN,),
        "0.48 and 0.48, 0.40 and 0.40",
    ),
    Claim(
        "kang-table8",
        SOURCE,
        "Table 8",
        "Features 1 and 2 win 0.54, 1 to 3 0.60, all four 0.80 of the games against Heuristic-2.",
        "Each share is within 0.1 of the printed one in a reading.",
        partial(_as_printed, name=EIGHT, printed=_table_8),
        (EIGHT,),
        "0.54, 0.60, 0.80",
    ),
    Claim(
        "kang-more-features",
        SOURCE,
        "Table 8",
        "More features are better.",
        "The share won rises from two to three features, and from three to four, in a reading.",
        _more_features,
        (EIGHT,),
    ),
    Claim(
        "kang-two-features",
        SOURCE,
        "Text to Table 8",
        "Features 1 and 2 together are about as strong as Heuristic-2.",
        "Their points per game are within 0.1 of 0.5 in a reading.",
        _two_equal_h2,
        (EIGHT,),
        "0.54",
    ),
    Claim(
        "kang-same-setting",
        SOURCE,
        "Tables 8 and 9",
        "Heuristic-1 with all features at depth 4 wins 0.80 (Table 8) and 0.60 (Table 9): the same setting.",
        "The two printed shares differ by less than 0.1; the rounds of Table 8 are not printed, 50 are the fewest.",
        _same_setting,
        (),
        "0.80 and 0.60",
    ),
)
