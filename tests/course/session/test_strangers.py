"""Black-box tests: `bot play` against a course server that was written from the protocol alone."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.course.foreign_course import Quirks
from tests.course.foreign_rules import (
    STUDENT,
    AlphaBetaBot,
    Answer,
    centre_first_bot,
    has_four,
    lowest_column_bot,
    random_bot,
    replay,
)
from tests.course.foreign_server import HARSH_FATES, RANDOM_FAULTS, ForeignServer, random_faults
from tests.course.session.strangers import (
    PerfectBot,
    Student,
    assert_code_shows_losses,
    assert_known_results_true,
    assert_no_result_invented,
    assert_played_out,
    fault_at,
)

pytestmark = pytest.mark.timeout(900)


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "kinds"), [(1, RANDOM_FAULTS), (2, RANDOM_FAULTS), (3, HARSH_FATES)])
def test_a_third_of_the_requests_fail(tmp_path: Path, seed: int, kinds: tuple[str, ...]) -> None:
    faults = random_faults(seed, 0.31, kinds)
    quirks = Quirks(starter="random", seed=seed, fault=faults, stats_fault=faults)
    with ForeignServer(AlphaBetaBot(3), quirks) as server, Student(server, tmp_path) as student:
        outcome = student.play(games=6)
        assert_code_shows_losses(outcome, server)
        assert len(server.finished) == 6
        assert server.running is None
        assert server.forfeits == 0
        assert not [game for game in server.finished if game.avoidable]
        assert_known_results_true(student)
        assert_no_result_invented(student)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bot", "ply"), [(centre_first_bot, 4), (centre_first_bot, 8), (AlphaBetaBot(2), 4), (AlphaBetaBot(3), 10)]
)
def test_the_same_lost_reply_in_every_game_against_the_same_bot(tmp_path: Path, bot: Answer, ply: int) -> None:
    quirks = Quirks(fault=fault_at("reset_after", ply=ply))
    with ForeignServer(bot, quirks) as server, Student(server, tmp_path) as student:
        student.play(games=8)
        assert len(server.finished) == 8
        assert server.forfeits == 0
        assert len(server.ended("illegal")) <= 1
        assert_known_results_true(student)


@pytest.mark.slow
def test_the_same_lost_reply_in_every_game_where_some_replies_take_long(tmp_path: Path) -> None:
    # The connection breaks sooner than half the replies come, though the server has processed the request.
    rng, lose = random.Random(1), fault_at("reset_after", ply=4)

    def fault(request: int, move: int, game: int, ply: int) -> str:
        kind = lose(request, move, game, ply)
        return rng.choice(("ok", "ok", "delay:0.05", "delay:0.1", "delay:0.15")) if kind == "ok" else kind

    with ForeignServer(centre_first_bot, Quirks(fault=fault)) as server, Student(server, tmp_path) as student:
        student.play(games=8)
        assert len(server.finished) == 8
        assert server.forfeits == 0
        assert len(server.ended("illegal")) <= 1
        assert_known_results_true(student)


@pytest.mark.parametrize("msg", ["No game is running.", "It is not your turn in this game."])
def test_moves_refused_although_a_game_runs(tmp_path: Path, msg: str) -> None:
    quirks = Quirks(fault=fault_at(f"refused:{msg}", ply=4, times=10_000))
    with ForeignServer(AlphaBetaBot(2), quirks) as server, Student(server, tmp_path) as student:
        outcome = student.play("--patience", "3", games=8)
        assert outcome.code in (3, 4), outcome.text
        assert "server" in outcome.err.lower(), outcome.text
        assert server.course.started <= 2, server.finished
        assert server.forfeits <= 1


@pytest.mark.parametrize("content_type", ["text/html; charset=utf-8", None])
def test_json_under_another_content_type(tmp_path: Path, content_type: str | None) -> None:
    with (
        ForeignServer(lowest_column_bot, Quirks(content_type=content_type)) as server,
        Student(server, tmp_path) as student,
    ):
        assert student.play(games=1).code == 0
        assert_played_out(server, 1)
        assert_known_results_true(student)


@pytest.mark.slow
@pytest.mark.parametrize("every", [1, 2])
def test_slow_replies_are_not_part_of_the_thinking_time(tmp_path: Path, every: int) -> None:
    # Every reply is slow, or only some are, which the client cannot foresee.
    quirks = Quirks(fault=lambda request, *_: "drip:1.5" if request % every == 0 else "ok", clock_s=4.9)
    with ForeignServer(AlphaBetaBot(3), quirks) as server, Student(server, tmp_path) as student:
        assert student.play("--engine", "alphabeta", "--think", "30").code in (0, 5)
        assert_played_out(server, 1)


@pytest.mark.parametrize("right_key", [True, False])
def test_the_key_stays_secret_when_the_server_repeats_it(tmp_path: Path, right_key: bool) -> None:
    secret = "hemlig-nyckel-4711"
    quirks = Quirks(echo_key=True, api_key=secret if right_key else "another")
    with ForeignServer(lowest_column_bot, quirks) as server, Student(server, tmp_path, api_key=secret) as student:
        outcome = student.play(games=1)
        assert outcome.code == (0 if right_key else 4), outcome.text
        assert len(server.finished) == right_key
        assert outcome.text.strip()
        assert secret not in outcome.text
        assert not [path for path in tmp_path.rglob("*") if path.is_file() and secret.encode() in path.read_bytes()]


@pytest.mark.parametrize("kind", ["nested", "not_a_number", "wrong_types"])
@pytest.mark.parametrize("times", [1, pytest.param(10_000, marks=pytest.mark.slow)])
def test_nonsense_in_a_reply(tmp_path: Path, kind: str, times: int) -> None:
    with (
        ForeignServer(random_bot(3), Quirks(fault=fault_at(kind, ply=4, times=times))) as server,
        Student(server, tmp_path) as student,
    ):
        outcome = student.play("--patience", "3", games=2)
        assert server.forfeits == 0
        assert_no_result_invented(student)
        if times == 1:
            assert_code_shows_losses(outcome, server)
            assert len(server.finished) == 2
        else:
            assert outcome.code in (3, 4, 5), outcome.text


@pytest.mark.parametrize("ply", [2, 6])
def test_a_request_processed_twice(tmp_path: Path, ply: int) -> None:
    quirks = Quirks(fault=fault_at("duplicated", ply=ply, games=[1]))
    with ForeignServer(random_bot(1), quirks) as server, Student(server, tmp_path) as student:
        assert_code_shows_losses(student.play(games=2), server)
        assert len(server.finished) == 2
        assert server.forfeits == 0
        assert not [game for game in server.finished if game.avoidable]
        assert_known_results_true(student)


def test_a_game_lost_without_a_board_ends_that_game_only(tmp_path: Path) -> None:
    quirks = Quirks(fault=fault_at("late", ply=6, games=[1]))
    with ForeignServer(lowest_column_bot, quirks) as server, Student(server, tmp_path) as student:
        assert student.play(games=2).code == 5
        assert [(game.ended, game.result) for game in server.finished] == [("timeout", -1.0), ("played", 1.0)]
        assert [end["result"] for end in student.game_ends()] == [-1, 1]


def test_a_four_by_the_last_disc_that_counts_as_a_draw(tmp_path: Path) -> None:
    # After the opening b, best play ends with the second player's four by the 42nd disc.
    with (
        PerfectBot(opening=1) as bot,
        ForeignServer(bot, Quirks(starter="bot", last_disc_draw=True)) as server,
        Student(server, tmp_path) as student,
    ):
        assert student.play("--engine", "perfect", games=1).code == 0
        (game,) = server.finished
        assert has_four(replay(game.moves, student_started=False), STUDENT), "the game took another course"
        assert (len(game.moves), game.result) == (42, 0.5)
        assert_known_results_true(student)


@pytest.mark.parametrize("silent_start", [True, False])
def test_the_server_loses_its_memory_in_mid_game(tmp_path: Path, silent_start: bool) -> None:
    quirks = Quirks(fault=fault_at("forget", ply=8, games=[1]), silent_start=silent_start)
    with ForeignServer(random_bot(2), quirks) as server, Student(server, tmp_path) as student:
        assert_code_shows_losses(student.play(games=2), server)
        assert_played_out(server)
        assert_no_result_invented(student)
