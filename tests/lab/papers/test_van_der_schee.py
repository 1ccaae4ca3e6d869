"""Van der Schee as data: the published search position by position, and the names of its expressions."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.lab.experiments.compare import judge
from bot.lab.experiments.paper import papers
from bot.lab.experiments.run import run_experiment, saved


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("results")
    for name in ("vds-search", "vds-work", "vds-games"):
        run_experiment(name, out, quick=True)
    return out


def test_wrong_values_and_columns_are_found_position_by_position(folder: Path) -> None:
    frame = saved("vds-search", folder)
    assert frame is not None
    for _, part in frame.groups(["depth"]):
        wrong = part.numbers["published.value"] != part.numbers["whole.value"]
        assert 0 < part.evaluate("rows('published.value != whole.value').n") == wrong.sum() < part.size
        assert (part.numbers["whole.kept"] == 1).all(), "plain minimax plays a best column"
        assert (part.numbers["pruned.kept"] == 1).all()
        assert (part.numbers["sound.value"] == part.numbers["whole.value"]).all()


def test_the_verdicts_follow_from_the_rows(folder: Path) -> None:
    names = ("vds-search", "vds-work", "vds-games")
    frames = {name: frame for name in names if (frame := saved(name, folder)) is not None}
    assert len(frames) == len(names)
    judged = {each.statement.id: each.verdict for each in judge([papers()["van_der_schee"]], frames)}
    assert judged["vds-value"] == "refuted"
    assert judged["vds-column"] == judged["vds-pruning"] == judged["vds-mirror"] == "supported"
    search = frames["vds-search"]
    right = search.where({"depth": 3}).take(
        search.where({"depth": 3}).numbers["published.value"] == search.where({"depth": 3}).numbers["whole.value"]
    )
    again = {each.statement.id: each.verdict for each in judge([papers()["van_der_schee"]], {"vds-search": right})}
    assert again["vds-value"] == "supported", "without a wrong value the statement holds"
