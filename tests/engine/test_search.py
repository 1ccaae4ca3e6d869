"""The search kernel and its two agents against plain Python, at equal depth and equal evaluation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bot.agents.catalogue import make_agent
from bot.engine.agent import Limit
from bot.engine.forced import forced_decision, safe_columns
from bot.engine.kernels import evaluate as evaluation
from bot.engine.kernels import search as kernels
from bot.engine.kernels.addresses import address
from bot.engine.timed import IterativeDeepening
from bot.engine.warmup import warm_up
from bot.game import Board, parse_moves
from tests.engine import reference_search as reference
from tests.engine.positions import boards, sample

TABLE = np.zeros(kernels.TABLE_SIZE, dtype=np.int64)
FLAG = np.zeros(1, dtype=np.uint8)


def static(cells: reference.Cells) -> int:
    """Return the kernel's evaluation of the reference's board; other tests check its parts."""
    mine = sum(1 << (7 * c + r) for (c, r), value in cells.items() if value == 1)
    mask = sum(1 << (7 * c + r) for c, r in cells)
    return int(evaluation.evaluate(mine, mask, len(cells)))


def search(board: Board, horizon: int, alpha: int = -kernels.INFINITY, beta: int = kernels.INFINITY) -> int:
    TABLE.fill(0)
    work = np.zeros(kernels.WORKSPACE_WORDS, dtype=np.int64)
    arrays = [address(array) for array in (TABLE, work, FLAG, FLAG)]
    return int(kernels.search(board.current, board.mask, board.ply, alpha, beta, horizon, *arrays))


@given(boards(), st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9)))
def test_windows_are_counted_as_one_by_one(board, worth):
    assert evaluation.windows(board.current, board.mask, *worth) == reference.windows(reference.cells_of(board), worth)


@given(boards())
def test_the_evaluation_is_the_same_for_the_mirror_image_and_opposite_for_the_other_side(board):
    mirror = board.mirror()
    value = evaluation.evaluate(board.current, board.mask, board.ply)
    assert evaluation.evaluate(mirror.current, mirror.mask, board.ply) == value
    assert evaluation.evaluate(board.opponent, board.mask, board.ply + 1) == -value
    assert abs(value) < kernels.WIN - 1


@given(boards())
def test_the_evaluation_is_its_description_cell_by_cell(board):
    cells = reference.cells_of(board)
    expected = reference.evaluate(cells) if board.ply % 2 == 0 else -reference.evaluate(reference.swapped(cells))
    assert evaluation.evaluate(board.current, board.mask, board.ply) == expected


@pytest.mark.parametrize(
    ("first", "second", "worth"),
    [
        pytest.param({(3, 2)}, set(), evaluation.FIRST_ODD, id="odd rows are the first player's"),
        pytest.param(set(), {(3, 1)}, -evaluation.SECOND_EVEN, id="even rows are the second player's"),
        pytest.param({(3, 2), (3, 4)}, set(), evaluation.FIRST_ODD, id="a column counts once"),
        pytest.param({(3, 2)}, {(3, 1)}, -evaluation.SECOND_EVEN, id="the lower threat comes first"),
        pytest.param({(3, 2)}, {(3, 3)}, evaluation.FIRST_ODD, id="and shadows the higher"),
        pytest.param({(0, 1)}, {(6, 4)}, evaluation.FIRST_EVEN - evaluation.SECOND_ODD, id="the wrong parity, less"),
        pytest.param({(0, 3)}, {(0, 2)}, -evaluation.SECOND_ODD, id="and only the lower one"),
    ],
)
def test_threats_count_by_parity_and_order(first, second, worth):
    bits = [sum(1 << (7 * column + row) for column, row in cells) for cells in (first, second)]
    assert evaluation.threat_score(*bits) == reference.threat_score(first, second) == worth


@settings(max_examples=25)
@given(boards(), st.integers(0, 3))
def test_the_search_is_minimax(board, depth):
    horizon = board.ply + depth
    assert search(board, horizon) == reference.search_value(reference.cells_of(board), horizon, static)


@settings(max_examples=200)
@given(boards(), st.integers(0, 7), st.integers(-80, 80), st.integers(1, 60))
def test_a_narrow_window_gives_the_bound_that_the_contract_promises(board, depth, alpha, width):
    horizon, beta = board.ply + depth, alpha + width
    exact, returned = search(board, horizon), search(board, horizon, alpha, beta)
    if returned <= alpha:
        assert exact <= returned
    elif returned >= beta:
        assert exact >= returned
    else:
        assert returned == exact


@settings(max_examples=200)
@given(boards(), st.integers(0, 7))
def test_the_mirror_image_has_the_same_value(board, depth):
    assert search(board.mirror(), board.ply + depth) == search(board, board.ply + depth)


@settings(max_examples=150)
@given(boards(), st.integers(1, 8), st.integers(-300, 300))
def test_alpha_beta_and_mtdf_agree_at_every_depth_from_any_guess(board, depth, guess):
    assume(forced_decision(board) is None)
    horizon = min(board.ply + depth, kernels.LAST_HORIZON)
    alphabeta = IterativeDeepening(board, by_null_windows=False).search_to(horizon)
    mtdf = IterativeDeepening(board).search_to(horizon, guess)
    assert alphabeta[0] == mtdf[0] == search(board, horizon)
    for value, column in (alphabeta, mtdf):
        assert -search(board.play(column), horizon) == value


@settings(max_examples=30)
@given(boards(), st.integers(2, 9))
def test_deepening_with_one_table_gives_the_values_of_empty_ones(board, depth):
    """What earlier horizons left in the table must not leak into later ones."""
    assume(forced_decision(board) is None)
    deepening = IterativeDeepening(board)
    last = min(board.ply + depth, kernels.LAST_HORIZON)
    values = [deepening.search_to(horizon)[0] for horizon in range(board.ply + 1, last + 1)]
    fresh = [IterativeDeepening(board).search_to(h)[0] for h in range(board.ply + 1, last + 1)]
    assert values == fresh


@pytest.mark.parametrize("name", ["mtdf", "alphabeta"])
@pytest.mark.parametrize("board", sample(12, 33, 38) + sample(6, 39, 41), ids=lambda board: f"ply{board.ply}")
def test_late_positions_are_proven_with_the_right_distance(name, board):
    exact = reference.search_value(reference.cells_of(board), 42, static)
    decision = make_agent(name).choose(board, Limit(think_s=5.0))
    score = exact if abs(exact) < reference.WIN else (abs(exact) - reference.WIN) * (1 if exact > 0 else -1)
    if decision.score is not None:
        assert decision.proven
        assert decision.score == score
    child = board.play(decision.column)
    if not child.has_winner:
        assert -reference.search_value(reference.cells_of(child), 42, static) == exact


@pytest.mark.parametrize("name", ["mtdf", "alphabeta"])
@pytest.mark.parametrize(
    ("moves", "column", "score"),
    [
        pytest.param("414141", 3, 18.0, id="takes the win"),
        pytest.param("41414", 3, None, id="blocks the only threat"),
        pytest.param("3141", 4, 18.0, id="makes the open three"),
    ],
)
def test_known_positions(name, moves, column, score):
    decision = make_agent(name).choose(Board.from_moves(parse_moves(moves)), Limit(think_s=0.5))
    assert (decision.column, decision.score, decision.proven) == (column, score, score is not None)


@settings(max_examples=40)
@given(boards(), st.integers(1, 10), st.sampled_from(("mtdf", "alphabeta")))
def test_the_principal_variation_is_playable_and_ends_where_it_says(board, depth, name):
    decision = make_agent(name).choose(board, Limit(think_s=5.0, depth=depth))
    assert decision.pv[0] == decision.column
    for column in decision.pv:
        assert not board.is_over
        board = board.play(column)
    if decision.proven and board.has_winner:
        discs_of_winner = (board.ply + 1) // 2
        assert decision.score is not None and abs(decision.score) == 22 - discs_of_winner


@settings(max_examples=40)
@given(boards(), st.integers(1, 6))
def test_a_depth_limit_is_kept_and_the_decision_repeats(board, depth):
    agent = make_agent("mtdf")
    first, second = (agent.choose(board, Limit(think_s=5.0, depth=depth)) for _ in range(2))
    assert first.depth <= max(depth, 2)
    assert (first.column, first.score, first.nodes, first.pv) == (second.column, second.score, second.nodes, second.pv)


@given(boards())
def test_safe_columns_leave_no_win_in_one(board):
    assume(not any(board.wins_with(column) for column in range(7)))
    expected = {
        column for column in board.legal_columns() if not any(board.play(column).wins_with(reply) for reply in range(7))
    }
    assert set(safe_columns(board)) == expected


@given(boards())
def test_forced_decisions_win_at_once_or_leave_no_choice(board):
    decision = forced_decision(board)
    wins = [column for column in board.legal_columns() if board.wins_with(column)]
    if wins:
        assert decision is not None and decision.column in wins
        assert decision.score == 22 - (board.ply // 2 + 1)
    elif len(safe_columns(board)) >= 2:
        assert decision is None
    else:
        assert decision is not None and board.can_play(decision.column)
        assert decision.proven == (not safe_columns(board) or board.ply == 41)


def test_a_lost_side_still_blocks():
    board = Board.from_moves(parse_moves("33445"))  # c, d, e in the bottom row: both ends are open
    decision = make_agent("mtdf").choose(board, Limit())
    assert decision.column in (1, 5)
    assert decision.proven
    assert decision.score == -18.0


def test_nothing_is_compiled_after_the_warm_up():
    agents = [make_agent(name, seed=1) for name in ("mtdf", "alphabeta", "depth4")]
    warm_up(*agents)
    from bot.engine.jit import bits
    from bot.engine.kernels import minimax

    def signatures() -> dict[str, int]:
        return {
            f"{module.__name__}.{name}": len(function.signatures)
            for module in (bits, evaluation, kernels, minimax)
            for name, function in vars(module).items()
            if hasattr(function, "signatures")
        }

    before = signatures()
    assert before["bot.engine.kernels.search.search"] == 1
    for board in sample(30, 0, 41):
        for agent in agents:
            agent.choose(board, Limit(think_s=0.01))
    assert signatures() == before
