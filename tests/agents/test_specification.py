"""What the agents' room promises: everything that can choose a move, by one name, with one method.

Read from the top: names, moves, limits, games, the agents of publications, and programs from outside the package. The
tables of what is refused are in `test_names.py`; the publications themselves in `papers/`, and what programs from
outside may do badly in `external/`.
"""

from __future__ import annotations

import io

import pytest

from bot.agents.catalogue import agent_names, dependable_agent, make_agent, may_randomise
from bot.agents.external.host import answer
from bot.agents.games import play_game, ready_agent
from bot.engine.agent import NO_LIMIT_S, Limit, StopFlag
from bot.game import Board, PlayedGame
from tests.agents.external.programs import FAILURES, Fails, ended, program, readme_block

UNLIMITED = Limit(hard_s=NO_LIMIT_S)
LISTED = [
    name.replace("COLUMNS", "44a").replace("DEPTH", "2").replace("PLAYOUTS", "20").replace("LEVEL", "3")
    for name in agent_names()
]


@pytest.mark.parametrize("name", LISTED)
def test_every_listed_name_makes_the_agent_of_that_name_which_moves_in_no_finished_game(name):
    agent = make_agent(name)
    assert agent.name == name
    with pytest.raises(ValueError, match="over"):
        agent.choose(Board.from_moves("1212121"), UNLIMITED)


def test_a_limit_or_a_budget_after_the_name_bounds_the_search():
    found = make_agent("tommy-ab:9").choose(Board(), Limit(depth=2))
    assert (found.depth, found.pv, found.source, found.passes) == (2, (found.column,), "search", None)
    assert make_agent("tommy-ab:30@nodes=500").choose(Board(), UNLIMITED).nodes == 500
    assert make_agent("tommy-ab:30@depth=3").choose(Board(), UNLIMITED).depth == 3


def test_equal_seeds_play_equal_games():
    games = [
        play_game(make_agent("random", seed=seed), make_agent("uct:20", seed=seed), [3]).moves for seed in (1, 1, 2)
    ]
    assert games[0] == games[1] != games[2]


def test_what_may_choose_at_random_is_known_by_the_name_and_of_a_program_from_outside_nobody_knows():
    for name in ("perfect", "depth3", "level:2", "halim:2", "mine.py:Mine@time=1", "command:./mine"):
        assert may_randomise(name), name
    for name in ("proof", "proof+perfect", "scripted:4", "tommy-ab:2", "rmarcus:3"):
        assert not may_randomise(name), name


def test_a_game_is_played_from_an_opening_to_its_end_and_can_be_kept_as_json():
    played = play_game(make_agent("scripted:4444"), make_agent("scripted:5555"), opening=[3, 4, 3])
    assert played.moves == (3, 4) * 3 + (3,)
    assert (played.result, played.opening, len(played.of_moves["seconds"]), played.ended) == (1.0, 3, 4, "")
    assert PlayedGame.from_json(played.as_json()) == played


def test_a_class_in_a_file_is_an_agent(tmp_path):
    """The class of the README takes a win, prevents one, and otherwise plays near the middle."""
    (tmp_path / "mine.py").write_text(readme_block("python"))
    with ended():
        agent = ready_agent(f"{tmp_path / 'mine.py'}:Careful")
        columns = [agent.choose(Board.from_moves(moves), UNLIMITED).column for moves in ("", "717271", "71727")]
        assert columns == [3, 6, 6]


def test_any_agent_answers_requests_in_lines():
    """A request that cannot be answered gets an error line, and the next one is answered."""
    lines = ["c4agent 1", "", "dance", "new x", "new 4", "move 4x", "move - depth=2", "quit", "move 1"]
    out = io.StringIO()
    answer(lambda seed: make_agent("scripted:4", seed=seed), "tester", lines, out)
    replies = out.getvalue().splitlines()
    assert [reply.split()[0] for reply in replies] == ["c4agent", "error", "error", "ready", "error", "move"]
    assert (replies[0], replies[-1]) == ("c4agent 1 tester", "move 4")


@pytest.mark.parametrize(("found", "reason"), FAILURES)
def test_an_agent_forfeits_its_game_however_it_fails(found, reason):
    played = play_game(Fails(found), make_agent("random"), opening=[3] * 6)
    assert (played.result, len(played.moves)) == (0.0, 6) and played.ended.startswith(reason)


def test_the_proof_forfeits_games_outside_its_plan_and_an_interrupt_is_no_failure():
    played = play_game(make_agent("random"), make_agent("proof"), opening=[3])
    assert (played.result, played.moves) == (1.0, (3,))
    assert played.ended.startswith("proof failed: The proof does not cover this position")
    stop = StopFlag()
    stop.set()
    for error, stopped in ((KeyboardInterrupt(), None), (SystemExit(), None), (RuntimeError(), stop)):
        with pytest.raises(type(error)):
            play_game(Fails(error), make_agent("random"), stop=stopped)


def test_a_program_that_fails_forfeits_its_game_unless_a_substitute_moves_for_it(tmp_path):
    name = program(tmp_path, bad="reply = 'error no idea'")
    with ended():
        played = play_game(make_agent(name), make_agent("scripted:77"))
        assert (played.result, played.ended) == (0.0, f"{name} failed: no idea.")
        agent = dependable_agent(name)
        notes = [agent.choose(Board(), Limit(hard_s=60.0)).note for _ in range(4)]
        assert [bool(note) for note in notes] == [False, False, True, False], "the program is started anew"
        assert notes[2] == f"{name} failed: no idea. perfect chose this move."
