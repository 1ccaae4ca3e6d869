"""Record the games in this folder anew: what `bot play` asks is passed on to a server, and written down with the reply.

usage: python -m tests.recorded.record [NAME ...] [--january http://127.0.0.1:8000]

Each recording is a JSON file: who answered, how it was made, the command, its exit code, what the console said of the
games when it was recorded, what the journal has of them (as `bot replay --verify --json` shows it), and every request
with its reply, in order. Address, ids and key are placeholders. `test_recorded.py` runs each command again and gives
these replies. A new recording begins as a file that only says how it is made: the fields of `Case`, under "made".

No server is of the program's making: one is the tests' blind server, the other one, under ``--january``, the course's
own server as it was public in January 2021, where it runs on this machine. Without the option, its recordings stay as
they are. Its bot plays at random: its games are played until they end as wanted.
"""

from __future__ import annotations

import json
import re
import secrets
import shlex
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Container
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Annotated, Any, Literal
from unittest.mock import patch
from urllib.parse import parse_qsl, urlencode, urlsplit

import requests
import responses
import typer

from bot.course import policy
from bot.course.protocol import is_loopback
from tests.course.foreign_course import AlphaBetaBot, scripted_bot
from tests.course.foreign_course import Answer as Bot
from tests.course.foreign_server import ForeignServer
from tests.processes import bot_here

FOLDER = Path(__file__).parent
BLIND = "the tests' blind server (tests/course/foreign_server.py), written from the protocol alone"
JANUARY = "the course's own server of January 2021, from its public source, with its random bot"
ATTEMPTS = 50
"""Maximum number of times that a game against a random bot is played until it ends as wanted."""
PAGE = b"<!doctype html><html><body>Log in to the network.</body></html>"
FAULTS = {
    "lost": "The reply is lost: the connection is reset after the server has answered.",
    "twice": "The request is delivered twice, as by a retrying proxy; this is the reply to the second one.",
    "page": "The request does not reach the server: a login page answers.",
    "stripped": "The request is delivered without its stil_id.",
}
"""What may happen on the way."""
UNHURRIED = "--think 20 --time-limit 60"
"""Options with which no choice depends on time."""
SEED = 3
"""Of the blind server: of its first two games, the student starts one and the bot the other."""


@dataclass(frozen=True, kw_only=True)
class Case:
    """What to record."""

    ends: list[str]
    """How the games must end, in the journal's words."""
    games: int = 1
    options: str = ""
    bot: dict[str, Any] | None = None
    """The blind server's bot: the depth and order of one that searches, or its columns; None: the server of 2021."""
    starter: Literal["random", "student", "bot"] = "student"
    key: str = "nyckel"
    fault: str = ""
    at: Container[int] = range(1, 100)
    """The numbers of the requests with the fault."""


def bot_of(description: dict[str, Any]) -> Bot:
    """Return the bot of a case."""
    return scripted_bot(**description) if "columns" in description else AlphaBetaBot(**description)


def form_of(body: str) -> list[str]:
    """Return the fields of a form in their order."""
    return [f"{name}={value}" for name, value in parse_qsl(body, keep_blank_values=True)]


Answer = Callable[[requests.PreparedRequest], tuple[int, dict[str, str], bytes | str]]
"""Returns status, headers and body of the reply to a request."""


def play(command: str, names: dict[str, str], folder: Path, answer: Answer) -> subprocess.CompletedProcess[str]:
    """Run a recording's command in a folder, with what ``names`` says for the placeholders, at a mocked server.

    The client first tries whether it can connect at all, so something listens; it never answers.
    """
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        responses.RequestsMock(assert_all_requests_are_fired=False) as mock,
        patch.multiple(policy, PLAN_S=60.0, HYPOTHESES_S=60.0),  # or the choice would depend on the machine
    ):
        server = f"http://127.0.0.1:{listener.getsockname()[1]}"
        for method in (responses.GET, responses.POST):
            mock.add_callback(method, re.compile(re.escape(server)), answer, content_type=None)
        for placeholder, name in {"<server>": server, **names}.items():
            command = command.replace(placeholder, name)
        words = shlex.split(command)[1:]
        return bot_here(*words, cwd=folder, BOT_API_KEY=names["<key>"], BOT_STATE_DIR=str(folder / "state"))


def in_journal(folder: Path) -> dict[str, Any]:
    """Return what `bot replay` finds in the journal of a folder's only run; no games if no journal was kept."""
    if not list(folder.glob("logs/*.jsonl")):
        return {"problems": 0, "games": []}
    found = json.loads(bot_here("replay", "--verify", "--json", cwd=folder).stdout)
    return {"problems": found["problems"], "games": found["games"]}


