"""Black-box tests: `python -m bot play` against a course server that was written from the protocol alone."""

from __future__ import annotations

import json
import random
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.foreign_course import Quirks
from tests.foreign_rules import AlphaBetaBot, lowest_column_bot, random_bot
from tests.foreign_server import ForeignServer, random_fates
from tests.session.strangers import (
    Outcome,
    Student,
    assert_known_results_true,
    assert_no_result_invented,
    assert_played_out,
    fate_at,
)

UNHURRIED = fate_at("delay:0.1", ply=0, times=1000)
"""Answer every move after 0.1 s, so that there is time to interrupt the game."""


def assert_code_tells(outcome: Outcome, server: ForeignServer) -> None:
    """Check that a run that played all its games says by its exit code whether it lost one."""
    lost = any(game.result < 0 for game in server.book)
    assert outcome.code == (5 if lost else 0), outcome.text


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_a_third_of_the_requests_fail(tmp_path: Path, seed: int) -> None:
    faults = random_fates(seed, 0.31)
    quirks = Quirks(starter="random", seed=seed, fate=faults, stats_fate=faults)
    with ForeignServer(AlphaBetaBot(3), quirks) as server, Student(server, tmp_path) as student:
        outcome = student.play(games=6)
        assert_code_tells(outcome, server)
        assert len(server.book) == 6
        assert server.running is None
        assert server.forfeits == 0
        assert not [game for game in server.book if game.avoidable]
        assert_known_results_true(student)
        assert_no_result_invented(student)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_a_fifth_fails_and_the_client_is_killed_again_and_again(tmp_path: Path, seed: int) -> None:
    rng, faults = random.Random(seed), random_fates(seed, 0.2)
    quirks = Quirks(starter="random", seed=seed, fate=faults, stats_fate=faults)
    with ForeignServer(AlphaBetaBot(2), quirks) as server, Student(server, tmp_path) as student:
        while len(server.book) < 4:
            run = student.start(games=4)
            seen, target = len(server.requests), rng.randrange(4, 16)
            run.wait_for(lambda seen=seen, target=target: len(server.requests) >= seen + target)  # type: ignore[misc]
            run.stop(signal.SIGKILL)
        student.play(games=1)
        assert server.running is None
        assert server.forfeits == 0
        assert_known_results_true(student)
        assert_no_result_invented(student)


@pytest.mark.slow
@pytest.mark.parametrize("ply", [2, 4, 6, 10])
def test_the_same_lost_reply_in_every_game_against_the_same_bot(tmp_path: Path, ply: int) -> None:
    quirks = Quirks(fate=fate_at("reset_after", ply=ply))
    with ForeignServer(AlphaBetaBot(2), quirks) as server, Student(server, tmp_path) as student:
        student.play(games=8)
        assert len(server.book) == 8
        assert server.forfeits == 0
        assert len(server.ended("illegal")) <= 1
        assert_known_results_true(student)


@pytest.mark.slow
@pytest.mark.parametrize("lag_s", [1.0, 2.0])
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
@pytest.mark.parametrize("discs", [1, 6])
def test_statistics_behind_and_the_run_is_stopped_in_mid_game(
    tmp_path: Path, lag_s: float, how: signal.Signals, discs: int
) -> None:
    quirks = Quirks(stats_lag_s=lag_s, fate=UNHURRIED, starter="alternate")
    with ForeignServer(AlphaBetaBot(2), quirks) as server, Student(server, tmp_path) as student:
        stopped = student.stop_in_mid_game(how, games=3, after=1, discs=discs)
        assert stopped.code == (130 if how == signal.SIGINT else -how)
        outcome = student.play(games=3)
        assert_code_tells(outcome, server)
        assert_played_out(server)
        assert len(server.book) >= 2
        assert_known_results_true(student, at_least=2)
        assert_no_result_invented(student)


