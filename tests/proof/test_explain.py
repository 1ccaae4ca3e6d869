"""The explanation of a position: what it says is what the agent `proof` plays in every game that follows."""

from __future__ import annotations

import random
import re
from collections import Counter
from functools import cache

from bot.agents.catalogue import make_agent
from bot.engine.agent import Limit
from bot.engine.forced import safe_columns
from bot.game import Board, parse_moves
from bot.game.board import has_four
from bot.proof.explain import Explanation, explain
from tests.proof.parts import passed

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
    found = explain(moves)
    assert found is not None
    return found


def cell_of(board: Board, column: int) -> tuple[int, int]:
    """Return the cell that a disc in ``column`` would take."""
    return column, (board.mask >> column * 7 & 63).bit_count()


def test_it_names_the_move_that_the_agent_plays_and_its_promise():
    for side in (0, 1):
        for moves, column in games(side):
            assert (explained(moves).column, explained(moves).wins) == (column, side == 0)


def can_win(board: Board) -> bool:
    """Return whether the side to move makes four with its next disc."""
    return any(map(board.wins_with, range(7)))


def check_first_sentence(moves: Moves) -> str:
    """Check what the first sentence says by playing it out; return its kind."""
    said, board = explained(moves), Board.from_moves(moves)
    column, after, text = said.column, board.play(said.column), said.sentences[0]
    here = cell_of(board, column)
    others = [each for each in board.legal_columns() if each != column]
    opened = {(each, cell_of(board, each)[1] + 1) for each in others}
    named = {
        (int(at) - 1, int(row) - 1)
        for at, rows in re.findall(r"column (\d) rows? (\d(?:(?:, | and )\d)*)", text)
        for row in re.findall(r"\d", rows)
    }
    if "makes four in a row" in text:
        assert board.wins_with(column) and len(said.sentences) == 1
        return "four"
    assert not can_win(board)
    if "you would make four" in text:
        assert passed(board).wins_with(column) and named == {here}
        return "block"
    assert not can_win(passed(board))
    if "you make four directly above" in text:
        assert all(board.play(each).wins_with(each) for each in others) and named == opened
        return "only one"
    if "only one" in text or "if you block there" in text:
        assert len(said.sentences) == 1 and not can_win(after)
        assert named == {cell_of(after, each) for each in range(7) if passed(after).wins_with(each)}
        assert all(can_win(after.play(reply)) for reply in after.legal_columns())
        return "double"
    if "could play directly above" in text:
        assert named == opened
        return "patience"
    if "in the order" in text:
        assert here in named and named <= {cell_of(board, each) for each in board.legal_columns()}
        return "order"
    if "must block" in text:
        ((at, row),) = named
        assert (
            (at, row) == cell_of(after, at)
            and not can_win(after)
            and all(can_win(after.play(each)) for each in after.legal_columns() if each != at)
        )
        return "threat"
    if "once it can be played" in text:
        assert named and not any(cell == cell_of(after, cell[0]) for cell in named)
        assert all(has_four(after.opponent | 1 << at * 7 + row) for at, row in named)
        return "later"
    assert text.endswith("whatever you play: the proof has an answer to each reply.")
    return "branch"


def test_what_it_says_of_a_move_comes_true():
    met = [moves for side in (0, 1) for moves, _ in games(side)]
    met.append(parse_moves("44422544176262541711177666367227"))
    kinds = Counter(map(check_first_sentence, met))
    assert len(kinds) >= 9, kinds


def test_it_turns_with_the_game():
    for moves, _ in games():
        boards = [Board.from_moves(moves[:ply]) for ply in range(2, len(moves) + 1, 2)]
        if moves and not any(board == board.mirror() for board in boards):  # there the proof may play either way
            assert explained(tuple(6 - column for column in moves)).column == 6 - explained(moves).column
