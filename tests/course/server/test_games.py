"""Games at the embedded server: the rules against independent ones, every end of a game, and what the store keeps."""

from __future__ import annotations

import random
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from bot.course.server import rules
from bot.course.server.referee import Referee, Starter
from bot.course.server.store import FinishedGame, Record, Store
from bot.engine.simple import Scripted
from tests.course import foreign_rules

DRAWN = "571376236345225146673541242612413735415776"
"""A game without a four until its 42nd disc, which makes one."""


def test_random_games_end_where_independent_rules_say() -> None:
    for seed in range(40):
        chance, grid, theirs, player, result = random.Random(seed), rules.empty_grid(), foreign_rules.EMPTY, 1, None
        while result is None:
            assert rules.playable(grid) == foreign_rules.open_columns(theirs)
            column = chance.choice(rules.playable(grid))
            rules.drop(grid, column, player)
            theirs = foreign_rules.drop(theirs, column, player)
            result = rules.result_after(grid, player)
            won = foreign_rules.has_four(theirs, player)
            assert tuple(map(tuple, grid)) == theirs
            assert (rules.has_four(grid, player), rules.has_four(grid, -player)) == (won, False)
            assert result == (player if won else None) or not foreign_rules.open_columns(theirs)
            player = -player


@pytest.mark.parametrize(
    ("starter", "bot", "ours", "reply", "ended"),
    [
        ("student", "1111", "7777", ("The game has ended.", True, 1.0, -1), (1.0, "7171717", "played")),
        ("student", "1111", "3434", ("The game has ended.", True, -1.0, 0), (-1.0, "31413141", "played")),
        ("student", "111", "1111", ("Impossible move.", False, None, None), (-10.0, "111111", "illegal")),
        ("student", DRAWN[1::2], DRAWN[0::2], ("The game has ended.", True, 0.5, 5), (0.5, DRAWN, "played")),
        ("bot", DRAWN[0::2], DRAWN[1::2], ("The game has ended.", True, 0.5, -1), (0.5, DRAWN, "played")),
    ],
)
def test_every_end_of_a_game_is_answered_counted_and_stored(
    starter: Starter, bot: str, ours: str, reply: tuple[object, ...], ended: tuple[float, str, str]
) -> None:
    store = Store()
    referee = Referee(store, Scripted(bot), starter=starter)
    replies = [referee.move("a", -1), *(referee.move("a", int(column) - 1) for column in ours)]
    last, result = replies[-1], ended[0]
    assert {one.result for one in replies[:-1]} == {0.0}
    assert (last.msg, last.status, last.result, last.botmove) == reply
    counts = [1, result == 1, result < 0, result > 0, result > 0, result]
    assert list(referee.stats("a").values()) == [None, None, "a", *counts]
    assert store.games("a") == [FinishedGame("a", result, ended[1], starter == "student", ended[2])]


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
    assert [(game.result, game.reason) for game in store.games("a")] == [(1.0, "played"), (-1.0, "forfeit")]
    assert list(referee.stats("a").values())[3:] == [2, 1, 1, 0, 1, 0.0]


def test_a_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    record = Record("a", 9, 4, 3, 2, 4, -7.5, running=True, moves="4", student_first=False)
    record.grid[5][3] = -1
    game = FinishedGame("a", -10.0, "1212", True, "illegal")
    store = Store(tmp_path / "db")
    store.write(record, [game])
    with pytest.raises(Exception, match="NOT NULL"):
        store.write(Record("b", played=1), [replace(game, reason=None)])  # type: ignore[arg-type]
    store.close()
    again = Store(tmp_path / "db")
    assert (again.read("a"), again.games("a"), again.read("b")) == (record, [game], Record("b"))
    again.close()
