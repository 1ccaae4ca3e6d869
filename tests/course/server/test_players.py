"""`bot players`: who has passed and when, in databases of both editions, also while a server is playing."""

from __future__ import annotations

import json
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import requests

from bot.course.server.embedded import embedded_server
from bot.course.server.players import read_players
from bot.course.server.referee import Referee
from bot.course.server.store import AnsweredRequest, FinishedGame, PlayerRecord, Store
from bot.engine.simple import Scripted
from tests.processes import bot_here

CLASS = {
    "wwwlwwwl": PlayerRecord("ann", 8, 6, 2, 0, 3),
    "wdldw": PlayerRecord("bo", 5, 2, 1, 2, 2, running=True),
    "wwlwdww": PlayerRecord("cy+di", 7, 5, 1, 4, 4),
}
"""The results of players' games, one game a minute from 10:00 on, and what the server counted."""
LISTED = """\
player  played  won  drawn  lost  streak  longest  running   passed at (UTC)
ann          8    6      0     2       0        3        -  2026-11-23 10:02
cy+di        7    5      1     1       4        4        -  2026-11-23 10:05
bo           5    2      2     1       2        2      yes                 -
Passed: 2 of 3 players (goal 3 games in a row without a loss)
"""
THIRD_EDITION = """
PRAGMA journal_mode = WAL;
CREATE TABLE players (
    player TEXT PRIMARY KEY,
    played INTEGER NOT NULL DEFAULT 0,
    won INTEGER NOT NULL DEFAULT 0,
    lost INTEGER NOT NULL DEFAULT 0,
    streak INTEGER NOT NULL DEFAULT 0,
    streak_max INTEGER NOT NULL DEFAULT 0,
    total_reward REAL NOT NULL DEFAULT 0,
    running INTEGER NOT NULL DEFAULT 0,
    grid TEXT NOT NULL DEFAULT '',
    moves TEXT NOT NULL DEFAULT '',
    student_first INTEGER NOT NULL DEFAULT 1
);
CREATE TABLE games (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    player TEXT NOT NULL,
    result REAL NOT NULL,
    moves TEXT NOT NULL,
    student_first INTEGER NOT NULL,
    reason TEXT NOT NULL
);
INSERT INTO players VALUES ('a',2,2,0,2,2,2.0,1,
    '[[0,0,0,0,0,0,0],[0,0,0,0,0,0,0],[0,0,0,0,0,0,0],[1,0,0,0,0,0,-1],[1,0,0,0,0,0,-1],[1,0,0,0,0,0,-1]]','171717',1);
INSERT INTO games (player, result, moves, student_first, reason) VALUES ('a',1.0,'1717171',1,'played');
INSERT INTO games (player, result, moves, student_first, reason) VALUES ('a',1.0,'2727272',1,'played');
"""
"""A database of the third edition, as commit 9c88ba5c made it: two won games, and one that the next disc wins."""


def test_players_are_listed_with_their_streaks_and_the_time_of_their_pass(tmp_path: Path) -> None:
    with closing(Store(tmp_path / "db")) as store:
        for results, record in CLASS.items():
            for minute, result in enumerate(results):
                at = f"2026-11-23T10:{minute:02}:59.999+00:00"
                points = {"w": 1.0, "d": 0.5, "l": -1.0}[result]
                game = FinishedGame(record.player, points, "", True, "played", at, at)
                store.write(record, AnsweredRequest(record.player, 3, at, at), game)
    assert bot_here("players", "--db", "db", "--goal", "3", cwd=tmp_path).stdout == LISTED
    told = json.loads(bot_here("players", "--db", "db", "--goal", "4", "--json", cwd=tmp_path).stdout)
    assert [each["passed_at"] for each in told] == ["2026-11-23T10:06:59.999+00:00", None, None]


def test_a_database_of_the_third_edition_is_read_and_played_on_with(tmp_path: Path) -> None:
    path = tmp_path / "db"
    with closing(sqlite3.connect(path)) as old:
        old.executescript(THIRD_EDITION)
    assert " yes          unknown\n" in bot_here("players", "--db", "db", "--goal", "2", cwd=tmp_path).stdout
    with closing(Store(path)) as store:
        assert Referee(store, Scripted("7777")).move("a", 0).result == 1.0
        *earlier, last = store.games("a")
    assert [(game.moves, game.ended) for game in earlier] == [("1717171", None), ("2727272", None)]
    (standing,) = read_players(path, 3)
    assert standing.passed_at == last.ended is not None


def test_ten_players_at_once_are_counted_and_timed_and_the_list_can_be_read_meanwhile(tmp_path: Path) -> None:
    path, moves = tmp_path / "db", [0, 0, 0, 0, -1, 6, -1]  # a won game, a lost one, and one that is running

    def play(player: int) -> None:
        for move in moves:
            requests.post(f"{url}/move", {"stil_id": f"s{player}", "api_key": "k", "move": move}, timeout=60)
            assert all(each.played == each.won + each.lost for each in read_players(path))

    server = embedded_server(Scripted("7777"), api_key="k", db=path, starter="student")
    with server as url, ThreadPoolExecutor(10) as pool:
        list(pool.map(play, range(10)))
    assert [(each.won, each.lost, each.running) for each in read_players(path)] == [(1, 1, True)] * 10
    with closing(sqlite3.connect(path)) as kept:
        timed = kept.execute(
            "SELECT count(*) FROM games WHERE started <= ended "
            "UNION ALL SELECT count(*) FROM requests WHERE arrived <= replied"
        ).fetchall()
    assert timed == [(20,), (70,)]
