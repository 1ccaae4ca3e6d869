"""The agents' protocol as text: what is written can be read, and nothing else can."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.agents.external import protocol
from bot.agents.external.protocol import GarbledError
from bot.engine.agent import Decision, Limit
from bot.game import Board


@st.composite
def boards(draw: st.DrawFn) -> Board:
    """Draw an unfinished position from random moves."""
    board = Board()
    for wanted in draw(st.lists(st.integers(0, 6), max_size=41)):
        quiet = [column for column in board.legal_columns() if not board.play(column).is_over]
        if not quiet:
            break
        board = board.play(quiet[wanted % len(quiet)])
    return board


@given(boards())
def test_an_order_of_moves_is_found_for_every_position(board: Board) -> None:
    assert Board.from_moves(protocol.moves_to(board)) == board


counts = st.none() | st.integers(1, 10**9)


@given(boards(), st.builds(Limit, st.floats(0.01, 100), st.floats(0.01, 100), counts, counts, counts))
def test_a_request_is_read_as_it_was_written(board: Board, limit: Limit) -> None:
    word, *rest = protocol.move_request(board, limit).split()
    read_board, read_limit = protocol.read_move_request(rest)
    assert word == "move" and read_board == board
    assert (read_limit.depth, read_limit.nodes, read_limit.leaves) == (limit.depth, limit.nodes, limit.leaves)
    assert read_limit.hard_s == pytest.approx(limit.hard_s, rel=1e-4)
    assert read_limit.think_s == pytest.approx(limit.think_s, rel=1e-4)


def test_a_request_without_limits_has_the_usual_ones() -> None:
    assert protocol.read_move_request(["-"]) == (Board(), Limit())
    assert protocol.read_move_request(["44", "colour=red"]) == (Board.from_moves("44"), Limit())


def test_a_reply_is_read_as_it_was_written() -> None:
    decision = Decision(3, -2.5, True, depth=4, nodes=10, leaves=0, passes=3, pv=(3, 2, 3))
    line = protocol.move_reply(decision)
    assert line == "move 4 score=-2.5 proven=1 depth=4 nodes=10 leaves=0 passes=3 line=434"
    read = protocol.read_move_reply(line, Board())
    assert (read.column, read.score, read.proven, read.depth, read.nodes) == (3, -2.5, True, 4, 10)
    assert (read.leaves, read.passes, read.pv) == (0, 3, (3, 2, 3))
    assert protocol.read_move_reply("move 4 mood=good", Board()) == Decision(3, pv=(3,), source="external")


REPLIES = [
    "",
    "move",
    "4",
    "move x",
    "move 0",
    "move 8",
    "move -1",
    "move 4.0",
    "move 1",
    "move ²",
    "Move 4",
    "move 99999999999",
]


@pytest.mark.parametrize("reply", [*REPLIES, "move 4 depth=deep", "move 4 score=high", "move 4 line=49"])
def test_other_replies_are_refused(reply: str) -> None:
    with pytest.raises(GarbledError):
        protocol.read_move_reply(reply, Board.from_moves("111111"))


@pytest.mark.parametrize("words", [[], ["48"], ["1212121"], ["1111111"], ["4", "nodes=-1"], ["4", "time=soon"]])
def test_other_requests_are_refused(words: list[str]) -> None:
    with pytest.raises(GarbledError):
        protocol.read_move_request(words)


@pytest.mark.parametrize("line", ["", "hello", "c4agent", "c4agent 1", "c4agent 2 mine", "uci 1 mine"])
def test_other_handshakes_are_refused(line: str) -> None:
    with pytest.raises(GarbledError):
        protocol.name_in(line)


def test_handshake_and_seed() -> None:
    assert protocol.name_in(protocol.greeting("my agent")) == "my agent"
    assert protocol.new_request(None) == "new -" and protocol.seed_in(["-"]) is None
    assert protocol.new_request(7) == "new 7" and protocol.seed_in(["7"]) == 7
    with pytest.raises(GarbledError):
        protocol.seed_in(["seven"])
