"""A study's page and its JSON."""

from __future__ import annotations

import re
import time
from collections import Counter
from pathlib import Path

import pytest

from bot.lab.replication.pages import counted, read_about
from tests.lab.sources import TOY
from tests.lab.test_study_run import write

pytestmark = pytest.mark.usefixtures("toy")
PAGE = """
# Toy 2026

J. Toy: Games.

2 of 4 cells are equal. X wins 12 games.

**Is the program identified?** Yes.

## Table 1: points of X

| first | won | games | s |
| --- | --- | --- | --- |
| X | 1.00 -> 1.00 (0.61 to 1.00) | 6 -> 6 | 0.25 -> 0 |
| R | 0.10 -> **1.00 (0.61 to 1.00)** | 7 -> **6** | 0.25 -> 0 |

Six games each.

![Points of X](toy.svg)

## Statements

2 statements: supported 1, refuted 1.

- **supported** 1: "X wins."<br>X wins 12 games. *(share of points: 1 (0.758 to 1; 12 games); as stated if above 0.5)*
- **refuted** Table 2: games played again.<br>Fewer games. *(games: 2, without chance; as stated if equal to 3)*

## What we noticed

The source does not state this.

- 12 games were played.
""".lstrip()


NOT_TESTABLE = """
@study.statement
def liked():
    '3: "We like it."'
    return not_testable("A matter of taste.")
"""


@pytest.fixture(autouse=True)
def stopped_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing take any time."""
    for clock in ("thread_time", "process_time"):
        monkeypatch.setattr(time, clock, lambda: 1.0)


def page(out: Path) -> str:
    """Return the toy's page."""
    return (out / "toy.md").read_text(encoding="utf-8")


def test_the_whole_page(tmp_path):
    write(tmp_path)
    assert page(tmp_path) == PAGE


def test_the_json_has_all_that_a_repetition_needs(tmp_path):
    about = write(tmp_path, quick=True, seed=3)
    assert about == read_about("toy", tmp_path)
    assert (about["source"], about["command"]) == ("Toy 2026", "bot experiment run toy --quick --seed 3")
    assert (about["seed"], about["quick"]) == (3, True)
    assert {*about["versions"]} == {"bot", "python", "numba", "numpy", "pandas", "scipy"}
    assert {name: (run["tasks"], len(run["digest"])) for name, run in about["runs"].items()} == {
        "games": (4, 64),
        "again": (2, 64),
    }
    wins, again = about["statements"]
    assert (wins["id"], wins["statement"], wins["verdict"]) == ("toy.wins", '1: "X wins."', "supported")
    assert (again["sentence"], again["unit"], again["stated"]) == ("Fewer games.", "games", "equal to 3")
    assert (wins["estimate"]["size"], wins["estimate"]["sample"], again["estimate"]["value"]) == (4, "games", 2)
    assert "\n\nA quick run: few games, wide intervals.\n\n2 of 4" in page(tmp_path)


def test_a_plot_has_its_title_as_text_and_short_numbers(tmp_path):
    write(tmp_path)
    plot = (tmp_path / "toy.svg").read_text(encoding="utf-8")
    assert ">Points of X</text>" in plot and not re.search(r'="[^"]*\d\.\d\d', plot)


def test_terms_stand_before_anything_else_and_what_has_no_number_is_shown_without_one(toy, tmp_path):
    text = TOY.replace("import above", "import not_testable, above").replace('"Yes.")', '"Yes.", terms="R is random.")')
    toy("toy_study.py", text + NOT_TESTABLE)
    statement = write(tmp_path)["statements"][-1]
    assert "\n\nJ. Toy: Games.\n\nR is random.\n\n2 of 4 cells" in page(tmp_path)
    assert '- **not testable** 3: "We like it."<br>A matter of taste.\n' in page(tmp_path)
    assert (statement["verdict"], statement["estimate"]) == ("not testable", None)
    assert counted(Counter(["refuted"])) == "1 statement: refuted 1."