def answered(server: str, request: requests.PreparedRequest, body: str) -> tuple[int, str, bytes]:
    """Return status, content type and body of a server's reply to a request with this form."""
    connection = HTTPConnection(server, timeout=60)
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    connection.request(str(request.method), request.path_url, body, headers)
    reply = connection.getresponse()
    return reply.status, reply.headers["content-type"], reply.read()


def record(case: Case, server: str) -> dict[str, Any]:
    """Return the recording of one run against a server."""
    address, number = urlsplit(server), secrets.token_hex(4)
    names = {"<id 1>": f"a{number}-s", "<id 2>": f"b{number}-s", "<key>": case.key}
    exchanges: list[dict[str, Any]] = []

    def answer(request: requests.PreparedRequest) -> tuple[int, dict[str, str], bytes]:
        fault = case.fault if len(exchanges) + 1 in case.at else ""
        body = str(request.body or "")
        exchange: dict[str, Any] = {"request": f"{request.method} {request.path_url}", "form": form_of(body)}
        if fault == "stripped":
            body = urlencode([field for field in parse_qsl(body) if field[0] != "stil_id"])
        status, kind, reply = 200, "text/html", PAGE
        for _ in range({"page": 0, "twice": 2}.get(fault, 1)):
            status, kind, reply = answered(address.netloc, request, body)
        exchange |= {"fault": FAULTS[fault]} if fault else {}
        exchange |= {"status": status, "headers": {"content-type": kind}}
        exchanges.append(exchange | {"body": json.loads(reply) if "json" in kind else reply.decode()})
        if fault == "lost":
            raise ConnectionResetError
        return status, {"content-type": kind}, reply

    command = f"bot play --server <server>{address.path} --stil-id '<id 1>' --stil-id '<id 2>' --games {case.games}"
    command = f"{command} {UNHURRIED} {case.options}".strip()
    with tempfile.TemporaryDirectory() as folder:
        done = play(command, names, Path(folder), answer)
        journal = in_journal(Path(folder))
    said = [line for line in (done.stdout + done.stderr).splitlines() if re.match(r"Game |\d+ games?:|bot:", line)]
    recording = {
        "server": JANUARY if case.bot is None else BLIND,
        "command": command,
        "exit_code": done.returncode,
        "console": [re.sub(r"slowest move [\d.]+ m?s", "slowest move ...", line) for line in said],
        "journal": journal,
        "exchanges": exchanges,
    }
    text = json.dumps(recording)
    for placeholder, name in names.items():
        text = text.replace(name, placeholder)
    return dict(json.loads(text))


def record_as_wanted(case: Case, january: str) -> dict[str, Any]:
    """Return a recording whose games end as they must."""
    for _ in range(ATTEMPTS if case.bot is None else 1):
        if case.bot is None:
            recording = record(case, january)
        else:
            with ForeignServer(bot_of(case.bot), starter=case.starter, seed=SEED) as server:
                recording = record(case, server.url)
        journal = recording["journal"]
        if journal["problems"] == 0 and [game["outcome"] for game in journal["games"]] == case.ends:
            return recording
    sys.exit(f"The games must end {case.ends}, and the journal has: {journal}")


def readable(recording: dict[str, Any]) -> str:
    """Return a recording as text: an innermost list or object, such as a row of the board, is one line."""
    text = json.dumps(recording, indent=1)
    innermost = r"[\[{][^\[\]{}]*[\]}]"
    return re.sub(innermost, lambda part: re.sub(r"\n *", "", part[0].replace(",\n", ", \n")), text) + "\n"


def main(names: Annotated[list[str] | None, typer.Argument()] = None, january: str = "") -> None:
    """Record the named runs, else all; those of the server of January 2021 where --january says its address."""
    if january and not is_loopback(january):
        raise typer.BadParameter("--january must name a server on this machine")
    for name in names or sorted(path.stem for path in FOLDER.glob("*.json")):
        path = FOLDER / f"{name}.json"
        made = json.loads(path.read_text(encoding="utf-8"))["made"]
        case = Case(**made)
        if case.bot is None and not january:
            print(f"{name}: not recorded, it needs --january")
            continue
        recording = record_as_wanted(case, january)
        path.write_text(readable({"made": made, **recording}), encoding="utf-8")
        print(f"{name}: {len(recording['exchanges'])} exchanges")


if __name__ == "__main__":
    typer.run(main)
