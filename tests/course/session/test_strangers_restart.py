"""Black-box tests: `bot play` stopped, started again, moved, and beside damaged files."""

from __future__ import annotations

import json
import random
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.course.foreign_course import Quirks
from tests.course.foreign_rules import (
    AlphaBetaBot,
    lowest_column_bot,
)
from tests.course.foreign_server import ForeignServer, random_faults
from tests.course.session.strangers import (
    STIL_ID,
    Student,
    assert_code_shows_losses,
    assert_known_results_true,
    assert_no_result_invented,
    assert_played_out,
    fault_at,
)

pytestmark = pytest.mark.timeout(900)


def unhurried(request: int, move: int, game: int, ply: int) -> str:  # noqa: ARG001
    """Answer every move after 0.1 s: the statistics are not far behind, measured in games."""
    return "delay:0.1"


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_a_fifth_fails_and_the_client_is_killed_again_and_again(tmp_path: Path, seed: int) -> None:
    rng, faults = random.Random(seed), random_faults(seed, 0.2)
    quirks = Quirks(starter="random", seed=seed, fault=faults, stats_fault=faults)
    with ForeignServer(AlphaBetaBot(2), quirks) as server, Student(server, tmp_path) as student:
        for _ in range(60):
            if len(server.finished) >= 4:
                break
            run = student.start(games=4)
            seen, target = len(server.requests), rng.randrange(4, 16)
            run.wait_for(lambda seen=seen, target=target: len(server.requests) >= seen + target)  # type: ignore[misc]
            time.sleep(rng.uniform(0, 0.1))  # so that some runs die between a reply and the next request
            run.stop(signal.SIGKILL)
        assert student.play(games=1).code in (0, 5)
        assert len(server.finished) >= 4
        assert server.running is None
        assert server.forfeits == 0
        assert_known_results_true(student)
        assert_no_result_invented(student)


@pytest.mark.slow
@pytest.mark.parametrize("lag_s", [1.0, 2.0])
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
@pytest.mark.parametrize("discs", [1, 6])
def test_statistics_behind_and_the_run_is_stopped_in_mid_game(
    tmp_path: Path, lag_s: float, how: signal.Signals, discs: int
) -> None:
    quirks = Quirks(stats_lag_s=lag_s, fault=unhurried, starter="alternate")
    with ForeignServer(AlphaBetaBot(2), quirks) as server, Student(server, tmp_path) as student:
        student.stop_in_mid_game(how, games=3, after=1, discs=discs)
        outcome = student.play(games=3)
        assert_code_shows_losses(outcome, server)
        assert_played_out(server)
        assert len(server.finished) >= 2
        assert_known_results_true(student, at_least=2)
        assert_no_result_invented(student)


@pytest.mark.parametrize(
    "where",
    [
        pytest.param({"cwd": "elsewhere"}, id="folder", marks=pytest.mark.slow),
        pytest.param({"logs": "other-logs"}, id="logs", marks=pytest.mark.slow),
        pytest.param({"host": "localhost"}, id="localhost", marks=pytest.mark.slow),
        pytest.param({"cwd": "e", "logs": "l", "host": "localhost"}, id="all"),
    ],
)
def test_resumed_from_somewhere_else(tmp_path: Path, where: dict[str, str]) -> None:
    with ForeignServer(AlphaBetaBot(2)) as server, Student(server, tmp_path) as student:
        student.stop_in_mid_game(signal.SIGKILL)
        outcome = student.play(games=1, **where)
        assert_code_shows_losses(outcome, server)
        assert_played_out(server)
        assert_known_results_true(student)


@pytest.mark.slow
@pytest.mark.parametrize("where", [{"cwd": "elsewhere"}, {"logs": "other-logs"}, {"host": "localhost"}])
def test_a_second_run_at_the_same_time_is_refused(tmp_path: Path, where: dict[str, str]) -> None:
    slow = fault_at("delay:0.6", ply=0, times=10_000)
    with ForeignServer(lowest_column_bot, Quirks(fault=slow)) as server, Student(server, tmp_path) as student:
        first = student.start(games=3)
        assert first.wait_for(lambda: server.running is not None)
        second = student.play(games=1, **where)
        assert second.code == 2, second.text
        assert first.process.poll() is None, "the first run was over before the second began"
        assert first.outcome().code == 0
        assert_played_out(server, 3)


def test_without_its_journal_the_unfinished_game_is_not_forfeited_unasked(tmp_path: Path) -> None:
    with ForeignServer(AlphaBetaBot(2)) as server, Student(server, tmp_path) as student:
        student.stop_in_mid_game(signal.SIGKILL)
        for journal in (tmp_path / "logs").rglob("*.jsonl"):
            journal.unlink()
        refused = student.play(games=1)
        assert refused.code == 2, refused.text
        assert "--fresh" in refused.text
        assert server.finished == []
        assert student.play("--fresh", games=1).code in (0, 5)
        assert [game.ended for game in server.finished] == ["forfeit", "played"]


@pytest.mark.parametrize("schema", [1, 2])
def test_an_unfinished_game_of_an_earlier_edition_is_not_forfeited_unasked(tmp_path: Path, schema: int) -> None:
    with ForeignServer(AlphaBetaBot(2)) as server, Student(server, tmp_path) as student:
        old = [
            {"type": "run", "schema": schema, "server": server.url, "url": server.url, "stil_ids": [STIL_ID]},
            {"type": "intent", "game": 1, "move": -1, "ply": 0},
            {"type": "reply", "game": 1, "status": True, "botmove": -1, "result": 0.0, "state": [[0] * 7] * 6},
        ]
        path = tmp_path / "logs" / "000001-old.jsonl"
        path.parent.mkdir()
        path.write_text("".join(json.dumps(record) + "\n" for record in old))
        refused = student.play(games=1)
        assert refused.code == 2, refused.text
        assert "--fresh" in refused.text
        assert server.requests == []
        assert student.play("--fresh", games=1).code in (0, 5)
        assert_played_out(server, 1)


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
    next(record for record in records if record["type"] == "reply")["reply"]["state"] = "none"
    next(record for record in records if record["type"] == "game_end")["game"] = {"number": 1}
    return own, b"".join(json.dumps(record).encode() + b"\n" for record in records)


def torn_line(own: Path) -> tuple[Path, bytes]:
    """Cut the journal's last line."""
    return own, own.read_bytes()[:-20]


@pytest.mark.parametrize(
    "damages",
    [
        pytest.param([random_bytes, another_program, wrong_type], id="three"),
        *(
            pytest.param([each], id=each.__name__, marks=pytest.mark.slow)
            for each in (random_bytes, another_program, wrong_type, torn_line)
        ),
    ],
)
def test_damaged_files_among_the_journals(tmp_path: Path, damages: list[Callable[[Path], tuple[Path, bytes]]]) -> None:
    with ForeignServer(lowest_column_bot) as server, Student(server, tmp_path) as student:
        assert student.play(games=1).code == 0
        own = next((tmp_path / "logs").rglob("*.jsonl"))
        written = dict(damage(own) for damage in damages)
        for path, content in written.items():
            path.write_bytes(content)
        assert student.play(games=1).code == 0
        assert_played_out(server, 2)
        kept = [file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()]
        for content in written.values():
            assert any(text.startswith(content) for text in kept)
