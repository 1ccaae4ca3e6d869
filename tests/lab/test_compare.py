"""Statements and what decides them: each rule with its verdict on one set of rows."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from bot.lab.experiments.compare import JudgedStatement, estimate_of, judge
from bot.lab.experiments.frame import Frame, frame_of
from bot.lab.experiments.paper import papers
from tests.lab.sources import Write

HEAD = """
source = 'Toy'
cite = 'nobody'
[run.r]
title = 'r'
grid = { position = 8, depth = 3, ties = ['a', 'b'] }
[table.shares]
title = 'Shares'
run = 'r'
rows = ['depth']
columns = { won = 'won / n', word = "'W9' if won > 4 else 'L9'" }
printed = '''
0 0.50 L9
1 0.75 W9
2 -    -
'''
[table.part]
title = 'Part'
run = 'r'
where = { position = [0, 1] }
rows = ['depth']
columns = { won = 'won / n' }
printed = '''
0 1.0
2 0.5
'''
[table.across]
title = 'Across'
run = 'r'
across = 'depth'
columns = { won = 'won / n' }
printed = '''
0   1
0.5 0.9
'''
[table.counts]
title = 'Counts'
run = 'r'
rows = ['depth']
columns = { won = 'won / n' }
rounds = 100
printed = '''
0 0.50
1 0.75
'''
[table.words]
title = 'Words'
run = 'r'
rows = ['depth']
columns = { won = "'W1' if won else 'L1'" }
printed = '''
0 W1
1 W1
'''
"""

SAYS = "[[says]]\nid = 's{}'\nat = '1'\ntext = 't'\n"


CELLS = list(product(range(8), range(3)))
ROWS = frame_of(
    [{"position": p, "depth": d, "ties": "ab"[p > 3]} for p, d in CELLS],
    [
        {
            "six": 6 + (-1) ** p,
            "near": p - 3.5,
            "rise": d + 0.1 * (-1) ** (p * (d + 1)),
            "peak": d * (2 - d),
            "noise": d * (p - 3.5),
            "split": 1 if p < 4 else -1,
            "half": 6 + (-1) ** p if p < 4 else p - 5.5,
            "chance": 6 + (-1) ** p if p < 4 else p - 7.8,
            "won": int(p < (4, 6, 1)[d]),
        }
        for p, d in CELLS
    ],
)
"""Eight positions at each of three depths, in one of two readings; ``six`` is 6 on average, ``near`` 0."""
MARGIN, SAMPLE, READINGS = "\nmargin = 2\nwhy = 'w'", "\nunit = 'position'", "\nreadings = ['ties']"
VERDICTS = {
    "supported": [
        # Without a unit a result has no chance.
        ("six / n", "equal = [6]"),
        ("six / n", "equal = ['n / 4']"),
        ("six / n + 0.253", "equal = [6.25]"),
        ("six / n", f"equal = [7.9]{MARGIN}"),
        ("six / n", "above = 5.9"),
        ("six / n", "below = 6.1"),
        ("six / n", "between = [5, 6]"),
        ("six / n", "differs = 5"),
        ("rise / n", "rises = 'depth'"),
        ("peak", "above = 0\nwhere = { depth = 1 }"),
        ("peak", "above = 0\neach = 'depth'\nexists = true"),
        # A sample is clear.
        ("six / n", f"above = 0{SAMPLE}"),
        ("-six / n", f"below = 0{SAMPLE}"),
        ("six / n", f"between = [4, 8]{SAMPLE}"),
        ("six / n", f"equal = [6]{MARGIN}{SAMPLE}"),
        ("six / n", f"differs = 0{SAMPLE}"),
        ("rise / n", f"rises = 'depth'{SAMPLE}"),
        ("six", f"above = 0{READINGS}"),
    ],
    "refuted": [
        ("six / n", "equal = [7]"),
        ("six / n + 0.26", "equal = [6.25]"),
        ("six / n", f"equal = [8.1]{MARGIN}"),
        ("six / n", "above = 6"),
        ("six / n", "below = 6"),
        ("six / n", "between = [6.1, 7]"),
        ("six / n", "differs = 6"),
        ("-rise / n", "rises = 'depth'"),
        ("peak", "rises = 'depth'"),
        ("peak", "above = 0\neach = 'depth'"),
        ("near", "above = -3\neach = ['depth', 'position']"),
        ("-six / n", f"above = 0{SAMPLE}"),
        ("six / n", f"below = 0{SAMPLE}"),
        ("six / n", f"between = [9, 12]{SAMPLE}"),
        ("six / n", f"between = [0, 3]{SAMPLE}"),
        ("six / n", f"equal = [11]{MARGIN}{SAMPLE}"),
        ("-rise / n", f"rises = 'depth'{SAMPLE}"),
    ],
    "undecided": [
        ("near / n", f"above = 0{SAMPLE}"),
        ("near / n", f"below = 0{SAMPLE}"),
        ("near / n", f"between = [0, 1]{SAMPLE}"),
        ("near / n", f"differs = 0{SAMPLE}"),
        ("noise", f"rises = 'depth'{SAMPLE}"),
        ("six", "above = 0\nwhere = { depth = 9 }"),
        ("half / n", f"above = 0{READINGS}{SAMPLE}"),
        ("chance / n", f"above = 0{READINGS}{SAMPLE}"),  # one reading of two fails with p = 0.04
    ],
    "not reproduced": [("peak", "above = 99\neach = 'depth'\nexists = true"), ("-six", f"above = 0{READINGS}")],
    "depends on the reading": [
        ("split", f"above = 0{READINGS}"),
        ("chance / n - 2", f"above = 0{READINGS}{SAMPLE}"),
    ],
    "not testable": [("six", "untestable = 'Another game.'")],
}
"""Values and rules of statements, by the verdict."""


@pytest.mark.parametrize("verdict", VERDICTS)
def test_every_rule_has_its_verdict(verdict: str, sources: Write) -> None:
    rules = VERDICTS[verdict]
    says = [
        f'{SAYS.format(number)}run = "r"\nvalues = ["{value}"]\n{rule}\n' for number, (value, rule) in enumerate(rules)
    ]
    sources("toy.toml", HEAD + "".join(says))
    toy = papers()["toy"]
    found = [judge([toy.model_copy(update={"says": [each]})], {"r": ROWS})[0].verdict for each in toy.says]
    assert {rule: each for rule, each in zip(rules, found, strict=True) if each != verdict} == {}


def judged(sources: Write, says: str, frame: Frame | None = ROWS, count: int = 1) -> JudgedStatement:
    """Return the first of equal statements, judged together by rows; without rows nothing was run."""
    sources("toy.toml", HEAD + "".join(f"{SAYS.format(number)}{says}\n" for number in range(count)))
    return judge([papers()["toy"]], {} if frame is None else {"r": frame})[0]


def test_a_seeded_game_is_a_draw_and_a_repeated_one_is_not() -> None:
    won = [{"won": int(game < 195)} for game in range(200)]
    for label, size in (("game", 200), ("repeat", 0)):
        frame = frame_of([{label: game, "side": game % 2} for game in range(200)], won)
        found = estimate_of(frame, "won / n", [])
        assert (found.value, found.size, found.is_share) == (0.975, size, size > 0)
        assert not estimate_of(frame, "by('side', 0).won / by('side', 1).n", []).is_share, "no share of all rows"


def test_the_p_values_of_all_samples_are_adjusted_together(sources: Write) -> None:
    says = f"run = 'r'\nvalues = ['half / n']\nabove = 0{SAMPLE}"
    alone, together = (judged(sources, says, count=count) for count in (1, 3))
    assert together.p_values[0] == pytest.approx(3 * alone.p_values[0]) and 0 < alone.p_values[0] < 0.05


def test_a_reading_that_did_not_play_all_cells_is_left_out_unless_it_has_an_exception(sources: Write) -> None:
    part = ROWS.take(np.array([p > 3 or d < 2 for p, d in CELLS]))
    says = f"run = 'r'\nvalues = ['split']\nbelow = 0{READINGS}"
    found = judged(sources, says, part)
    assert (found.verdict, found.left_out, found.findings) == ("supported", 1, ("holds",))
    assert judged(sources, f"{says}\nexceptions = true", part).findings == ("fails", "holds")


@pytest.mark.parametrize(
    ("says", "verdict"),
    [
        ("table = 'shares'\nequal = 'all cells'", "supported"),
        ("table = 'across'\nequal = 'all cells'", "refuted"),
        ("table = 'part'\nequal = 'all cells'", "supported"),
        ("table = 'across'\nprinted = true\nvalues = ['won / n']\nabove = 0.65", "supported"),
        ("table = 'across'\nprinted = true\nvalues = ['won / n']\nabove = 0.75", "refuted"),
        ("table = 'words'\nlikely = 'position'", "supported"),
        ("table = 'words'\nlikely = 'position'\nwhere = { position = [6, 7] }", "refuted"),
        ("table = 'counts'\nlikely = 'position'", "supported"),
        ("table = 'counts'\nlikely = 'position'\nwhere = { position = [6, 7] }", "refuted"),
    ],
)
def test_a_printed_table_is_compared_cell_by_cell_or_as_a_draw_or_tested_itself(
    says: str, verdict: str, sources: Write
) -> None:
    assert judged(sources, says).verdict == verdict
