"""Every fault of a game is met, equal states are followed once, and violations are found where there are some."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.course.protocol import MoveReply
from bot.course.session.events import Failed, Send, Stop
from bot.trials.simulation.campaign import answers_of
from bot.trials.simulation.chooser import live_chooser
from bot.trials.simulation.faults import VIRTUAL
from bot.trials.simulation.opponents.open_half import BOTS
from bot.trials.simulation.server import FinishedGame, ServerRules, ServerState
from tests.course.session.branching import Branch, Brancher, Node
from tests.course.session.exhaustive import Explorer, FrozenChooser, explore

GAMES = 2


def brancher(rules: ServerRules) -> Brancher:
    """Return a brancher for two games."""
    chooser = FrozenChooser(live_chooser())
    return Brancher(rules, GAMES, chooser, chooser.could_be_avoided)


@pytest.fixture
def rules() -> ServerRules:
    """A server whose bot answers at random, repeatably."""
    return ServerRules(answers_of("random"), seed=5, starter="student")


def faultless(found: Brancher, faults: int) -> list[Node]:
    """Return the nodes of the line without faults."""
    nodes = [found.root(faults)]
    while not isinstance(nodes[-1].command, Stop):
        nodes.append(next(found.branches(nodes[-1])).node)
    return nodes


def test_the_line_without_faults_plays_all_games(rules: ServerRules) -> None:
    """Each game is opened once and every end recorded."""
    nodes = faultless(brancher(rules), 0)
    assert nodes[-1].ends == nodes[-1].server.state.opened == GAMES
    assert sum(node.command == Send(-1) for node in nodes) == GAMES


def test_every_kind_of_fault_meets_every_request(rules: ServerRules) -> None:
    """And a kill comes after each record, with a request on its way processed or not."""
    found = brancher(rules)
    node = next(node for node in faultless(found, 1) if isinstance(node.command, Send))
    branches = list(found.branches(node))
    names = [branch.faults for branch in branches]
    assert names[0] == ()
    assert {(kind,) for kind in VIRTUAL.kinds} <= set(names)
    assert ("kill after sent",) in names
    assert ("kill after sent, request processed",) in names
    assert ("kill after reply",) in names
    assert all(branch.node.faults == 1 - len(branch.faults) for branch in branches)
    processed = {branch.faults: branch.node.server.state.opened for branch in branches}
    assert processed[("kill after sent",)] == 0
    assert processed[("kill after sent, request processed",)] == 1


def test_a_node_without_faults_left_has_one_branch(rules: ServerRules) -> None:
    """The budget of faults is kept."""
    found = brancher(rules)
    assert [len(list(found.branches(node))) for node in faultless(found, 0)[:-1]] == [1] * (
        len(faultless(found, 0)) - 1
    )


def check(explorer: Explorer) -> None:
    """Assert that no case was wrong, and print the numbers of cases and states (`pytest -s`)."""
    print(explorer.cases, len(explorer.states), "states;", explorer.guesses, "wrong inferences, recorded as such")
    assert explorer.wrong == {}, explorer.examples


def test_one_fault_in_two_games_breaks_nothing() -> None:
    """No forfeit, no invented result, no avoidable illegal move; every run ends as finished."""
    for first in range(GAMES):
        explorer = explore("o-copycat", GAMES, first, max_faults=1)
        check(explorer)
        assert explorer.stops.keys() == {"finished"}
        assert explorer.cases[0] == 1
        assert explorer.cases[1] > 50
        assert len(explorer.states) < explorer.commands


class ForgetfulRules:
    """A server that forfeits the running game at every move: the explorer must notice."""

    def __init__(self, rules: ServerRules) -> None:
        self._rules = rules

    def move(self, state: ServerState, column: int) -> tuple[ServerState, MoveReply, FinishedGame | None]:
        """Return a reply, and a forfeit after the fifth disc."""
        after, reply, finished = self._rules.move(state, column)
        if after.game is not None and after.game.board.ply > 5:
            return replace(after, game=None), reply, FinishedGame(-1.0, (), True, "forfeit")
        return after, reply, finished


def test_a_forfeit_is_found(rules: ServerRules) -> None:
    """A forfeit counts as the client's unless the network has sent a -1 twice."""
    explorer = Explorer(brancher(ForgetfulRules(rules)), 0)  # type: ignore[arg-type]
    explorer.follow(explorer.brancher.root(0))
    assert explorer.wrong["forfeit"] > 0


def test_a_doubled_opening_is_not_the_clients_forfeit(rules: ServerRules) -> None:
    """The network sends -1 twice: the first game is lost, and the client could not avoid it."""
    found = brancher(rules)
    node = next(node for node in faultless(found, 1) if node.command == Send(-1))
    branch = next(branch for branch in found.branches(node) if branch.faults == ("duplicate",))
    assert branch.node.server.state.stats.lost == 1
    assert branch.wrong == ()


def test_an_exception_is_a_violation(rules: ServerRules) -> None:
    """A session that raises would end the player's run."""

    def raising(*_: object) -> Failed:
        raise ValueError("no column")

    found = brancher(rules)
    found.choose = raising  # type: ignore[assignment]
    explorer = Explorer(found, 0)
    explorer.follow(found.root(0))
    assert explorer.wrong == {"ValueError: no column": 1}


def test_equal_pasts_have_equal_keys(rules: ServerRules) -> None:
    """A request that was not sent leads back to the line without faults, with one fault less."""
    found = brancher(rules)
    node = next(node for node in faultless(found, 1) if isinstance(node.command, Send) and node.command.move >= 0)
    keys = [branch_end(found, branch).key() for branch in found.branches(node) if branch.faults == ("refuse",)]
    usual = next(found.branches(replace(node, faults=0))).node
    assert len(keys) == 1
    assert branch_end(found, Branch((), usual)).key() in keys


def branch_end(found: Brancher, branch: Branch) -> Node:
    """Return the node at which the next game's opening is sent."""
    node = branch.node
    while node.command != Send(-1):
        node = next(found.branches(node)).node
    return node


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("first", range(GAMES))
@pytest.mark.parametrize("bot", [bot.name for bot in BOTS])
def test_two_faults_in_two_games_break_nothing(bot: str, first: int) -> None:
    """All pairs of faults, against every open bot."""
    explorer = explore(bot, GAMES, first, max_faults=2)
    check(explorer)
    assert explorer.cases[2] > 1000
