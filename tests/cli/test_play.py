"""The main job, end to end: the command line, the course server on a port, real HTTP."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
from functools import partial
from pathlib import Path
from typing import Any, get_args
from unittest.mock import Mock

import pytest

from bot.cli import play as play_module
from bot.config import load_settings
from bot.course import session
from bot.course.client import http as http_module
from bot.course.client.http import Timeouts
from bot.course.client.trace import CarefulLog
from bot.course.events import Options
from bot.course.journal import state
from bot.course.journal.games import game_problems
from bot.course.journal.journal import read_journal
from bot.course.protocol import Dialect
from bot.course.run.standings import RunStandings
from tests.cli.programs import server
from tests.course.journal.build import write_run
from tests.course.run.course import journal_standings
from tests.processes import bot_here
from tests.servers import http, raw_server

KEY = "sekrit-key-1234"


def play(cwd: Path, url: str, options: str = "") -> subprocess.CompletedProcess[str]:
    """Play a game as k, at another spelling of the server's address."""
    respelt = url.replace("127.0.0.1", "LOCALHOST") + "/move"
    return bot_here(*f"play --games 1 --goal 1 --think 0.02 --server {respelt} --stil-id k {options}".split(), cwd=cwd)


def streak(cwd: Path, url: str) -> Any:
    """Return what `bot streak --json` says of k."""
    return json.loads(bot_here("streak", "--server", url, "--stil-id", "k", "--json", cwd=cwd).stdout)


@pytest.mark.parametrize("dialect", get_args(Dialect))
def test_a_server_of_either_dialect_is_played_and_every_journal_verifies(cli, tmp_path, dialect):
    with server("depth3", 3, dialect=dialect, api_key=KEY) as bot:
        where = f"--server {bot.url} --stil-id ab1234cd-s --stil-id aa"
        done = cli(f"play --games 2 --goal 2 {where} --json --think 0.02", BOT_API_KEY=KEY)
        wrong = cli(f"play --games 1 --server {bot.url} --stil-id ab1234cd", BOT_API_KEY="another")
    shown = json.loads(done.stdout)
    assert done.returncode == 0 and shown["played"] == 2, done.stderr
    assert (shown["witness"], shown["passed"]) == ("server" if dialect == "current" else "journals", True)
    said = "Goal met: 2 games" if dialect == "current" else "Goal met by the journals alone: 2 games"
    assert said in done.stderr
    assert wrong.returncode == 4 and "else of BOT_API_KEY, else api_key in bot.toml" in wrong.stderr
    assert "played as ab1234cd; is ab1234cd-s meant?" in wrong.stdout and "meant?" not in done.stderr
    assert "Looking for" not in done.stderr, "the server has counted no game"
    assert "Traceback" not in wrong.stderr
    journal = read_journal(tmp_path / shown["journal"])
    assert journal.header.options.stil_ids == ("aa", "ab1234cd-s")
    assert all(game.result is not None and game.result > 0 and game_problems(game) == [] for game in journal.games)
    assert journal.run_end is not None and journal.run_end.reason == "finished"
    assert KEY not in f"{done}{''.join(path.read_text() for path in tmp_path.rglob('*.jsonl'))}"


@pytest.mark.parametrize("is_up", [True, False])
def test_a_reading_that_may_lag_is_repeated_before_it_decides(cli, tmp_path, monkeypatch, is_up):
    """A repetition that fails replaces nothing."""
    monkeypatch.setattr(session, "REREAD_AFTER_S", 0.0)
    late = http(b'{"played": 1, "won": 1, "lost": 0, "streak": 1}')
    now = http(b'{"played": 2, "won": 2, "lost": 0, "streak": 2}') if is_up else http(b"", status="404 Not Found")
    with raw_server(late, late, now) as (url, seen):
        write_run(tmp_path / "logs", [1.0, 1.0], ids=("k",), server=url)
        done = cli(f"streak --server {url} --stil-id k --goal 2")
    if is_up:
        assert (done.returncode, len(seen)) == (0, 3) and done.stdout.endswith(
            "Goal met: 2 games in a row without a loss.\n"
        )
    else:
        assert done.returncode == 5 and "Server: 1 played, 1 won, 0 lost; streak 1\n" in done.stdout


