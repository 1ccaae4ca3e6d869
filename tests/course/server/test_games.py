"""Games at the embedded server: every end of a game, what the store keeps, and a time limit."""

from __future__ import annotations

import random
import sqlite3
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args
from unittest.mock import Mock

import pytest

from bot.course.protocol import Dialect
from bot.course.server import rules
from bot.course.server.referee import LATE, QUEUE_S, OverloadedError, Referee, SentReply
from bot.course.server.store import Store, StoredGame, only_server
from bot.engine.agent import Decision
from bot.engine.simple import Scripted
from bot.errors import UsageError
from tests.agents.external.programs import FAILURES, Fails
from tests.course.foreign_course import EMPTY, drop, has_four, open_columns
from tests.course.run.course import WHO, finished

DRAWN = "571376236345225146673541242612413735415776"
"""A game without a four until its 42nd disc, which makes one."""


def ends(store: Store) -> list[tuple[float, str, bool, str]]:
    """Return the ends of the games of the player "a"."""
    return [(game.result, game.moves, game.student_first, game.reason) for game in finished(store)]


@pytest.mark.parametrize(
    ("starter", "moves", "result", "msg"),
    [
        ("student", "7171717", 1.0, "The game has ended."),
        ("student", "31413141", -1.0, "The game has ended."),
        ("student", "1111111", -10.0, "Impossible move."),
        ("student", DRAWN, 0.5, "The game has ended."),
        ("bot", DRAWN, 0.5, "The game has ended."),
    ],
)
def test_every_end_of_a_game_is_answered_counted_and_stored(starter, moves, result, msg):
    store, is_legal, first = Store(), result != -10.0, int(starter == "bot")
    referee = Referee(store, Scripted(moves[1 - first :: 2]), starter=starter)
    *replies, last = [referee.move("a", -1), *(referee.move("a", int(column) - 1) for column in moves[first::2])]
    assert {reply.result for reply in replies} == {0.0}
    answer = int(moves[-1]) - 1 if len(moves) % 2 == first else -1
    assert last.msg == msg and last.status == is_legal
    assert (last.result, last.botmove) == ((result, answer) if is_legal else (None, None))
    counts = [1, result == 1, result < 0, result > 0, result > 0, result]
    assert list(referee.stats("a").values()) == [None, None, "a", *counts]
    stored = (result, moves if is_legal else moves[:-1], starter == "student", "played" if is_legal else "illegal")
    assert ends(store) == [stored]


@pytest.mark.parametrize(("found", "reason"), FAILURES[1:7:5])
def test_the_student_wins_at_once_when_the_bot_fails(found, reason):
    store, notices = Store(), list[str]()
    store.write([StoredGame(None, "a", moves="444444")], 3)
    referee = Referee(store, Fails(found), notice=notices.append)
    assert referee.move("a", 0) == SentReply("The game has ended.", True, 1.0, -1)
    assert ends(store) == [(1.0, "4444441", True, "failure")]
    assert list(referee.stats("a").values())[3:] == [1, 1, 0, 1, 1, 1.0]
    assert len(notices) == 1 and notices[0].startswith(reason) and " It forfeits the game." in notices[0]


def test_a_bot_that_cannot_open_a_game_leaves_the_first_move_to_the_student():
    referee = Referee(Store(), Fails(None), starter="bot")
    opened = referee.move("a", -1)
    assert (opened.status, opened.botmove, referee.move("a", 3).result) == (True, -1, 1.0)


def test_the_rules_are_those_that_were_written_from_the_protocol_alone():
    chance = random.Random(1)
    for _ in range(200):
        grid, foreign, player = rules.empty_grid(), EMPTY, rules.BOT
        while rules.result_after(grid, player) is None:
            player, column = -player, chance.choice(open_columns(foreign))
            rules.drop(grid, column, player)
            foreign = drop(foreign, column, player)
            assert [list(row) for row in foreign] == grid and rules.has_four(grid, player) == has_four(foreign, player)
            assert rules.playable(grid) == open_columns(foreign)


def test_equal_seeds_let_equal_sides_begin():
    starts = []
    for _ in range(2):
        referee = Referee(Store(), Scripted("1"), seed=1)
        starts.append([referee.move("a", -1).botmove for _ in range(20)])
    assert starts[0] == starts[1] and set(starts[0]) == {-1, 0}


def test_one_player_in_many_threads_loses_no_request():
    referee, interval_s = Referee(Store(), Scripted("1")), sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # the threads take turns in the middle of everything
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: referee.move("a", -1), range(100)))
    sys.setswitchinterval(interval_s)
    assert referee.stats("a")["played"] == 99


