"""The public Python API: its examples, its errors, and that importing it costs nothing."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bot
from bot.agents.catalogue import make_agent
from bot.errors import BoardError, UsageError
from bot.game import parse_moves
from tests.engine.solved import some

PACKAGE = Path(bot.__file__).parent
EXAMPLES = re.findall(
    r"### Example: (.*?)\n\n```python\n(.*?)```", (PACKAGE / "README.md").read_text(), flags=re.DOTALL
)


@pytest.mark.parametrize("name", ["bot.api", "bot.agents.catalogue", "bot.engine.score", "bot.game.board"])
def test_the_examples_in_docstrings_are_true(name: str) -> None:
    outcome = doctest.testmod(importlib.import_module(name))
    assert outcome.attempted > 0 and outcome.failed == 0


@pytest.mark.parametrize(("title", "script"), EXAMPLES, ids=[title for title, _ in EXAMPLES])
def test_the_example_scripts_of_the_architecture_page_run(
    title: str, script: str, capsys: pytest.CaptureFixture[str]
) -> None:
    exec(compile(script, title, "exec"), {"__name__": "__main__"})
    out = capsys.readouterr().out
    assert out, title
    if "openings" in title:
        assert out.splitlines()[3] == "4 wins"
    if "went wrong" in title:
        assert "gave the" in out


def test_there_are_two_example_scripts() -> None:
    assert len(EXAMPLES) >= 2


def test_importing_the_package_loads_nothing_heavy() -> None:
    script = "import bot, sys; print(sorted({'numba', 'numpy', 'fastapi', 'pydantic', 'rich'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_public_name_is_there_and_none_is_hidden_by_a_module() -> None:
    modules = {module.name for module in pkgutil.iter_modules(bot.__path__)}
    for name in bot.__all__:
        assert name in dir(bot) and getattr(bot, name).__doc__
        assert name not in modules
    with pytest.raises(AttributeError, match="nothing"):
        bot.nothing  # noqa: B018


def test_a_position_may_be_text_a_board_or_a_grid() -> None:
    board = bot.Board.from_moves("4453")
    assert board == bot.Board.from_moves([3, 3, 4, 2]) == bot.Board.from_text(str(board))
    scores = [bot.solve(position).scores for position in ("4453", "ddec", board, board.to_grid())]
    assert scores == [scores[0]] * 4


def test_a_printed_board_can_be_read_for_either_side() -> None:
    for moves in ("", "4", "44", "4455667", "121212"):
        board = bot.Board.from_moves(moves)
        assert bot.Board.from_text(str(board)) == board


@pytest.mark.parametrize("text", ["", "X", ". . . .", "X . . . . . Z\n" * 6, ". . . . . . .\n" * 5])
def test_a_text_that_is_no_board_is_refused(text: str) -> None:
    with pytest.raises(BoardError):
        bot.Board.from_text(text)


def test_the_winner_is_named() -> None:
    assert bot.Board.from_moves("1212121").winner == 1
    assert bot.Board.from_moves("121213").winner is None
    assert bot.Board.from_moves("71212121").winner == 2


MISUSES: dict[str, Callable[[], object]] = {
    "a board of text": lambda: bot.Board("44"),  # type: ignore[arg-type]
    "moves that are a number": lambda: bot.Board.from_moves(44),  # type: ignore[arg-type]
    "no text": lambda: bot.Board.from_text(None),  # type: ignore[arg-type]
    "no grid": lambda: bot.Board.from_grid(None),  # type: ignore[arg-type]
    "a column of text": lambda: bot.Board.from_moves("4").play("4"),  # type: ignore[arg-type]
    "a review of a number": lambda: bot.review(44),  # type: ignore[arg-type]
    "no agent's name": lambda: bot.agent(None),  # type: ignore[arg-type]
    "no agent": lambda: bot.play_game(None, "random"),  # type: ignore[arg-type]
    "a limit that is a number": lambda: bot.play_game("random", "random", limit=5),  # type: ignore[arg-type]
    "an opening that ends the game": lambda: bot.play_game("random", "random", opening="1212121"),
    "one position's text as many": lambda: bot.solve_many("4453"),
    "no positions": lambda: bot.solve_many(None),  # type: ignore[arg-type]
    "a board as many": lambda: bot.solve_many(bot.Board()),  # type: ignore[arg-type]
    "no processes": lambda: bot.solve_many(["44"], processes=0),
    "fewer than no processes": lambda: bot.solve_many(["44"], processes=-1),
    "a game's seed that is text": lambda: bot.play_game("random", "random", seed="x"),  # type: ignore[arg-type]
    "an agent's seed that is text": lambda: bot.agent("random", seed="x"),  # type: ignore[arg-type]
    "no threads": lambda: bot.solve("44", threads=0),
    "a move in a finished game": lambda: bot.agent("random").choose(bot.Board.from_moves("1212121"), bot.Limit()),
}


@pytest.mark.parametrize("misuse", MISUSES.values(), ids=MISUSES)
def test_every_misuse_is_a_bot_error_with_a_next_step(misuse: Callable[[], object]) -> None:
    with pytest.raises(bot.BotError) as refused:
        misuse()
    assert refused.value.message.endswith(".") and refused.value.hint.endswith(".")


@pytest.mark.parametrize("column", [7, -1])
def test_a_column_out_of_range_is_named_as_python_numbers_it(column: int) -> None:
    with pytest.raises(BoardError, match=f"no column {column}") as refused:
        bot.Board().play(column)
    assert "0 to 6" in refused.value.hint


def test_a_full_column_is_named_with_its_move() -> None:
    with pytest.raises(BoardError, match="Move 7 is not legal: Column 4 is full") as refused:
        bot.Board.from_moves("4444444")
    assert refused.value.hint


def test_a_review_prints_one_line_per_move() -> None:
    lines = str(bot.review("4435")).splitlines()
    assert len(lines) == 4 and lines[2].startswith(" 3. X 3: gave the")


def test_solutions_print_score_columns_and_line() -> None:
    text = str(bot.solve("4453"))
    assert "loses in 18 moves" in text and "-2" in text and "column" in text and "line" in text


def test_a_full_column_has_no_score() -> None:
    solution = bot.solve("444444")
    assert solution.scores[3] is None and sum(score is not None for score in solution.scores) == 6


def test_a_time_limit_leaves_bounds_that_enclose_the_score() -> None:
    solution = bot.solve("", book=False, time_limit_s=0.01)
    assert solution.score is None and solution.outcome is None and solution.lower <= 1 <= solution.upper
    assert "between" in str(solution)


def test_many_positions_are_solved_in_their_order_by_one_process_or_two() -> None:
    known = some(150, least=16)
    for processes in (1, 2):
        found = bot.solve_many((position.board for position in known), processes=processes)
        assert [solution.score for solution in found] == [position.score for position in known]


def test_many_positions_may_be_endless() -> None:
    def endless() -> Iterator[str]:
        while True:
            yield "44"

    assert next(iter(bot.solve_many(endless()))).score == 1


@pytest.mark.parametrize("position", ["1212121", "8", "1111111", 4, [[0]], [[2] * 7] * 6])
def test_a_position_that_makes_no_sense_is_refused_with_a_sentence(position: object) -> None:
    with pytest.raises(bot.BotError) as refused:
        bot.solve(position)  # type: ignore[arg-type]
    assert refused.value.message.endswith(".")


def test_a_review_finds_the_blunder() -> None:
    analysis = bot.review("4435")
    assert analysis.blunders == (3,) and len(analysis) == 4 and len(analysis.scores) == 5
    move = list(analysis)[2]
    assert move is not None and move.score < 0 < move.best
    with pytest.raises(bot.BotError):
        bot.review("1111111")


class Leftmost:
    """What a newcomer writes: a column, no `Decision`, no ``stop``, no name."""

    def choose(self, board: bot.Board, limit: bot.Limit) -> Any:
        assert limit.hard_s > 0
        return np.int64(board.legal_columns()[0])


def test_an_object_of_ones_own_plays() -> None:
    game = bot.play_game(Leftmost(), "random", opening=np.array([3, 3]), seed=1)
    assert (game.first, game.second) == ("Leftmost", "random")
    board = bot.Board()
    for ply, column in enumerate(game.moves):
        assert type(column) is int and (ply < 2 or ply % 2 or column == board.legal_columns()[0])
        board = board.play(column)
    assert board.is_over


def test_an_object_that_chooses_no_legal_column_is_named() -> None:
    class Wrong:
        name = "wrong"

        def choose(self, board: bot.Board, limit: bot.Limit) -> bot.Decision:  # noqa: ARG002
            return bot.Decision(7)

    with pytest.raises(bot.BotError, match="wrong chose column 7, which is not legal"):
        bot.play_game("random", Wrong())


def test_agents_play_by_name_or_as_objects() -> None:
    game = bot.play_game("tommy-ab:2", make_agent("depth1", seed=1), opening="44", seed=3)
    assert game.moves[:2] == parse_moves("44") and game.board.is_over
    assert game.first == "tommy-ab:2" and str(game).count("\n") >= 7
    assert game.moves == bot.play_game("tommy-ab:2", make_agent("depth1", seed=1), opening="44", seed=3).moves
    with pytest.raises(UsageError):
        bot.agent("nobody")
