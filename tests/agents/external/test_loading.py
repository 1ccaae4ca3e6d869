"""Students' files load as they are, or the answer names the line that is in the way, and the next step."""

from __future__ import annotations

import itertools
import threading
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from bot.agents.external import loading
from bot.agents.external.forms import FORMS
from bot.agents.external.loading import STAND_IN
from bot.agents.external.protocol import move_request, read_move_reply
from bot.agents.games import ready_agent
from bot.engine.agent import Limit
from bot.errors import AgentError
from bot.game import Board
from tests.agents.external.programs import replies

SKELETON = """import gym
import random
import requests
import numpy as np
import argparse
import sys
from gym_connect_four import ConnectFourEnv

env: ConnectFourEnv = gym.make("ConnectFour-v0")
"""
NO_GYM = "raise ImportError('gym is not here')\n"
"""A gym that cannot be imported, wherever these tests run."""


@pytest.fixture(autouse=True)
def no_gym(folder: Path) -> None:
    """Make the folder's gym one that cannot be imported."""
    (folder / "gym.py").write_text(NO_GYM, encoding="utf-8")


def ready(source: str, name: str = "student_move") -> Any:
    """Write a file and return its agent."""
    Path("skeleton.py").write_text(source, encoding="utf-8")
    return ready_agent(f"skeleton.py:{name}", 1)


FULL = Board.from_moves("111111333333")
"""A position with full columns, which are not the leftmost ones alone."""
SHAPES = {
    "(): return min(env.available_moves() - {1})": "no argument",
    "(env): return next(iter(env.available_moves() - {0, 1}))": "environment",
    "(game: ConnectFourEnv):\n    game.change_player()\n    return min(game.available_moves())": "environment",
    "(state): return 0 if 0 not in state else list(state[0]).index(0)": "array",
    "(state, env): return min(env.available_moves()) if state.sum() == 0 else 9": "array",
    "(board): return min(env.available_moves()) if board.shape == (6, 7) else 9": "array",
    "(grid): return 0 if 0 not in grid else [*grid[0]].index(0)": "array",
    "(grid): return grid[0].index(0)": "list",
    "(board): return board.legal_columns()[0]": "bot.Board",
    "(env, state=np.ones((6, 7))): return list(state[0]).index(0)": "environment",
    "(obs, config): return [c for c in range(config.columns) if obs.board[c] == 0][config['inarow'] - 4]": "Kaggle",
    "(obs, config): return obs.board.index(0) if 42 - obs.board.count(0) == obs.step and obs.mark == 1 + obs.step % 2"
    " and config.timeout in (1, 2) else 9": "Kaggle",
    "(a):\n    rows = [row[:] for row in a]\n    rows[5][0] = 7\n    return [*a[0]].index(0)": "array",
    "(a, b): return a['board'][: b['columns']].index(0) if a.board[35] in (0, a.mark) else 9": "Kaggle",
}
SHAPES |= {f"({form.parameters}): return {form.code}": form.passed for form in FORMS.values()}
"""Functions of all shapes, and the examples of the hints, by what they get; each plays any legal column."""


def test_a_function_of_any_shape_gets_what_it_was_written_for_and_the_note_says_so(folder):
    names = [f"move_{number}" for number in range(len(SHAPES))]
    functions = (f"def {name}{shape}\n" for name, shape in zip(names, SHAPES, strict=True))
    (folder / "skeleton.py").write_text(SKELETON + "".join(functions), encoding="utf-8")
    request = move_request(FULL, Limit(hard_s=60.0))
    for shape, (note, move) in zip(SHAPES, replies(folder / "skeleton.py", names, "new 1", request), strict=True):
        assert FULL.can_play(read_move_reply(move, FULL).column), shape
        assert SHAPES[shape] in note.partition(". ")[0] and STAND_IN in note and "gym is not here" in note, shape


def test_a_function_that_fails_only_where_columns_are_full_is_asked_all_the_same():
    agent = ready(f"{SKELETON}\ndef student_move(state): return 3")
    with pytest.raises(AgentError, match="returned 3, which is full"):
        agent.choose(Board.from_moves("444444"), Limit(hard_s=60.0))


LOADS = {
    "args = argparse.ArgumentParser().parse_args()\nprint(args)": "return 3",
    "sys.setrecursionlimit(99999999)\ndef deep(): return deep()": "try: deep()\n\texcept RecursionError: return 3",
    "INFINITY, KIND = np.Inf, np.int\nfrom neighbour import COLUMN": "return KIND(COLUMN) if -np.NINF > 5 else 0",
    "import builtins\nbuiltins.len = builtins.print = builtins.str = None": "return 3",
    "TEXT = open('weights.txt').read()": "print(TEXT)\n\treturn int(TEXT)",
}
"""What stands at a file's top level, and in its function."""


