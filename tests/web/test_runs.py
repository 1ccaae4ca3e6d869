"""Journals as JSON for the page: complete, growing, cut off, damaged, and with nonsense in them."""

from __future__ import annotations

import codecs
import errno
import os
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from bot.course.events import Counted, Started
from bot.course.journal.journal import Journal, parse_journal, parse_outline
from bot.course.protocol import Stats
from bot.game import Board, parse_moves
from bot.web import explorer as explorer_module
from bot.web import live as live_module
from bot.web import runs as runs_module
from bot.web.agents import AgentPool
from bot.web.app import create_app
from bot.web.explorer import past_games
from bot.web.live import Follower, Tail
from bot.web.room import public_run
from bot.web.runs import Runs
from tests.course.journal.build import Hand

WIN = "4343434"
CERTAIN = dict.fromkeys(range(42), 1.0)
"""Every move has the same proven score."""


def client_of(folder: Path, pool: AgentPool | None = None) -> TestClient:
    return TestClient(create_app(folder, pool=pool), base_url="http://localhost", raise_server_exceptions=False)


def open_run(folder: Path, *, stil_ids: tuple[str, ...] = ("me",), goal: int = 20) -> Hand:
    server = "embedded"
    return Hand(folder, Started(0.0, 9, server=server, url=server, stil_ids=stil_ids, engine="perfect", goal=goal))


def grid(moves: str, we_started: bool) -> list[list[int]]:
    board = Board.from_moves(parse_moves(moves))
    ours_to_move = (board.ply % 2 == 0) == we_started
    return board.to_grid(1 if ours_to_move else -1)


def play(
    journal: Hand,
    number: int,
    moves: str,
    *,
    we_started: bool = True,
    since: int = 0,
    scores: Mapping[int, float] = CERTAIN,
) -> None:
    """Write a game's records up to the last reply, from the beginning or ``since`` a ply at which it is our move.

    Of the ``scores`` by ply, whole ones are proven.
    """
    first = "" if we_started else moves[:1]
    if not since:
        journal.intent(number, -1, 0)
        bot = -1 if we_started else int(first) - 1
        journal.reply(number, status=True, msg="", botmove=bot, result=0, state=grid(first, we_started))
    for ply in range(since or len(first), len(moves), 2):
        column = int(moves[ply]) - 1
        score = scores.get(ply)
        proven = score is not None and score == int(score)
        journal.intent(number, column, ply, score=score, proven=proven, depth=3, move_s=0.1, source="solver")
        journal.reply(number, status=True, botmove=-1, result=0, state=grid(moves[: ply + 2], we_started))


def game_of(journal: Hand) -> dict[str, Any]:
    """Close a journal, and return its first game as the page gets it."""
    journal.close()
    answer = client_of(journal.path.parent).get(f"/api/runs/{journal.path.name}")
    assert answer.status_code == 200, answer.text
    return dict(answer.json()["all"][0])


@pytest.mark.parametrize(
    ("moves", "we_started", "scores", "mistakes"),
    [
        (
            *("44444355", True, {0: 3.0, 2: 0.0, 4: 5.0, 6: 5.5}),  # 5.5 is an estimate
            {"0": "turned a won position into a drawn one", "3": "turned a drawn position into a lost one"},
        ),
        ("1213141", True, {6: 18.0}, {}),  # we win, as we knew
        ("1213141", False, {5: 0.0}, {"5": "turned a drawn position into a lost one"}),  # we did not stop it
        ("1213141", True, {4: 0.0, 6: 18.0}, {"5": "turned a drawn position into a lost one"}),  # they did not
        ("121314", True, {4: 0.0}, {}),  # not over yet
    ],
)
def test_moves_that_changed_a_proven_score_have_a_verdict_and_the_end_proves_the_last_mistake(
    tmp_path, moves, we_started, scores, mistakes
):
    journal = open_run(tmp_path)
    play(journal, 1, moves, we_started=we_started, scores=scores)
    assert {ply: verdict["text"] for ply, verdict in game_of(journal)["verdicts"].items()} == mistakes


