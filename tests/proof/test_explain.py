"""The explanation of a position: what it says is what the agent `proof` plays in every game that follows."""

from __future__ import annotations

import random
from functools import cache

from bot.agents.catalogue import make_agent
from bot.engine.agent import Limit
from bot.engine.forced import safe_columns
from bot.game import Board
from bot.proof.explain import Explanation, explain, replies

Moves = tuple[int, ...]


@cache
def games() -> tuple[tuple[Moves, int], ...]:
    """Return the agent's games against careful replies up to each of its moves, with this move."""
    found = []
    for seed in range(12):
        rng, agent = random.Random(seed), make_agent("proof")
        moves: Moves = ()
        while not (board := Board.from_moves(moves)).is_over:
            if board.ply % 2:
                column = rng.choice(safe_columns(board) or board.legal_columns())
            else:
                column = agent.choose(board, Limit()).column
                found.append((moves, column))
            moves = (*moves, column)
    return tuple(found)


@cache
def explained(moves: Moves) -> Explanation:
    found = explain(Board.from_moves(moves), moves)
    assert found is not None
    return found


def cell_of(board: Board, column: int) -> tuple[int, int]:
    """Return the cell that a disc in ``column`` would take."""
    return column, (board.mask >> column * 7 & 63).bit_count()


def test_it_names_the_move_that_the_agent_plays_and_what_decides_it() -> None:
    decided = 0
    for moves, column in games():
        said, board = explained(moves), Board.from_moves(moves)
        assert (said.column, said.wins, said.order != ()) == (column, True, said.diagram)
        alone = explain(board)
        assert alone is not None and alone.entries == said.entries
        if said.diagram:
            empty = {(each, row) for each in range(7) for row in range(cell_of(board, each)[1], 6)}
            assert {*said.order} == empty and len(said.order) == len(empty)
            first = next(cell for cell in said.order if cell == cell_of(board, cell[0]))
            decided += said.sentences[0].endswith("first on the list.") and first[0] == column
    assert decided > 3


def test_its_statements_hold_in_the_games_that_follow() -> None:
    """Games by random replies from positions under a diagram; the statements end when the agent can win at once."""
    followed = claimed = 0
    starts = [moves for moves, _ in games() if explained(moves).follow or explained(moves).claim]
    for number, start in enumerate(starts * 3):
        said, rng, agent, board = explained(start), random.Random(number), make_agent("proof"), Board()
        for column in start:  # the agent plays the game again
            assert board.ply % 2 or agent.choose(board, Limit()).column == column
            board = board.play(column)
        while not (board := board.play(agent.choose(board, Limit()).column)).is_over:
            reply = cell_of(board, rng.choice(safe_columns(board) or board.legal_columns()))
            board = board.play(reply[0])
            if any(map(board.wins_with, range(7))):
                break
            assert reply not in said.claim
            claimed += 1
            if (reply[0], reply[1] + 1) in said.follow:
                assert agent.choose(board, Limit()).column == reply[0]
                followed += 1
    assert followed > 10 and claimed > 50


def test_it_turns_with_the_game() -> None:
    for moves, _ in games():
        boards = [Board.from_moves(moves[:ply]) for ply in range(2, len(moves) + 1, 2)]
        if not moves or any(board == board.mirror() for board in boards):
            continue  # in a symmetric position the proof may play either way
        said, turned = explained(moves), explained(tuple(6 - column for column in moves))
        assert (turned.column, turned.entries) == (6 - said.column, said.entries)
        assert sorted((6 - column, row) for column, row in turned.follow) == [*said.follow]
        assert sorted((6 - column, row) for column, row in turned.claim) == [*said.claim]


def test_replies_hold_the_answers_and_the_entries_that_follow() -> None:
    for moves, move in games()[::4]:
        said, game = explained(moves), (*moves, move)
        after = Board.from_moves(game)
        found = replies(after, game)
        assert [reply.column for reply in found] == list(after.legal_columns())
        for reply in found:
            assert reply.ends == after.play(reply.column).is_over
            if not reply.ends:
                answer = explained((*game, reply.column))
                assert (reply.answer, reply.diagram) == (answer.column, answer.diagram)
        if said.entries and not said.diagram and not after.is_over:
            assert max(reply.entries for reply in found) < said.entries <= 1 + sum(reply.entries for reply in found)
