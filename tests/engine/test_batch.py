"""Many positions in the compiled loop: the scores, the texts that it leaves to others, interrupts."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bot
from bot.engine import batch as batch_module
from bot.engine import shared
from bot.engine.batch import BatchSolver
from bot.errors import BotError
from bot.game import Board, format_moves
from tests.engine.positions import boards
from tests.engine.solved import some
from tests.processes import obey_interrupts

BATCH = BatchSolver()


def read(*texts: str) -> list[Board | None]:
    """Return the boards that the loop reads, None for what it leaves to others."""
    return [None if mask < 0 else Board(current, mask) for current, mask in BATCH._read(texts).tolist()]


@given(st.lists(st.text("1234567abcdefgABCDEFG ,-890h@?`:/\\té\ud800", max_size=12), max_size=5))
def test_texts_are_read_as_python_reads_them(texts: list[str]) -> None:
    for text, board in zip(texts, read(*texts), strict=True):
        try:
            known: Board | None = Board.from_moves(text)
        except BotError:
            known = None
        if known is None or known.is_over:
            assert board is None
        elif board is None:
            assert set(text) - set("1234567abcdefgABCDEFG ,-"), "only a character that it does not know"
        else:
            assert board == known


@given(st.lists(boards(0, 41), max_size=6), st.integers(0, 2**32))
def test_games_are_read_move_by_move(_boards: list[Board], seed: int) -> None:
    chance = random.Random(seed)
    board, columns = Board(), list[int]()
    while not board.is_over:
        text = format_moves(columns)
        assert read(text, text.translate(str.maketrans("1234567", "abcdefg"))) == [board, board]
        columns.append(chance.choice(board.legal_columns()))
        board = board.play(columns[-1])
    assert read(format_moves(columns)) == [None]


def test_every_score_is_the_known_one_and_times_add_up() -> None:
    known = some(400, 14, seed=21)
    start = time.perf_counter()
    found = [result for part in BATCH.solve([format_moves(each.columns) for each in known]) for result in part]
    assert sum(result.seconds for result in found if result is not None) <= time.perf_counter() - start
    assert len(found) == len(known)
    solved = [(result.score, each.score) for result, each in zip(found, known, strict=True) if result is not None]
    assert all(score == right for score, right in solved)
    assert len(solved) > 350


def test_what_needs_longer_or_is_too_early_is_left_to_others(monkeypatch) -> None:
    monkeypatch.setattr(batch_module, "_NODE_BUDGET", 500)
    known = [*some(8, 10, 12, seed=22), *some(8, 35, seed=22)]
    texts = [format_moves(each.columns) for each in known]
    hard, easy = list[int](), list[int]()
    for number, result in enumerate(result for part in BatchSolver().solve(texts) for result in part):
        (hard if result is None else easy).append(number)
        assert result is None or result.score == known[number].score
    assert set(range(8, 16)) <= set(easy) and len(hard) > 4
    late = [result for part in BatchSolver(from_ply=20).solve(texts) for result in part]
    assert [result is None for result in late] == [True] * 8 + [False] * 8


@pytest.mark.parametrize("book", [True, False])
def test_the_api_solves_a_list_as_it_solves_one_by_one(book: bool) -> None:
    known = some(300, 12 if book else 14, seed=23)
    texts: list[bot.Board | str] = [format_moves(each.columns) for each in known]
    texts[7] = known[7].board
    listed = list(bot.solve_many(texts, book=book))
    assert [found.score for found in listed] == [each.score for each in known]
    assert [found.board for found in listed] == [each.board for each in known]
    assert all(found.seconds >= 0 and not found.scores and not found.line for found in listed)
    singly = list(bot.solve_many(iter(texts[:20]), book=book))
    assert [found.score for found in singly] == [each.score for each in known[:20]]


def test_an_error_comes_at_its_turn_and_is_that_of_solve() -> None:
    for wrong in ("1212121", "48", "4444444", "x"):
        found = bot.solve_many(["44", "4453", wrong, "44"])
        assert [next(found).score, next(found).score] == [1, -2]
        with pytest.raises(BotError) as refused:
            next(found)
        with pytest.raises(BotError) as alone:
            bot.solve(wrong)
        assert refused.value.message == f"positions[2] is {wrong!r}: {alone.value.message}"
        assert type(refused.value) is type(alone.value) and refused.value.hint == alone.value.hint


def test_a_set_of_positions_and_no_position_at_all() -> None:
    assert [found.score for found in bot.solve_many(())] == []
    assert {found.score for found in bot.solve_many({"44", "4453"})} == {1, -2}


@pytest.mark.skipif(os.name != "posix", reason="sends a signal to a thread")
def test_an_interrupt_ends_a_long_position_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    obey_interrupts()
    late = "1643164664443333222243266725"
    found = bot.solve_many([late, ""], book=False)
    next(found)
    main = threading.main_thread().ident
    assert main is not None
    timer = threading.Timer(0.3, signal.pthread_kill, (main, signal.SIGINT))
    analyst = shared.ready_analyst(False, 1)
    search = analyst.analyse

    def interrupted(*arguments: Any, **options: Any) -> Any:
        timer.start()  # now, when the search begins: an interrupt before this test waits for it would end all tests
        return search(*arguments, **options)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(analyst, "analyse", interrupted)
        next(found)
    timer.join()
    proven = analyst.proven
    assert proven.lower < proven.upper, "the search was ended before its proof"
    assert bot.solve(late, book=False).score is not None, "the solver serves again"
