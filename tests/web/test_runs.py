"""Journals as JSON for the page: complete, growing, cut off, damaged, and with nonsense in them."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from bot.course.events import Counted, Options, Started
from bot.course.journal.journal import Journal, parse_journal, parse_outline
from bot.course.protocol import Stats
from bot.web import reading as reading_module
from bot.web import runs as runs_module
from bot.web.agents import AgentPool
from bot.web.app import create_app
from bot.web.runs import Runs
from tests.course.journal.build import Hand

WIN = "4343434"


def client_of(folder: Path, pool: AgentPool | None = None) -> TestClient:
    return TestClient(create_app(folder, pool=pool), base_url="http://localhost", raise_server_exceptions=False)


def open_run(folder: Path, *, stil_ids: tuple[str, ...] = ("me",), goal: int = 20) -> Hand:
    server = "embedded"
    options = Options(9, server=server, url=server, stil_ids=stil_ids, engine="perfect", goal=goal)
    return Hand(folder, Started(0.0, options))


def ended_run(folder: Path, *moves: str, end: str = "finished", **options: Any) -> Path:
    """Write a run with these won games; return its journal, which has no end where ``end`` is empty."""
    journal = open_run(folder, **options)
    for number, played in enumerate(moves, start=1):
        journal.play(number, played)
    if end:
        journal.run_end(end)
    journal.close()
    return journal.path


@pytest.fixture(autouse=True)
def slow_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run counts as live although this machine may be slow to look, one request reads all, and each looks anew."""
    monkeypatch.setattr(reading_module, "LIVE_S", 300.0)
    monkeypatch.setattr(runs_module, "STEP_S", 1e9)
    monkeypatch.setattr(runs_module, "LOOK_S", -1.0)


def newest(runs: Runs, since: str = "") -> dict[str, Any]:
    """Return the newest run as its owner gets it."""
    return runs.newest(since, spectator=False)


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
    journal = Hand(tmp_path, Started(0.0, Options(server="s", stil_ids=("me",), engine=foreign, goal=0)))
    journal.intent(1, -1)
    journal.close()
    text = client_of(tmp_path).get(f"/api/runs/{journal.path.name}").text
    assert text.isprintable() and len(text) < 6000 and text.count(r"\\x1b[2J") == 1
    assert '"goal":1,' in text, "of a goal of nothing, no share could be drawn"


def test_damage_is_counted_or_named_and_hides_no_other_run(tmp_path):
    journal = open_run(tmp_path)
    journal.play(1, WIN)
    with journal.path.open("ab") as file:
        file.write(b"broken\n")
    journal.game_end(1, 1.0, moves=WIN)
    journal.close()
    (tmp_path / "000009-bad.jsonl").write_text("garbage\n")
    (tmp_path / "000010-empty.jsonl").write_text("")
    client = client_of(tmp_path)
    *damaged, run = client.get("/api/runs").json()
    assert (run["won"], run["damaged"]) == (1, 1) and all(other["error"] for other in damaged)
    assert client.get(f"/api/runs/{journal.path.name}").json()["games"][0]["outcome"] == "won"
    answer = client.get("/api/runs/000009-bad.jsonl")
    assert answer.status_code == 400 and "is not a journal" in answer.json()["error"]


@pytest.mark.parametrize(("age_s", "end"), [(0, "live"), (400, "silent"), (3600, "broken off")])
def test_a_run_without_an_end_is_judged_by_its_silence_which_is_said_once(tmp_path, age_s, end):
    journal, runs = open_run(tmp_path), Runs(tmp_path)
    journal.play(1, "4455")
    journal.close()
    (tmp_path / "zz-notes.jsonl").write_text("no journal\n")
    first = newest(runs)
    assert first["run"]["name"] == journal.path.name and "run" not in newest(runs, first["at"])
    written_s = journal.path.stat().st_mtime - age_s
    os.utime(journal.path, (written_s, written_s))
    later = newest(runs, first["at"])
    assert later.get("run", first["run"])["end"] == end
    assert "run" not in newest(runs, later["at"])


