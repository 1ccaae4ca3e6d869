"""`bot play` before a course server has answered: what is sent, what is said, and what is counted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import NamedTuple

import pytest

from bot.agents.catalogue import make_agent
from bot.config import COURSE_KEY
from bot.course.server.embedded import embedded_server
from tests.processes import bot_here


class Other(NamedTuple):
    """A server of something else: its answer to everything, and what `bot play` does at it."""

    status: int
    body: str
    exit_code: int
    sent: int
    """Number of requests to /move."""
    said: tuple[str, ...]
    """Parts of the message."""


OTHERS = {
    "login page": Other(200, "<!DOCTYPE html><html>Log in</html>", 4, 0, ("login page: open {url} in a browser",)),
    "redirect": Other(302, "", 4, 0, ("{url} redirects", "http://login.invalid/", "login page: open it in a browser")),
    "404": Other(404, "", 4, 1, ("has answered at {url}.", "HTTP 404", "Check the address given as --server.")),
    "json": Other(200, '{"hello": "world"}', 4, 1, ("at {url}.", "does not follow the protocol", "Check the address")),
    "503": Other(503, "", 3, 1, ("has answered at {url}.", "HTTP 503", "Try again later.")),
}


@contextmanager
def serving(other: Other) -> Iterator[tuple[int, list[str]]]:
    """Run a server that answers every request alike; yields its port and the requests, as path and form."""
    requests: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            form = self.rfile.read(int(self.headers["Content-Length"])).decode()
            requests.append(f"{self.path} {form}")
            self.send_response(other.status)
            self.send_header("Location", "http://login.invalid/")
            self.send_header("Content-Length", str(len(other.body)))
            self.end_headers()
            self.wfile.write(other.body.encode())

        def log_message(self, *_: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        thread = Thread(target=http.serve_forever, args=(0.05,))
        thread.start()
        yield http.server_port, requests
        http.shutdown()
        thread.join()


@pytest.mark.parametrize("kind", OTHERS)
def test_another_server_costs_no_game_and_is_named(kind: str, tmp_path: Path) -> None:
    other = OTHERS[kind]
    with serving(other) as (port, requests):
        url = f"http://127.0.0.1:{port}"
        where = ("--server", url, "--stil-id", "a", "--goal", "1")
        play = ("play", *where, "--games", "1", "--think", "0.05", "--patience", "0.2")
        done = bot_here(*play, cwd=tmp_path)
    assert done.returncode == other.exit_code, done.stderr
    moves = [request for request in requests if request.startswith("/move ")]
    assert len(moves) == other.sent and all("move=-1" in request for request in moves)
    (message,) = (line for line in done.stderr.splitlines() if line.startswith("bot: "))
    assert all(part.format(url=url) in message for part in other.said), message
    assert len(message) <= 3 * 80
    counts = json.loads(bot_here("streak", "--offline", "--json", *where, cwd=tmp_path).stdout)["journals"]
    assert (counts["played"], counts["lost"], counts["running"]) == (0, 0, False)
    with embedded_server(make_agent("random", seed=1), api_key=COURSE_KEY, seed=1, port=port):
        again = bot_here(*play, cwd=tmp_path)
        streak = json.loads(bot_here("streak", "--json", *where, cwd=tmp_path).stdout)
    assert again.returncode == 0, again.stderr
    assert "Game 1 of 1: won" in again.stdout
    assert streak["disagreements"] == []
    assert (streak["statistics"]["played"], streak["statistics"]["lost"]) == (1, 0)


@pytest.mark.parametrize("schema", [1, 2])
def test_an_unfinished_game_of_an_earlier_edition_stops_play_before_anything_is_sent(
    schema: int, tmp_path: Path
) -> None:
    (tmp_path / "logs").mkdir()
    with serving(OTHERS["login page"]) as (port, requests):
        url = f"http://127.0.0.1:{port}"
        header = {"type": "run", "schema": schema, "server": url, "stil_ids": ["a"]}
        records = [header, {"type": "intent", "game": 3, "move": -1}, {"type": "reply", "game": 3, "status": True}]
        lines = "".join(json.dumps(record) + "\n" for record in records)
        (tmp_path / "logs" / "000001-a.jsonl").write_text(lines)
        play = ("play", "--server", url, "--stil-id", "a", "--games", "1")
        refused = bot_here(*play, cwd=tmp_path)
        assert refused.returncode == 2
        assert "A game of a at http://localhost" in refused.stderr and "--fresh" in refused.stderr
        assert requests == []
        assert bot_here(*play, "--fresh", cwd=tmp_path).returncode == 4, "it asks the server"
        assert len(requests) == 1
    assert (tmp_path / "logs" / "000001-a.jsonl").read_text() == lines
