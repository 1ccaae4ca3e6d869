"""What the proof promises: a first player who wins every game by it, and a file that anybody can check.

The tests stand in the order in which a reader meets the proof: its claims, its file, playing by it, and explaining it.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from hashlib import sha256
from unittest.mock import Mock

import pytest

from bot.agents.catalogue import make_agent
from bot.cli.app import run
from bot.engine.agent import Decision, Limit, StopFlag
from bot.errors import ExitCode, UsageError
from bot.game import Board, parse_moves
from bot.proof.check import claims_of
from bot.proof.explain import explain, proof_json
from bot.proof.player import SHIPPED, ProofPlayer
from tests.positions import FIRST_WON

FOLDER = SHIPPED.parents[1]
OUTSIDE = "No claim of the proof covers this position. Start again, or take a move back."


def test_the_readme_has_the_figures_of_the_shipped_proof():
    text = (FOLDER / "README.md").read_text()
    for _, _, _, entries, _ in claims_of(SHIPPED.read_bytes()):
        leaves = [entry for entry in entries if entry >= 7]
        figures = (len(entries), len(entries) - len(leaves), len(leaves), len({(entry - 7) // 2 for entry in leaves}))
        assert f"| {' | '.join(f'{figure:,}' for figure in figures)} |" in text
    assert f"{SHIPPED.stat().st_size:,} bytes" in text and sha256(SHIPPED.read_bytes()).hexdigest() in text


def test_the_checker_is_short_and_needs_the_standard_library_only():
    lines = (FOLDER / "check.py").read_text().splitlines()
    assert len(lines) <= 140
    imports = [line.split()[1] for line in lines if line.startswith(("import ", "from "))]
    assert {module.partition(".")[0] for module in imports} <= sys.stdlib_module_names


def play(opponent: Callable[[Board], int]) -> Board:
    """Return the end of a game that the agent `proof` begins."""
    agent, board = make_agent("proof"), Board()
    while not board.is_over:
        if board.ply % 2:
            board = board.play(opponent(board))
        else:
            decision = agent.choose(board, Limit())
            assert (decision.nodes, decision.source) == (0, "proof")
            board = board.play(decision.column)
    return board


def test_the_agent_wins_as_first_player_without_a_search():
    rng, engine = random.Random(1), make_agent("depth8", seed=1)
    for _ in range(20):
        assert play(lambda board: rng.choice(board.legal_columns())).winner == 1
    assert play(lambda board: engine.choose(board, Limit()).column).winner == 1


@pytest.mark.parametrize("moves", ["4", "12", "444433", "4441414"])
def test_positions_outside_the_proof_are_rejected_unless_another_agent_plays_there(moves):
    """After the centre opening; after moves that the proof would not have played."""
    board = Board.from_moves(moves)
    assert explain(parse_moves(moves)) is explain(parse_moves(FIRST_WON)) is None
    with pytest.raises(ValueError, match="over"):
        make_agent("proof").choose(Board.from_moves(FIRST_WON), Limit())
    with pytest.raises(UsageError, match="does not cover") as rejected:
        make_agent("proof").choose(board, Limit())
    assert "proof+perfect" in rejected.value.hint
    agent = make_agent("proof+perfect")
    agent.warm_up()
    assert agent.choose(board, Limit()).source in ("book", "forced")
    assert agent.choose(Board(), Limit()).source == "proof"
    other, stop = Mock(choose=Mock(return_value=Decision(0))), StopFlag()
    ProofPlayer(other).choose(board, Limit(), stop)
    assert other.choose.call_args.args == (board, Limit(), stop)


def test_the_page_learns_whose_turn_it_is_and_what_the_proof_answers():
    rng = random.Random(1)
    columns: tuple[int, ...] = ()
    reply = {"answer": 3}
    while (place := proof_json(columns))["turn"] != "over":
        if place["turn"] == "proof":
            assert place["move"]["wins"] and place["move"]["column"] == reply["answer"]
            columns = (*columns, place["move"]["column"])
        else:
            assert place["turn"] == "opponent" and place["move"]["column"] == columns[-1]
            board = Board.from_moves(columns)
            ends = [(each, board.play(each).is_over) for each in board.legal_columns()]
            assert [(each["column"], each["ends"]) for each in place["replies"]] == ends
            reply = rng.choice(place["replies"])
            columns = (*columns, reply["column"])
    assert Board.from_moves(columns).winner == 1
    mirrored = proof_json(parse_moves("4444445"))
    assert (mirrored["turn"], mirrored["move"]) == ("opponent", None), "the proof plays column 3 here"
    assert proof_json(parse_moves("443")) == {"turn": "outside", "move": None, "replies": []}


def test_the_command_explains_a_branch_a_diagram_and_what_lies_outside(capsys):
    def said(moves: str, *options: str) -> str:
        assert run(["proof", "explain", moves, *options]) == ExitCode.DONE
        return capsys.readouterr().out

    before, after = said(""), said("4")
    assert "Column 4 wins, whatever you play: the proof has an answer to each reply." in before
    assert "The proof has just moved. It said:\nColumn 4 wins" in after
    assert before.partition("reply  answer")[2] == after.partition("reply  answer")[2] != ""
    assert "From here a fixed order of the cells wins without looking ahead." in said("43667555344666")
    assert said("443").endswith(f"\n\n{OUTSIDE}\n")
    read = json.loads(said("", "--json"))
    assert (read["turn"], read["move"]["column"]) == ("proof", 4), "programs read columns from one"
