"""Games, matches and tournaments of agents: results, seeds, intervals, ratings, and the processes they run in."""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.agents.games import Played, play_game, ready_agent
from bot.cli.app import run
from bot.engine.agent import Decision, Limit, Stop
from bot.errors import ExitCode
from bot.game import Board
from bot.lab.arena.games import Pairing, match_pairings, play_pairing
from bot.lab.arena.match import match_result
from bot.lab.arena.statistics import elo_difference, rate, share, tally, wilson
from bot.lab.arena.tournament import tabulate, tournament_pairings
from bot.lab.arena.workers import run_tasks
from bot.lab.positions import random_opening
from bot.lab.store import load
from tests.processes import processor_s, running, running_bot


class Stacker:
    """Always plays its own column, or the leftmost that has room."""

    def __init__(self, column: int) -> None:
        self.name = f"column {column}"
        self._column = column

    def choose(self, board: Board, limit: Limit, stop: Stop | None = None) -> Decision:  # noqa: ARG002
        legal = board.legal_columns()
        column = self._column if self._column in legal else legal[0]
        return Decision(column, nodes=board.ply, seconds=1.0)


def test_a_game_is_the_first_players_to_win() -> None:
    played = play_game(Stacker(0), Stacker(6))
    assert (played.moves, played.result) == ((0, 6, 0, 6, 0, 6, 0), 1.0)
    assert played.of_player(0, played.nodes) == [0, 2, 4, 6]
    assert played.of_player(1, played.nodes) == [1, 3, 5]
    assert played.of_player(1, played.leaves) == []


def test_an_opening_determines_who_moves_next() -> None:
    played = play_game(Stacker(0), Stacker(6), [6, 0, 6])
    assert played.moves[:4] == (6, 0, 6, 6), "the second player made ply 1, so it makes ply 3"
    assert played.opening == 3
    assert len(played.seconds) == len(played.moves) - 3
    assert played.result == 0.0


@given(st.integers(0, 1000), st.integers(0, 41))
def test_an_opening_does_not_end_the_game_and_is_reproducible(seed: int, plies: int) -> None:
    opening = random_opening(plies, seed)
    board = Board.from_moves(opening)
    assert not board.is_over
    assert opening == random_opening(plies, seed)
    assert len(opening) == plies or all(board.play(column).is_over for column in board.legal_columns())


def test_a_match_gives_both_the_same_openings_and_starts() -> None:
    pairings = match_pairings("tommy-ab:2", "kang-h2:2", 6, seed=4, random_plies=5)
    assert [pairing.first for pairing in pairings] == ["tommy-ab:2", "kang-h2:2"] * 3
    assert all(pairings[n].opening == pairings[n + 1].opening for n in (0, 2, 4))
    assert len({pairing.opening for pairing in pairings}) == 3


def test_equal_pairings_play_equal_games_in_any_process() -> None:
    pairings = match_pairings("kang-h1:2,random=2", "random", 4, seed=1, random_plies=2)
    here = [play_pairing(pairing).moves for pairing in pairings]
    there = dict(run_tasks(play_pairing, pairings, workers=2))
    assert [there[pairing].moves for pairing in pairings] == here
    assert len(set(here)) > 2


def test_results_are_counted_by_starting_player() -> None:
    pairings = [Pairing("a", "b"), Pairing("b", "a"), Pairing("a", "b"), Pairing("b", "a")]
    games = [play_game(Stacker(0), Stacker(6)) for _ in pairings]
    summary = match_result("a", "b", list(zip(pairings, games, strict=True)))
    assert summary["started"] == tally([1, 1], [1]) and summary["replied"] == tally([0, 0], [0])
    assert (summary["total"], summary["different_games"]) == (tally([1, 0, 1, 0], [1, 0]), 2)
    assert summary["elo"]["difference"] == 0.0
    assert summary["started"]["won_interval"][1] == 1.0
    assert summary["move_s"]["first"] == summary["move_s"]["second"] == {"mean": 1.0, "median": 1.0, "max": 1.0}


def test_an_agent_against_itself_starts_every_other_game() -> None:
    games = [(Pairing("a", "a", seed), play_game(Stacker(0), Stacker(6))) for seed in range(3)]
    result = match_result("a", "a", games)
    assert (result["started"], result["replied"]) == (tally([1, 1], [1]), tally([0]))


