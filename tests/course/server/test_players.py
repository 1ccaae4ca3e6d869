"""`bot players`: who has passed and when, and which move was late; in databases of all editions, also during play."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing

from bot.course.server.referee import Referee
from bot.course.server.store import Store, StoredGame, read_moves, read_players
from bot.engine.simple import Scripted
from tests.course.run.course import finished
from tests.processes import bot_here

AT = "2026-11-23T10:00:00.000+00:00"
CLASS = {"ann": "wwwlwwwl", "bo": "wdidwr", "cy+di": "wwlwdww"}
"""The results of players' games, one game a minute from 10:00 on; r is a running one."""
LISTED = """\
player  played  won  drawn  lost  streak  longest  running   passed at (UTC)
ann          8    6      0     2       0        3        -  2026-11-23 10:02
cy+di        7    5      1     1       4        4        -  2026-11-23 10:05
bo           5    2      2     1       2        2      yes                 -
Passed: 2 of 3 players (goal 3 games in a row without a loss)
"""
SUMMARY = [
    "ann: 8 games, longest streak 3 of 20 (not passed), won 6, drawn 0, lost 2, 2 late moves in games 4, 8",
    "bo: 5 games, longest streak 2 of 20 (not passed), won 2, drawn 2, lost 1, 1 illegal move in game 3",
    "cy+di: 7 games, longest streak 4 of 20 (not passed), won 5, drawn 1, lost 1, 1 late move in game 3",
]
PASSED = "eva: 21 games, longest streak 20 of 20 (passed), won 20, drawn 0, lost 1, 1 late move in game 21"
FOURTH_EDITION = f"""
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
ALTER TABLE players ADD COLUMN started TEXT;
ALTER TABLE games ADD COLUMN started TEXT;
ALTER TABLE games ADD COLUMN ended TEXT;
CREATE TABLE requests (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    player TEXT NOT NULL,
    move INTEGER NOT NULL,
    arrived TEXT NOT NULL,
    replied TEXT NOT NULL
);
PRAGMA user_version = 1;
INSERT INTO players VALUES ('a',2,2,0,2,2,2.0,1,
    '[[0,0,0,0,0,0,0],[0,0,0,0,0,0,0],[0,0,0,0,0,0,0],[1,0,0,0,0,0,-1],[1,0,0,0,0,0,-1],[1,0,0,0,0,0,-1]]','171717',1,
    '{AT}');
INSERT INTO games (player, result, moves, student_first, reason) VALUES ('a',1.0,'1717171',1,'played');
INSERT INTO games (player, result, moves, student_first, reason) VALUES ('a',1.0,'2727272',1,'played');
INSERT INTO requests (player, move, arrived, replied) VALUES ('a', 0, '{AT}', '{AT}');
"""
"""A database as commit 2ce0b7a3 made it: two won games, and one that the next disc wins."""
MOVES = """\
game       opponent  limit_s  column  taken_s                        arrived   address  result   reason
1     scripted:1111      5.0       -        -  2026-11-23T10:00:00.000+00:00  10.0.0.7       -        -
1     scripted:1111      5.0       7      2.5  2026-11-23T10:00:00.000+00:00  10.0.0.7       -        -
1     scripted:1111      5.0       7        -  2026-11-23T10:00:00.000+00:00  10.0.0.7       -        -
1     scripted:1111      5.0       7     5.25  2026-11-23T10:00:00.000+00:00  10.0.0.7    lost     late
2     scripted:7777        -       1        -  2026-11-23T10:00:00.000+00:00  10.0.0.8       -        -
2     scripted:7777        -       1     60.0  2026-11-23T10:00:00.000+00:00  10.0.0.8       -        -
2     scripted:7777        -       1     60.0  2026-11-23T10:00:00.000+00:00  10.0.0.8       -        -
2     scripted:7777        -       1     60.0  2026-11-23T10:00:00.000+00:00  10.0.0.8     won   played
3     scripted:7777        -       4        -  2026-11-23T10:00:00.000+00:00  10.0.0.8    lost  forfeit
4     scripted:7777        -       -        -  2026-11-23T10:00:00.000+00:00  10.0.0.8       -  running
"""


