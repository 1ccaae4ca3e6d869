"""Journals as JSON for the page: complete, growing, cut off, damaged, and with nonsense in them."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from bot.course.journal.reader import parse_journal
from bot.course.session.events import Started
from bot.errors import JournalError
from bot.game import Board, parse_moves
from bot.web import runs as runs_module
from bot.web.app import create_app
from bot.web.broadcast import Broadcast
from bot.web.live import Follower, Tail
from bot.web.runs import Runs
from tests.course.journal.build import Hand

WIN = "4343434"
DRAW = "257771314744647214154617633623313656555222"


def client_of(folder: Path) -> TestClient:
    return TestClient(create_app(folder), base_url="http://localhost", raise_server_exceptions=False)


def open_run(folder: Path, *, stil_ids: tuple[str, ...] = ("me",), goal: int = 20) -> Hand:
    server = "embedded"
    return Hand(folder, Started(0.0, 2, server=server, url=server, stil_ids=stil_ids, engine="perfect", goal=goal))


def grid(moves: str, we_started: bool) -> list[list[int]]:
    board = Board.from_moves(parse_moves(moves))
    ours_to_move = (board.ply % 2 == 0) == we_started
    return board.to_grid(1 if ours_to_move else -1)


def play(journal: Hand, number: int, moves: str, *, we_started: bool, lose: tuple[int, ...] = ()) -> None:
    """Write a game's records without the replies to the bot's moves at the plies ``lose``."""
    journal.intent(number, -1, 0)
    first = "" if we_started else moves[:1]
    bot = -1 if we_started else int(first) - 1
    journal.reply(number, status=True, msg="", botmove=bot, result=0, state=grid(first, we_started))
    for ply in range(len(first), len(moves), 2):
        column = int(moves[ply]) - 1
        journal.intent(number, column, ply, score=1.0, proven=True, depth=3, move_s=0.1, source="solver")
        if ply not in lose:
            upto = moves[: ply + 2]
            journal.reply(number, status=True, botmove=-1, result=0, state=grid(upto, we_started))


def game_of(client: TestClient, folder: Path, number: int = 1) -> dict[str, Any]:
    name = sorted(path.name for path in folder.glob("*.jsonl"))[-1]
    answer = client.get(f"/api/runs/{name}")
    assert answer.status_code == 200, answer.text
    return dict(answer.json()["all"][number - 1])


@pytest.mark.parametrize("we_started", [True, False])
@pytest.mark.parametrize("lose", [(), (2, 3), (2, 3, 4, 5)])
def test_moves_follow_from_the_boards_even_where_replies_are_lost(
    tmp_path: Path, we_started: bool, lose: tuple[int, ...]
) -> None:
    moves = "44552216"[: 8 if we_started else 7]
    journal = open_run(tmp_path)
    play(journal, 1, moves, we_started=we_started, lose=lose)
    journal.close()
    game = game_of(client_of(tmp_path), tmp_path)
    assert game["we_started"] is we_started
    assert game["outcome"] == "running" and game["result"] is None
    known = max(min(ply + 2, len(moves)) for ply in range(1 - we_started, len(moves), 2) if ply not in lose)
    assert Board.from_moves(parse_moves(game["moves"])) == Board.from_moves(parse_moves(moves[:known]))
    first = "0" if we_started else "1"
    assert game["about"][first]["score"] == 1.0 and game["about"][first]["move_s"] == 0.1


def test_a_finished_game_is_described_by_its_end_record_and_the_streak_counts_earlier_runs(tmp_path: Path) -> None:
    for _ in range(2):
        journal = open_run(tmp_path)
        for number, moves in ((1, WIN), (2, DRAW)):
            play(journal, number, moves, we_started=True)
        journal.run_end("finished")
        journal.close()
    client = client_of(tmp_path)
    runs = client.get("/api/runs").json()
    assert len(runs) == 2 and runs[0]["name"] > runs[1]["name"]
    assert (runs[0]["won"], runs[0]["drawn"], runs[0]["lost"], runs[0]["end"]) == (1, 1, 0, "finished")
    assert client.get(f"/api/runs/{runs[0]['name']}").json()["streak"] == 4
    assert client.get(f"/api/runs/{runs[1]['name']}").json()["streak"] == 2
    game = game_of(client, tmp_path)
    assert (game["moves"], game["outcome"]) == (WIN, "won")


@pytest.mark.parametrize("name", ["..%2F..%2Fetc%2Fpasswd", "x.jsonl", ".jsonl", "a%00.jsonl", "x" * 300 + ".jsonl"])
def test_only_journals_of_the_folder_are_served(tmp_path: Path, name: str) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    (tmp_path / "secret.jsonl").write_text("{}\n")
    (logs / "link.jsonl").symlink_to(tmp_path / "secret.jsonl")
    client = client_of(logs)
    for wanted in (name, "..%2Fsecret.jsonl", "link.jsonl"):
        assert client.get(f"/api/runs/{wanted}").status_code in (400, 404)


def test_a_folder_that_is_missing_or_empty_has_no_runs(tmp_path: Path) -> None:
    assert client_of(tmp_path / "nowhere").get("/api/runs").json() == []


NONSENSE = [
    b'{"type":"reply","at":1,"game":1,"reply":{"status":true,"state":"no board"}}',
    b'{"type":"reply","at":1,"game":1,"reply":{"status":true,"result":NaN}}',
    b'{"type":"intent","at":1,"game":1,"move":99,"ply":"three","score":"high"}',
    b'{"type":"intent","at":1,"game":1,"move":3,"score":NaN,"seconds":1e9,"proven":true}',
    b'{"type":"game_end","game":1,"result":77,"known_by":"?","moves":"not moves","we_started":"yes"}',
    b'{"type":"game_end","game":1,"result":NaN,"known_by":"reply","moves":[3,3,3,3,3,3,3,3],"we_started":true}',
    b'{"type":"game_end","game":1,"result":Infinity,"known_by":"reply","moves":[0,1,0,1,0,1,0,1,0]}',
    b'{"type":"note","game":1,"kind":"odd","text":5}',
    b'{"type":"run_end","reason":"finished"}',
]


@pytest.mark.parametrize("record", NONSENSE)
def test_no_journal_breaks_the_server(tmp_path: Path, record: bytes) -> None:
    journal = open_run(tmp_path, goal=10**12)
    journal.intent(1, -1)
    journal.close()
    with journal.path.open("ab") as file:
        file.write(record + b"\n")
    client = client_of(tmp_path)
    assert client.get("/api/runs").status_code == 200
    assert client.get(f"/api/runs/{journal.path.name}").status_code in (200, 400)


def test_a_damaged_journal_gives_one_sentence_and_hides_no_other(tmp_path: Path) -> None:
    journal = open_run(tmp_path)
    journal.close()
    (tmp_path / "000009-bad.jsonl").write_text("garbage\n")
    (tmp_path / "000010-empty.jsonl").write_text("")
    client = client_of(tmp_path)
    runs = client.get("/api/runs").json()
    assert [("error" in run) for run in runs] == [True, True, False]
    answer = client.get("/api/runs/000009-bad.jsonl")
    assert answer.status_code == 400 and "is not a journal" in answer.json()["error"]


def test_a_journal_with_a_damaged_line_is_still_served(tmp_path: Path) -> None:
    journal = open_run(tmp_path)
    play(journal, 1, WIN, we_started=True)
    with journal.path.open("ab") as file:
        file.write(b"broken\n")
    journal.game_end(1, 1.0, moves=WIN, we_started=True, known_by="reply")
    journal.close()
    client = client_of(tmp_path)
    (run,) = client.get("/api/runs").json()
    assert (run["won"], run["damaged"]) == (1, 1)
    assert game_of(client, tmp_path)["outcome"] == "won"


def test_moves_that_changed_a_proven_score_have_a_verdict(tmp_path: Path) -> None:
    journal = open_run(tmp_path)
    moves, scores = "44444355", {0: 3.0, 2: 0.0, 4: 5.0, 6: 5.0}
    journal.intent(1, -1, 0)
    journal.reply(1, status=True, msg="", botmove=-1, result=0, state=grid("", True))
    for ply, score in scores.items():
        journal.intent(1, int(moves[ply]) - 1, ply, score=score, proven=ply != 6, move_s=0.1)
        journal.reply(1, status=True, botmove=0, result=0, state=grid(moves[: ply + 2], True))
    journal.close()
    verdicts = game_of(client_of(tmp_path), tmp_path)["verdicts"]
    assert {ply: verdict["text"] for ply, verdict in verdicts.items()} == {
        "0": "gave the win away: now a draw",
        "3": "gave the draw away: now lost",
    }
    assert [verdict["score"] for verdict in verdicts.values()] == [0.0, 5.0]


@pytest.mark.parametrize(
    ("moves", "we_started", "ply", "score", "mistakes"),
    [
        ("1213141", True, 6, 18.0, {}),  # we win, as we knew
        ("1213141", False, 5, 0.0, {"5": "gave the draw away: now lost"}),  # we did not stop it
        ("1213141", True, 4, 0.0, {"5": "gave the draw away: now lost"}),  # they did not
        ("121314", True, 4, 0.0, {}),  # not over yet
    ],
)
def test_the_end_of_a_game_proves_the_last_mistake(
    tmp_path: Path, moves: str, we_started: bool, ply: int, score: float, mistakes: dict[str, str]
) -> None:
    journal = open_run(tmp_path)
    journal.intent(1, int(moves[ply]) - 1, ply, score=score, proven=True)
    if ply == 4 and len(moves) == 7:
        journal.intent(1, 0, 6, score=18.0, proven=True)
    journal.game_end(1, 1.0 if we_started else -1.0, moves=moves, we_started=we_started, known_by="reply")
    journal.close()
    verdicts = game_of(client_of(tmp_path), tmp_path)["verdicts"]
    assert {at: verdict["text"] for at, verdict in verdicts.items()} == mistakes


@pytest.mark.parametrize(("age_s", "end"), [(0, "live"), (60, "silent"), (3600, "broken off")])
def test_a_run_without_an_end_is_judged_by_its_silence(
    tmp_path: Path, age_s: int, end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = open_run(tmp_path)
    journal.close()
    now_s = journal.path.stat().st_mtime + age_s
    monkeypatch.setattr("bot.web.runs.time.time", lambda: now_s)
    assert client_of(tmp_path).get("/api/runs").json()[0]["end"] == end


@pytest.fixture
def slow_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run counts as live although this machine may be slow to look."""
    monkeypatch.setattr(runs_module, "LIVE_S", runs_module.SILENT_S)


