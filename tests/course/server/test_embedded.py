"""The whole server over real HTTP: many players at once, and the command line around it."""

from __future__ import annotations

import random
import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import requests

from bot.agents.catalogue import make_agent
from bot.course.server.embedded import embedded_server
from bot.course.server.store import Store
from bot.errors import UsageError
from tests.processes import bot_here, running_bot
from tests.servers import reserved_port

KEY = "nyckel"


def post(url: str, endpoint: str, player: str, **fields: int) -> dict[str, object]:
    form = {"stil_id": player, "api_key": KEY, **fields}
    reply = requests.post(f"{url}/{endpoint}", data=form, timeout=60)
    assert reply.status_code == 200, reply.text
    body: dict[str, object] = reply.json()
    return body


def test_players_in_parallel_threads_have_their_own_statistics(tmp_path: Path) -> None:
    def play(player: str) -> list[float]:
        chance = random.Random(player)
        results: list[Any] = []
        while len(results) < 4:
            reply = post(url, "move", player, move=-1)
            while not reply["result"]:
                top = reply["state"][0]  # type: ignore[index]
                column = chance.choice([column for column in range(7) if not top[column]])
                reply = post(url, "move", player, move=column)
            results.append(reply["result"])
        return results

    players = ["ab1234cd-s", "b", "c_d", "e"]
    with embedded_server(make_agent("depth2", seed=1), api_key=KEY, db=tmp_path / "db", seed=1) as url:
        with ThreadPoolExecutor(4) as pool:
            seen = dict(zip(players, pool.map(play, players), strict=True))
        statistics = {player: post(url, "stats", player) for player in players}
    store = Store(tmp_path / "db")
    for player, results in seen.items():
        assert [game.result for game in store.games(player)] == results
        stats = statistics[player]
        assert (stats["played"], stats["won"], stats["lost"]) == (4, results.count(1.0), results.count(-1.0))
        assert stats["total_reward"] == sum(results)
    assert {game.student_first for player in players for game in store.games(player)} == {True, False}
    store.close()


def test_one_player_in_many_threads_loses_no_request() -> None:
    with embedded_server(make_agent("random", seed=1), api_key=KEY) as url:
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda _: post(url, "move", "a", move=-1), range(60)))
        assert post(url, "stats", "a") == {
            "msg": None, "status": None, "stil_id": "a",
            "played": 59, "won": 0, "lost": 59, "streak": 0, "streak_max": 0, "total_reward": -59.0,
        }  # fmt: skip


def test_an_id_never_seen_has_zeros_and_leaves_no_trace(tmp_path: Path) -> None:
    with embedded_server(make_agent("random"), api_key=KEY, db=tmp_path / "db") as url:
        stats = post(url, "stats", "unknown-id")
    assert (stats["status"], stats["played"], stats["total_reward"]) == (None, 0, 0.0)
    assert b"unknown-id" not in (tmp_path / "db").read_bytes()


def test_a_body_of_megabytes_is_refused_and_not_reset() -> None:
    def pieces() -> Iterator[bytes]:
        yield b"stil_id="
        yield from (b"a" * 65536 for _ in range(40))

    with embedded_server(make_agent("random"), api_key=KEY) as url:
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        assert requests.post(f"{url}/move", data=b"a" * 3_000_000, headers=form, timeout=60).status_code == 400
        assert requests.post(f"{url}/move", data=pieces(), headers=form, timeout=60).status_code == 400
        assert post(url, "stats", "a")["played"] == 0


def test_a_taken_port_is_reported_in_one_sentence() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with (
            pytest.raises(UsageError, match="Cannot listen"),
            embedded_server(make_agent("random"), api_key=KEY, port=taken.getsockname()[1]),
        ):
            raise AssertionError("two servers at one port")


def test_equal_seeds_play_equal_games() -> None:
    def opening() -> list[object]:
        with embedded_server(make_agent("depth1", seed=7), api_key=KEY, seed=7) as url:
            return [post(url, "move", "a", move=column) for column in (-1, 3, 3, -1, 3, 3, -1, 3)]

    assert opening() == opening()


@contextmanager
def serve(cwd: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run `bot serve` during the block; yields the process and its address."""
    pipe = subprocess.PIPE
    with running_bot("serve", "--opponent", "random", *options, cwd=cwd, stdout=pipe, stderr=pipe) as process:
        assert process.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:\d+", process.stdout.readline())
        assert found, process.communicate()
        yield process, found[0]


def test_a_killed_server_comes_back_with_everything(tmp_path: Path) -> None:
    with reserved_port() as port:
        check_a_killed_server(tmp_path, ("--port", str(port), "--db", "server.db", "--seed", "1"))


def check_a_killed_server(tmp_path: Path, options: tuple[str, ...]) -> None:
    with serve(tmp_path, *options, "--starter", "bot") as (process, url):
        before = post(url, "move", "a", move=3)
        process.kill()
    with serve(tmp_path, *options, "--faults", "@2:503_before") as (process, url):
        after = post(url, "move", "a", move=2)
        earlier = [cell for row in before["state"] for cell in row if cell]  # type: ignore[attr-defined]
        new = [cell for row in after["state"] for cell in row if cell]  # type: ignore[attr-defined]
        assert len(new) == len(earlier) + 2
        reply = requests.post(f"{url}/stats", data={"stil_id": "a", "api_key": KEY}, timeout=60)
        assert reply.status_code == 503
        assert requests.get(f"{url}/faults", timeout=60).json() == {"requests": 2, "faults": {"5xx_before": 1}}
        process.send_signal(signal.SIGTERM)
        _, complaints = process.communicate()
        assert (process.returncode, complaints) == (0, "")


def test_ctrl_c_ends_the_server_cleanly_and_no_file_is_left(tmp_path: Path) -> None:
    with serve(tmp_path, "--port", "0") as (process, url), requests.Session() as session:
        session.get(f"{url}/", timeout=60)  # an open connection holds nothing up
        process.send_signal(signal.SIGINT)
        _, complaints = process.communicate()
    assert process.returncode == 130
    assert "Traceback" not in complaints
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--faults", "lightning=1"), "lightning"),
        (("--dialect", "jan22"), "jan22"),
        (("--starter", "me"), "me"),
        (("--db", "no/such/folder"), "no/such/folder"),
    ],
)
def test_an_invalid_option_is_exit_code_2(tmp_path: Path, options: tuple[str, ...], complaint: str) -> None:
    done = bot_here("serve", "--opponent", "random", "--port", "0", *options, cwd=tmp_path)
    assert done.returncode == 2
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr
