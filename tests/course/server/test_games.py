"""Games at the embedded server: the rules against independent ones, every end of a game, and what the store keeps."""

from __future__ import annotations

import random
import sqlite3
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest

from bot.course.server import rules
from bot.course.server.referee import Referee, SentReply, Starter
from bot.course.server.store import Store, StoredGame
from bot.engine.simple import Scripted
from bot.errors import UsageError
from tests.agents.external.programs import FAILURES, Fails
from tests.course import foreign_course
from tests.course.run.course import finished

DRAWN = "571376236345225146673541242612413735415776"
"""A game without a four until its 42nd disc, which makes one."""


def ends(store: Store) -> list[tuple[float, str, bool, str]]:
    """Return the ends of the games of the player "a"."""
    return [(game.result, game.moves, game.student_first, game.reason) for game in finished(store)]


def test_random_games_end_where_independent_rules_say() -> None:
    for seed in range(40):
        chance, grid, theirs, player, result = random.Random(seed), rules.empty_grid(), foreign_course.EMPTY, 1, None
        while result is None:
            assert rules.playable(grid) == foreign_course.open_columns(theirs)
            column = chance.choice(rules.playable(grid))
            rules.drop(grid, column, player)
            theirs = foreign_course.drop(theirs, column, player)
            result = rules.result_after(grid, player)
            won = foreign_course.has_four(theirs, player)
            assert tuple(map(tuple, grid)) == theirs
            assert (rules.has_four(grid, player), rules.has_four(grid, -player)) == (won, False)
            assert result == (player if won else None) or not foreign_course.open_columns(theirs)
            player = -player


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
def test_every_end_of_a_game_is_answered_counted_and_stored(
    starter: Starter, moves: str, result: float, msg: str
) -> None:
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


@pytest.mark.parametrize(("found", "reason"), FAILURES)
def test_the_student_wins_at_once_when_the_bot_fails(found: object, reason: str) -> None:
    store, notices = Store(), list[str]()
    store.write([StoredGame(None, "a", moves="444444")], 3)
    referee = Referee(store, Fails(found), notice=notices.append)
    assert referee.move("a", 0) == SentReply("The game has ended.", True, 1.0, -1)
    assert ends(store) == [(1.0, "4444441", True, "failure")]
    assert list(referee.stats("a").values())[3:] == [1, 1, 0, 1, 1, 1.0]
    assert len(notices) == 1 and notices[0].startswith(reason) and " It forfeits the game." in notices[0]


def test_a_bot_that_cannot_open_a_game_leaves_the_first_move_to_the_student() -> None:
    referee = Referee(Store(), Fails(None), starter="bot")
    opened = referee.move("a", -1)
    assert (opened.status, opened.botmove, referee.move("a", 3).result) == (True, -1, 1.0)


def test_one_player_in_many_threads_loses_no_request() -> None:
    referee, interval_s = Referee(Store(), Scripted("1")), sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # the threads take turns in the middle of everything
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: referee.move("a", -1), range(100)))
    sys.setswitchinterval(interval_s)
    assert referee.stats("a")["played"] == 99


def test_a_move_without_a_game_starts_one_and_minus_one_gives_it_up() -> None:
    store = Store()
    referee = Referee(store, Scripted("1111111"), starter="bot")
    assert referee.move("a", 6).botmove == 0
    for column in (6, 6, 6, 3, -1):
        referee.move("a", column)
    assert [(game.result, game.reason) for game in finished(store)] == [(1.0, "played"), (-1.0, "forfeit")]
    assert list(referee.stats("a").values())[3:] == [2, 1, 1, 0, 1, 0.0]


@pytest.mark.parametrize(
    ("error", "told"),
    [
        ("file is not a database", "Choose another place: --db for"),
        ("database or disk is full", "Make room on the disk, or choose another place: --db for"),
    ],
)
def test_a_database_that_cannot_be_used_is_refused_with_a_hint_that_fits(
    error: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite3, "connect", Mock(side_effect=sqlite3.OperationalError(error)))
    with pytest.raises(UsageError, match=rf"cannot be used: {error}\. {told}"):
        Store(Path("db"))


def test_a_request_is_stored_with_all_its_games_or_not_at_all() -> None:
    store = Store()
    game = StoredGame(None, "a", -10.0, "1212", False, "illegal", game=1, opponent="depth3", limit_s=5.0)
    store.write([game], 3)
    game.reason = None  # type: ignore[assignment]
    with pytest.raises(sqlite3.IntegrityError, match="NOT NULL"):
        store.write([replace(game, player="b", reason="late"), game], 3)
    (kept,) = finished(store)
    assert kept.started == kept.ended is not None
    assert replace(kept, number=None, started=None, ended=None) == replace(game, reason="illegal")
    assert [each.player for each in store.standings()] == ["a"]
