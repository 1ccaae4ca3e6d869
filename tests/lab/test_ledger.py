"""The ledger: verdicts follow from data alone, and change when the data do."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from bot.lab.experiments.catalogue import EXPERIMENTS
from bot.lab.experiments.inference import Estimate
from bot.lab.experiments.ledger.catalogue import CLAIMS, SOURCES
from bot.lab.experiments.ledger.claim import Claim, Data, Exact, Readings, Sampled, judge
from bot.lab.experiments.ledger.printed import Printed
from bot.lab.experiments.ledger.sheet import HEADINGS, counts, evidence, ledger_json, ledger_markdown

from bot.lab.experiments import halim, kang
from tests.lab import ledger_data as made

FLAT_TABLE = {(row, column): "W7" for row in halim.DEPTHS for column in halim.DEPTHS}


def tommy(**changes: Any) -> Data:
    openings = {key: changes.pop(key) for key in ("ratio", "first_wins", "odd", "same") if key in changes}
    return Data({"tommy-table1": made.tommy_results(**changes), "tommy-openings": made.openings_results(**openings)})


def ordering(leaves: float) -> Data:
    return Data({"tommy-ordering": made.ordering_results(leaves)})


def defects(**changes: Any) -> Data:
    return Data({"vds-defects": made.defects_results(**changes)})


def halims(**changes: Any) -> Data:
    return Data({"halim-table1": made.halim_results(**changes)})


def readings(game: Any, table: halim.Table | None = None) -> Data:
    printed = Printed() if table is None else replace(Printed(), halim_table=table)
    return Data({"readings-halim": made.halim_readings(game)}, printed)


def table_of_halim(**games: str) -> Data:
    changed = halim.published() | {(2, 2): games.get("cell", "L28")}
    return Data({}, replace(Printed(), halim_table=changed))


def cells(name: str, **shares: float) -> Data:
    by_cell = {key.replace("_", "+"): value for key, value in shares.items()}
    return Data({name: made.kang_results(by_cell, kang.TIES)})


def kang_rows(*shares: float) -> Data:
    return Data({"readings-kang": made.kang_readings(dict(zip((2, 4, 6), shares, strict=True)))})


def table_6(deeper: float) -> Data:
    return Data({"kang-table6": made.table_6_results(deeper)})


def regret(**changes: Any) -> Data:
    return Data({"regret": made.regret_results(**changes)})


def streak(**changes: Any) -> Data:
    return Data({"edap01-streak": made.streak_results(**changes)})


def opened(*scores: int) -> Data:
    return Data({"openings": made.openings_scores(*scores)})


def printed(**tables: Any) -> Data:
    return Data({}, replace(Printed(), **tables))


def deep_only(_opponent: int, system: int) -> str:
    return made.WON[7] if system >= 5 else made.LOST[8]


def shallow_only(opponent: int, system: int) -> str:
    return deep_only(opponent, 9 - system)


def slow_losses(_opponent: int, system: int) -> str:
    return made.WON[7] if system >= 5 else made.LOST[10]


def quick_losses(_opponent: int, system: int) -> str:
    return made.WON[11] if system >= 5 else made.LOST[8]


GOOD_DEPTHS = dict.fromkeys(range(5, 11), (1000.0, 500.0))
WORSE_DEPTHS = dict.fromkeys(range(5, 11), (1000.0, 1500.0))
EXACT_SCORES = (-2, -1, 0, 1, 0, -1, -2)
TURNED_SCORES = (2, 1, 0, -1, 0, 1, 2)
NOT_TENTHS = kang.TABLE_6_WINS | {2: ((0.55, 0.45), *kang.TABLE_6_WINS[2][1:])}
ALIKE = {"F1": 0.48, "F2": 0.40, "F3": 0.48, "F4": 0.40}

CASES: dict[str, Callable[[], tuple[Data, Data]]] = {
    "tommy-table": lambda: (tommy(), tommy(leaves={7: (175759.0, 36907.0)})),
    "tommy-abstract-results": lambda: (tommy(winners="OOOOOOOOOOOXXXXXXXXX===="), tommy()),
    "tommy-body-results": lambda: (tommy(), tommy(winners="XXXXXXXXXX==")),
    "tommy-abstract-leaves": lambda: (tommy(leaves={8: (10000.0, 4373.0)}), tommy()),
    "tommy-body-leaves": lambda: (tommy(), tommy(leaves={8: (10000.0, 4373.0)})),
    "tommy-optimal": lambda: (tommy(), tommy(o_moves="0124")),
    "tommy-fewer-leaves": lambda: (tommy(leaves=GOOD_DEPTHS), tommy(leaves=WORSE_DEPTHS, ratio=1.5)),
    "tommy-faster": lambda: (tommy(faster=0.5), tommy(faster=-0.5)),
    "tommy-slower-at-6": lambda: (tommy(faster=-0.5), tommy(faster=0.5)),
    "tommy-odd-passes": lambda: (tommy(), tommy(passes={5: 500.0})),
    "tommy-odd-passes-openings": lambda: (tommy(odd=5), tommy(odd=20)),
    "tommy-branching": lambda: (tommy(), tommy(leaves={6: (9_000_000.0, 1.0)})),
    "tommy-first-mover": lambda: (tommy(first_wins=0.9), tommy(first_wins=0.1)),
    "tommy-weights": lambda: (ordering(12242.0), ordering(10135.0)),
    "vds-value": lambda: (defects(), defects(wrong=1)),
    "vds-column": lambda: (defects(), defects(poor=1)),
    "vds-cutoffs": lambda: (defects(), defects(calls=3.0)),
    "vds-perspective": lambda: (defects(), defects(odd=0.05)),
    "vds-threats": lambda: (defects(), defects(threats=(-199, 395))),
    "vds-strength": lambda: (defects(even=0.6, odd=0.6), defects(even=0.3, odd=0.1)),
    "halim-totals": lambda: (table_of_halim(), table_of_halim(cell="W28")),
    "halim-win-length": lambda: (table_of_halim(), table_of_halim(cell="W41")),
    "halim-loss-length": lambda: (table_of_halim(cell="L25"), table_of_halim()),
    "halim-table": lambda: (readings(lambda *_: made.WON[7], FLAT_TABLE), readings(lambda *_: made.WON[9], FLAT_TABLE)),
    "halim-seven-moves": lambda: (readings(lambda *_: made.WON[7]), readings(lambda *_: made.WON[9])),
    "halim-deeper": lambda: (readings(deep_only), readings(shallow_only)),
    "halim-consistent": lambda: (readings(deep_only), readings(shallow_only)),
    "halim-attacks": lambda: (readings(slow_losses), readings(quick_losses)),
    "halim-defends": lambda: (halims(), halims(longer=False)),
    "halim-first": lambda: (halims(), halims(better_first=False)),
    "halim-pruning": lambda: (halims(), halims(leaves=7**8)),
    "kang-deeper": lambda: (
        Data({"kang-table6": made.table_6_results(0.7)}),
        Data({"kang-table6": made.table_6_results(0.3)}),
    ),
    "kang-table6": lambda: (
        Data({"kang-table6": made.table_6_results(0.75)}),
        Data({"kang-table6": made.table_6_results(0.5)}),
    ),
    "kang-rounds": lambda: (printed(kang_table_6=NOT_TENTHS), printed()),
    "kang-table7": lambda: (cells("kang-table7", **ALIKE), cells("kang-table7", **ALIKE | {"F2": 0.1})),
    "kang-single": lambda: (
        cells("kang-table7", **dict.fromkeys(ALIKE, 0.3)),
        cells("kang-table7", **ALIKE | {"F3": 0.8}),
    ),
    "kang-alike": lambda: (cells("kang-table7", **ALIKE), cells("kang-table7", **ALIKE | {"F3": 0.9})),
    "kang-table8": lambda: (
        cells("kang-table8", F1_2=0.54, F1_2_3=0.60, F1_2_3_4=0.80),
        cells("kang-table8", F1_2=0.54, F1_2_3=0.60, F1_2_3_4=0.30),
    ),
    "kang-more-features": lambda: (
        cells("kang-table8", F1_2=0.3, F1_2_3=0.5, F1_2_3_4=0.8),
        cells("kang-table8", F1_2=0.3, F1_2_3=0.5, F1_2_3_4=0.3),
    ),
    "kang-two-features": lambda: (
        cells("kang-table8", F1_2=0.5, F1_2_3=0.5, F1_2_3_4=0.5),
        cells("kang-table8", F1_2=0.2, F1_2_3=0.5, F1_2_3_4=0.5),
    ),
    "kang-same-setting": lambda: (
        printed(kang_table_8={"1+2+3+4": 1.0}, kang_table_9={4: (1.0, 0.0)}),
        printed(kang_table_8={"1+2+3+4": 1.0}, kang_table_9={4: (0.1, 0.9)}),
    ),
    "kang-table9": lambda: (kang_rows(0.24, 0.60, 0.76), kang_rows(1.0, 0.0, 0.0)),
    "kang-weak-at-2": lambda: (kang_rows(0.2, 0.6, 0.8), kang_rows(0.8, 0.6, 0.8)),
    "kang-better-deeper": lambda: (kang_rows(0.2, 0.6, 0.8), kang_rows(0.2, 0.4, 0.3)),
    "kang-grows": lambda: (kang_rows(0.2, 0.6, 0.8), kang_rows(0.8, 0.6, 0.2)),
    "kang-weaker-deeper": lambda: (
        Data({"kang-depth": made.kang_results(dict.fromkeys(kang.DEPTH_PAIRS, 0.8))}),
        Data({"kang-depth": made.kang_results(dict.fromkeys(kang.DEPTH_PAIRS, 0.2))}),
    ),
    "kang-early": lambda: (regret(), regret(kang_loses=True)),
    "kang-nodes-fall": lambda: (
        Data({"kang-figures": made.figure_results()}),
        Data({"kang-figures": made.figure_results(falls=False)}),
    ),
    "kang-nodes-time": lambda: (
        Data({"kang-figures": made.figure_results()}),
        Data({"kang-figures": made.figure_results(together=False)}),
    ),
    "kang-pruning": lambda: (
        Data({"kang-figures": made.figure_results()}),
        Data({"kang-figures": made.figure_results(nodes=10**6)}),
    ),
    "edap01-first-player": lambda: (opened(*EXACT_SCORES), opened(*TURNED_SCORES)),
    "edap01-move-41": lambda: (opened(*EXACT_SCORES), opened(*TURNED_SCORES)),
    "edap01-outer": lambda: (opened(*EXACT_SCORES), opened(*TURNED_SCORES)),
    "edap01-search": lambda: (regret(), regret(edap01_loses=True)),
    "edap01-streak-2021": lambda: (streak(), streak(lost=0.2)),
    "edap01-streak-2024": lambda: (streak(), streak(lost=0.2)),
    "edap01-limit": lambda: (streak(), streak(seconds=5.1)),
}
"""For each claim that can be tested: data that support it, and data that do not; made when they are asked for."""
OVER_READINGS = {
    "halim-table",
    "halim-seven-moves",
    "halim-deeper",
    "halim-consistent",
    "halim-attacks",
    "kang-table7",
    "kang-single",
    "kang-alike",
    "kang-table8",
    "kang-more-features",
    "kang-two-features",
    "kang-table9",
    "kang-weak-at-2",
    "kang-better-deeper",
    "kang-grows",
    "kang-weaker-deeper",
}
"""Claims on programs that the papers do not define: readings that disagree leave them undecided."""
BY_KEY = {claim.key: claim for claim in CLAIMS}


def test_every_testable_claim_has_data_for_both_verdicts() -> None:
    assert set(CASES) == {claim.key for claim in CLAIMS if claim.parts is not None}
    assert len(BY_KEY) == len(CLAIMS), "no key twice"


@pytest.mark.parametrize("key", CASES)
def test_the_verdict_changes_with_the_data(key: str) -> None:
    good, bad = CASES[key]()
    claim = BY_KEY[key]
    # Alone, so that the adjustment for many tests does not depend on the other claims.
    assert judge([claim], _only(claim, good))[0].verdict == "supported"
    assert judge([claim], _only(claim, bad))[0].verdict == ("undecided" if key in OVER_READINGS else "refuted")


def _only(claim: Claim, data: Data) -> Data:
    missing = [name for name in claim.needs if name not in data.results]
    assert not missing, f"the test's data have no {missing}"
    return data


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.key)
def test_without_results_nothing_is_decided_and_the_ledger_says_so(claim: Claim) -> None:
    judged = judge([claim], Data({}))[0]
    if claim.parts is None:
        assert judged.verdict == "not testable"
    elif claim.needs:
        assert judged.verdict == "undecided" and evidence(judged).startswith("Not run: ")
    else:
        assert judged.verdict in ("supported", "refuted", "undecided"), "the printed tables alone decide it"
    assert set(claim.needs) <= set(EXPERIMENTS)


def part(value: float, low: float, high: float, **claimed: float) -> Sampled:
    return Sampled("number", Estimate(value, low, high, 50), **claimed)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("parts", "verdict"),
    [
        ([Exact("x", "1", True)], "supported"),
        ([Exact("x", "1", True), Exact("y", "2", False)], "refuted"),
        ([Readings("x", 3, 3)], "supported"),
        ([Readings("x", 1, 3)], "undecided"),
        ([Readings("x", 0, 3)], "undecided"),
        ([Readings("x", 0, 0)], "undecided"),
        ([part(0.7, 0.6, 0.8, above=0.5)], "supported"),
        ([part(0.7, 0.4, 1.0, above=0.5)], "undecided"),
        ([part(0.3, 0.2, 0.4, above=0.5)], "refuted"),
        ([part(0.3, 0.2, 0.4, below=0.5)], "supported"),
        ([part(0.5, 0.45, 0.55, above=0.4, below=0.6)], "supported"),
        ([part(0.5, 0.35, 0.65, above=0.4, below=0.6)], "undecided"),
        ([part(0.9, 0.8, 1.0, above=0.4, below=0.6)], "refuted"),
        ([part(0.7, 0.6, 0.8, above=0.5), part(0.7, 0.4, 1.0, above=0.5)], "undecided"),
        ([], "undecided"),
    ],
)
def test_a_verdict_follows_from_all_comparisons(parts: list[Any], verdict: str) -> None:
    claim = Claim("k", SOURCES[0], "s", "says", "test", lambda _data: parts)
    assert judge([claim], Data({}))[0].verdict == verdict


def test_many_comparisons_need_stronger_evidence() -> None:
    close = Claim("k", SOURCES[0], "s", "says", "test", lambda _data: [part(0.6, 0.505, 0.695, above=0.5)])
    assert judge([close], Data({}))[0].verdict == "supported"
    others = [replace(close, key=str(number)) for number in range(20)]
    assert {each.verdict for each in judge([close, *others], Data({}))} == {"undecided"}


def test_every_sentence_repeats_its_verdict() -> None:
    """No text is fixed beside a computed number: what is printed as decided is decided so."""
    merged = Data({name: results for made_of in CASES.values() for name, results in made_of()[0].results.items()})
    judged = judge(CLAIMS, merged)
    text = "\n".join(ledger_markdown(judged))
    for verdict, heading in HEADINGS.items():
        section = text.partition(f"### {heading} (")[2].partition("\n### ")[0]
        says = [each.claim.says for each in judged if each.verdict == verdict]
        assert section.startswith(f"{len(says)})") or not says
        assert all(f"| {each} |" in section for each in says)
    for each in judged:
        if each.verdict == "refuted":
            assert "against the claim" in evidence(each)
        if each.verdict == "supported":
            assert "against the claim" not in evidence(each) and "not decided" not in evidence(each)
    rows = re.findall(r"^\| all \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", counts(judged), re.MULTILINE)
    assert len(rows) == 1 and sum(map(int, rows[0][:4])) == int(rows[0][4]) == len(CLAIMS)


def test_every_sampled_number_is_printed_with_its_interval() -> None:
    judged = judge([BY_KEY["tommy-first-mover"]], tommy())
    assert f"{45 / 49:.2f} (" in evidence(judged[0]) and "49 openings)" in evidence(judged[0])
    assert all(math.isfinite(part.estimate.low) for part, _, _ in judged[0].parts if isinstance(part, Sampled))


def test_the_ledger_as_json_names_every_claim_once() -> None:
    listed = json.loads(json.dumps(ledger_json(judge(CLAIMS, Data({})))))
    assert [entry["key"] for entry in listed] == [claim.key for claim in CLAIMS]
    assert all(entry["test"] and entry["statement"] for entry in listed)


def test_a_goal_is_not_shown_as_a_published_result() -> None:
    for claim in CLAIMS:
        assert claim.goal == "-" or claim.published == "-", claim.key
    assert {claim.key for claim in CLAIMS if claim.goal != "-"} == {
        "edap01-streak-2021",
        "edap01-streak-2024",
        "edap01-limit",
    }
