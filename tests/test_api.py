"""The public Python API: its examples, its errors, and that importing it costs nothing."""

from __future__ import annotations

import doctest
import importlib
import multiprocessing
import os
import pickle
import pkgutil
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bot
from bot import api
from bot.agents.catalogue import make_agent
from bot.engine.agent import Stop
from bot.engine.analysis import Analyst
from bot.errors import BoardError, UsageError
from bot.game import format_moves, parse_moves
from tests.engine.solved import some
from tests.processes import obey_interrupts, python_json

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

    with pytest.raises(bot.BotError, match=r"Wrong\.choose returned 7, which is not a column from 0 to 6"):
        bot.play_game("random", Wrong())


def test_agents_play_by_name_or_as_objects() -> None:
    game = bot.play_game("tommy-ab:2", make_agent("depth1", seed=1), opening="44", seed=3)
    assert game.moves[:2] == parse_moves("44") and game.board.is_over
    assert game.first == "tommy-ab:2" and str(game).count("\n") >= 7
    assert game.moves == bot.play_game("tommy-ab:2", make_agent("depth1", seed=1), opening="44", seed=3).moves
    with pytest.raises(UsageError):
        bot.agent("nobody")


BOOK_ONLY = """
import json, sys, bot
scores = bot.solve("4453").scores
print(json.dumps([scores, sorted({"numba", "numpy"} & set(sys.modules))]))
"""


def test_what_stands_in_the_book_needs_neither_numba_nor_numpy() -> None:
    assert python_json(BOOK_ONLY) == [[-5, -5, -2, -3, -4, -2, -2], []]


def test_the_line_is_searched_for_when_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Analyst, "line", lambda *_, **__: pytest.fail("the line is searched for"))
    solution = bot.solve("4453")
    assert pickle.loads(pickle.dumps(solution)) == solution and "line" not in repr(solution)
    monkeypatch.undo()
    assert solution.line[0] in solution.best and solution.line is solution.line
    assert bot.Board.from_moves([*parse_moves("4453"), *solution.line]).is_over
    assert next(bot.solve_many(["4453"])).line == (), "no columns were solved"


def test_a_documented_parameter_needs_no_private_type() -> None:
    for function in (bot.solve, bot.solve_many):
        assert "`Position`" not in (function.__doc__ or "")


@pytest.mark.skipif(os.name != "posix", reason="sends a signal to a thread")
def test_an_interrupt_ends_a_solution_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It came after the proof, which takes minutes."""
    obey_interrupts()
    main, stops, search = threading.main_thread().ident, list[Stop](), Analyst.analyse
    assert main is not None
    timer = threading.Timer(0.3, signal.pthread_kill, (main, signal.SIGINT))

    def interrupted(analyst: Analyst, board: bot.Board, **options: Any) -> Any:
        stops.append(options["stop"])
        timer.start()
        return search(analyst, board, **options)

    monkeypatch.setattr(Analyst, "analyse", interrupted)
    with pytest.raises(KeyboardInterrupt):
        bot.solve("", book=False)
    timer.join()
    assert stops[0].is_set
    monkeypatch.undo()
    assert bot.solve("445566", book=False).score == 18, "the solver serves again"


def test_leaving_many_solutions_early_waits_for_none_of_the_others() -> None:
    """Each early position without the book takes minutes."""
    late, early = "1643164664443333222243266725", [""] * 100
    found = bot.solve_many([late] * 16 + early, book=False, processes=2)
    assert next(found).score is not None
    workers = multiprocessing.active_children()
    assert len(workers) >= 2
    start = time.perf_counter()
    found.close()  # type: ignore[attr-defined]
    assert time.perf_counter() - start < 5
    assert not any(worker.is_alive() for worker in workers)


@pytest.mark.parametrize("processes", [1, 2])
def test_an_error_among_many_positions_comes_at_its_turn_and_names_it(processes: int) -> None:
    found = bot.solve_many(iter(["44", "4453", "4444444"]), columns=True, processes=processes)
    assert [next(found).score, next(found).score] == [1, -2]
    with pytest.raises(BoardError, match=r"positions\[2\] is '4444444': Move 7 is not legal: Column 4 is full") as bad:
        next(found)
    assert bad.value.hint == "Leave out this move and all after it."


def test_further_processes_start_only_for_much_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """They take seconds to start: 1,000 late positions took 12 times as long with them."""
    known = some(100, least=20)
    monkeypatch.setattr(api, "_solve_elsewhere", lambda *_: pytest.fail("processes are started"))
    texts = [format_moves(position.columns) for position in known] * 10
    assert [found.score for found in bot.solve_many(texts, processes=None)] == [each.score for each in known] * 10
    assert [found.score for found in bot.solve_many([""] * 100, processes=None)] == [1] * 100


@pytest.mark.parametrize("kind", [list, iter])
def test_the_work_that_is_left_decides_whether_processes_start(
    monkeypatch: pytest.MonkeyPatch, kind: Callable[[list[str]], Any]
) -> None:
    """One second for each position, by a clock of the test's own; the text is the position's place."""
    clock, price_s, elsewhere = 0.0, 1.0, list[str]()

    def solve(batch: api._Batch, *_options: bool) -> Iterator[Any]:
        nonlocal clock
        for _, position in batch:
            clock += price_s * (200 if position == "0" and price_s < 1 else 1)
            yield position

    def in_processes(rest: Iterator[tuple[int, Any]], *_options: object) -> Iterator[Any]:
        for _, position in rest:
            elsewhere.append(position)
            yield position

    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr(api, "_solve_batch", solve)
    monkeypatch.setattr(api, "_solve_elsewhere", in_processes)
    monkeypatch.setattr(api, "ready_analyst", lambda *_: None)
    monkeypatch.setattr(time, "perf_counter", lambda: clock)
    texts: list[Any] = [str(number) for number in range(30)]
    assert list(bot.solve_many(kind(texts), processes=None)) == texts
    assert elsewhere == (texts[3:] if kind is list else texts[11:])
    elsewhere.clear()
    assert list(bot.solve_many(kind(texts[:9]), processes=None)) == texts[:9] and elsewhere == []
    assert list(bot.solve_many(kind(texts), processes=1)) == texts and elsewhere == []
    price_s, texts = 1e-4, [str(number) for number in range(1000)]
    assert list(bot.solve_many(kind(texts), processes=None)) == texts and elsewhere == [], "a slow first one misleads"
