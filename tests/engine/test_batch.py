"""Many positions in the compiled loop: how texts are read, the scores, and what is left to others."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bot
from bot.engine import batch as batch_module
from bot.engine.batch import BatchSolver, Scored
from bot.errors import BotError
from bot.game import Board, format_moves
from tests.positions import some

KNOWN = "1234567abcdefgABCDEFG ,-"
"""Characters of moves that the loop knows."""


def read(*texts: str) -> list[Board | None]:
    """Return the boards that the loop reads, None for what it leaves to others."""
    return [None if mask < 0 else Board(current, mask) for current, mask in BatchSolver()._read(texts).tolist()]


def solve(texts: list[str], **options: int) -> list[Scored | None]:
    return [result for part in BatchSolver(**options).solve(texts) for result in part]


@given(st.lists(st.text(KNOWN + "890h@?`:/\\té\ud800", max_size=12), max_size=5))
def test_texts_are_read_as_python_reads_them(texts: list[str]) -> None:
    for text, board in zip(texts, read(*texts), strict=True):
        try:
            expected = Board.from_moves(text)
        except BotError:
            assert board is None
        else:
            assert board == (None if expected.is_over or set(text) - set(KNOWN) else expected)


@given(st.integers(0, 2**32))
def test_games_are_read_move_by_move(seed: int) -> None:
    chance, board, text = random.Random(seed), Board(), ""
    while not board.is_over:
        assert read(text, text.translate(str.maketrans("1234567", "abcdefg"))) == [board, board]
        column = chance.choice(board.legal_columns())
        board, text = board.play(column), text + str(column + 1)
    assert read(text) == [None]


def test_scores_are_the_known_ones_and_what_is_early_or_takes_long_is_left_to_others(monkeypatch) -> None:
    known = [*some(200, 14), *some(20, 8, 11)]
    texts = [format_moves(each.columns) for each in known]
    for options, budget, least in (({}, 200_000, 150), ({}, 500, 100), ({"from_ply": 20}, 200_000, 100)):
        monkeypatch.setattr(batch_module, "_NODE_BUDGET", budget)
        found = solve(texts, **options)
        assert len(found) == len(known) and sum(each is not None for each in found) > least
        assert all(each is None or each.score == right.score for each, right in zip(found, known, strict=True))
        late = [each is not None for each, right in zip(found, known, strict=True) if right.board.ply >= 28]
        assert all(late)
        early = [each is None for each, right in zip(found, known, strict=True) if right.board.ply < 20]
        assert all(early) == bool(options)


@pytest.mark.parametrize("book", [True, False])
def test_the_api_solves_a_list_in_its_order_with_and_without_a_book(book: bool) -> None:
    known = some(100, 12, seed=23)
    positions: list[bot.Board | str] = [format_moves(each.columns) for each in known]
    positions[7] = known[7].board
    found = [(each.board, each.score) for each in bot.solve_many(positions, book=book)]
    assert found == [(each.board, each.score) for each in known]
