"""Claims of van der Schee 2014: what the post says that its program does."""

from __future__ import annotations

from bot.lab.experiments.defects import by_parity, calls, positions_with, score, threats
from bot.lab.experiments.defects_positions import DEPTHS, STACKED
from bot.lab.experiments.inference import difference
from bot.lab.experiments.ledger.claim import Claim, Data, Exact, Part, Sampled

SOURCE = "van der Schee 2014"
DEFECTS = "vds-defects"


def _never(data: Data, key: str, what: str) -> list[Part]:
    """Return the comparison that no position of any depth has a defect."""
    found = {depth: positions_with(data.results[DEFECTS], depth, key) for depth in DEPTHS}
    shown = ", ".join(f"{share.value:.2f} ({share.low:.2f} to {share.high:.2f})" for share in found.values())
    size = found[DEPTHS[0]].size
    none = all(share.value == 0 for share in found.values())
    return [Exact(f"share of {size} positions a depth {what}, depths 1 to 6", shown, none)]


def _minimax_value(data: Data) -> list[Part]:
    return _never(data, "wrong", "with another value than plain minimax over the same leaves")


def _best_column(data: Data) -> list[Part]:
    return _never(data, "poor", "in which a worse column is played")


def _cuts(data: Data) -> list[Part]:
    label = "calls for one of MTD(f) without the defects, depth"
    return [
        Sampled(f"{label} {depth}", calls(data.results[DEFECTS], depth), below=1.1, unit="blocks of 25 positions")
        for depth in DEPTHS
    ]


def _maximiser(data: Data) -> list[Part]:
    gap = difference(by_parity(data.results[DEFECTS], 0), by_parity(data.results[DEFECTS], 1))
    label = "points per game against the intended program, even less odd depths"
    return [Sampled(label, gap, above=-0.1, below=0.1)]


def _as_intended(data: Data) -> list[Part]:
    found = score(data.results[DEFECTS], DEPTHS)
    return [Sampled("points per game against the intended program", found, above=0.45)]


def _stacked(data: Data) -> list[Part]:
    found = threats(data.results[DEFECTS])
    shown = f"{found['published']} as published, {found['intended']} as described, after {STACKED} (columns 1 to 7)"
    return [Exact("score of the side with stacked threats", shown, found["published"] == found["intended"])]


CLAIMS = (
    Claim(
        "vds-value",
        SOURCE,
        "MTD(f)",
        "The search returns the minimax value of its leaf heuristic.",
        "In random positions the value equals that of plain minimax with the same leaves; one difference refutes it.",
        _minimax_value,
        (DEFECTS,),
    ),
    Claim(
        "vds-column",
        SOURCE,
        "MTD(f)",
        "The program plays a column of the best value.",
        "In random positions the column is one of the best by plain minimax; one exception refutes it.",
        _best_column,
        (DEFECTS,),
    ),
    Claim(
        "vds-cutoffs",
        SOURCE,
        "Alpha-beta and null window",
        "The search cuts everything that cannot change the result.",
        "At no depth more than 1.1 calls for one call of MTD(f) with the usual cutoffs.",
        _cuts,
        (DEFECTS,),
    ),
    Claim(
        "vds-perspective",
        SOURCE,
        "Heuristic",
        "A leaf's value is that of the side for which the program searches.",
        "The score against the intended program does not depend on the depth's parity: even less odd is within 0.1.",
        _maximiser,
        (DEFECTS,),
    ),
    Claim(
        "vds-threats",
        SOURCE,
        "Heuristic",
        "Stacked threats earn (6 - y) x 100, and a threat is the empty cell of three discs.",
        "A position with stacked threats has the score that the description gives.",
        _stacked,
        (DEFECTS,),
    ),
    Claim(
        "vds-strength",
        SOURCE,
        "Whole post",
        "The program is as strong as its description.",
        "Points per game against the program as described are above 0.45, over depths 1 to 6 and random openings.",
        _as_intended,
        (DEFECTS,),
    ),
    Claim(
        "vds-two-seconds",
        SOURCE,
        "Iterative deepening",
        "The program thinks for about two seconds.",
        "Its time depends on the machine and on Python 2; the rebuilt program is compiled.",
    ),
)
