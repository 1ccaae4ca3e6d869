"""The explanation of a position: what it says is what the agent `proof` plays in every game that follows."""

from __future__ import annotations

import random
import re
from collections import Counter
from functools import cache

from bot.agents.catalogue import make_agent
from bot.engine.agent import Limit
from bot.engine.forced import safe_columns
from bot.game import Board
from bot.proof.explain import Explanation, explain, replies

Moves = tuple[int, ...]


@cache
def games(side: int = 0) -> tuple[tuple[Moves, int], ...]:
    """Return games of the agent, as one side, against careful replies up to each of its moves, with this move."""
    found = []
    for seed in range(12):
        rng, agent = random.Random(seed), make_agent("proof")
        moves: Moves = (rng.choice((0, 1, 2, 4, 5, 6)),) * side
        while not (board := Board.from_moves(moves)).is_over:
            if board.ply % 2 != side:
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


def test_it_names_the_move_that_the_agent_plays_and_what_decides_it():
    for moves, column in games():
        said, board = explained(moves), Board.from_moves(moves)
        assert (said.column, said.wins, said.order != ()) == (column, True, said.diagram)
        alone = explain(board)
        assert alone is not None and alone.entries == said.entries
        if said.diagram:
            empty = {(each, row) for each in range(7) for row in range(cell_of(board, each)[1], 6)}
            assert {*said.order} == empty and len(said.order) == len(empty)


def can_win(board: Board) -> bool:
    """Return whether the side to move makes four with its next disc."""
    return any(map(board.wins_with, range(7)))


def passed(board: Board) -> Board:
    """Return the position with the other side to move."""
    return Board(board.opponent, board.mask)


def check_first_sentence(moves: Moves) -> str:
    """Check what the first sentence says by playing it out; return its kind."""
    said, board = explained(moves), Board.from_moves(moves)
    column, after, text = said.column, board.play(said.column), said.sentences[0]
    here = cell_of(board, column)
    others = [each for each in board.legal_columns() if each != column]
    opened = {(each, cell_of(board, each)[1] + 1) for each in others}
    fours, dangers = {*said.fours}, {*said.dangers}
    named = {
        (int(at) - 1, int(row) - 1)
        for at, rows in re.findall(r"column (\d) rows? (\d(?:(?:, | and )\d)*)", text)
        for row in re.findall(r"\d", rows)
    }
    if "makes four in a row" in text:
        assert board.wins_with(column) and fours == {here} and not dangers
        return "four"
    assert not can_win(board)
    if "you would make four" in text:
        assert passed(board).wins_with(column) and named == dangers == {here} and not fours
        return "block"
    assert not can_win(passed(board))
    if "you make four directly above" in text:
        assert all(board.play(each).wins_with(each) for each in others) and named == dangers == opened and not fours
        return "only one"
    if "only one" in text or "if you block there" in text:
        assert len(said.sentences) == 1 and not can_win(after) and not dangers and named <= fours
        assert all(can_win(after.play(reply)) for reply in after.legal_columns())
        return "double"
    if "could play directly above" in text:
        assert named == fours | dangers == opened
        assert all(board.play(each).wins_with(each) == ((each, row) in dangers) for each, row in opened)
        assert all(after.play(each).wins_with(each) for each, row in fours if each != column)
        return "patience"
    if "in the order" in text:
        order = [cell for cell in said.order if cell == cell_of(board, cell[0])]
        earlier = order[: order.index(here)]
        assert named == {here, *earlier}
        assert {(each, row + 1) for each, row in earlier} == fours | dangers
        return "order"
    if "must block" in text:
        assert not can_win(after) and len(fours) == 1
        assert all(can_win(after.play(each)) for each in after.legal_columns() if each not in dict(fours))
        return "threat"
    if "once it can be played" in text:
        assert fours and not dangers and not any(cell == cell_of(after, cell[0]) for cell in fours)
        return "later"
    assert text.endswith("whatever you play: the proof has an answer to each reply.")
    assert not said.diagram and not fours and not dangers
    return "branch"


def test_what_it_says_of_a_move_comes_true():
    met = [moves for side in (0, 1) for moves, _ in games(side)]
    kinds = Counter(map(check_first_sentence, met))
    assert len(kinds) >= 8, kinds
    assert all(explained(moves).wins == (len(moves) % 2 == 0) for moves in met)


def test_its_statements_hold_in_the_games_that_follow():
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


def test_it_turns_with_the_game():
    for moves, _ in games():
        boards = [Board.from_moves(moves[:ply]) for ply in range(2, len(moves) + 1, 2)]
        if not moves or any(board == board.mirror() for board in boards):
            continue  # in a symmetric position the proof may play either way
        said, turned = explained(moves), explained(tuple(6 - column for column in moves))
        assert (turned.column, turned.entries) == (6 - said.column, said.entries)
        assert sorted((6 - column, row) for column, row in turned.follow) == [*said.follow]
        assert sorted((6 - column, row) for column, row in turned.claim) == [*said.claim]


def test_replies_hold_the_answers_and_the_entries_that_follow():
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
