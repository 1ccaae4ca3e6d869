"""The public Python API: its examples, its errors, and that importing it costs nothing."""

from __future__ import annotations

import doctest
import importlib
import math
import os
import pkgutil
import re
import runpy
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from itertools import chain, repeat
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

import bot
from bot.engine import shared
from bot.engine.analysis import Analyst
from bot.errors import BoardError
from tests.processes import ROOT, obey_interrupts, python_json, running

EXAMPLES = re.findall(r"### Example.*?```python\n(.*?)```", Path(bot.__file__).with_name("README.md").read_text(), re.S)
LATE = "1643164664443333222243266725"
"""A position that is solved at once; an early one without the book takes minutes."""


@pytest.mark.parametrize("name", ["bot.api", "bot.agents.catalogue", "bot.engine.score", "bot.game.board"])
def test_the_examples_in_docstrings_are_true(name):
    outcome = doctest.testmod(importlib.import_module(name))
    assert outcome.attempted > 0 and outcome.failed == 0


def test_the_example_scripts_of_the_architecture_page_run(tmp_path, capsys):
    for script in EXAMPLES:
        (tmp_path / "example.py").write_text(script)
        runpy.run_path(str(tmp_path / "example.py"))
    out = capsys.readouterr().out
    assert "4 wins" in out.splitlines() and "turned a " in out


@pytest.mark.parametrize("position", ["443", [3, 3, 2], (3, 3, 2), np.array([3, 3, 2]), iter([3, 3, 2])], ids=type)
def test_moves_are_text_or_columns_wherever_a_position_is_wanted(position):
    board = bot.Board.from_moves("443")
    for given in (position, board, board.to_grid(), np.array(board.to_grid())):
        assert bot.solve(given).board == board
    assert bot.solve([]).board == bot.Board() == next(bot.solve_many([()])).board


COSTS = """
import json, sys, bot
heavy = {"numba", "numpy", "fastapi", "pydantic", "rich"}
imported = sorted(heavy & set(sys.modules))
scores = bot.solve("4453").scores
from bot.cli.app import run
codes = [run(line.split()) for line in ("move perfect 4453", "analyse 4453 --score-only", "analyse --file none")]
print(json.dumps([imported, scores, codes, sorted({"numba", "numpy"} & set(sys.modules))]))
"""


def test_importing_the_package_loads_nothing_heavy_and_what_stands_in_the_book_needs_neither_numba_nor_numpy():
    assert python_json(COSTS) == [[], [-5, -5, -2, -3, -4, -2, -2], [0, 0, 2], []]


def test_every_public_name_is_there_and_none_is_hidden_by_a_module():
    modules = {module.name for module in pkgutil.iter_modules(bot.__path__)}
    assert all(getattr(bot, name).__doc__ for name in bot.__all__) and not modules & {*bot.__all__}


MISUSES: dict[str, Callable[[], object]] = {
    "a board of text": lambda: bot.Board("44"),  # type: ignore[arg-type]
    "a limit that is a number": lambda: bot.play_game("random", "random", limit=5),  # type: ignore[arg-type]
    "an opening that ends the game": lambda: bot.play_game("random", "random", opening="1212121"),
    "one position's text as many": lambda: bot.solve_many("4453"),
    "no processes": lambda: bot.solve_many(["44"], processes=0),
    "no number of seconds": lambda: bot.solve("44", time_limit_s=math.nan),
    "no limit for a review": lambda: bot.review("44", time_limit_s=None),  # type: ignore[arg-type]
    "a limit in the past": lambda: bot.Limit(hard_s=-1),
    "more leaves than can be counted": lambda: bot.Limit(leaves=10**16),
    "a number as a position": lambda: bot.solve(5),  # type: ignore[arg-type]
    "a finished game": lambda: bot.solve("1212121"),
}


@pytest.mark.parametrize("misuse", MISUSES.values(), ids=MISUSES)
def test_every_misuse_is_a_bot_error_with_a_next_step(misuse):
    with pytest.raises(bot.BotError) as refused:
        misuse()
    assert refused.value.message.endswith(".") and refused.value.hint.endswith(".")


def test_a_solution_prints_score_columns_and_line_or_the_bounds_that_a_time_limit_leaves(monkeypatch):
    assert all(word in str(bot.solve("4453")) for word in ("loses in 18 moves", "-2", "best: 3 6 7", "line: "))
    assert bot.solve("444444").scores[3] is None
    assert "between" in str(bot.solve("", book=False, time_limit_s=0.01))
    asked = Mock(return_value=(2,))
    monkeypatch.setattr(Analyst, "line", asked)
    assert bot.solve("4453", time_limit_s=7.0).line == (2,) and asked.call_args.kwargs["deadline_s"] == 7.0


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
@pytest.mark.parametrize("part", ["analyse", "line"])
def test_an_interrupt_ends_a_solution_and_its_line_that_take_minutes(part, monkeypatch):
    obey_interrupts()
    search = getattr(Analyst, part)

    def interrupted(*arguments, **options):
        os.kill(os.getpid(), signal.SIGINT)
        return search(*arguments, **options)

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(Analyst, part, interrupted)
        if part == "line":  # the solver, which has no book, would search for it for minutes
            known = bot.solve("")
            _ = replace(known, _options=(False, None)).line
        bot.solve("", book=False)
    found = bot.solve("4453", book=False)
    assert found.score == -2 and found.nodes, "the solver serves again, without the book"


