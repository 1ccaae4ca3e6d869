"""Many positions in the compiled loop: how texts are read, the scores, and what is left to others."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

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