def test_a_game_survives_json() -> None:
    for pairing in (Pairing("halim:2", "random", 1, (3, 3)), Pairing("tommy-mtdf:3", "depth2", 2)):
        played = play_pairing(pairing)
        assert Played.from_json(json.loads(json.dumps({"key": "0", **played.as_json()}))) == played


def test_elo_and_intervals_of_a_match_by_hand() -> None:
    """14 won, 2 drawn, 4 lost of 20: s = 0.75, z = 1.959964, z^2 = 3.841459.

    Middle (0.75 + 3.841459 / 40) / (1 + 3.841459 / 20) = 0.846036 / 1.192073 = 0.709719; half
    1.959964 sqrt(0.75 0.25 / 20 + 3.841459 / 1600) / 1.192073 = 1.959964 0.108517 / 1.192073 = 0.178420.
    Elo 400 log10(s / (1 - s)): 400 log10(3) = 190.85; 400 log10(1.133556) = 21.78; 400 log10(7.93967) = 359.92.
    """
    record = tally([1.0] * 14 + [0.5] * 2 + [0.0] * 4)
    assert (record["won"], record["drawn"], record["lost"], record["score"]) == (14, 2, 4, 0.75)
    low, high = record["score_interval"]
    assert (round(low, 4), round(high, 4)) == (0.5313, 0.8881)
    elos = [elo_difference(score) for score in (0.75, low, high)]
    assert [None if elo is None else round(elo, 1) for elo in elos] == [190.8, 21.8, 359.9]


def test_wilsons_interval() -> None:
    low, high = wilson(50, 100)
    assert (round(low, 4), round(high, 4)) == (0.4038, 0.5962)
    assert (round(wilson(0, 20)[1], 4), wilson(20, 20)[1]) == (0.1611, 1.0)
    assert wilson(0, 0) == (0.0, 1.0)
    half, nothing = share(50, 100), share(0, 0)
    assert (half.value, half.low, half.high, half.size) == (0.5, low, high, 100)
    assert (nothing.value, nothing.low, nothing.high, nothing.size) == (0.0, 0.0, 1.0, 0)
    assert all(wilson(games, games)[1] == 1.0 and wilson(0, games)[0] == 0.0 for games in range(1, 200))


def test_elo_differences() -> None:
    assert elo_difference(0.5) == 0.0
    assert elo_difference(10 / 11) == pytest.approx(400.0)
    assert elo_difference(1.0) is None and elo_difference(0.0) is None


def test_ratings_find_the_strengths_that_made_the_points() -> None:
    elos = np.array([200.0, 50.0, -50.0, -200.0])
    games = 100_000.0 * (1 - np.eye(4))
    points = games / (1 + 10 ** ((elos[None, :] - elos[:, None]) / 400))
    ratings = rate(points, games)
    assert [rating.elo for rating in ratings] == pytest.approx(list(elos), abs=1.0)
    assert all(0 < rating.error < 2 for rating in ratings)
    few = rate(points / 1000, games / 1000)
    assert few[0].error == pytest.approx(ratings[0].error * math.sqrt(1000), rel=0.1)


def test_ratings_add_up_to_0_and_fit_where_the_strengths_are_far_apart() -> None:
    """At the maximum of the likelihood, every agent's expected points are its points (with half a point a pair)."""
    points = np.array([[0.0, 400.0, 400.0], [0.0, 0.0, 400.0], [0.0, 0.0, 0.0]])
    games = 400.0 * (1 - np.eye(3))
    elos = np.array([rating.elo for rating in rate(points, games)])
    expected = ((games + 1) / (1 + 10 ** ((elos[None, :] - elos[:, None]) / 400)) * (1 - np.eye(3))).sum(axis=1)
    assert elos.sum() == pytest.approx(0.0, abs=1e-6)
    assert expected == pytest.approx(points.sum(axis=1) + 1.0, rel=1e-6)


def test_ratings_stay_finite_without_a_loss() -> None:
    ratings = rate(np.array([[0.0, 10.0], [0.0, 0.0]]), np.array([[0.0, 10.0], [10.0, 0.0]]))
    assert 0 < ratings[0].elo < 1000
    assert ratings[0].elo == pytest.approx(-ratings[1].elo)


