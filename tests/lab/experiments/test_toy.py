"""A publication in a folder of a stranger: listed, played, run, tabulated and judged, and gone without a trace."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = '''"""Toy 2026: alpha-beta that counts discs near the middle."""

from bot.agents.family import Family
from bot.agents.kernels.windows import linear as evaluate
from bot.agents.paper import PaperAgent
from bot.agents.program import Ends, Program, linear

PROGRAM = Program(evaluate, Ends(won=1000, lost=-1000), linear(squares=[(0, 1, 2, 3, 2, 1, 0)] * 6))


def make(name, depth, _seed):
    return PaperAgent(name, depth, PROGRAM)


FAMILIES = (Family("toy", "Toy 2026", "counts discs near the middle", make),)
'''
EXPERIMENTS = '''source = "Toy 2026"
cite = "A. Nobody: Toys, 2026"

[run.toy-table]
title = "The deeper toy against the shallower"
players = { deep = "toy:{depth}", shallow = "toy:1" }
grid = { depth = [2, 3, 4], first = ["deep", "shallow"] }
quick = { depth = [2, 3] }

[table.toy-table]
title = "Table 1"
rows = ["depth"]
columns = { won = "deep.won", plies = "plies / n" }
printed = """
2 1 15
3 2 13
"""

[[says]]
id = "toy-leaves"
at = "Table 1"
text = "A deeper search evaluates more leaves."
run = "toy-table"
values = ["deep.leaves"]
rises = "depth"

[[says]]
id = "toy-wins"
at = "Abstract"
text = "The deeper toy always wins."
run = "toy-table"
values = ["deep.won / n"]
equal = [1]

[[says]]
id = "toy-table"
at = "Table 1"
text = "Its cells."
table = "toy-table"
equal = "all cells"
'''
FIELD = """
from bot.lab.experiments.paper import find_run
from bot.lab.experiments.plan import rows_of, tasks_of
from bot.lab.experiments.run import key_of
run = find_run("round-robin")
pairs = [{row["one"], row["other"]} for row in rows_of(run, quick=True)]
print(len(set().union(*(pair for pair in pairs if "toy:4" in pair))), len(set().union(*pairs)))
print(" ".join(key_of(task) for task in tasks_of("round-robin", run, quick=True, seed=0)))
"""


class Stranger:
    """A working folder with the results, and beside it one with the toy."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.papers = folder / "papers"
        for each in (self.home, self.papers):
            each.mkdir()
        (self.papers / "toy.py").write_text(PROGRAM, encoding="utf-8")
        (self.papers / "toy.toml").write_text(EXPERIMENTS, encoding="utf-8")

    def python(self, *arguments: str, toy: bool) -> str:
        """Run Python in the working folder, with or without the toy; return what it prints."""
        environment = {name: value for name, value in os.environ.items() if name != "BOT_PAPERS"}
        if toy:
            environment["BOT_PAPERS"] = str(self.papers)
        done = subprocess.run(
            [sys.executable, *arguments], cwd=self.home, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def bot(self, *arguments: str, toy: bool) -> str:
        return self.python("-m", "bot", *arguments, toy=toy)


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Stranger:
    """Add the toy, and run its experiment."""
    found = Stranger(tmp_path_factory.mktemp("toy"))
    found.bot("experiment", "run", "toy", "--quick", "--workers", "2", toy=True)
    return found


def test_it_is_listed(stranger: Stranger) -> None:
    assert "Toy 2026: counts discs near the middle" in stranger.bot("agents", toy=True)
    listed = stranger.bot("experiment", "run", toy=True)
    assert "toy: Toy 2026" in listed and "toy-table" in listed


def test_it_plays(stranger: Stranger) -> None:
    found = json.loads(stranger.bot("match", "toy:2", "random", "--games", "6", "--seed", "1", "--json", toy=True))
    assert found["total"]["won"] >= 5, "it beats random play"


def test_its_table_stands_beside_ours(stranger: Stranger) -> None:
    page = (stranger.home / "logs/experiments/toy.md").read_text(encoding="utf-8")
    assert page.startswith("# Toy 2026\n\nA. Nobody: Toys, 2026\n\n## Table 1\n\n| depth | won | plies |")
    assert "| 2 | 1 -> 1 | 15 -> 15 |" in page
    assert "| 3 | **2 -> 1** | **13 -> 12** |" in page


def test_it_is_judged(stranger: Stranger) -> None:
    ledger = json.loads((stranger.home / "logs/experiments/ledger.json").read_text(encoding="utf-8"))
    verdicts = {each["id"]: each["verdict"] for each in ledger if each["source"] == "Toy 2026"}
    assert verdicts == {"toy-leaves": "supported", "toy-wins": "refuted", "toy-table": "refuted"}
    evidence = {each["id"]: each["evidence"] for each in ledger}
    assert evidence["toy-table"] == "cells equal: 2 of 4 cells; stated all: not as stated."
    assert "deep.won / n: 0.5; stated 1: not as stated" in evidence["toy-wins"]


def test_its_run_repeats_itself(stranger: Stranger) -> None:
    assert "toy-table: identical." in stranger.bot("experiment", "rerun", "toy-table", toy=True)


def test_it_meets_all_others_and_their_games_stay(stranger: Stranger) -> None:
    with_toy, all_keys = stranger.python("-c", FIELD, toy=True).splitlines()
    without, keys = stranger.python("-c", FIELD, toy=False).splitlines()
    (its_pairs, field), (none, others) = (map(int, line.split()) for line in (with_toy, without))
    assert its_pairs == field == others + 1 > 12 and none == 0, "every other agent of the field"
    assert set(keys.split()) < set(all_keys.split()), "no other pair is played again"


def test_its_absence_leaves_no_trace(stranger: Stranger) -> None:
    stranger.bot("experiment", "run", "edap01-ends", toy=False)
    pages = stranger.home / "logs/experiments"
    for name in ("ledger.json", "README.md", "manifest.json"):
        assert "toy" not in (pages / name).read_text(encoding="utf-8").lower(), name
    assert "toy" not in stranger.bot("agents", toy=False).lower()
    assert "toy" not in stranger.bot("experiment", "run", toy=False)