NONSENSE = """
{"type":"replied","at":1,"game":1,"reply":{"status":true,"state":"no_board"}}
{"type":"replied","at":1,"game":1,"reply":{"status":true,"result":NaN}}
{"type":"chosen","at":1,"game":1,"move":99,"ply":"three","score":"high"}
{"type":"chosen","at":1,"game":1,"move":3,"score":NaN,"seconds":1e9,"proven":true}
{"type":"abandoned","at":1,"game":77}
{"type":"ended","reason":"?","games":[{"game":1,"result":77,"known_by":"?","moves":"none","we_started":"yes"}]}
{"type":"ended","reason":"finished","games":[{"game":1,"result":NaN,"known_by":"reply","moves":[3,3,3,3,3,3,3]}]}
{"type":"ended","reason":"finished","games":[{"game":1,"result":1,"known_by":"reply","moves":[3,3,3,3,3,3,3,3]}]}
{"type":"ended","reason":"finished","games":[{"game":7,"result":1,"known_by":"reply","moves":[0,1,0,1,0,1,0,1,0]}]}
{"type":"ended","reason":"finished","games":[{"game":1,"result":Infinity,"known_by":"reply"}]}
{"type":"game_end","game":1,"result":77,"known_by":"?","moves":"none","we_started":"yes"}
{"type":"game_end","game":1,"result":1,"known_by":"reply","moves":[3,3,3,3,3,3,3,3],"we_started":true}
{"type":"note","game":1,"kind":"odd","text":5}
[]"""


@pytest.mark.parametrize("record", NONSENSE.split())
def test_no_journal_breaks_the_server(tmp_path, record):
    journal = open_run(tmp_path, goal=10**12)
    journal.intent(1, -1)
    journal.close()
    with journal.path.open("a") as file:
        file.write(f"{record}\n")
    paths = ("/api/runs", f"/api/runs/{journal.path.name}")
    assert all(client_of(tmp_path).get(path).status_code in (200, 400) for path in paths)


def test_what_a_journal_says_is_printable_on_the_page_and_no_longer_than_people_read(tmp_path):
    foreign = "\x1b[2J\x9b\u202e\u2028" + "a" * 1_000_000
    journal = Hand(tmp_path, Started(0.0, server="s", stil_ids=("me",), engine=foreign))
    journal.intent(1, -1, note=foreign)
    journal.close()
    text = client_of(tmp_path).get(f"/api/runs/{journal.path.name}").text
    assert text.isprintable() and len(text) < 5000 and text.count(r"\\x1b[2J") == 2


def test_damage_is_counted_or_named_and_hides_no_other_run(tmp_path):
    journal = open_run(tmp_path)
    play(journal, 1, WIN)
    with journal.path.open("ab") as file:
        file.write(b"broken\n")
    journal.game_end(1, 1.0, moves=WIN)
    assert game_of(journal)["outcome"] == "won"
    (tmp_path / "000009-bad.jsonl").write_text("garbage\n")
    (tmp_path / "000010-empty.jsonl").write_text("")
    client = client_of(tmp_path)
    *damaged, run = client.get("/api/runs").json()
    assert (run["won"], run["damaged"]) == (1, 1) and all("error" in other for other in damaged)
    answer = client.get("/api/runs/000009-bad.jsonl")
    assert answer.status_code == 400 and "is not a journal" in answer.json()["error"]


