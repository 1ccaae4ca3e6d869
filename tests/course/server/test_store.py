"""The store: what is written is read back, separately for every player, and nothing is half written."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.course.server.referee import Referee
from bot.course.server.store import FinishedGame, Record, Store
from bot.engine.simple import Scripted
from bot.errors import UsageError


def test_a_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    record = Record("a+b", 9, 4, 3, 2, 4, -7.5, running=True, moves="4", student_first=False)
    record.grid[5][3] = -1
    game = FinishedGame("a+b", -10.0, "1212", True, "illegal")
    store = Store(tmp_path / "db")
    store.write(record, [game])
    store.close()
    again = Store(tmp_path / "db")
    assert again.read("a+b") == record
    assert again.games("a+b") == [game]
    assert again.read("a") == Record("a")
    again.close()


def test_a_write_that_fails_leaves_nothing(tmp_path: Path) -> None:
    store = Store(tmp_path / "db")
    half = FinishedGame("a", None, "", True, "played")  # type: ignore[arg-type]
    with pytest.raises(Exception, match="NOT NULL"):
        store.write(Record("a", played=1), [half])
    assert store.read("a").played == 0
    store.close()


def test_a_path_that_cannot_be_a_database_is_reported_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no database " * 100)
    for path in (tmp_path / "missing" / "db", tmp_path, tmp_path / "text"):
        with pytest.raises(UsageError, match=r"database .* cannot be used"):
            Store(path)


def test_every_end_of_a_game_is_stored(tmp_path: Path) -> None:
    store = Store(tmp_path / "db")
    referee = Referee(store, Scripted("1111111"), starter="student")
    for column in (6, 6, 6, 6, 3, -1, 1, 2, 1, 2, 0, 0, 0, 0):
        referee.move("a", column)
    assert [(game.result, game.moves, game.reason) for game in store.games("a")] == [
        (1.0, "7171717", "played"),
        (-1.0, "41", "forfeit"),
        (-1.0, "21312131", "played"),
        (-10.0, "111111", "illegal"),
    ]
    record = store.read("a")
    assert record.played == len(store.games("a"))
    assert record.total_reward == sum(game.result for game in store.games("a"))
    store.close()
