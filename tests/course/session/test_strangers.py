"""Black-box tests: `bot play` against a course server that was written from the protocol alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.course.protocol import Stats
from bot.course.run.standings import disagreements
from tests.course.foreign_course import AlphaBetaBot, Answer, Quirks, lowest_column_bot, random_bot
from tests.course.foreign_server import HARSH_FATES, RANDOM_FAULTS, ForeignServer, random_faults
from tests.course.session.strangers import Student, fault_at
from tests.simulation.bots import OPEN

pytestmark = pytest.mark.timeout(900)
ODD: dict[str, tuple[Answer, dict[str, Any]]] = {
    "JSON said to be HTML": (lowest_column_bot, {"content_type": "text/html; charset=utf-8"}),
    "wrong types": (random_bot(3), {"fault": fault_at("wrong_types", ply=4)}),
    "a request processed twice": (random_bot(1), {"fault": fault_at("duplicated", ply=2, games=[1])}),
    "a later request processed twice": (random_bot(1), {"fault": fault_at("duplicated", ply=6, games=[1])}),
    "a lost game without its board": (lowest_column_bot, {"fault": fault_at("late", ply=6, games=[1])}),
    "the server forgets the game": (random_bot(2), {"fault": fault_at("forget", ply=8, games=[1])}),
    "and says so": (random_bot(2), {"fault": fault_at("forget", ply=8, games=[1]), "silent_start": False}),
}


@pytest.mark.parametrize(("bot", "quirks"), ODD.values(), ids=ODD)
def test_what_is_odd_once_costs_no_game(tmp_path: Path, bot: Answer, quirks: dict[str, Any]) -> None:
    with ForeignServer(bot, Quirks(**quirks)) as server:
        student = Student(server, tmp_path)
        code, text = student.play(games=2)
        assert len(server.finished) == 2
        assert code == (5 if any(game.result < 0 for game in server.finished) else 0), text
        assert server.running is None
        student.check()


@pytest.mark.parametrize("msg", ["No game is running.", "It is not your turn in this game."])
def test_moves_that_are_always_refused_end_the_run_and_cost_few_games(tmp_path: Path, msg: str) -> None:
    quirks = Quirks(fault=fault_at(f"refused:{msg}", ply=4, times=10_000))
    with ForeignServer(AlphaBetaBot(2), quirks) as server:
        code, text = Student(server, tmp_path).play("--patience", "1", games=8)
        assert code == 4, text
        assert "server" in text.lower()
        assert server.course.started <= 2
        assert server.forfeits <= 1


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "kinds"), [(1, RANDOM_FAULTS), (2, RANDOM_FAULTS), (3, HARSH_FATES)])
def test_a_third_of_the_requests_fail(tmp_path: Path, seed: int, kinds: tuple[str, ...]) -> None:
    faults = random_faults(seed, 0.31, kinds)
    quirks = Quirks(starter="random", seed=seed, fault=faults, stats_fault=faults)
    with ForeignServer(AlphaBetaBot(3), quirks) as server:
        student = Student(server, tmp_path)
        student.play(games=6)
        # where the reply to the last move is lost, the first board of one more game shows how it ended
        assert len(server.finished) in (6, 7)
        student.check()


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_forty_games_through_faults_and_kills_show_no_mistake_of_the_client(tmp_path: Path) -> None:
    """A game may be lost, but only where some choice of it was not safe under every hypothesis."""
    kills = 0
    for seed, bot in enumerate(OPEN, start=1):
        faults, home = random_faults(seed, 0.2), tmp_path / bot.name
        home.mkdir()
        with ForeignServer(bot.player(), Quirks("random", seed, faults, faults)) as server:
            student = Student(server, home)
            failed = student.play_through_kills(10, seed)
            assert (failed, student.mistakes(), server.running) == ([], [], None)
            student.check()
            counts = server.course.stats()
            known = Stats(*(counts[name] for name in ("played", "won", "lost", "streak", "streak_max")))
            assert known.played >= 10 and disagreements(student.standings, known) == []
            assert {"ok"} < {fault for *_, fault in server.requests}
        kills += student.kills
        print(f"{bot.name}: {known.played} games, {known.lost} lost, {student.kills} kills", flush=True)
    assert kills > 0
