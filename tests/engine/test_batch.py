"""Many positions in the compiled loop: how texts are read, the scores, and what is left to others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.engine import batch as batch_module
from bot.engine.batch import BatchSolver
from bot.errors import BotError
from bot.game import Board, format_moves
from tests.positions import some

KNOWN = "1234567abcdefgABCDEFG ,-"
"""Characters of moves that the loop knows."""


def read(*texts: str) -> list[Board | None]:
    """Return the boards that the loop reads, None for what it leaves to others."""
    return [None if mask < 0 else Board(current, mask) for current, mask in BatchSolver()._read(texts).tolist()]


@given(st.lists(st.text(KNOWN + "890h@?`:/\\té\ud800", max_size=12), max_size=5))
def test_texts_are_read_as_python_reads_them(texts):
    for text, board in zip(texts, read(*texts), strict=True):
        try:
            expected = Board.from_moves(text)
        except BotError:
            assert board is None
        else:
            assert board == (None if expected.is_over or set(text) - set(KNOWN) else expected)


@pytest.mark.parametrize(
    ("options", "budget", "is_left"), [({}, 200_000, False), ({}, 500, True), ({"from_ply": 20}, 200_000, True)]
)
def test_scores_are_the_known_ones_and_what_is_early_or_takes_long_is_left_to_others(
    monkeypatch, options, budget, is_left
):
    monkeypatch.setattr(batch_module, "_NODE_BUDGET", budget)
    known = some(200, 13)
    told = BatchSolver(**options).solve([format_moves(each.columns) for each in known])
    found = [(each, right) for each, right in zip(told, known, strict=True) if each is not None]
    assert all(each.score == right.score and each.mask == right.board.mask for each, right in found)
    plies = {right.board.ply for _, right in found}
    assert plies >= {*range(options.get("from_ply", 28), 40)} and min(plies) >= options.get("from_ply", 0)
    assert (len(found) < len(known)) == is_left