def test_two_agents_rating_by_hand() -> None:
    """75 of 100 and the prior's half point of 1: p = 75.5/101; 400 log10(p/(1-p)); error z 400/ln 10 / sqrt(n p q)."""
    ratings = rate(np.array([[0.0, 75.0], [25.0, 0.0]]), np.array([[0.0, 100.0], [100.0, 0.0]]))
    share = 75.5 / 101
    difference = 400 * math.log10(share / (1 - share))
    assert ratings[0].elo == pytest.approx(difference / 2)
    spread = 1.959964 * 400 / math.log(10) / math.sqrt(101 * share * (1 - share))
    assert ratings[0].error == pytest.approx(spread / 2), "of the mean of both, half the error of the difference"


def test_a_tournament_adds_up() -> None:
    agents = ["tommy-ab:2", "kang-h2:1", "random"]
    pairings = tournament_pairings(agents, rounds=2, seed=3, random_plies=2)
    assert len(pairings) == 3 * 4
    table = tabulate(agents, [(pairing, play_pairing(pairing)) for pairing in pairings])
    found = table["agents"]
    assert sum(agent["score"] * agent["games"] for agent in found) == 12
    assert all(agent["games"] == agent["won"] + agent["drawn"] + agent["lost"] == 8 for agent in found)
    assert sum(agent["elo"] for agent in found) == pytest.approx(0.0)
    assert found[-1]["name"] == "random"
    cells = table["cross_table"]
    assert [[sum(cell.values()) if cell else 0 for cell in row] for row in cells] == [[0, 4, 4], [4, 0, 4], [4, 4, 0]]


def test_move_answers_a_vector_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["move", "tommy-mtdf:5", "4", "--json"]) == ExitCode.DONE
    answer = json.loads(capsys.readouterr().out)
    assert list(answer) == ["column", "value", "leaves", "nodes", "passes", "depth", "seconds"]
    assert (answer["column"], answer["value"], answer["leaves"], answer["passes"]) == (4, 5, 300, 3)
    run(["move", "random", "", "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert answer["value"] is answer["leaves"] is answer["passes"] is None


@pytest.mark.parametrize("arguments", [["tommy-ab:5", "1212121"], ["unknown", ""], ["tommy-ab:5", "8"]])
def test_move_rejects_with_one_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["move", *arguments]) == ExitCode.USAGE
    assert capsys.readouterr().err.count("\n") == 1


def test_match_and_tournament_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["match", "tommy-ab:3", "random", "--games", "6", "--seed", "2", "--json"]) == ExitCode.DONE
    summary = json.loads(capsys.readouterr().out)
    assert summary["games"] == 6 and summary["total"]["won"] >= 4
    assert run(["match", "tommy-ab:3", "random", "--games", "2"]) == ExitCode.DONE
    assert "tommy-ab:3 started" in capsys.readouterr().out
    assert run(["tournament", "tommy-ab:3", "random", "--rounds", "1"]) == ExitCode.DONE
    assert "tommy-ab:3" in capsys.readouterr().out
    assert run(["tournament", "random", "random"]) == ExitCode.USAGE


def test_a_match_lists_every_game_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    run(["match", "tommy-ab:2", "kang-h2:2", "--games", "3", "--random-plies", "3", "--json"])
    summary = json.loads(capsys.readouterr().out)
    assert list(summary) == [
        *("agents", "games", "different_games", "total", "started", "replied", "pairs", "elo", "move_s", "each"),
        *("sprt", "seed", "random_plies"),
    ]
    assert [game["started"] for game in summary["each"]] == ["tommy-ab:2", "kang-h2:2", "tommy-ab:2"]
    points = 0.0
    for game in summary["each"]:
        board = Board.from_moves(int(column) - 1 for column in game["moves"])
        assert board.is_over and game["given_plies"] == 3
        assert game["result"] == (0.5 if not board.has_winner else board.ply % 2)
        points += game["result"] if game["started"] == "tommy-ab:2" else 1 - game["result"]
    assert points == summary["total"]["score"] * 3


def test_an_infinite_elo_difference_is_shown_as_unbounded(capsys: pytest.CaptureFixture[str]) -> None:
    run(["match", "random", "tommy-ab:5", "--games", "2", "--random-plies", "0"])
    assert "Elo difference: unbounded below (unbounded below to " in capsys.readouterr().out


