"""What the seat does when replies, statistics and refusals say something unexpected."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.client.http import AmbiguousError, NotFoundError
from bot.client.wire import BadReplyError, Stats
from bot.client.worlds import World
from bot.errors import BotError, NetworkError, ProtocolError
from bot.game import Board
from bot.journal.reader import journals
from bot.journal.verify import replay_game
from bot.match.books import ended_since
from bot.match.outcomes import Outcomes
from bot.match.streak import disagreements, journal_streak
from bot.server import rules
from bot.server.referee import Starter
from tests.match.course import WHO, Course, play


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    def level(board: Board) -> list[float | None]:
        return [0.0 if board.can_play(column) else None for column in range(7)]

    monkeypatch.setattr(Outcomes, "within", lambda _self, _seconds: level)


def events(logs: Path) -> list[str]:
    return [
        record["kind"]
        for journal in journals(logs)
        for game in journal.games
        for record in game.records
        if record["type"] == "event"
    ]


LOST = AmbiguousError("The reply was lost.")


@pytest.mark.parametrize(
    "trouble",
    [AmbiguousError("HTTP 500."), NetworkError("It hangs."), BadReplyError("Nonsense."), NotFoundError("404.")],
)
def test_statistics_that_never_come_end_no_run(trouble: BotError, tmp_path: Path) -> None:
    course = Course()
    course.no_stats = trouble
    course.spoil = {3: LOST, 8: LOST}
    assert play(course, tmp_path, 2).played == 2
    assert set(course.reasons) == {"played"}


@pytest.mark.parametrize("jump", [25, 1_000_000])
def test_statistics_that_count_games_which_cannot_have_ended_are_left_aside(jump: int, tmp_path: Path) -> None:
    class Jumping(Course):
        def stats(self, patience_s: float | None = None) -> Stats | None:
            told = super().stats(patience_s)
            return replace(told, played=told.played + jump) if told is not None and self.moves == 3 else told

    course = Jumping()
    course.spoil = {3: LOST}
    tally = play(course, tmp_path, 2)
    assert tally.played == 2
    assert events(tmp_path).count("incredible") == 1
    assert set(course.reasons) == {"played"}


def test_a_board_that_contradicts_ours_once_is_left_aside(tmp_path: Path) -> None:
    course = Course()
    stranger = [[0] * 7 for _ in range(5)] + [[1, -1, 0, 0, 0, 1, -1]]
    course.spoil = {3: lambda payload: {**payload, "state": stranger, "botmove": None}}
    assert play(course, tmp_path).played == 1
    assert events(tmp_path).count("conflicting_reply") == 1
    assert course.reasons == ["played"]
    assert [
        problem for journal in journals(tmp_path) for game in journal.games for problem in replay_game(game).problems
    ] == []


def test_a_board_that_contradicts_ours_again_and_again_is_the_truth(tmp_path: Path) -> None:
    course = Course()

    def another_hand() -> None:
        """Somebody else moves in our game, and takes the bot's answer."""
        course.referee.move(WHO[0], 0)

    course.before = {3: another_hand}
    assert play(course, tmp_path).played == 1
    assert "resynchronised" in events(tmp_path) or "conflicting_reply" in events(tmp_path)
    assert course.reasons == ["played"]


def test_a_game_that_the_server_ended_for_time_is_counted_as_it_counts_it(tmp_path: Path) -> None:
    course = Course()

    def time_out() -> None:
        record = course.store.read(WHO[0])
        record.running = False
        record.played += 1
        record.lost += 1
        record.streak = 0
        record.grid = rules.empty_grid()
        course.store.write(record)

    course.before = {4: time_out}
    tally = play(course, tmp_path, 2)
    assert (tally.played, tally.lost) == (2, 1)
    assert disagreements(journal_streak(tmp_path, "s", WHO), course.books) == []


def test_a_game_that_the_server_forgot_is_nobodys_loss(tmp_path: Path) -> None:
    course = Course()

    def forget() -> None:
        record = course.store.read(WHO[0])
        record.running, record.grid = False, rules.empty_grid()
        course.store.write(record)

    course.before = {4: forget}
    tally = play(course, tmp_path, 1)
    assert (tally.played, tally.lost) == (1, 0)
    assert "server_reset" in events(tmp_path)
    assert disagreements(journal_streak(tmp_path, "s", WHO), course.books) == []
    assert [text for run in journals(tmp_path) for game in run.games for text in replay_game(game).problems] == []


@pytest.mark.parametrize("lost_reply", [False, True])
def test_a_server_that_comes_back_with_empty_books_is_played_on(lost_reply: bool, tmp_path: Path) -> None:
    course = Course()

    def empty() -> None:
        record = type(course.store.read(WHO[0]))(WHO[0])
        course.store.write(record)

    course.before = {20: empty}
    if lost_reply:
        course.spoil = {20: LOST}
    tally = play(course, tmp_path, 4)
    assert tally.lost == 0
    assert "server_reset" in events(tmp_path)
    assert set(course.reasons) == {"played"}


def test_an_unknown_refusal_is_asked_again_before_the_run_ends(tmp_path: Path) -> None:
    course = Course()
    busy = {"msg": "Busy.", "status": False, "result": None, "botmove": None, "state": None}
    course.spoil = {4: lambda _: busy}
    assert play(course, tmp_path).played == 1
    assert course.reasons == ["played"]
    course = Course()
    course.spoil = dict.fromkeys(range(4, 60), lambda _: busy)
    with pytest.raises(ProtocolError, match="Busy"):
        play(course, tmp_path / "again")


def test_a_game_running_elsewhere_is_told_when_it_is_lost(tmp_path: Path) -> None:
    course = Course()
    course.referee.move(WHO[0], -1)
    course.spoil = {4: LOST}
    assert play(course, tmp_path).lost == 0
    assert "forfeited" in events(tmp_path)
    assert course.reasons == ["forfeit", "played"]


def test_two_games_that_ended_unseen_have_two_numbers(tmp_path: Path) -> None:
    course = Course(starter=Starter.STUDENT)
    course.no_stats = NetworkError("No statistics.")
    course.spoil = dict.fromkeys(range(5, 300, 2), LOST)
    try:
        play(course, tmp_path, 3, patience_s=100)
    finally:
        numbers = [game.number for run in journals(tmp_path) for game in run.games]
        assert len(numbers) == len(set(numbers))
        assert set(course.reasons) <= {"played"}


@pytest.mark.parametrize(
    ("now", "world"),
    [
        (Stats(3, 2, 1, 0), (1, 0, 1)),
        (Stats(3, 3, 0, 3), (1, 1, 0)),
        (Stats(3, 2, 0, 3), (1, 0, 0)),
        (Stats(3, 2, 0, 0), (1, 0, 1)),
        (Stats(4, 3, 1, 0), (2, 1, 1)),
    ],
    ids=["lost", "won", "drawn", "neither, but the streak is over", "two games"],
)
def test_a_rise_of_the_statistics_is_read_with_the_streak(now: Stats, world: tuple[int, int, int]) -> None:
    assert ended_since(Stats(2, 2, 0, 2), now) == World(None, *world)
