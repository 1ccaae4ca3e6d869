"""Record the games in this folder anew: `bot play` plays a server through a proxy, which writes down what passes.

usage: python -m tests.recorded.record [NAME ...] [--january http://127.0.0.1:8000]

Each recording is a JSON file: who answered, the command, its exit code, what the console said of the games when it was
recorded, what the journal has of them (as `bot replay --verify --json` shows it), and every request with its reply, in
order. Address, ids and key are placeholders. `test_recorded.py` runs each command again and gives these replies.

No server is of the program's making: one is the tests' blind server, the other one, under ``--january``, the course's
own server as it was public in January 2021, where it runs on this machine. Without the option, its recordings stay as
they are. Its bot plays at random: its games are played until they end as wanted.
"""

from __future__ import annotations

import argparse
import json
import re
import secrets
import shlex
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Container
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from unittest.mock import patch
from urllib.parse import parse_qsl, urlencode, urlsplit

import requests

from bot.course import policy
from bot.course.address import is_loopback
from tests.course.foreign_course import AlphaBetaBot, Answer, Quirks, scripted_bot
from tests.course.foreign_server import ForeignServer
from tests.processes import bot_here
from tests.servers import SocketServer, http, read_message, resets

FOLDER = Path(__file__).parent
BLIND = "the tests' blind server (tests/course/foreign_server.py), written from the protocol alone"
JANUARY = "the course's own server of January 2021, from its public source, with its random bot"
ATTEMPTS = 50
"""Maximum number of times that a game against a random bot is played until it ends as wanted."""
DRAWN = "257771314744647214154617633623313656555222"
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
SEED = 4
"""Of the blind server: of its first two games, the student starts one and the bot the other."""


@dataclass(frozen=True, kw_only=True)
class Case:
    """What to record."""

    ends: list[str]
    """How the games must end, in the journal's words."""
    games: int = 1
    options: str = ""
    bot: Answer | None = None
    """The blind server's bot; None: the server of January 2021."""
    starter: Literal["random", "student", "bot"] = "student"
    key: str = "nyckel"
    fault: str = ""
    at: Container[int] = range(1, 100)
    """The numbers of the requests with the fault."""


CASES = {
    "won_first": Case(ends=["won"], bot=AlphaBetaBot(3)),
    "won_second": Case(ends=["won"], bot=AlphaBetaBot(3), starter="bot"),
    "two_games": Case(ends=["won", "won"], games=2, bot=AlphaBetaBot(3), starter="random"),
    "drawn_first": Case(ends=["drawn"], options=f"--engine scripted:{DRAWN[::2]}", bot=scripted_bot(DRAWN[1::2])),
    "drawn_second": Case(
        ends=["drawn"], options=f"--engine scripted:{DRAWN[1::2]}", bot=scripted_bot(DRAWN[::2]), starter="bot"
    ),
    "lost_first": Case(ends=["lost"], options="--engine scripted:1717", bot=AlphaBetaBot(3)),
    "lost_second": Case(ends=["lost"], options="--engine random --seed 1", bot=AlphaBetaBot(3), starter="bot"),
    "illegal_move": Case(
        ends=["illegal", "won"],
        options="--engine scripted:222444",
        bot=AlphaBetaBot(1, (1, 0, 2, 3, 4, 5, 6)),
        fault="twice",
        at={6},
    ),
    "lost_reply": Case(ends=["won"], bot=AlphaBetaBot(3), fault="lost", at={8}),
    "login_page": Case(ends=[], bot=AlphaBetaBot(3), fault="page"),
    "login_page_in_play": Case(ends=["won"], bot=AlphaBetaBot(3), starter="bot", fault="page", at={7}),
    "wrong_key": Case(ends=[], bot=AlphaBetaBot(3), key="wrong-key"),
    "january_won": Case(ends=["won"]),
    "january_lost": Case(ends=["lost"], options="--engine random --seed 2"),
    "january_delivered_twice": Case(ends=["won"], fault="twice", at={5}),
    "january_lost_reply": Case(ends=["won"], fault="lost", at={5}),
    "january_wrong_key": Case(ends=[], key="wrong-key"),
    "january_refused_form": Case(ends=[], fault="stripped"),
}


