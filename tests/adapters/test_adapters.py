"""The integrations, each in its own environment: 20 games without a loss, and clear refusals."""

from __future__ import annotations

import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from bot.adapters import shared_engine, warm_up
from bot.adapters.course import student_move
from bot.adapters.kaggle import agent
from bot.adapters.pettingzoo import policy
from bot.engine.agent import Limit
from bot.errors import UsageError
from bot.game import Board
from tests.adapters.course_env import ConnectFourEnv, opponents_move

GAMES = 20
NO_KAGGLE = "kaggle-environments is not installed (pip install '.[kaggle]': 1.6 GB)"


@pytest.fixture(scope="module", autouse=True)
def ready() -> None:
    warm_up()


@pytest.fixture(autouse=True)
def no_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_engine, "THINK_S", 0.05)


def serialised(board: Board, mark: int) -> list[int]:
    """Return the position as Kaggle's observation; the side to move is ``mark``."""
    codes = {0: 0, 1: mark, -1: 3 - mark}
    return [codes[cell] for row in board.to_grid() for cell in row]


# The course's environment.


@pytest.mark.parametrize("we_start", [True, False])
def test_the_courses_environment_is_never_lost(we_start: bool) -> None:
    chance = random.Random(17 + we_start)
    for number in range(GAMES // 2):
        env = ConnectFourEnv()
        done, reward = False, 0.0
        if not we_start:
            opponents_move(env, chance)
        while not done:
            _, reward, done, _ = env.step(student_move(env if number % 2 else env.board))
            if not done:
                _, reward, done, _ = opponents_move(env, chance)
        assert reward > 0


def test_an_array_of_any_number_type_and_plain_lists_mean_the_same() -> None:
    grid = Board.from_moves([3, 3, 2, 2]).to_grid()
    expected = student_move(grid)
    assert expected in (1, 4), "three in a row with both ends open win"
    for kind in (np.int8, np.int64, np.float64):
        assert student_move(np.array(grid, dtype=kind)) == expected


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (np.zeros((7, 6)), "6 rows of 7"),
        (np.zeros(42), "6 rows of 7"),
        (np.zeros((6, 7)) + 0.5, "contains"),
        (np.vstack([np.eye(1, 7), np.zeros((5, 7))]), "floats"),
        (Board.from_moves([3]).to_grid(-1), "counts"),
        (Board.from_moves([0, 1] * 3 + [0]).to_grid(), "over"),
        (None, "6 rows of 7"),
    ],
)
def test_the_course_integration_refuses_what_is_no_position_on_our_turn(rows: Any, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        student_move(rows)


# PettingZoo.


def test_pettingzoos_random_player_never_wins() -> None:
    connect_four_v3 = pytest.importorskip("pettingzoo.classic.connect_four_v3", reason="pettingzoo is not installed")
    chance = random.Random(5)
    for number in range(GAMES):
        env = connect_four_v3.env()
        env.reset(seed=number)
        us, rewards = f"player_{number % 2}", {}
        for name in env.agent_iter():
            observation, reward, termination, truncation, _ = env.last()
            rewards[name] = reward
            over = termination or truncation
            legal = np.flatnonzero(observation["action_mask"])
            env.step(None if over else policy(observation) if name == us else int(chance.choice(legal)))
        assert rewards[us] >= 0, f"game {number}"


def observed(board: Board) -> dict[str, Any]:
    grid = np.array(board.to_grid())
    mask = np.array([board.can_play(column) for column in range(7)], dtype=np.int8)
    return {"observation": np.stack([grid == 1, grid == -1], axis=2).astype(np.int8), "action_mask": mask}


def test_the_policy_sees_its_own_discs_in_plane_0() -> None:
    board = Board.from_moves([3, 0, 3, 0, 3])
    assert policy(observed(board)) == 3, "blocks"
    assert policy(observed(board.play(6))) == 3, "wins"


def test_the_policy_refuses_what_it_cannot_play() -> None:
    whole = observed(Board.from_moves([3]))
    with pytest.raises(UsageError, match="mask allows no action"):
        policy({**whole, "action_mask": np.zeros(7, dtype=np.int8)})
    with pytest.raises(UsageError, match="shape"):
        policy({"observation": np.zeros((8, 8, 2))})
    both = whole["observation"].copy()
    both[5, 3] = 1
    with pytest.raises(UsageError, match="both players"):
        policy({"observation": both})
    with pytest.raises(UsageError, match="forbids"):
        policy({**observed(Board.from_moves([3, 0, 3, 0, 3])), "action_mask": np.array([1, 1, 1, 0, 1, 1, 1])})


# Kaggle.

CONFIGURATION = {"rows": 6, "columns": 7, "inarow": 4, "actTimeout": 2, "timeout": 2}


@pytest.mark.parametrize("opponent", ["random", "negamax"])
def test_kaggles_own_agents_never_win(opponent: str) -> None:
    kaggle = pytest.importorskip("kaggle_environments", reason=NO_KAGGLE)
    random.seed(1)
    for number in range(GAMES):
        env = kaggle.make("connectx")
        ours = number % 2
        env.run([agent, opponent] if ours == 0 else [opponent, agent])
        assert env.state[ours].status == "DONE", env.state[ours].status
        assert env.state[ours].reward >= 0, f"game {number}: {env.state[0].observation.board}"


def test_a_submission_file_of_one_line_plays(tmp_path: Path) -> None:
    kaggle = pytest.importorskip("kaggle_environments", reason=NO_KAGGLE)
    main = tmp_path / "main.py"
    main.write_text("from bot.adapters.kaggle import agent\n")
    env = kaggle.make("connectx")
    env.run([str(main), "random"])
    assert env.state[0].reward == 1


def kaggle_game(opponent: Any, ours: int) -> int:
    """Play a game by ConnectX's rules; return 1 won, 0 drawn, -1 lost for us as player ``ours``."""
    board = Board()
    while not board.is_over:
        mark = board.ply % 2 + 1
        observation = {"board": serialised(board, mark), "mark": mark, "remainingOverageTime": 60, "step": board.ply}
        column = agent(observation, CONFIGURATION) if mark == ours else opponent(observation)
        board = board.play(column)
    if not board.has_winner:
        return 0
    return 1 if (board.ply - 1) % 2 + 1 == ours else -1


def test_a_stand_in_for_kaggle_is_never_lost_to() -> None:
    chance = random.Random(11)

    def at_random(observation: dict[str, Any]) -> int:
        return chance.choice([column for column in range(7) if observation["board"][column] == 0])

    results = [kaggle_game(at_random, 1 + number % 2) for number in range(GAMES)]
    assert min(results) >= 0, results


class Keys:
    """Has keys only, and no `get`."""

    def __init__(self, **fields: Any) -> None:
        self._fields = fields

    def __getitem__(self, name: str) -> Any:
        return self._fields[name]


@pytest.mark.parametrize("kind", [dict, SimpleNamespace, Keys])
@pytest.mark.parametrize("mark", [1, 2])
def test_both_marks_and_all_ways_to_read_fields_mean_the_same(mark: int, kind: Any) -> None:
    board = Board.from_moves([3, 0, 3, 0, 3, 6, 2][: 5 + mark - 1])
    asked = kind(board=serialised(board, board.ply % 2 + 1), mark=board.ply % 2 + 1)
    assert agent(asked, kind(**CONFIGURATION)) == agent(asked, kind()) == 3


@pytest.mark.parametrize(
    ("configuration", "said"),
    [({"rows": 7}, "7 x 7"), ({"columns": 8}, "6 x 8"), ({"inarow": 5}, "not 5")],
)
def test_another_game_than_connect_four_is_refused(configuration: dict[str, int], said: str) -> None:
    rows, columns = configuration.get("rows", 6), configuration.get("columns", 7)
    with pytest.raises(UsageError, match=said):
        agent({"board": [0] * (rows * columns), "mark": 1}, {**CONFIGURATION, **configuration})


@pytest.mark.parametrize(
    ("observation", "said"),
    [
        ({"board": [0] * 42, "mark": 3}, "neither 1 nor 2"),
        ({"board": [0] * 42, "mark": 2}, "counts|turn"),
        ({"board": [0] * 41 + [1], "mark": 1}, "counts|turn"),
        ({"board": [0] * 40, "mark": 1}, "40 cells"),
        ({"board": [0] * 41 + [5], "mark": 1}, "other than 0, 1 and 2"),
        ({"mark": 1}, "0 cells"),
    ],
)
def test_impossible_observations_are_refused(observation: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        agent(observation, CONFIGURATION)


def test_the_time_limit_comes_from_the_configuration(monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[Limit] = []

    class Spy:
        def is_ready(self, board: Board) -> bool:
            return board.ply < 8

        def choose(self, board: Board, limit: Limit) -> Any:
            limits.append(limit)
            return SimpleNamespace(column=board.legal_columns()[0])

    monkeypatch.setattr(shared_engine, "_engine", Spy)
    observation = {"board": [0] * 42, "mark": 1}
    for seconds in (2, 8, 0.1, "soon", None):
        agent(observation, {**CONFIGURATION, "actTimeout": seconds})
    agent(observation, {})
    shown = [round(limit.hard_s, 1) for limit in limits]
    assert shown == [1.7, 7.7, 0.2, 1.7, 1.7, 1.7]
    assert all(limit.think_s <= limit.hard_s for limit in limits)
