"""The agents' protocol as text: what is written can be read, and nothing else can."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.agents.external import protocol
from bot.engine.agent import Decision, Limit
from bot.errors import UsageError
from bot.game import Board
from tests.positions import boards

COUNTS = st.none() | st.integers(1, 10**9)
SECONDS = st.floats(0.01, 100)


@given(boards(), st.builds(Limit, SECONDS, SECONDS, COUNTS, COUNTS, COUNTS))
def test_a_request_is_read_as_it_was_written(board, limit):
    """Its moves are an order that leads to the position."""
    word, *rest = protocol.move_request(board, limit).split()
    read_board, read = protocol.read_move_request(rest)
    assert word == "move" and read_board == board
    assert (read.depth, read.nodes, read.leaves) == (limit.depth, limit.nodes, limit.leaves)
    assert (read.hard_s, read.think_s) == pytest.approx((limit.hard_s, limit.think_s), rel=1e-4)


def test_a_reply_is_read_as_it_was_written():
    decision = Decision(3, -2.5, True, 4, 10, 0, 3, pv=(3, 2, 3), source="external", changed=True)
    line = protocol.move_reply(decision)
    assert line == "move 4 score=-2.5 proven=1 depth=4 nodes=10 leaves=0 passes=3 changed=1 line=434"
    assert protocol.read_move_reply(line, Board()) == decision
    for line in ("move 4 mood=good", "move 4 line=21"):  # a line that begins with another column is none
        assert protocol.read_move_reply(line, Board()) == Decision(3, pv=(3,), source="external")


FULL = Board.from_moves("111111")
REFUSED: dict[str, tuple[Callable[[str], object], str]] = {
    "reply": (
        lambda line: protocol.read_move_reply(line, FULL),
        "|move|4|move x|move 0|move 8|move -1|move 4.0|move 1|move ²|Move 4|move 99999999999|move 4 depth=deep|"
        "move 4 score=high|move 4 line=49|move 4 nodes=1000000000000001",
    ),
    "request": (lambda line: protocol.read_move_request(line.split()), "|48|1212121|1111111|4 nodes=-1|4 time=soon"),
    "seed": (lambda line: protocol.seed_in(line.split()), "|seven|1 2|-1"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_other_lines_are_refused(kind):
    read, lines = REFUSED[kind]
    for line in lines.split("|"):
        with pytest.raises(UsageError):
            read(line)