@pytest.mark.parametrize("msg", ["No game is running.", "It is not your turn in this game."])
def test_moves_refused_although_a_game_runs(tmp_path: Path, msg: str) -> None:
    quirks = Quirks(fate=fate_at(f"refused:{msg}", ply=4, times=10_000))
    with ForeignServer(AlphaBetaBot(2), quirks) as server, Student(server, tmp_path) as student:
        outcome = student.play("--patience", "3", games=8)
        assert outcome.code in (3, 4), outcome.text
        assert "server" in outcome.err.lower(), outcome.text
        assert server.course.started <= 2, server.book
        assert server.forfeits <= 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "where",
    [
        {"cwd": "elsewhere"},
        {"logs": "other-logs"},
        {"host": "localhost"},
        {"cwd": "e", "logs": "l", "host": "localhost"},
    ],
    ids=["folder", "logs", "localhost", "all"],
)
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_resumed_from_somewhere_else(tmp_path: Path, where: dict[str, str], how: signal.Signals) -> None:
    with (
        ForeignServer(AlphaBetaBot(2), Quirks(fate=UNHURRIED)) as server,
        Student(server, tmp_path) as student,
    ):
        student.stop_in_mid_game(how)
        outcome = student.play(games=1, **where)
        assert_code_tells(outcome, server)
        assert_played_out(server)
        assert_known_results_true(student)


@pytest.mark.slow
@pytest.mark.parametrize("where", [{"cwd": "elsewhere"}, {"logs": "other-logs"}, {"host": "localhost"}])
def test_a_second_run_at_the_same_time_is_refused(tmp_path: Path, where: dict[str, str]) -> None:
    slow = fate_at("delay:0.6", ply=0, times=10_000)
    with ForeignServer(lowest_column_bot, Quirks(fate=slow)) as server, Student(server, tmp_path) as student:
        first = student.start(games=3)
        assert first.wait_for(lambda: server.running is not None)
        second = student.play(games=1, **where)
        assert second.code == 2, second.text
        assert first.process.poll() is None, "the first run was over before the second began"
        assert first.outcome().code == 0
        assert_played_out(server, 3)


@pytest.mark.slow
def test_without_its_journal_the_unfinished_game_is_not_forfeited_unasked(tmp_path: Path) -> None:
    with (
        ForeignServer(AlphaBetaBot(2), Quirks(fate=UNHURRIED)) as server,
        Student(server, tmp_path) as student,
    ):
        student.stop_in_mid_game(signal.SIGKILL)
        for journal in (tmp_path / "logs").rglob("*.jsonl"):
            journal.unlink()
        refused = student.play(games=1)
        assert refused.code == 2, refused.text
        assert "--fresh" in refused.text
        assert server.book == []
        assert student.play("--fresh", games=1).code in (0, 5)
        assert [game.ended for game in server.book] == ["forfeit", "played"]


@pytest.mark.parametrize("content_type", ["text/html", "text/html; charset=utf-8", None])
def test_json_under_another_content_type(tmp_path: Path, content_type: str | None) -> None:
    with (
        ForeignServer(lowest_column_bot, Quirks(content_type=content_type)) as server,
        Student(server, tmp_path) as student,
    ):
        assert student.play(games=1).code == 0
        assert_played_out(server, 1)
        assert_known_results_true(student)


def random_bytes(own: Path) -> tuple[Path, bytes]:
    """Put a binary file beside the journals."""
    return own.with_name("000000-noise.jsonl"), random.Random(0).randbytes(4000)


def another_program(own: Path) -> tuple[Path, bytes]:
    """Put another program's JSON Lines beside the journals."""
    lines = [{"level": "info", "time": 1700000000}, {"type": "run", "time": None}, {"type": 3}, ["a", 1], None]
    return own.with_name("service.jsonl"), b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def wrong_type(own: Path) -> tuple[Path, bytes]:
    """Give one field of the journal another type."""
    records = [json.loads(line) for line in own.read_bytes().splitlines()]
    next(record for record in records if record["type"] == "reply")["state"] = "none"
    next(record for record in records if record["type"] == "game_end")["game"] = {"number": 1}
    return own, b"".join(json.dumps(record).encode() + b"\n" for record in records)


def torn_line(own: Path) -> tuple[Path, bytes]:
    """Cut the journal's last line."""
    return own, own.read_bytes()[:-20]