@pytest.mark.parametrize("top", LOADS)
def test_a_file_loads_as_its_author_runs_it(top, folder, monkeypatch):
    (folder / "neighbour.py").write_text("COLUMN = 3\n", encoding="utf-8")
    (folder / "weights.txt").write_text("3", encoding="utf-8")
    (folder / "skeleton.py").write_text(f"{SKELETON}{top}\ndef student_move(state):\n\t{LOADS[top]}\n", "utf-8")
    monkeypatch.chdir("/")
    assert ready_agent(f"{folder}/skeleton.py:student_move").choose(Board(), Limit(hard_s=60.0)).column == 3


PLAYS = "def play():\n    while True:\n        state = env.reset()\n"
GUARD = 'under `if __name__ == "__main__":`'
ANSWERS = {
    "import torch_of_nobody": ("`pip install torch-of-nobody`, unless it is a file of yours (skeleton.py, line 10)",),
    f"for game in range(9):\n    {PLAYS.replace(chr(10), chr(10) + '    ')}\n    play()": ("line 15, `play()`", GUARD),
    "input('online? ')": ("so leave out input() (skeleton.py, line 10)", GUARD),
    "if not sys.argv[1:]: sys.exit('-l or -o')": ("SystemExit: -l or -o (skeleton.py, line 10)", GUARD),
    "requests.post('https://vilde.cs.lth.se/x')": ("not contact vilde.cs.lth.se. (skeleton.py, line 10)", GUARD),
    "requests.post('http://192.0.2.1/x')": ("not contact 192.0.2.1. (skeleton.py, line 10)", GUARD),
    "async def student_move(state): return 3\n#": ("is an async function", "Write `def`."),
}
"""What stands at a file's top level, and parts of what is said of it."""


@pytest.mark.parametrize("top", ANSWERS)
def test_what_is_in_the_way_is_named_with_its_line_and_the_next_step(top):
    function = "" if "student_move" in top else "def student_move(state): return 3"
    with pytest.raises(AgentError) as failed:
        ready(f"{SKELETON}{top}\n{function}\n")
    assert all(part in str(failed.value) for part in ANSWERS[top]), failed.value


def test_a_file_is_refused_after_its_top_level_has_done_nothing_for_a_while_whatever_it_did_before(monkeypatch):
    """A second passes between two looks; it loads for ten, idles for three, loads once more, and idles on."""
    idle = itertools.chain([False] * 10, [True] * 3, [False], itertools.repeat(True))
    refused, said = threading.Event(), list[str]()
    monkeypatch.setattr(loading, "time", Mock(monotonic=itertools.count().__next__))
    monkeypatch.setattr(loading, "_POLL_S", 0.001)
    monkeypatch.setattr(loading, "_running", lambda _folder: ("mine.py, line 3,", next(idle)))

    def refuse(sentence: str) -> None:
        said.append(sentence)
        refused.set()

    with loading.refused_when_busy(Path(), refuse):
        refused.wait()
    assert said[0] == f"It does not get ready: mine.py, line 3, still runs after 18 s. {loading.GUARD}"


def test_the_folders_own_package_is_used_with_a_stand_in_for_gym(folder):
    package = folder / "gym_connect_four"
    package.mkdir()
    source = "import gym, pygame\nfrom gym import spaces\nfrom gym.envs.registration import register\n"
    source += "from gym.envs import registration\nfrom bot.agents.external.course_env import ConnectFourEnv as Ours\n"
    source += "class ConnectFourEnv(Ours):\n    def mine(self): return spaces.Discrete(5).n - 1\n"
    source += "register(id='ConnectFour-v0', entry_point='gym_connect_four:ConnectFourEnv')\n"
    (package / "__init__.py").write_text(source, encoding="utf-8")
    agent = ready(f"{SKELETON}\ndef student_move(): return env.mine()")
    assert agent.choose(Board(), Limit(hard_s=60.0)).column == 4 and STAND_IN in agent.note


def test_a_stand_in_that_only_a_trial_has_loaded_is_not_noted():
    assert STAND_IN not in ready("def student_move(board): return 3").note


def test_a_real_gym_that_works_is_used(folder):
    (folder / "gym.py").write_text("from bot.agents.external.course_env import make\n", encoding="utf-8")
    (folder / "gym_connect_four.py").write_text("from bot.agents.external.course_env import ConnectFourEnv\n", "utf-8")
    agent = ready(f"{SKELETON}\ndef student_move(): return 3 if gym.__file__.endswith('gym.py') else 0")
    assert agent.choose(Board(), Limit(hard_s=60.0)).column == 3 and STAND_IN not in agent.note