def test_first_calls_from_several_threads_use_the_solver_one_after_another(monkeypatch):
    """The shared solver is loaded by a search: beside another one it would prove wrong scores."""
    running: list[str] = []
    overlaps: list[str] = []
    begin = threading.Barrier(4)

    def alone(method):
        def watched(*arguments, **options):
            overlaps.extend(running)
            running.append(method.__name__)
            time.sleep(0.02)  # the other threads run meanwhile
            try:
                return method(*arguments, **options)
            finally:
                running.pop()

        return watched

    monkeypatch.setattr(shared, "_analyst", cache(lambda _book: Analyst()))
    for name in ("warm_up", "analyse"):
        monkeypatch.setattr(Analyst, name, alone(getattr(Analyst, name)))

    def solved(_number: int) -> int | None:
        begin.wait()
        return bot.solve(LATE, book=False).score

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(solved, range(4)))) == 1
    assert overlaps == []


def test_many_positions_are_solved_in_their_order_and_an_error_comes_at_its_turn():
    assert next(bot.solve_many(["44"])).line == (), "without columns"
    assert next(bot.solve_many(["4453265"], book=False, columns=True)).nodes > 0
    found = bot.solve_many(iter(["44", "4453", "4444444"]), columns=True)
    assert [next(found).scores, next(found).scores] == [bot.solve("44").scores, bot.solve("4453").scores]
    with pytest.raises(BoardError, match=r"positions\[2\] is '4444444': Move 7 is not legal: Column 4 is full"):
        next(found)


PIPES: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
PLAIN = """
import bot
class Columns(list):
    pass
positions = ["4453", Columns([3, 3])] * 8 + [(3 for _ in range(3)), "4444444"]
try:
    for solution in bot.solve_many(positions, processes=2):
        print(solution.score)
except bot.BotError as error:
    print(error.message)
"""


def test_a_plain_script_needs_no_guard_for_its_processes_which_keep_the_order(tmp_path):
    script = tmp_path / "plain.py"
    script.write_text(PLAIN)
    with running([sys.executable, str(script)], env={**os.environ, "PYTHONPATH": str(ROOT)}, **PIPES) as process:
        out, err = process.communicate()
    *scores, last = out.splitlines()
    assert (scores, err) == (["-2", "1"] * 8 + ["-1"], "") and last.startswith("positions[17] is '4444444': Move 7")


def test_leaving_many_solutions_early_waits_for_none_of_the_others(monkeypatch):
    workers: list[subprocess.Popen[bytes]] = []

    class Kept(subprocess.Popen[bytes]):
        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            workers.append(self)

    monkeypatch.setattr(subprocess, "Popen", Kept)
    found = bot.solve_many(chain([LATE] * 16, repeat("")), book=False, processes=2)
    assert next(found).score is not None
    found.close()  # type: ignore[attr-defined]
    assert len(workers) >= 2 and None not in [worker.poll() for worker in workers]


def test_a_review_finds_the_blunder_and_prints_one_line_per_move():
    analysis = bot.review("4435")
    assert (analysis.blunders, len(analysis), len(analysis.scores)) == ((3,), 4, 5)
    lines = str(analysis).splitlines()
    assert len(lines) == 4 and lines[2].startswith(" 3. X 3: turned a ")


class Leftmost:
    """What a newcomer writes: a column, no `Decision`, no ``stop``, no name."""

    def choose(self, board, limit):
        assert limit.hard_s > 0
        return np.int64(board.legal_columns()[0])


def test_an_object_of_ones_own_plays_and_is_named_where_it_chooses_no_legal_column(monkeypatch):
    game = bot.play_game(Leftmost(), "random", opening=np.array([3, 3]), seed=1)
    assert (game.first, game.second, game.board.is_over) == ("Leftmost", "random", True)
    assert game.moves[2] == 0 and all(type(column) is int for column in game.moves[2:])
    assert game.moves == bot.play_game(Leftmost(), bot.agent("random", seed=2), opening="44").moves
    monkeypatch.setattr(Leftmost, "choose", lambda *_: bot.Decision(7))
    with pytest.raises(bot.BotError, match=r"Leftmost\.choose returned 7, which is not a column from 0 to 6"):
        bot.play_game("random", Leftmost())