class Proxy:
    """Passes requests on to a server, and writes down each with its reply."""

    def __init__(self, server: str, case: Case) -> None:
        self.exchanges: list[dict[str, Any]] = []
        self._server = server
        self._case = case

    def serve(self, connection: socket.socket, over: threading.Event) -> None:
        """Serve one connection of the client, which sends one request."""
        head, body = read_message(connection)
        method, path, _ = head.decode().split(" ", 2)
        fault = self._case.fault if len(self.exchanges) + 1 in self._case.at else ""
        status, kind, reply = self._answered(method, path, body.decode(), fault)
        content = json.loads(reply) if "json" in kind else reply.decode()
        exchange: dict[str, Any] = {"request": f"{method} {path}", "form": form_of(body.decode())}
        exchange |= {"fault": FAULTS[fault]} if fault else {}
        exchange |= {"status": status, "headers": {"content-type": kind}, "body": content}
        self.exchanges.append(exchange)
        if fault == "lost":
            return resets(connection, over)
        return connection.sendall(http(reply, status=f"{status} Status", kind=kind))

    def _answered(self, method: str, path: str, body: str, fault: str) -> tuple[int, str, bytes]:
        """Return status, content type and body of the reply."""
        if fault == "page":
            return 200, "text/html", PAGE
        if fault == "stripped":
            body = urlencode([field for field in parse_qsl(body) if field[0] != "stil_id"])
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        for _ in range(2 if fault == "twice" else 1):
            reply = requests.request(method, self._server + path, data=body, headers=headers, timeout=60)
        return reply.status_code, reply.headers["content-type"], reply.content


def form_of(body: str) -> list[str]:
    """Return the fields of a form in their order."""
    return [f"{name}={value}" for name, value in parse_qsl(body, keep_blank_values=True)]


def play(command: str, names: dict[str, str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a recording's command in a folder, with what ``names`` says for the placeholders."""
    for placeholder, name in names.items():
        command = command.replace(placeholder, name)
    words = shlex.split(command)[1:]
    with patch.multiple(policy, PLAN_S=60.0, HYPOTHESES_S=60.0):  # or the choice would depend on the machine
        return bot_here(*words, cwd=folder, BOT_API_KEY=names["<key>"], BOT_STATE_DIR=str(folder / "state"))


def in_journal(folder: Path) -> dict[str, Any]:
    """Return what `bot replay` finds in the journal of a folder's only run; no games if no journal was kept."""
    if not list(folder.glob("logs/*.jsonl")):
        return {"problems": 0, "games": []}
    found = json.loads(bot_here("replay", "--verify", "--json", cwd=folder).stdout)
    return {"problems": found["problems"], "games": found["games"]}


def record(case: Case, server: str) -> dict[str, Any]:
    """Return the recording of one run against a server."""
    address, number = urlsplit(server), secrets.token_hex(4)
    proxy = Proxy(f"{address.scheme}://{address.netloc}", case)
    command = f"bot play --server <server>{address.path} --stil-id '<id 1>' --stil-id '<id 2>' --games {case.games}"
    command = f"{command} {UNHURRIED} {case.options}".strip()
    with SocketServer(proxy.serve) as listener, tempfile.TemporaryDirectory() as folder:
        names = {"<server>": listener.url, "<id 1>": f"a{number}-s", "<id 2>": f"b{number}-s", "<key>": case.key}
        done = play(command, names, Path(folder))
        journal = in_journal(Path(folder))
    said = [line for line in (done.stdout + done.stderr).splitlines() if re.match(r"Game |\d+ games?:|bot:", line)]
    recording = {
        "server": JANUARY if case.bot is None else BLIND,
        "command": command,
        "exit_code": done.returncode,
        "console": [re.sub(r"slowest move [\d.]+ m?s", "slowest move ...", line) for line in said],
        "journal": journal,
        "exchanges": proxy.exchanges,
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
            with ForeignServer(case.bot, Quirks(starter=case.starter, seed=SEED)) as server:
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


def main() -> None:
    """Record."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="recordings; default: all")
    parser.add_argument("--january", metavar="URL", help="address of the server of January 2021")
    options = parser.parse_args()
    if options.january and not is_loopback(options.january):
        parser.error("--january must name a server on this machine")
    for name in options.names or CASES:
        if CASES[name].bot is None and not options.january:
            print(f"{name}: not recorded, it needs --january")
            continue
        recording = record_as_wanted(CASES[name], options.january)
        (FOLDER / f"{name}.json").write_text(readable(recording), encoding="utf-8")
        print(f"{name}: {len(recording['exchanges'])} exchanges")


if __name__ == "__main__":
    main()