@pytest.mark.usefixtures("slow_machine")
def test_a_run_that_falls_silent_is_reported_and_a_file_that_is_no_journal_hides_none(tmp_path: Path) -> None:
    journal = open_run(tmp_path)
    play(journal, 1, "4455", we_started=True)
    journal.close()
    (tmp_path / "zz-notes.jsonl").write_text("no journal\n")
    follower = Follower(Runs(tmp_path))
    ((kind, run),) = (event for _ in range(4) for event in follower.next_events())
    assert (kind, run["end"]) == ("run", "live")
    os.utime(journal.path, (1, 1))
    ((kind, run),) = follower.next_events()
    assert (kind, run["end"], run["changed"]) == ("game", "broken off", [])


@pytest.mark.usefixtures("slow_machine")
def test_a_journal_that_cannot_be_read_any_more_is_reported_once_and_another_is_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    older, newer = open_run(tmp_path), open_run(tmp_path)
    for journal in (older, newer):
        play(journal, 1, "4455", we_started=True)
        journal.close()
    follower = Follower(Runs(tmp_path))
    assert [event[1]["name"] for event in follower.next_events()] == [newer.path.name]
    read = Tail.read

    def fails(tail: Tail) -> set[int]:
        if tail.path == newer.path:
            raise JournalError(f"The journal {tail.path.name} cannot be read: gone.")
        return read(tail)

    monkeypatch.setattr(Tail, "read", fails)
    events = [event for _ in range(4) for event in follower.next_events()]
    assert [kind for kind, _ in events] == ["fault", "run"]
    assert "gone" in events[0][1]["error"] and events[1][1]["name"] == older.path.name


