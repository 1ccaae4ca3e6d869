"""Functions as agents: every form that courses use, and everything that such a function may do badly."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.agents.catalogue import make_agent
from bot.agents.external.forms import FORMS
from bot.agents.external.protocol import read_move_reply
from bot.agents.games import play_game, ready_agent
from bot.engine.agent import Limit
from bot.engine.simple import RandomMover
from bot.errors import AgentError
from bot.game import Board, PlayedGame
from tests.agents.external.programs import replies

HEAD = """import copy, os, random, time
import numpy as np
import bot
names = "value"


class Nothing:
    pass


"""
GOOD = {
    "on_board": "(position: bot.Board):\n    return random.choice(position.legal_columns())",
    "decides": "(board, limit):\n    return bot.Decision(board.legal_columns()[0], depth=int(limit.hard_s > 0))",
    "on_list": "(grid):\n    rows = [row[:] for row in grid]\n    column = rows[0].index(0)\n"
    "    rows[5][column] = 1\n    return column",
    "copies_rows": "(matrix: np.ndarray):\n    rows = [row[:] for row in matrix]\n    rows[0][3] = 9\n"
    "    return [*matrix[0]].index(0)",
    "on_array": "(grid):\n    return max(c for c in range(7) if grid[0, c] == 0)",
    "draws": "(grid: np.ndarray):\n    return np.random.choice(np.flatnonzero(grid[0] == 0))",
    "with_depth": "(grid, depth=4):\n    return [c for c in range(7) if grid[0][c] == 0][-1 if depth == 2 else 0]",
    "minimax": """(env, depth=1):
    def value(env, depth):
        moves = []
        for column in env.available_moves():
            child = copy.deepcopy(env)
            board, reward, done, info = child.step(column)
            child.change_player()
            moves.append((reward if done or depth == 0 else -value(child, depth - 1)[0], column))
        return max(moves)
    return value(env, depth)[1]""",
}
"""Functions by name, each with its parameters and body."""

WRONG = {
    "wrong": ("(board):\n    one = board[0, 0]\n    return one.no", "has no attribute 'no' (mine.py, line 13)."),
    "missing": ("", "mine.py has no function or class called `missing`. It has Nothing, wrong"),
    "Nothing": (
        "",
        "`Nothing` has no method choose that takes a board and a limit. Write, for instance: `def choose(self, board",
    ),
    "names": (
        "",
        "`names` is neither a function nor a class. Write, for instance: `def names(env): return min(",
    ),
    "student_move": (
        "():\n    return 3",
        "`student_move` takes no argument, and its file has no environment that it could look at. Write, for instance",
    ),
    "two": (
        "(grid, depth):\n    return grid[0].index(0)",
        "`two` needs `depth`; it is given the board and, if it asks for it, `limit`. Give values after the name, "
        "for instance: two,depth=4.",
    ),
    "paints": ("(grid, colour):\n    return grid[0].index(0)", "for instance: paints,colour=1."),
    "nine": (
        "(grid):\n    return 9",
        "`nine` returned 9, which is not a column from 0 to 6. Write, for instance: `def",
    ),
    "raises": (
        "(board):\n    return 6 // (5 - board.ply)",
        "`raises` raised ZeroDivisionError: ",
    ),
    "huge": ("(board):\n    return 10**5000", "returned an object of type int that cannot be shown, which is not"),
    "mute": (
        "(board):\n    raise type('Mute', (Exception,), {'__str__': None})",
        "`mute` raised Mute: an object of type Mute that cannot be shown (mine.py",
    ),
}
"""Functions, and values of other kinds, that cannot play, each with its parameters and body, and what is said of it."""
BAD = {
    "endless": ("(board):\n    while board.ply > 4:\n        pass\n    return 3", "it did not reply within 0."),
    "asks": (
        "(board):\n    return 3 if board.ply < 5 else int(input())",
        "an agent's standard input is empty, so leave out input() (mine.py, line 12).",
    ),
    "forks": (
        "(board):\n    if board.ply > 4 and os.fork():\n        os.wait()\n    if board.ply > 4:\n"
        "        time.sleep(9999)\n    return 3",
        "it did not reply within 0.",
    ),
    "large": (
        "(board):\n    return len(bytes(6 << 30 * (board.ply > 4)))",
        "raised MemoryError (mine.py, line 12).",
    ),
}
"""The same of functions that their process must be kept from."""


FILE = Path("mine.py")


def game(name: str, source: str, options: str = "", seed: int = 1) -> PlayedGame:
    """Return a game of a function against a random opponent."""
    FILE.write_text(HEAD + f"def {name}{source}\n" * bool(source), encoding="utf-8")
    agent = make_agent(f"mine.py:{name}{options}", seed=seed)
    try:
        return play_game(agent, RandomMover(seed))
    finally:
        agent.close()  # the next game asks the same process


@pytest.mark.parametrize("name", GOOD)
def test_a_function_of_any_form_plays_whole_games_and_equal_ones_from_equal_seeds(name):
    played = game(name, GOOD[name])
    assert played.ended == "" and Board.from_moves(played.moves).is_over
    assert game(name, GOOD[name]).moves == played.moves


def test_arguments_follow_the_name():
    with pytest.raises(AgentError, match="`on_list` does not take the arguments that it is given"):
        game("on_list", GOOD["on_list"])
        ready_agent("mine.py:on_list,depth=2")
    columns = {game("with_depth", GOOD["with_depth"], options).moves[0] for options in ("", ",depth=2@time=60")}
    assert columns == {0, 6}


def test_what_cannot_play_is_told_in_one_sentence():
    FILE.write_text(HEAD + "".join(f"def {name}{source}\n" for name, (source, _) in WRONG.items() if source), "utf-8")
    moves = ("move -", "move 44535", "move 444444")
    for (_, said), lines in zip(WRONG.values(), replies(FILE, [*WRONG], "new 1", *moves), strict=True):
        error = next(line for line in lines if line.startswith("error"))
        assert said in f"{error}$"  # an example is no next step after any error


@pytest.mark.parametrize("name", BAD)
def test_what_a_process_is_kept_from_is_told_in_one_sentence(name):
    source, message = BAD[name]
    limit = "@time=0.3" * ("within" in message)
    FILE.write_text(HEAD + f"def {name}{source}\n", encoding="utf-8")
    with pytest.raises(AgentError) as failed:
        agent = ready_agent(f"mine.py:{name}{limit}")
        for moves in ("", "44535"):
            agent.choose(Board.from_moves(moves), Limit(hard_s=60.0))
    assert str(failed.value).startswith(f"mine.py:{name}") and message in str(failed.value)


def test_a_copy_that_plays_on_after_a_fork_and_what_is_printed_do_no_harm():
    source = "(board):\n    os.fork()\n    print('move 9')\n    return board.legal_columns()[0]"
    assert game("doubles", source).ended == ""


def test_a_function_that_changes_its_board_plays_and_its_decisions_say_so():
    changes = dict.fromkeys(("grid", "array"), "given[5][0] = 7") | {"env": "given.step(6)\n    given = given.board"}
    bodies = (f"def f_{form}(given):\n    {line}\n    return [*given[0]].index(0)\n" for form, line in changes.items())
    FILE.write_text("".join(bodies), encoding="utf-8")
    for _, move in replies(FILE, [f"f_{form}" for form in changes], "new 1", "move 111111"):
        decision = read_move_reply(move, Board.from_moves("111111"))
        assert (decision.column, decision.changed) == (1, True)


def test_a_form_in_which_a_function_leaves_its_board_alone_comes_before_others():
    FILE.write_text("def f(a):\n    rows = [row[:] for row in a]\n    rows[5][0] = 7\n    return [*a[0]].index(0)\n")
    agent = ready_agent("mine.py:f")
    assert agent.note.startswith(f"`f` gets {FORMS['grid'].passed}.") and not agent.choose(Board(), Limit()).changed