@pytest.mark.slow
@pytest.mark.parametrize("damage", [random_bytes, another_program, wrong_type, torn_line])
def test_a_damaged_file_among_the_journals(tmp_path: Path, damage: Callable[[Path], tuple[Path, bytes]]) -> None:
    with ForeignServer(lowest_column_bot) as server, Student(server, tmp_path) as student:
        assert student.play(games=1).code == 0
        path, content = damage(next((tmp_path / "logs").rglob("*.jsonl")))
        path.write_bytes(content)
        assert student.play(games=1).code == 0
        assert_played_out(server, 2)
        assert any(kept.read_bytes().startswith(content) for kept in tmp_path.rglob("*") if kept.is_file())


@pytest.mark.slow
def test_slow_replies_are_not_part_of_the_thinking_time(tmp_path: Path) -> None:
    quirks = Quirks(drip_s=1.5, clock_s=4.9)
    with ForeignServer(lowest_column_bot, quirks) as server, Student(server, tmp_path) as student:
        assert student.play("--engine", "alphabeta", "--think", "30").code in (0, 5)
        assert_played_out(server, 1)


@pytest.mark.parametrize("right_key", [True, False])
def test_the_key_stays_secret_when_the_server_repeats_it(tmp_path: Path, right_key: bool) -> None:
    secret = "hemlig-nyckel-4711"
    quirks = Quirks(echo_key=True, api_key=secret if right_key else "another")
    with ForeignServer(lowest_column_bot, quirks) as server, Student(server, tmp_path, api_key=secret) as student:
        outcome = student.play(games=1)
        assert outcome.code == (0 if right_key else 4), outcome.text
        assert len(server.book) == right_key
        assert outcome.text.strip()
        assert secret not in outcome.text
        assert not [path for path in tmp_path.rglob("*") if path.is_file() and secret.encode() in path.read_bytes()]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["nested", "not_a_number", "wrong_types"])
@pytest.mark.parametrize("times", [1, 10_000])
def test_nonsense_in_a_reply(tmp_path: Path, kind: str, times: int) -> None:
    with (
        ForeignServer(random_bot(3), Quirks(fate=fate_at(kind, ply=4, times=times))) as server,
        Student(server, tmp_path) as student,
    ):
        outcome = student.play("--patience", "3", games=2)
        assert server.forfeits == 0
        assert_no_result_invented(student)
        if times == 1:
            assert_code_tells(outcome, server)
            assert len(server.book) == 2
        else:
            assert outcome.code in (3, 4, 5), outcome.text


@pytest.mark.slow
@pytest.mark.parametrize("ply", [2, 6, 8])
def test_a_request_processed_twice(tmp_path: Path, ply: int) -> None:
    quirks = Quirks(fate=fate_at("duplicated", ply=ply, games=[1]))
    with ForeignServer(random_bot(1), quirks) as server, Student(server, tmp_path) as student:
        assert_code_tells(student.play(games=2), server)
        assert len(server.book) == 2
        assert server.forfeits == 0
        assert not [game for game in server.book if game.avoidable]
        assert_known_results_true(student, moves=False)


@pytest.mark.slow
def test_a_game_lost_without_a_board_ends_that_game_only(tmp_path: Path) -> None:
    quirks = Quirks(fate=fate_at("late", ply=6, games=[1]))
    with ForeignServer(lowest_column_bot, quirks) as server, Student(server, tmp_path) as student:
        assert student.play(games=2).code == 5
        assert [(game.ended, game.result) for game in server.book] == [("timeout", -1.0), ("played", 1.0)]
        assert [end["result"] for end in student.game_ends()] == [-1, 1]


@pytest.mark.slow
@pytest.mark.parametrize("silent_start", [True, False])
@pytest.mark.parametrize("ply", [2, 8])
def test_the_server_loses_its_memory_in_mid_game(tmp_path: Path, silent_start: bool, ply: int) -> None:
    quirks = Quirks(fate=fate_at("forget", ply=ply, games=[1]), silent_start=silent_start)
    with ForeignServer(random_bot(2), quirks) as server, Student(server, tmp_path) as student:
        assert_code_tells(student.play(games=2), server)
        assert_played_out(server)
        assert_no_result_invented(student)