@pytest.mark.parametrize("dialect", get_args(Dialect))
def test_a_move_without_a_game_starts_one_and_minus_one_gives_it_up(dialect):
    store = Store()
    referee = Referee(store, Scripted("1111111"), dialect=dialect, starter="bot")
    assert referee.move("a", 6).botmove == 0
    for column in (6, 6, 6, 3, -1):
        referee.move("a", column)
    assert [(game.result, game.reason) for game in finished(store)] == [(1.0, "played"), (-1.0, "forfeit")]
    assert list(referee.stats("a").values())[3:] == [2, 1, 1, 0, 1, 0.0]
    (standing,) = store.standings("a")
    assert standing.running == (dialect == "current"), "in January 2021, only a column opens a game"


@pytest.mark.parametrize(
    ("error", "told"),
    [
        ("file is not a database", "Choose another place: --db for"),
        ("database or disk is full", "Make room on the disk, or choose another place: --db for"),
    ],
)
def test_a_database_that_cannot_be_used_is_refused_with_a_hint_that_fits(error, told, monkeypatch):
    monkeypatch.setattr(sqlite3, "connect", Mock(side_effect=sqlite3.OperationalError(error)))
    with pytest.raises(UsageError, match=rf"cannot be used: {error}\. {told}"):
        Store(Path("db"))


def test_a_folder_is_no_database_with_several_names(tmp_path):
    folder = tmp_path / "db"
    folder.mkdir()
    with pytest.raises(UsageError, match="unable to open"), only_server(folder, "http://localhost"):
        Store(folder)


def test_a_request_is_stored_with_all_its_games_or_not_at_all():
    store = Store()
    game = StoredGame(None, "a", -10.0, "1212", False, "illegal", game=1, opponent="depth3", limit_s=5.0)
    store.write([game], 3, ago_s=60.0)
    game.reason = None  # type: ignore[assignment]
    with pytest.raises(sqlite3.IntegrityError, match="NOT NULL"):
        store.write([replace(game, player="b", reason="late"), game], 3)
    (kept,) = finished(store)
    assert kept.started == kept.ended is not None
    assert replace(kept, number=None, started=None, ended=None) == replace(game, reason="illegal")
    assert [each.player for each in store.standings()] == ["a"]
    seconds = "SELECT round((julianday(replied) - julianday(arrived)) * 86400) FROM requests"
    assert [*map(tuple, store.connection.execute(seconds))] == [(60.0,)]


# A time limit: a late move loses its game and nothing else, in both dialects

LIMIT_S = 5.0
LONG_S = 60.0


class Limited(Scripted):
    """A server with a time limit, in virtual time, and its bot, which takes a minute for every move."""

    def __init__(self, dialect: Dialect = "current") -> None:
        super().__init__("2222")
        self.time_s, self.store = 0.0, Store()
        self.referee = Referee(
            self.store, self, dialect=dialect, starter="student", limit_s=LIMIT_S, clock=lambda: self.time_s
        )

    def choose(self, *arguments: Any) -> Decision:
        """See `Agent.choose`."""
        self.time_s += LONG_S
        return super().choose(*arguments)

    def move(self, after_s: float, column: int) -> SentReply:
        """Return the reply to a move after a pause."""
        self.time_s += after_s
        return self.referee.move(*WHO, column)


@pytest.mark.parametrize(("dialect", "said"), [("current", LATE), ("jan21", None)])
def test_a_late_move_is_answered_with_a_loss_and_opens_no_game(dialect, said):
    server = Limited(dialect)
    replies = [server.move(after_s, 6) for after_s in (LONG_S, LIMIT_S, LIMIT_S, LIMIT_S + 0.01, LONG_S)]
    assert [reply.result for reply in replies] == [0, 0, 0, -1, 0], "pauses between games and the bot's time are free"
    assert replies[3] == SentReply(said, True, -1.0, -1, replies[2].state)
    assert replies[4] == replies[0], "the next column opens the next game"
    assert [(game.reason, game.moves, game.limit_s) for game in finished(server.store)] == [("late", "727272", LIMIT_S)]


def test_a_first_move_can_be_late_a_new_game_cannot_and_a_queue_is_not_the_players_time():
    server = Limited()
    assert [server.move(LONG_S, move).result for move in (-1, 0, -1, -1)] == [0.0, -1.0, 0.0, 0.0]
    server.time_s += LIMIT_S + 1
    server.referee._turn = turn = Mock()
    assert server.referee.move(*WHO, 0, waited_s=2).result == 0.0, "it waited for other moves"
    turn.acquire.assert_called_with(timeout=QUEUE_S - 2)


def test_a_refusal_of_a_busy_server_gives_the_player_the_whole_time_again_but_no_late_move_back():
    server, results = Limited(), []
    server.move(0, -1)
    for after_s in (LIMIT_S, LIMIT_S + 1):
        server.time_s += after_s + QUEUE_S
        with pytest.raises(OverloadedError):
            server.referee.move(*WHO, 0, waited_s=QUEUE_S)
        results.append(server.move(LIMIT_S, 0).result)
    assert results == [0.0, -1.0]