@pytest.mark.usefixtures("slow_machine")
def test_of_two_players_runs_at_once_the_first_is_followed_to_its_end(tmp_path: Path) -> None:
    def runs_in(follower: Follower) -> list[str]:
        return [str(run["name"]) for _ in range(3) for _, run in follower.next_events()]

    first = open_run(tmp_path)
    follower = Follower(Runs(tmp_path))
    assert runs_in(follower) == [first.path.name]
    other = open_run(tmp_path, stil_ids=("another",))
    os.utime(other.path, (first.path.stat().st_mtime + 1,) * 2)
    assert runs_in(follower) == []
    first.intent(1, -1, 0)
    assert runs_in(follower) == [first.path.name]
    os.utime(other.path, (first.path.stat().st_mtime + 1,) * 2)
    first.run_end("finished")
    os.utime(other.path, (first.path.stat().st_mtime + 2,) * 2)
    assert runs_in(follower)[-1:] == [other.path.name]
    again = open_run(tmp_path, stil_ids=("another",))
    os.utime(again.path, (first.path.stat().st_mtime + 3,) * 2)
    assert runs_in(follower)[-1:] == [again.path.name], "the same player's next run takes its place at once"
    for journal in (first, other, again):
        journal.close()


def test_the_outlines_of_many_runs_keep_no_finished_games_records(tmp_path: Path) -> None:
    journal = open_run(tmp_path)
    play(journal, 1, WIN, we_started=True)
    journal.game_end(1, 1.0, moves=WIN, we_started=True, known_by="reply")
    play(journal, 2, "44", we_started=True)
    runs = Runs(tmp_path)
    outline = runs.outline(journal.path)
    assert [len(game.steps) for game in outline.games] == [0, 2] and outline.records == []
    assert runs.outline(journal.path) is outline
    journal.game_end(2, -1.0, moves="44", we_started=True, known_by="reply")
    journal.close()
    outline = runs.outline(journal.path)
    assert [(game.result, game.steps) for game in outline.games] == [(1.0, []), (-1.0, [])] and outline.records == []