def test_beside_a_run_a_game_that_only_the_server_has_counted_is_no_disagreement(cli, tmp_path, monkeypatch):
    with raw_server(http(b'{"played": 2, "won": 2, "lost": 0, "streak": 2}')) as (url, _seen):
        write_run(tmp_path / "logs", [1.0], ids=("k",), server=url)
        line = f"streak --server {url} --stil-id k --json"
        alone = json.loads(cli(line).stdout)
        runs = iter([None, "process 1"])  # it begins while the server is asked
        monkeypatch.setattr(state, "playing", lambda *_: next(runs))
        begun = json.loads(cli(line).stdout)
    assert (begun["playing"], begun["disagreements"]) == (True, [])
    assert not alone["playing"] and alone["disagreements"]


def test_exchanges_that_cannot_be_written_replace_neither_result_nor_error(cli, monkeypatch):
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(CarefulLog, "write", fail)
    said = "The exchanges cannot be written to logs: No space left on device. The journal has the game."
    with server("random", 1) as bot:
        done = cli(f"play --careful --goal 1 --think 0.02 --server {bot.url} --stil-id k")
        assert done.returncode == 0 and said in done.stdout and "Goal met" in done.stdout
        wrong = cli(f"play --careful --think 0.02 --server {bot.url} --stil-id k", BOT_API_KEY="another")
        assert wrong.returncode == 4 and said in wrong.stdout and "key" in wrong.stderr


@pytest.mark.parametrize("host", ["127.0.0.1:9", "server.invalid"])
def test_an_unreachable_server_ends_with_exit_code_3_before_the_engine_is_loaded(cli, tmp_path, host, monkeypatch):
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")  # a real look-up may take seconds

    if host == "server.invalid":
        monkeypatch.setattr(socket, "getaddrinfo", unknown)
        monkeypatch.setattr("urllib.request.getproxies", dict)  # it would find the name
    monkeypatch.setattr(play_module, "_FIRST_CONTACT_S", 0.3)
    done = cli(f"play --server http://{host} --stil-id a")
    assert done.returncode == 3 and f"The server http://{host} cannot be reached: " in done.stderr
    if host == "127.0.0.1:9":
        shown = cli(f"streak --server http://{host} --stil-id a")
        assert shown.stdout.startswith(f"a at http://{host}, goal 20 games"), "the address as it was given"
        assert shown.stderr.startswith("Note: "), "what to do next"
    assert "the engine" not in done.stdout + done.stderr
    assert not list(tmp_path.rglob("*.jsonl")), "no journal is left behind"


LOGIN = "Location: http://login.invalid/\r\n"
OTHERS = {
    "login page: open {url} in a browser": (http(b"<!DOCTYPE html><html>Log in</html>"), 4, 0),
    "http://login.invalid/": (http(b"", status="302 Found", extra=LOGIN), 4, 0),
    "does not follow the protocol": (http(b'{"hello": "world"}'), 4, 1),
    "HTTP 503": (http(b"", status="503 Down"), 3, 1),
}
"""What is said of servers of something else, by their answer; the exit code, and the number of moves sent."""


@pytest.mark.parametrize("said", OTHERS)
def test_another_server_costs_no_game_and_is_named(said, cli, tmp_path, monkeypatch):
    monkeypatch.setattr(http_module, "Timeouts", partial(Timeouts, statistics_s=0.3))
    answer, code, sent = OTHERS[said]
    with raw_server(answer) as (url, requests):
        done = cli(f"play --server {url} --stil-id k --games 1 --think 0.02 --patience 0.2")
    assert done.returncode == code, done.stderr
    assert [b"move=-1" in request for request in requests if b"move=" in request] == [True] * sent
    (message,) = (line for line in done.stderr.splitlines() if line.startswith("bot: "))
    assert said.format(url=url) in message and url in message and len(message) <= 3 * 80
    assert ("the journal is removed" in done.stdout) == (sent == 0)
    counted = journal_standings(tmp_path / "logs", url, ("k",))
    assert (counted.played, counted.lost, counted.running) == (0, 0, False)