@pytest.fixture(autouse=True)
def slow_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run counts as live although this machine may be slow to look."""
    monkeypatch.setattr(runs_module, "LIVE_S", 300.0)


def events(follower: Follower) -> list[tuple[str, Any]]:
    """Return what a follower reports in four looks: each event's kind, and the run's name or the fault."""
    found = [event for _ in range(4) for event in follower.next_events()]
    return [(kind, content.get("name") or content.get("error")) for kind, content in found]


@pytest.mark.parametrize(("age_s", "end"), [(0, "live"), (400, "silent"), (3600, "broken off")])
def test_a_run_without_an_end_is_judged_by_its_silence_which_is_reported_once(tmp_path, age_s, end):
    journal, follower = open_run(tmp_path), Follower(Runs(tmp_path))
    play(journal, 1, "4455")
    journal.close()
    (tmp_path / "zz-notes.jsonl").write_text("no journal\n")
    assert events(follower) == [("run", journal.path.name)]
    written_s = journal.path.stat().st_mtime - age_s
    os.utime(journal.path, (written_s, written_s))
    assert client_of(tmp_path).get("/api/runs").json()[1]["end"] == end
    reported = [(kind, run["end"], run["changed"]) for kind, run in follower.next_events()]
    assert reported == ([("game", end, [])] if age_s else [])
    assert events(follower) == []


def test_of_two_players_runs_at_once_the_first_is_followed_to_its_end(tmp_path):
    first = open_run(tmp_path)
    written_s = first.path.stat().st_mtime

    def touch(journal: Hand, seconds: int) -> None:
        os.utime(journal.path, (written_s + seconds,) * 2)

    follower = Follower(Runs(tmp_path))
    assert events(follower) == [("run", first.path.name)]
    other = open_run(tmp_path, stil_ids=("another",))
    touch(other, 1)
    assert events(follower) == []
    first.run_end("finished")
    touch(other, 2)
    assert events(follower)[-1:] == [("run", other.path.name)]
    again = open_run(tmp_path, stil_ids=("another",))
    touch(again, 3)
    assert events(follower)[-1:] == [("run", again.path.name)], "the same player's next run takes its place at once"
    for journal in (first, other, again):
        journal.close()


def test_a_tail_takes_whole_lines_only(tmp_path):
    journal = open_run(tmp_path)
    play(journal, 1, "44")
    journal.close()
    content = codecs.BOM_UTF8 + journal.path.read_bytes()  # as some editors save it
    tail = Tail(tmp_path / "copy.jsonl")
    for end in range(0, len(content) + 50, 50):
        tail.journal.path.write_bytes(content[:end])
        tail.read()
    assert tail.journal.records == parse_journal(content).records


def test_following_gives_the_run_every_change_and_what_is_damaged(tmp_path):
    follower = Follower(Runs(tmp_path))
    assert (follower.next_events(), follower.whole()) == ([], ("waiting", {}))
    journal = open_run(tmp_path)
    assert [kind for kind, _ in follower.next_events()] == ["run"]
    play(journal, 1, "4455")
    ((_, run),) = follower.next_events()
    (game,) = run["changed"]
    assert (game["moves"], game["outcome"], game["result"], game["we_started"]) == ("4455", "running", None, True)
    journal.game_end(1, 1.0, moves="4455667")
    journal.close()
    with journal.path.open("ab") as file:
        file.write(b"broken\n")
    (_, fault), (kind, run) = follower.next_events()
    assert (kind, run["streak"], run["changed"][0]["outcome"]) == ("game", 1, "won")
    content = journal.path.read_bytes()
    assert f"Line {len(content.splitlines())} is damaged and was skipped" in fault["error"]
    journal.path.write_bytes(content[: content.index(b"\n") + 1])
    assert events(follower) == [("run", journal.path.name)], "a journal that has become shorter is read anew"


@contextmanager
def broken_disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let every attempt to read a file fail."""

    def fail(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as disk:
        disk.setattr(Path, "open", fail)
        disk.setattr(Path, "read_bytes", fail)
        yield


@pytest.mark.parametrize("grows", [True, False])
def test_a_read_error_is_reported_and_hides_a_run_only_for_a_while(tmp_path, monkeypatch, grows):
    monkeypatch.setattr(live_module, "RETRY_S", 1e9)
    journal, runs = open_run(tmp_path), Runs(tmp_path)
    name, follower = journal.path.name, Follower(runs)
    error = f"The journal {name} cannot be read: Input/output error."
    with broken_disk(monkeypatch):
        assert (runs.summaries(), list(runs.outlines()), events(follower)) == ([{"name": name, "error": error}], [], [])
    assert runs.summaries()[0]["started"] == 0, "read again although the file has not changed"
    assert events(follower) == [("run", name)]
    with broken_disk(monkeypatch):
        assert events(follower) == [("fault", error), ("waiting", None)]
    assert events(follower) == [], "not tried ten times a second"
    if grows:
        play(journal, 1, "44")
    else:
        monkeypatch.setattr(live_module, "RETRY_S", 0.0)
    assert events(follower) == [("run", name)]
    journal.close()


def test_a_bug_is_printed_and_hides_no_other_run(tmp_path, monkeypatch, capsys):
    good, bad = open_run(tmp_path), open_run(tmp_path)
    for journal in (good, bad):
        journal.close()

    def broken(content: bytes, path: Path) -> Journal:
        if path == bad.path:
            raise ZeroDivisionError
        return parse_outline(content, path)

    monkeypatch.setattr(runs_module, "parse_outline", broken)
    hidden, shown = client_of(tmp_path).get("/api/runs").json()
    assert "cannot be shown. Your game is safe" in hidden["error"] and shown["name"] == good.path.name
    assert "Traceback" in capsys.readouterr().err


def test_the_explorer_reads_a_journal_once_after_a_change_however_many_clicks(tmp_path, monkeypatch):
    read: list[str] = []

    def counted(content: bytes, path: Path) -> Journal:
        read.append(path.name)
        time.sleep(0.05)  # long enough for other clicks to come
        return parse_outline(content, path)

    def clicks() -> set[int]:
        """Return the numbers of games that six clicks at once find, and then six more."""
        with ThreadPoolExecutor(6) as pool:
            return {len(games) for games in pool.map(past_games, [runs] * 12)}

    monkeypatch.setattr(runs_module, "parse_outline", counted)
    journals, runs = [open_run(tmp_path) for _ in range(2)], Runs(tmp_path)
    assert clicks() == {0} and sorted(read) == [journal.path.name for journal in journals]
    play(journals[0], 1, WIN)
    assert clicks() == {1} and read[2:] == [journals[0].path.name]
    monkeypatch.setattr(explorer_module, "MAX_GAMES", 3)
    for number in (1, 2, 3, 4):
        play(journals[1], number, WIN)
    found = [(game.run["run"] == journals[1].path.name, game.number) for game in past_games(runs)]
    assert found == [(True, 2), (True, 3), (True, 4)], "the latest games of the newest run are kept"
    for journal in journals:
        journal.close()


def test_the_goal_is_judged_by_the_reading_after_the_last_game_and_says_by_whose_count(tmp_path):
    journal = open_run(tmp_path, goal=1)
    play(journal, 1, WIN)
    follower = Follower(Runs(tmp_path))

    def judged() -> tuple[str, str, bool | None]:
        follower.next_events()
        _, run = follower.whole()
        return run["by"], run["verdict"], run["met"]

    assert judged() == ("", "", None), "the server's count is about to be read"
    journal.take(Counted(0.0, Stats(1, 1, 0, 1)))
    assert judged() == ("", "Goal met: 1 game in a row without a loss.", True)
    public = public_run(client_of(tmp_path).get(f"/api/runs/{journal.path.name}").json())
    assert (public["verdict"], public["met"]) == ("", True), "spectators see that the goal is reached"
    play(journal, 2, WIN)
    journal.take(Counted(0.0, None, "http 503", "The server answered with an error (HTTP 503)."))
    by, verdict, met = judged()
    assert (
        by == " by the journals alone"
        and met is False
        and verdict.endswith("not known (the server answered with an error (HTTP 503)).")
    )
    journal.close()
    public = public_run(client_of(tmp_path).get(f"/api/runs/{journal.path.name}").json())
    assert (public["by"], public["verdict"]) == (by, ""), "a server's text can be in it"