SILENT = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[str]:
    """Run a Dask scheduler and two worker processes on loopback; yield the scheduler's address."""
    file = tmp_path / "scheduler.json"
    options = ["--scheduler-file", str(file), "--no-dashboard", "--host", "127.0.0.1"]
    worker_options = ["--nthreads", "1", "--no-nanny", "--death-timeout", "60", "--local-directory", str(tmp_path)]
    commands = [["dask_scheduler", *options, "--port", "0"], *[["dask_worker", *options, *worker_options]] * 2]
    with ExitStack() as stack:
        processes = [
            stack.enter_context(running([sys.executable, "-m", f"distributed.cli.{module}", *arguments], **SILENT))
            for module, *arguments in commands
        ]
        while not (file.exists() and file.read_text().endswith("}")):
            assert processes[0].poll() is None, "the scheduler has ended"
            time.sleep(0.05)
        yield str(json.loads(file.read_text())["address"])


ON_THE_CLUSTER = """
import sys
from distributed import Client
from bot.cli.app import run

with Client(sys.argv[1]) as client:
    client.wait_for_workers(2)
sys.exit(run([*sys.argv[2:], "--scheduler", sys.argv[1]]))
"""


@pytest.mark.timeout(150)
@pytest.mark.slow
def test_a_cluster_of_two_workers_plays_the_same_tournament(scheduler: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The client runs in its own process, which leaves no thread of Dask behind and can be ended at its time limit."""
    command = ["tournament", "tommy-ab:2", "depth2", "random", "--seed", "5", "--json"]
    assert run(command) == ExitCode.DONE  # compiles what the workers then load
    here = capsys.readouterr().out
    client = [sys.executable, "-c", ON_THE_CLUSTER, scheduler, *command]
    there = subprocess.run(client, stdout=subprocess.PIPE, text=True, timeout=120, check=True).stdout
    assert json.loads(there)["cross_table"] == json.loads(here)["cross_table"]


LONG = ("match", "halim:7", "tommy-ab:7", "--random-plies", "4", "--games", "10000", "--workers", "2", "--record")
"""A match of hours; the file of its games follows."""


def wait_for_line(process: subprocess.Popen[str], path: Path, lines: int) -> None:
    while process.poll() is None and not (path.exists() and path.read_bytes().count(b"\n") >= lines):
        time.sleep(0.05)


def wait_until_gone(group: int) -> None:
    """Wait for the last process of a group; a worker that stays alive is ended by the test's time limit.

    Workers that have ended count until the system's first process has collected them: seconds, on a busy machine.
    """
    with pytest.raises(ProcessLookupError):
        while True:
            os.killpg(group, 0)
            time.sleep(0.05)


@pytest.mark.parametrize("whole_group", [True, False])
def test_ctrl_c_ends_a_run_with_all_its_workers_and_keeps_its_results(whole_group: bool, tmp_path: Path) -> None:
    results = tmp_path / "games.jsonl"
    with running_bot(*LONG, str(results), stderr=subprocess.PIPE) as process:  # in a group of its own, as in a terminal
        wait_for_line(process, results, 5)
        (os.killpg if whole_group else os.kill)(process.pid, signal.SIGINT)
        _, errors = process.communicate()
        assert process.returncode == ExitCode.INTERRUPTED
        assert "Traceback" not in errors
        wait_until_gone(process.pid)
    head = json.loads(results.read_text().splitlines()[0])
    assert len(load(results, head)) >= 4


def test_workers_end_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    results = tmp_path / "games.jsonl"
    with running_bot(*LONG, str(results), stderr=subprocess.PIPE) as process:
        wait_for_line(process, results, 3)
        process.kill()
        process.communicate()  # returns when the last worker has closed the pipe
        wait_until_gone(process.pid)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads the processor time of a process from /proc")
def test_ctrl_c_ends_a_search_that_would_take_years() -> None:
    with running_bot("move", "tommy-ab:40", "", stderr=subprocess.PIPE) as process:
        while process.poll() is None and processor_s(process.pid) < 3.0:  # it starts within 2 s, and then searches
            time.sleep(0.05)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        assert process.wait() == ExitCode.INTERRUPTED


def test_agents_of_all_rooms_are_made_ready_by_name() -> None:
    assert [ready_agent(name).name for name in ("vds:2", "random", "depth2")] == ["vds:2", "random", "depth2"]
