"""The explanation of a position: what it says is what the agent `proof` plays in every game that follows."""

from __future__ import annotations

import random
from functools import cache

import pytest

from bot.agents.catalogue import make_agent
from bot.engine.agent import Limit
from bot.game import Board, parse_moves
from bot.proof.explain import Explanation, explain, replies
from bot.proof.plan import shipped_guides

Moves = tuple[int, ...]


def careful(board: Board, rng: random.Random) -> int:
    """Return a random reply that wins, or blocks, or else leaves no win to the other side if possible."""
    columns = board.legal_columns()
    winning = [column for column in columns if board.wins_with(column)]
    after = {column: board.play(column) for column in columns}
    safe = [column for column in columns if not any(map(after[column].wins_with, after[column].legal_columns()))]
    return rng.choice(winning or safe or list(columns))


@cache
def sample() -> tuple[tuple[Moves, int], ...]:
    """Return the agent's games up to each of its moves, with this move."""
    found = []
    for seed in range(12):
        rng, agent = random.Random(seed), make_agent("proof")
        moves: tuple[int, ...] = ()
        while not (board := Board.from_moves(moves)).is_over:
            if board.ply % 2 == 0:
                column = agent.choose(board, Limit()).column
                found.append((moves, column))
            else:
                column = careful(board, rng)
            moves = (*moves, column)
    return tuple(found)


@cache
def explained(moves: Moves) -> Explanation:
    """Return the explanation of the position after ``moves``."""
    found = explain(Board.from_moves(moves), moves)
    assert found is not None
    return found


def cell_of(board: Board, column: int) -> tuple[int, int]:
    """Return the cell that a disc in ``column`` would take."""
    return column, (board.mask >> column * 7 & 63).bit_count()


def test_it_names_the_move_that_the_agent_plays():
    for moves, column in sample():
        assert explained(moves).column == column
        assert explained(moves).wins


def test_the_sample_holds_branches_diagrams_and_both_meanings():
    found = [explained(moves) for moves, _ in sample()]
    assert any(not one.diagram for one in found)
    assert any(one.follow for one in found)
    assert any(one.claim for one in found)


def test_its_statements_hold_in_the_games_that_follow():
    """Games by random replies from positions under a diagram; the statements end when the agent can win at once."""
    checked_follow = checked_claim = 0
    starts = [moves for moves, _ in sample() if explained(moves).follow or explained(moves).claim]
    for number, start in enumerate(starts):
        said, rng = explained(start), random.Random(number)
        for _ in range(4):
            agent, board = make_agent("proof"), Board()
            for column in start:  # the agent plays the game again
                if board.ply % 2 == 0:
                    assert agent.choose(board, Limit()).column == column
                board = board.play(column)
            while not (board := board.play(agent.choose(board, Limit()).column)).is_over:
                column = careful(board, rng) if rng.random() < 0.7 else rng.choice(board.legal_columns())
                reply = cell_of(board, column)
                board = board.play(column)
                if any(map(board.wins_with, board.legal_columns())):
                    break
                assert reply not in said.claim
                checked_claim += 1
                if (reply[0], reply[1] + 1) in said.follow:
                    assert agent.choose(board, Limit()).column == column
                    checked_follow += 1
    assert checked_follow > 10
    assert checked_claim > 50


def test_the_order_holds_the_empty_cells_and_decides_where_the_reason_says_so():
    decided = 0
    for moves, move in sample():
        said, board = explained(moves), Board.from_moves(moves)
        if said.diagram:
            empty = {(column, row) for column in range(7) for row in range(cell_of(board, column)[1], 6)}
            assert set(said.order) == empty
            assert len(said.order) == len(empty)
            playable = [cell for cell in said.order if cell == cell_of(board, cell[0])]
            if said.sentences[0].endswith("first on the list.") and playable[0][0] == move:
                decided += 1
    assert decided > 3


def test_it_turns_with_the_game():
    for moves, _ in sample():
        boards = [Board.from_moves(moves[:ply]) for ply in range(0, len(moves) + 1, 2)]
        if any(board == board.mirror() for board in boards[1:]):
            continue  # in a symmetric position the proof may play either way
        said, turned = explained(moves), explained(tuple(6 - column for column in moves))
        assert turned.column == 6 - said.column
        assert sorted((6 - column, row) for column, row in turned.follow) == list(said.follow)
        assert sorted((6 - column, row) for column, row in turned.claim) == list(said.claim)
        assert turned.entries == said.entries


def test_replies_hold_the_answers_and_the_entries_that_follow():
    for moves, move in sample()[::4]:
        said, game = explained(moves), (*moves, move)
        after = Board.from_moves(game)
        found = replies(after, game)
        assert [reply.column for reply in found] == list(after.legal_columns())
        for reply in found:
            assert reply.answer == explained((*game, reply.column)).column
        if said.entries:
            assert said.entries <= 1 + sum(reply.entries for reply in found)
            assert said.diagram or after.is_over or said.entries > max(reply.entries for reply in found)


def test_the_empty_board_needs_every_entry():
    claim = shipped_guides()[0]
    assert explained(()).entries == claim.size(Board()) == len(claim._entries)


@pytest.mark.parametrize("moves", ["4", "12", "1212121"])
def test_positions_outside_the_proof_have_no_explanation(moves):
    assert explain(Board.from_moves(parse_moves(moves))) is None


def test_a_position_alone_is_explained_too():
    for moves, _ in sample():
        board = Board.from_moves(moves)
        said = explain(board)
        assert said is not None
        assert said.entries == explained(moves).entries
        assert board.can_play(said.column)


def test_sentences_name_columns_and_rows_from_one():
    said = next(explained(moves) for moves, _ in sample() if explained(moves).follow)
    column, row = said.follow[0]
    text = " ".join(said.sentences)
    assert f"column {said.column + 1}" in said.sentences[0]
    assert f"column {column + 1} row" in text
    assert str(row + 1) in text