def test_no_run_plays_beside_another_and_a_killed_one_is_resumed_from_anywhere_at_no_loss(tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    with server("random", 5) as bot:
        with bot.playing(tmp_path) as (process, path):
            second = play(tmp_path, bot.url, "--logs other")
            said = bot_here("streak", "--server", bot.url, "--stil-id", "k", cwd=tmp_path).stdout
            process.kill()
            process.wait()
            gone = streak(tmp_path, bot.url)
        hidden = path.rename(tmp_path / "hidden")
        refused = play(tmp_path, bot.url)
        hidden.rename(path)
        again = play(elsewhere, bot.url, "--logs other --json")
        found = streak(tmp_path, bot.url)
        note = bot_here("streak", "--server", bot.url, "--stil-id", "k", cwd=elsewhere).stderr
    assert second.returncode == 2 and f"(process {process.pid} on " in second.stderr
    assert "the engine" not in second.stdout + second.stderr
    assert f"A run is playing now: process {process.pid} on " in said and "unfinished" not in said
    assert refused.returncode == 2
    assert "Game 1 of k at http://localhost" in refused.stderr and "--fresh" in refused.stderr
    assert again.returncode == 0 and "Resuming game 1" in again.stderr, again.stderr
    assert json.loads(again.stdout)["journal"] == str(path)
    assert f"are in {path.parent}: bot streak --logs {path.parent} counts them." in note
    assert (gone["playing"], found["statistics"]["lost"], found["disagreements"]) == (False, 0, [])
    assert all(game.result == 1.0 and game_problems(game) == [] for game in read_journal(path).games)


def test_ctrl_c_ends_cleanly_with_130_and_says_that_the_game_goes_on(tmp_path):
    with server("random", 5) as bot:
        with bot.playing(tmp_path) as (process, path):
            process.send_signal(signal.SIGINT)
            process.send_signal(signal.SIGCONT)
            out, err = process.communicate()
        assert process.returncode == 130 and "still running on the server" in out and "Traceback" not in err
        assert "do so at once: a later move may lose the game" in out
        journal = read_journal(path)
        assert journal.run_end is not None and journal.run_end.reason == "interrupted"
        assert play(tmp_path, bot.url, "--fresh").returncode == 0
        found = streak(tmp_path, bot.url)
    assert (found["statistics"]["lost"], found["journals"]["lost"], found["disagreements"]) == (1, 1, [])


@pytest.mark.parametrize(("limit_s", "read_s"), [(4.0, 10.0), (6.0, 12.0)])
def test_a_reply_may_take_twice_as_long_as_a_move_and_at_least_ten_seconds(monkeypatch, limit_s, read_s):
    made = Mock()
    monkeypatch.setattr(http_module, "CourseClient", made)
    play_module._client(Options(limit_s=limit_s, patience_s=7.0), load_settings(), None)
    assert (made.call_args.kwargs["timeouts"].read_s, made.call_args.kwargs["patience_s"]) == (read_s, 7.0)


@pytest.mark.parametrize(("games", "code"), [(1, 0), (2, 5), (3, 5)])
def test_a_run_that_could_have_met_the_goal_and_did_not_ends_with_5(cli, monkeypatch, games, code):
    monkeypatch.setattr(play_module, "_run_games", lambda *_: RunStandings(goal=2))  # no result is known
    assert cli(f"play --engine random --opponent random --games {games} --goal 2").returncode == code


def test_a_player_who_is_playing_on_another_computer_is_not_disturbed(cli, monkeypatch):
    monkeypatch.setattr(play_module, "ELSEWHERE_S", 0.0)
    counts = ({"played": played, "won": played, "lost": 0, "streak": played} for played in (5, 6))
    with raw_server(*[http(json.dumps(each).encode()) for each in counts]) as (url, requests):
        done = cli(f"play --server {url} --stil-id k")
    assert done.returncode == 2 and "counted 5 games, and now 6." in done.stderr
    assert not any(b"move" in request for request in requests)