def test_of_two_runs_at_once_the_newer_one_is_shown_to_its_end(tmp_path):
    first, runs = open_run(tmp_path), Runs(tmp_path)
    other = open_run(tmp_path, stil_ids=("another",))
    os.utime(first.path)
    assert newest(runs)["run"]["name"] == other.path.name
    other.play(1, WIN)
    other.run_end("finished")
    other.close()
    assert newest(runs)["run"]["name"] == first.path.name
    first.run_end("interrupted")
    first.close()
    assert newest(runs)["run"]["name"] == other.path.name
    ended_run(tmp_path)
    assert newest(runs)["run"]["name"] == other.path.name, "a run without a game hides none"
    waiting = ended_run(tmp_path, end="")
    written_s = waiting.stat().st_mtime - 400
    os.utime(waiting, (written_s, written_s))
    assert newest(runs)["run"]["name"] == waiting.name, "unless it may be waiting for its server"


def test_a_journal_that_is_being_written_is_read_in_whole_lines(tmp_path):
    journal = open_run(tmp_path)
    journal.play(1, "4455")
    journal.close()
    content = journal.path.read_bytes()
    start, runs = content.index(b"\n") + 1, Runs(tmp_path)
    for end in range(start, len(content) + 50, 50):
        journal.path.write_bytes(content[:end])
        run = newest(runs)["run"]
        assert (run["damaged"], run["listed"]) == (0, True)
    assert [game["moves"] for game in newest(runs)["games"]] == ["4455"]


def test_whoever_asks_again_gets_what_has_changed_and_nothing_else(tmp_path):
    runs = Runs(tmp_path)
    assert newest(runs)["run"] is None
    journal = open_run(tmp_path)
    first = newest(runs)
    assert (first["whole"], first["games"]) == (True, [])
    journal.play(1, WIN[:4])
    second = newest(runs, first["at"])
    (game,) = second["games"]
    assert (game["moves"], game["outcome"], game["result"], game["we_started"]) == (WIN[:4], "running", None, True)
    journal.play(1, WIN)
    journal.play(2, "44")
    third = newest(runs, second["at"])
    assert [game["number"] for game in third["games"]] == [1, 2] and third["run"]["streak"] == 1
    journal.play(2, "4455")
    fourth = newest(runs, third["at"])
    assert [game["number"] for game in fourth["games"]] == [2]
    assert [game["number"] for game in newest(runs, first["at"])["games"]] == [1, 2]
    journal.run_end("interrupted")
    assert newest(runs, fourth["at"])["games"] == [], "only the run has changed"
    assert newest(runs, "1.1")["whole"], "of another reading, perhaps by an earlier server"
    journal.close()
    content = journal.path.read_bytes()
    journal.path.write_bytes(content[: content.index(b"\n") + 1])
    shorter = newest(runs, third["at"])
    assert (shorter["whole"], shorter["games"]) == (True, []), "a journal that has become shorter is read anew"


def test_a_long_journal_is_read_in_steps_and_known_at_once_where_its_end_tells_its_games(tmp_path, monkeypatch):
    for name, end in (("me", ""), ("other", "finished")):
        ended_run(tmp_path, *[WIN] * 8, end=end, stil_ids=(name,))
    monkeypatch.setattr(runs_module, "STEP_S", -1.0)  # one line for each request and look
    client, asked = client_of(tmp_path), 0
    open_end, ended = (f"/api/runs/{path.name}" for path in sorted(tmp_path.glob("*.jsonl")))
    assert len(client.get(ended).json()["games"]) == 8
    assert [run["listed"] for run in client.get("/api/runs").json()] == [True, False]
    answer = client.get(open_end).json()
    known = {game["number"]: game for game in answer["games"]}
    assert len(known) < 8 and not answer["run"]["listed"]
    while not answer.get("run", {}).get("listed"):
        answer, asked = client.get(open_end, params={"since": answer["at"]}).json(), asked + 1
        known |= {game["number"]: game for game in answer.get("games", [])}
        assert asked < 10_000
    assert [game["moves"] for game in known.values()] == [WIN] * 8 and answer["run"]["streak"] == 8


