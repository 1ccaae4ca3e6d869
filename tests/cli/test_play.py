"""The main job, end to end: the command line, the course server on a port, real HTTP."""

from __future__ import annotations

import json
import re
import signal
import socket
import threading
from pathlib import Path
from typing import get_args

import pytest

from bot.cli import play
from bot.course.journal.reader import read_journal
from bot.course.journal.verify import game_problems
from bot.course.server.referee import Dialect
from bot.errors import NetworkError
from tests.cli.programs import halted, playing, server
from tests.processes import bot, bot_here

KEY = "sekrit-key-1234"


def test_the_embedded_server_is_played_without_any_settings(tmp_path: Path) -> None:
    done = bot("play", "--games", "2", "--goal", "2", "--json", "--think", "0.05", "--seed", "1", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert set(answer) == {
        "server", "played", "won", "drawn", "lost", "streak", "goal", "passed", "slowest_move_s", "journal",
    }  # fmt: skip
    assert (answer["played"], answer["lost"], answer["streak"], answer["passed"]) == (2, 0, 2, True)
    assert answer["slowest_move_s"] > 0
    first = next(line for line in done.stderr.splitlines() if line.startswith("Playing"))
    assert all(word in first for word in ("embedded", "local-player", "5 s", answer["server"]))


@pytest.mark.parametrize("dialect", get_args(Dialect))
def test_a_server_of_either_dialect_is_played_and_every_journal_verifies(tmp_path: Path, dialect: Dialect) -> None:
    with server("depth3", 3, dialect=dialect, api_key=KEY) as url:
        done = bot_here(
            "play", "--games", "4", "--goal", "4", "--server", url, "--stil-id", "ab1234cd-s", "--stil-id", "aa",
            "--json", "--think", "0.05", cwd=tmp_path, BOT_API_KEY=KEY,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        answer = json.loads(done.stdout)
        assert answer["played"] == 4
        assert answer["lost"] == 0
        streak = bot_here(
            "streak", "--server", url, "--stil-id", "ab1234cd-s,", "--stil-id", "aa", "--goal", "4", cwd=tmp_path
        )
        assert streak.returncode == 2, "an id with a comma is refused"
    journal = read_journal(Path(tmp_path / answer["journal"]))
    assert journal.header.stil_ids == ("aa", "ab1234cd-s")
    assert all(game.result is not None and game.result > 0 for game in journal.games)
    assert all(game_problems(game) == [] for game in journal.games)
    assert journal.end is not None and journal.end.reason == "finished"
    everything = "".join(path.read_text() for path in tmp_path.rglob("*.jsonl")) + done.stdout + done.stderr
    assert KEY not in everything


def test_the_goal_is_missed_with_exit_code_5_and_the_streak_command_agrees(tmp_path: Path) -> None:
    with server("depth8", 1, starter="bot") as url:
        where = ("--server", url, "--stil-id", "loser")
        lost = bot_here("play", "--games", "1", "--engine", "random", "--seed", "1", "--json", *where, cwd=tmp_path)
        assert lost.returncode == 5, lost.stderr
        assert json.loads(lost.stdout)["lost"] == 1
        streak = bot_here("streak", "--json", *where, cwd=tmp_path)
        assert streak.returncode == 5
        answer = json.loads(streak.stdout)
        assert answer["disagreements"] == []
        assert answer["statistics"]["lost"] == answer["journals"]["lost"] == 1


def test_the_wrong_key_is_one_sentence_with_exit_code_4(tmp_path: Path) -> None:
    with server("random", 1, api_key="another") as url:
        done = bot_here("play", "--server", url, "--stil-id", "a", cwd=tmp_path, BOT_API_KEY=KEY)
    assert done.returncode == 4
    assert "key" in done.stderr.lower()
    assert "Traceback" not in done.stderr
    assert KEY not in done.stderr


def test_an_unreachable_server_ends_with_exit_code_3(tmp_path: Path) -> None:
    done = bot_here("play", "--server", "http://127.0.0.1:9", "--stil-id", "a", cwd=tmp_path)
    assert done.returncode == 3
    assert "cannot be reached" in done.stderr
    assert "Traceback" not in done.stderr
    assert "the engine" not in done.stdout + done.stderr, "it is reported before the engine is loaded"
    assert not list(tmp_path.rglob("*.jsonl")), "no journal is left behind"


@pytest.mark.parametrize("name", ["server.invalid", "127.0.0.1:9"])
def test_a_server_that_is_not_there_is_reported_before_the_run(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "_FIRST_CONTACT_S", 0.3)
    monkeypatch.setattr("urllib.request.getproxies", dict)
    with pytest.raises(NetworkError, match=f"The server http://{name} cannot be reached: [^.]+[.]"):
        play._reach(f"http://{name}")


def test_a_server_behind_a_proxy_and_one_that_starts_late_are_left_to_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("urllib.request.getproxies", lambda: {"http": "http://proxy"})
    play._reach("http://server.invalid")
    with socket.create_server(("127.0.0.1", 0)) as free:
        place = free.getsockname()
    started: list[socket.socket] = []
    starting = threading.Timer(0.5, lambda: started.append(socket.create_server(place)))
    starting.start()
    play._reach(f"http://127.0.0.1:{place[1]}")
    starting.join()
    started[0].close()


def test_compiling_is_announced_once(tmp_path: Path) -> None:
    done = bot("play", "--games", "1", "--think", "0.01", cwd=tmp_path, NUMBA_CACHE_DIR=str(tmp_path / "cache"))
    lines = [line for line in (done.stdout + done.stderr).splitlines() if "the engine" in line]
    seconds = [int(re.findall(r"(\d+) s$", line)[0]) for line in lines]
    assert lines and seconds == sorted(set(seconds)), "one wait, whose clock is not restarted"
    assert done.stdout.startswith("Playing the embedded course server")


def test_a_killed_run_is_resumed_and_its_game_costs_no_loss(tmp_path: Path) -> None:
    with server("random", 5) as url:
        with playing(tmp_path, url) as process:
            path = halted(url, tmp_path / "logs", process)
            process.kill()
        killed = read_journal(path)
        assert killed.unfinished is not None
        again = bot_here(
            "play", "--games", "2", "--goal", "2", "--server", url, "--stil-id", "k", "--json", cwd=tmp_path
        )
        assert again.returncode == 0, again.stderr
        assert "Resuming game 1" in again.stderr
        assert json.loads(again.stdout)["journal"] == str(path.relative_to(tmp_path)), "as it was before"
        streak = bot_here("streak", "--server", url, "--stil-id", "k", "--goal", "2", "--json", cwd=tmp_path)
        answer = json.loads(streak.stdout)
        assert answer["statistics"]["played"] == 2
        assert answer["statistics"]["lost"] == 0
        assert answer["disagreements"] == []
    assert all(game_problems(game) == [] for game in read_journal(path).games)


def test_ctrl_c_ends_cleanly_with_130_and_says_that_the_game_goes_on(tmp_path: Path) -> None:
    with server("depth2", 5) as url:
        with playing(tmp_path, url) as process:
            path = halted(url, tmp_path / "logs", process)
            process.send_signal(signal.SIGINT)
            process.send_signal(signal.SIGCONT)
            out, err = process.communicate()
        assert process.returncode == 130, err
        assert "still running on the server" in out + err
        assert "Traceback" not in err
        journal = read_journal(path)
        assert journal.end is not None and journal.end.reason == "interrupted"
        fresh = bot_here("play", "--games", "1", "--fresh", "--server", url, "--stil-id", "k", "--json", cwd=tmp_path)
        assert fresh.returncode in (0, 5)
        streak = bot_here("streak", "--server", url, "--stil-id", "k", "--json", cwd=tmp_path)
        answer = json.loads(streak.stdout)
        lost = answer["statistics"]["lost"], answer["journals"]["lost"]
        assert lost == (1, 1), "the abandoned game is a loss on both sides"
        assert answer["disagreements"] == []


def test_streak_says_that_a_run_is_playing_and_finds_no_disagreement_meanwhile(tmp_path: Path) -> None:
    with server("depth3", 5) as url, playing(tmp_path, url) as process:
        halted(url, tmp_path / "logs", process)
        process.send_signal(signal.SIGCONT)
        where = ("streak", "--server", url, "--stil-id", "k", "--goal", "50")
        said = bot_here(*where, cwd=tmp_path).stdout
        answer = json.loads(bot_here(*where, "--json", cwd=tmp_path).stdout)
        assert process.poll() is None, "the run outlasts both"
    assert f"A run is playing now: process {process.pid}, since " in said
    assert "They disagree" not in said and "unfinished" not in said
    assert answer["playing"] is True
    assert answer["disagreements"] == []


def test_two_runs_of_one_player_exclude_each_other(tmp_path: Path) -> None:
    with server("depth2", 5) as url, playing(tmp_path, url) as process:
        halted(url, tmp_path / "logs", process)
        second = bot("play", "--games", "1", "--server", url, "--stil-id", "k", cwd=tmp_path)
        spelt = bot("play", "--engine", "perfct", "--server", url, "--stil-id", "k", cwd=tmp_path)
    assert second.returncode == spelt.returncode == 2
    assert "Another run is playing as k at http://localhost" in second.stderr
    assert f"(process {process.pid}, since " in second.stderr
    assert "There is no agent called 'perfct'." in spelt.stderr
    for done in (second, spelt):
        assert "the engine" not in done.stdout + done.stderr, "it is refused before the engine is loaded"


@pytest.mark.parametrize(
    "where", [(), ("--server", "http://127.0.0.1:9", "--stil-id", "a")], ids=["embedded", "course"]
)
def test_a_file_in_place_of_the_logs_folder_is_called_that(tmp_path: Path, where: tuple[str, ...]) -> None:
    (tmp_path / "pos.txt").write_text("44")
    done = bot_here("play", "--logs", "pos.txt", *where, cwd=tmp_path)
    assert done.returncode == 2
    assert "pos.txt is not a folder. Choose another --logs folder." in " ".join(done.stderr.split())