def test_a_tail_takes_whole_lines_only(tmp_path: Path) -> None:
    journal = open_run(tmp_path)
    play(journal, 1, "44", we_started=True)
    journal.close()
    content = journal.path.read_bytes()
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(b"")
    tail = Tail(copy)
    for start in range(0, len(content), 50):
        with copy.open("ab") as file:
            file.write(content[start : start + 50])
        tail.read()
    assert tail.journal is not None
    assert tail.journal.records == parse_journal(content).records


@pytest.mark.usefixtures("slow_machine")
def test_following_waits_for_a_run_then_sends_it_and_every_change(tmp_path: Path) -> None:
    async def check() -> list[tuple[str, dict[str, Any]]]:
        events = []
        journal = None
        async for event in Broadcast(Runs(tmp_path)).events(spectator=False):
            if event.startswith(":"):
                continue
            kind, data = event.strip().split("\n")[-2:]
            events.append((kind.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
            if len(events) == 1:
                journal = open_run(tmp_path)
            elif len(events) == 2:
                assert journal is not None
                play(journal, 1, "4455", we_started=True)
            elif len(events) == 3:
                assert journal is not None
                journal.game_end(1, 1.0, moves="4455667", we_started=True, known_by="reply")
            elif len(events) == 4:
                with journal.path.open("ab") as file:  # type: ignore[union-attr]
                    file.write(b"broken\n")
            else:
                break
        return events

    events = asyncio.run(asyncio.wait_for(check(), 240))
    assert [kind for kind, _ in events] == ["waiting", "run", "game", "game", "fault"]
    assert events[2][1]["changed"][0]["moves"] == "4455"
    assert events[3][1]["streak"] == 1 and events[3][1]["changed"][0]["outcome"] == "won"
    assert "Line 13 is damaged and was skipped" in events[4][1]["error"]