def test_players_are_listed_with_their_streaks_and_the_time_of_their_pass(tmp_path):
    ends = {"w": (1.0, "played"), "d": (0.5, "played"), "l": (-1.0, "late"), "i": (-10.0, "illegal")}

    def save(store: Store, players: dict[str, str]) -> None:
        for player, results in players.items():
            for game, result in enumerate(results):
                points, reason = ends.get(result, (0.0, "running"))
                store.write([StoredGame(None, player, points, reason=reason, game=game + 1)], 3)

    with closing(Store(tmp_path / "db")) as store:
        save(store, CLASS)
        times = "UPDATE games SET ended = printf('2026-11-23T10:%02d:59.999+00:00', game - 1)"
        store.connection.execute(times)
        store.connection.commit()
        assert list(store.summary()) == SUMMARY
    passed, is_held = Store(), set[bool]()
    passed.connection.set_trace_callback(lambda _query: is_held.add(passed._lock.locked()))
    save(passed, {"eva": "w" * 20 + "l"})
    assert list(passed.summary()) == [PASSED] and passed.last_game("eva").reason == "late"
    assert is_held == {True}, "no thread reads what another one is about to save"
    (tmp_path / "class.txt").write_text("ANN\nDi\nEva  # ill\n", encoding="utf-8")
    listed = bot_here("players", "--db", "db", "--goal", "3", "--only", "class.txt", cwd=tmp_path)
    assert listed.stdout == f"{LISTED}Not played: eva\n"
    told = json.loads(bot_here("players", "--db", "db", "--goal", "4", "--json", cwd=tmp_path).stdout)
    assert [each["passed_at"] for each in told] == ["2026-11-23T10:06:59.999+00:00", None, None]


def test_a_database_of_the_fourth_edition_is_read_and_played_on_with(tmp_path):
    path = tmp_path / "db"
    with closing(sqlite3.connect(path)) as old:
        old.executescript(FOURTH_EDITION)
    assert " yes          unknown\n" in bot_here("players", "--db", "db", "--goal", "2", cwd=tmp_path).stdout
    with closing(Store(path)) as store:
        assert store.set_aside == []
        assert Referee(store, Scripted("7777")).move("a", 0).result == 1.0
        *earlier, last = finished(store)
    assert [(game.moves, game.ended) for game in earlier] == [("1717171", None), ("2727272", None)]
    assert (last.moves, last.started) == ("1717171", AT)
    (standing,) = read_players(path, 3)
    assert standing.passed_at == last.ended is not None
    moves = [(move["game"], move["column"], move["opponent"]) for move in read_moves(path, "a")]
    assert moves == [(1, None, None), (2, None, None), (3, 1, None)], "who began the game was not kept"


def test_one_players_moves_are_listed_with_their_times_and_a_restart_is_not_the_players_time(tmp_path):
    path, now_s = tmp_path / "db", 0.0

    def play(opponent: str, address: str, moves: list[tuple[float, int]], limit_s: float | None = None) -> None:
        """Play the moves, each after a pause in seconds, at a server that is started for them."""
        nonlocal now_s
        with closing(Store(path)) as store:
            referee = Referee(store, Scripted(opponent), starter="student", limit_s=limit_s, clock=lambda: now_s)
            for pause_s, move in moves:
                now_s += pause_s
                referee.move("a+b", move, address=address)

    play("1111", "10.0.0.7", [(0, -1), (2.5, 6)], 5.0)
    play("2222", "10.0.0.7", [(60, 6), (5.25, 6)], 9.0)  # what the game was begun with belongs to it
    play("7777", "10.0.0.8", [(60, 0), (60, 0), (60, 0), (60, 0), (60, 3), (60, -1)])
    listed = bot_here("players", "--db", "db", "--player", "a+b", cwd=tmp_path).stdout
    assert re.sub(r"\d+-\d+-\d+T[\d:.]+\+00:00", AT, listed) == MOVES
    filtered = ("players", "--db", "db", "--opponent", "scripted:7777", "--json")
    shown = json.loads(bot_here(*filtered, "--player", "a+b", cwd=tmp_path).stdout)
    assert [move["game"] for move in shown] == [2, 2, 2, 2, 3, 4]
    (standing,) = json.loads(bot_here(*filtered, "--goal", "1", cwd=tmp_path).stdout)
    assert (standing["played"], standing["lost"], standing["passed"]) == (2, 1, True), "the round before does not count"
    (before,) = json.loads(bot_here(*filtered[:4], "scripted:1111", "--json", cwd=tmp_path).stdout)
    assert (before["running"], standing["running"]) == (False, True), "a game runs in its own round"
    misspelt = bot_here("players", "--db", "db", "--opponent", "scripted:777", cwd=tmp_path)
    assert (misspelt.returncode, misspelt.stderr) == (
        2,
        "bot: db has no game against scripted:777. Its opponents: scripted:1111, scripted:7777.\n",
    )
    unknown = bot_here("players", "--db", "db", "--player", "b+a", cwd=tmp_path)
    assert (unknown.returncode, unknown.stderr) == (
        2,
        "bot: The database has no such games. See `bot players --db FILE`; the ids of a group are joined with +.\n",
    )
