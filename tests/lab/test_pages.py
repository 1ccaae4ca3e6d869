"""Pages: ratings beside accuracy, what the choice of a reading is worth, what was noticed, and plots."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from bot.errors import UsageError
from bot.lab.experiments.frame import frame_of
from bot.lab.experiments.pages import page, ratings, write_pages
from bot.lab.experiments.paper import papers
from bot.lab.experiments.plan import rows_of
from bot.lab.experiments.printed import ours
from bot.lab.experiments.run import run_experiment, saved
from tests.lab.sources import SOURCE, Write

STRENGTH: dict[Any, int] = {"strong": 90, "middle": 80, "weak": 50}
"""Agents of which the stronger always wins, and of 100 positions those in which each keeps the outcome."""
RUNS = """
source = 'Toy'
cite = 'nobody'
[run.field]
title = 'Field'
field = ['strong', 'middle', 'weak']
players = { one = '{one}', other = '{other}' }
grid = { first = ['one', 'other'], game = 10 }
judged = 'asked'
[run.asked]
title = 'Asked'
agents = { it = '{agent}' }
grid = { agent = ['strong', 'middle', 'weak'], position = 100 }
"""


def test_ratings_stand_beside_the_exact_accuracy_of_the_same_agents(sources: Write) -> None:
    sources("toy.toml", RUNS)
    toy = papers()["toy"]
    pairs, asked = (list(rows_of(run, quick=False)) for run in toy.run.values())
    wins = [STRENGTH[row["one"]] > STRENGTH[row["other"]] for row in pairs]
    games = frame_of(pairs, [{"one.points": int(won), "other.points": 1 - won} for won in wins])
    answers = frame_of(asked, [{"it.kept": int(int(row["position"]) < STRENGTH[row["agent"]])} for row in asked])
    _, _, title, table, correlation = page(toy, [], {"field": games, "asked": answers}, [])
    assert title == "## Field" and correlation == "Spearman's correlation of rating and outcome kept: 1.00."
    assert re.search(r"`strong`.*\n.*`middle` \| \+0 \+- .* 20 of 40 \| 0.8 \(0.711 to 0.867; .*\n.*`weak`", table)
    two = ratings(games, answers.where({"agent": ["strong", "weak"]}))
    assert "20 of 40 | - |" in two[0] and two[1] == "", "two agents always agree"


def test_what_was_noticed_is_shown_with_its_numbers_and_left_out_without_them(sources: Write) -> None:
    sources("toy.toml", NOTICED)
    frame = frame_of([{"ties": "a"}, {"ties": "b"}, {"ties": "b"}], [{}, {}, {}])
    assert page(papers()["toy"], [], {"r": frame}, [])[-2] == "- Rows: ties a: 1, ties b: 2.\n- Words alone."


NOTICED = """
source = 'Toy'
cite = ''
run = { r = { title = 'r', grid = { ties = ['a', 'b'] } }, other = { title = 'not run' } }
[[noticed]]
text = 'Rows:'
run = 'r'
values = ['n']
each = 'ties'
[[noticed]]
text = 'Nothing:'
run = 'r'
values = ['n']
where = { ties = 'z' }
[[noticed]]
text = 'Not run:'
run = 'other'
values = ['n']
[[noticed]]
text = 'Words alone.'
"""
SCREENED = """
source = 'Toy'
cite = ''
[run.r]
title = 'r'
grid = { mine = [1, 7, 2233], cell = [1, 4, 5656] }
players = { X = 'scripted:{mine}', O = 'scripted:{cell}' }
readings = ['mine']
screen = { table = 'r', held = { cell = [5656] }, keep = 1 }
[table.r]
title = 'r'
rows = ['cell']
columns = { result = 'outcome(X)' }
printed = '''
1    L20
4    D42
5656 L9
'''
"""


def test_the_best_reading_plays_the_rest_and_is_shown_with_what_its_choice_is_worth(
    sources: Write, tmp_path: Path
) -> None:
    sources("toy.toml", SCREENED)
    run_experiment("r", tmp_path)
    frame = saved("r", tmp_path)
    assert frame is not None
    assert frame.where({"cell": 5656}).values("mine") == [1, 7], "the recommended reading, and the best"
    cells, text = ours(papers()["toy"].table["r"], frame)
    assert [cell.measured for cell in cells] == ["L20", "D42", "W9"]
    assert text.startswith(
        "Ours is the reading mine=7, which explains the first part best of 3. It has 2 of the 2 results that choose"
        " (all: 0 to 2) and 0 of the 1 held-out ones; 1 readings explain the first part equally well and have 0 to 0 of"
        " the held-out ones. L in every cell would have 1 and 1. With the printed results of the first part shuffled,"
    )


PLOTS = """
[[plot]]
title = "Won by game"
kind = "lines"
run = "games"
x = "game"
series = { X = "X.won / n", O = "O.won / n" }

[[plot]]
title = "Every reading"
kind = "strip"
table = "games"
y = "moves"
"""


def test_plots_are_drawn_where_their_run_was_made_and_are_the_same_again(sources: Write, tmp_path: Path) -> None:
    sources("toy.toml", SOURCE + PLOTS)
    with pytest.raises(UsageError, match="There are no results"):
        write_pages(tmp_path)
    run_experiment("games", tmp_path, quick=True)
    write_pages(tmp_path, ["toy"])
    assert "![Every reading](toy-2.svg)" in (tmp_path / "toy.md").read_text(encoding="utf-8")
    drawn = (tmp_path / "toy-1.svg").read_bytes()
    write_pages(tmp_path, ["toy"])
    assert b"Won by game" in drawn == (tmp_path / "toy-1.svg").read_bytes()
