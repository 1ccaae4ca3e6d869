"""Budgets after an agent's name: what they mean, and that no search exceeds its count."""

from __future__ import annotations

import math

import pytest

from bot.agents.budgeted import Budgeted, split_budget
from bot.agents.catalogue import make_agent
from bot.engine.agent import Decision, Limit, Stop
from bot.errors import UsageError
from bot.game import Board

UNLIMITED = Limit(hard_s=86_400.0)
BOARDS = [Board.from_moves(moves) for moves in ("44", "4453", "12345", "4443265", "7171")]


class Noting:
    """Keeps the limit that it is given."""

    name = "noting"
    limit = Limit()

    def choose(self, board: Board, limit: Limit, stop: Stop | None = None) -> Decision:  # noqa: ARG002
        self.limit = limit
        return Decision(3)


def test_a_budget_is_read_from_the_end_of_a_name() -> None:
    assert split_budget("vds:9,think=1") == ("vds:9,think=1", None)
    name, budget = split_budget("vds:9,think=1@nodes=100,depth=3")
    assert (name, budget) == ("vds:9,think=1", Limit(math.inf, math.inf, depth=3, nodes=100))
    assert split_budget("mtdf@time=0.5")[1] == Limit(0.5, 0.5)
    assert split_budget("command:./a@b --x")[1] is None, "an @ elsewhere belongs to the name"


@pytest.mark.parametrize(
    "name", ["mtdf@nodes=", "mtdf@nodes=0", "mtdf@nodes=1.5", "mtdf@time=soon", "mtdf@time=-1", "mtdf@nodes=1,nodes=2"]
)
def test_a_budget_that_cannot_be_read_is_refused(name: str) -> None:
    with pytest.raises(UsageError) as refused:
        make_agent(name)
    assert refused.value.hint


@pytest.mark.parametrize("name", ["depth4@nodes=10", "random@leaves=10", "proof@nodes=10", "mtdf@colour=3"])
def test_an_agent_that_cannot_count_refuses_a_count(name: str) -> None:
    with pytest.raises(UsageError):
        make_agent(name)


@pytest.mark.parametrize(
    ("budget", "limit", "expected"),
    [
        ("depth=3", Limit(5, 0.2), Limit(5, 0.2, depth=3)),
        ("depth=3", Limit(5, 0.2, depth=2), Limit(5, 0.2, depth=2)),
        ("time=0.1", Limit(5, 0.2), Limit(0.1, 0.1)),
        ("time=9", Limit(5, 0.2), Limit(5, 5)),
        ("nodes=100", Limit(5, 0.2, nodes=50), Limit(5, 5, nodes=50)),
        ("leaves=100,time=1", Limit(5, 0.2), Limit(1, 1, leaves=100)),
    ],
)
def test_the_smaller_limit_counts(budget: str, limit: Limit, expected: Limit) -> None:
    """A count alone leaves the whole time to the search, so that equal counts search equal trees."""
    agent, own = Noting(), split_budget(f"noting@{budget}")[1]
    assert own is not None
    Budgeted("noting", agent, own).choose(Board(), limit)
    assert agent.limit == expected


COUNTING = ["mtdf", "alphabeta", "tommy-ab:42", "tommy-mtdf:9", "vds:9", "halim:42", "kang-h1:42", "kang-h2:42"]


@pytest.mark.parametrize("name", [*COUNTING, "kang-sample:42", "edap01:42", "edap01-intended:42", "rmarcus:9"])
def test_no_search_exceeds_its_count_and_equal_counts_choose_alike(name: str) -> None:
    for board in BOARDS:
        for budget in ("nodes=800", "leaves=300"):
            one, other = (make_agent(f"{name}@{budget}", seed=1).choose(board, UNLIMITED) for _ in range(2))
            assert one.column in board.legal_columns() and one.column == other.column
            assert one.nodes is not None and one.nodes == other.nodes and one.leaves is not None
            count, most = (one.nodes, 800) if budget.startswith("nodes") else (one.leaves, 300)
            assert 0 < count <= most


@pytest.mark.parametrize("name", ["mtdf", "alphabeta", "tommy-ab:42", "kang-h2:42"])
def test_a_larger_count_searches_deeper(name: str) -> None:
    depths = [make_agent(f"{name}@nodes={nodes}").choose(Board(), UNLIMITED).depth for nodes in (100, 3000, 100_000)]
    assert None not in depths and depths == sorted(set(depths)), depths  # type: ignore[type-var]


def test_perfect_searches_within_its_count_off_the_book() -> None:
    board = Board.from_moves("4443265147")
    decision = make_agent("perfect@nodes=500").choose(board, UNLIMITED)
    assert decision.source == "search" and decision.nodes is not None and decision.nodes <= 500