def test_a_journal_is_read_once_after_a_change_also_after_a_restart(tmp_path, monkeypatch):
    read: list[str] = []

    def counted(content: bytes, path: Path, parse: Callable[[bytes, Path], Journal]) -> Journal:
        read.append(path.name)
        return parse(content, path)

    for parse in (parse_outline, parse_journal):
        monkeypatch.setattr(reading_module, parse.__name__, partial(counted, parse=parse))
    journals = [ended_run(tmp_path, WIN, end=end) for end in ("finished", "finished", "interrupted")]
    runs = Runs(tmp_path)
    games = newest(runs)["games"]
    for spectator in (False, True):
        shown = runs.summaries(spectator=spectator)
        again = Runs(tmp_path)
        assert (again.summaries(spectator=spectator), newest(again)["games"]) == (shown, games)
    assert sorted(read) == [path.name for path in journals]
    journals[0].write_bytes(journals[0].read_bytes() + b"\n")
    assert [run["won"] for run in Runs(tmp_path).summaries(spectator=False)] == [1, 1, 1]
    assert read[3:] == [journals[0].name]
    monkeypatch.setattr(reading_module, "__version__", "another")
    assert newest(Runs(tmp_path))["games"] == games and len(read) > 4, "another version may show other things"
    monkeypatch.setattr(runs_module, "MAX_RUNS", 2)
    assert [run["name"] for run in runs.summaries(spectator=False)] == [path.name for path in journals[:0:-1]]


@contextmanager
def broken_disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let every attempt to read a file fail."""

    def fail(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as disk:
        disk.setattr(Path, "open", fail)
        disk.setattr(Path, "read_bytes", fail)
        yield


def test_a_read_error_is_named_and_hides_a_run_only_until_the_disk_answers(tmp_path, monkeypatch):
    journal, runs = open_run(tmp_path), Runs(tmp_path)
    name = journal.path.name
    with broken_disk(monkeypatch):
        (run,) = runs.summaries(spectator=False)
        assert run["error"] == f"The journal {name} cannot be read: Input/output error."
        assert newest(runs)["run"] is None
    assert newest(runs)["run"]["name"] == name
    journal.play(1, "44")
    with broken_disk(monkeypatch):
        assert newest(runs)["run"] is None
    assert newest(runs)["games"][0]["moves"] == "44"
    journal.close()


def test_a_bug_is_printed_and_hides_no_other_run(tmp_path, monkeypatch, capsys):
    good, bad = ended_run(tmp_path, WIN), ended_run(tmp_path, WIN)

    def broken(content: bytes, path: Path) -> Journal:
        if path == bad:
            raise ZeroDivisionError
        return parse_outline(content, path)

    monkeypatch.setattr(reading_module, "parse_outline", broken)
    hidden, shown = client_of(tmp_path).get("/api/runs").json()
    assert "cannot be shown. Your game is safe" in hidden["error"] and shown["name"] == good.name
    assert "Traceback" in capsys.readouterr().err


def test_the_goal_is_judged_by_the_reading_after_the_last_game_and_says_by_whose_count(tmp_path):
    journal, runs = open_run(tmp_path, goal=1), Runs(tmp_path)
    journal.play(1, WIN)

    def judged(*, spectator: bool = False) -> tuple[str, str, bool | None]:
        run = runs.newest("", spectator=spectator)["run"]
        return run["by"], run["verdict"], run["met"]

    assert judged() == ("", "", None), "the server's count is about to be read"
    journal.take(Counted(0.0, Stats(1, 1, 0, 1)))
    assert judged() == ("", "Goal met: 1 game in a row without a loss.", True)
    assert judged(spectator=True) == ("", "", True), "spectators see that the goal is reached"
    journal.play(2, WIN)
    journal.take(Counted(0.0, None, "http 503", "The server answered with an error (HTTP 503)."))
    by, verdict, met = judged()
    assert (by, met) == (" by the journals alone", False)
    assert verdict.endswith("not known (the server answered with an error (HTTP 503)).")
    assert judged(spectator=True) == (by, "", False), "a server's text can be in it"
    journal.run_end("finished")
    journal.close()
    assert Runs(tmp_path).newest("", spectator=True)["run"]["by"] == by, "also where only the run's end is read"
