"""What `bot play` does at its first contact with twelve wrong servers: `python -m tests.course.run.first_contacts`.

Each server listens on the port at which the right one is found later, as behind a login page of a wireless network. A
row says what was sent, what was said, the exit code, what `bot streak` counts afterwards, and what the same command
does when the address is right.
"""

from __future__ import annotations

import re
import socket
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from subprocess import CompletedProcess
from urllib.parse import parse_qs

from bot.agents.catalogue import make_agent
from bot.course.journal.reader import journals
from bot.course.protocol import NEW_GAME
from bot.course.server.embedded import embedded_server
from bot.course.server.store import Store
from bot.course.session.events import Chosen
from tests.processes import bot_here
from tests.servers import HOST, SocketServer, http, read_request, reserved_port

WHO, KEY = "ab1234cd-s", "sekrit"
PATIENCE_S = 2.0
SLOW_S = 8.0
PAGE = b"<!doctype html><html><body>Log in to the network</body></html>"
PLAIN_ANSWER = http(b"", status="400 Bad Request")
ALERT = b"\x15\x03\x01\x00\x02\x02\x46"
"""What a TLS server says to a request that is not TLS."""


@dataclass(frozen=True)
class Contact:
    """A wrong server, or a wrong address."""

    name: str
    reply: bytes = b""
    """Its reply to every request; b"" where nothing listens."""
    address: str = "http://{host}:{port}"
    code: int = 4
    said: str = ""
    """What the error has to name."""
    opens: int = 0
    """Requests for a new game that may leave."""
    hello: bool = False
    """Whether the server replies to the first bytes, which are no HTTP request."""


CONTACTS = (
    Contact("an HTML page with status 200", http(PAGE, kind="text/html"), said="login page"),
    Contact(
        "302 to a login page",
        http(PAGE, status="302 Found", kind="text/html", extra="Location: http://login.invalid/\r\n"),
        said="http://login.invalid/",
    ),
    Contact("503", http(PAGE, status="503 Service Unavailable", kind="text/html"), code=3, said="503", opens=1),
    Contact("404", http(PAGE, status="404 Not Found", kind="text/html"), said="Check the address", opens=1),
    Contact("an empty reply", http(b""), code=3, said="empty", opens=1),
    Contact("JSON of something else", http(b'{"title":"Weather"}'), said="does not follow the protocol", opens=1),
    Contact("a closed port", code=3, said="Check the address"),
    Contact("TLS on a plain port", PLAIN_ANSWER, "https://{host}:{port}", said="does not use TLS", hello=True),
    Contact("plain HTTP on a TLS port", ALERT, said="not HTTP"),
    Contact("a name that is not found", b"", "http://course.invalid:{port}", 3, "Check the address"),
    Contact(f"the right server, after {SLOW_S:g} s", code=0),
    Contact("GET only", http(PAGE, status="405 Method Not Allowed", kind="text/html"), said="405", opens=1),
)


@dataclass
class Meeting:
    """What happened at a first contact, and afterwards at the right address."""

    first: CompletedProcess[str]
    streak: CompletedProcess[str]
    again: CompletedProcess[str]
    bodies: list[bytes] = field(default_factory=list)
    """The requests that the wrong server got."""
    openings: int = 0
    """How often a new game was asked for, by the journals."""
    reasons: list[str] = field(default_factory=list)
    """How the games at the right server ended."""
    afterwards: str = ""
    """What `bot streak` says in the end."""

    @property
    def sent(self) -> Counter[str]:
        """The requests that the wrong server got, by kind."""
        forms = [parse_qs(body.decode("latin-1")) for body in self.bodies]
        return Counter(
            f"move {form['move'][0]}" if "move" in form else "stats" if "stil_id" in form else "TLS" for form in forms
        )


def _kind(body: bytes) -> str:
    form = parse_qs(body.decode("latin-1"))
    if "stil_id" not in form:
        return "TLS"
    return f"move {form['move'][0]}" if "move" in form else "stats"


@contextmanager
def wrong_server(contact: Contact, port: int, bodies: list[bytes]) -> Iterator[None]:
    """Run the contact's server, if it has one."""

    def serve(connection: socket.socket, _over: threading.Event) -> None:
        if not connection.recv(1, socket.MSG_PEEK):
            return  # a connection that only shows that somebody listens
        bodies.append(connection.recv(65536) if contact.hello else read_request(connection))
        connection.sendall(contact.reply)

    if not contact.reply:
        yield
        return
    with SocketServer(serve, socket.create_server((HOST, port))):
        yield


@contextmanager
def right_server(port: int, db: Path) -> Iterator[str]:
    bot = make_agent("random", seed=3)
    with embedded_server(bot, api_key=KEY, db=db, starter="student", seed=3, port=port) as url:
        yield url


@contextmanager
def late_server(port: int, db: Path) -> Iterator[None]:
    """Run the right server behind one that takes SLOW_S for its first answer."""
    is_first = [True]
    with right_server(0, db) as url:
        behind = int(url.rpartition(":")[2])

        def serve(connection: socket.socket, over: threading.Event) -> None:
            if connection.recv(1, socket.MSG_PEEK) and is_first:
                is_first.clear()
                over.wait(SLOW_S)
            with socket.create_connection((HOST, behind)) as server:
                there = threading.Thread(target=_copy, args=(connection, server))
                there.start()
                _copy(server, connection)
                there.join()

        with SocketServer(serve, socket.create_server((HOST, port))):
            yield


def _copy(source: socket.socket, target: socket.socket) -> None:
    try:
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def meet(contact: Contact, folder: Path) -> Meeting:
    """Play one game at the wrong server, then, by the same command, at the right one."""
    db, logs, bodies = folder / "right.sqlite3", folder / "logs", list[bytes]()
    is_late = contact.code == 0
    with ExitStack() as stack:
        port = stack.enter_context(reserved_port())
        right = f"http://{HOST}:{port}"
        wrong = contact.address.format(host=HOST, port=port)
        bot = partial(bot_here, cwd=folder, BOT_API_KEY=KEY, BOT_STATE_DIR=str(folder / "state"))
        # The address is right where only the server was wrong.
        command = ("play", "--games", "1", "--stil-id", WHO, "--engine", "depth2", "--logs", str(logs))
        with late_server(port, db) if is_late else wrong_server(contact, port, bodies):
            patience = () if is_late else ("--patience", str(PATIENCE_S))
            first = bot(*command, *patience, "--server", wrong)
        with right_server(port, db) as server:
            streak = bot("streak", "--server", server, "--stil-id", WHO, "--logs", str(logs))
            again = bot(*command, "--server", right)
            afterwards = bot("streak", "--server", right, "--stil-id", WHO, "--logs", str(logs)).stdout
    meeting = Meeting(first, streak, again, bodies, afterwards=afterwards)
    records = [record for journal in journals(logs) for _line, record in journal.records]
    meeting.openings = sum(isinstance(record, Chosen) and record.move == NEW_GAME for record in records)
    store = Store(db)
    meeting.reasons = [game.reason for game in store.games(WHO)]
    store.close()
    return meeting


def _row(contact: Contact, folder: Path) -> str:
    start = time.monotonic()
    found = meet(contact, folder)
    sent = ", ".join(f"{kind} x{count}" for kind, count in found.sent.items())
    sent = sent or ("all" if contact.code == 0 else "nothing")
    said = " ".join(found.first.stderr.partition("bot: ")[2].split()) or found.first.stdout.strip().splitlines()[-1]
    said = re.sub(r":\d{4,5}\b", ":PORT", said).replace("|", "/")
    counted = next((line.strip() for line in found.streak.stdout.splitlines() if "played" in line), "no journal")
    then = next((line for line in found.again.stdout.splitlines() if line.startswith("Game ")), "no game")
    agree = "journals and server agree" if "disagree" not in found.afterwards else "journals and server DISAGREE"
    print(f"{contact.name}: {time.monotonic() - start:.0f} s", file=sys.stderr)
    return (
        f"| {contact.name} | {sent} | {said} | {found.first.returncode} | {counted} "
        f"| {then.partition(',')[0]}; exit {found.again.returncode}; {agree} |"
    )


def main() -> None:
    """Print the table as Markdown."""
    print("| first contact | sent | said | exit | `streak` afterwards | the same command at the right address |")
    print("|---|---|---|---|---|---|")
    for contact in CONTACTS:
        with tempfile.TemporaryDirectory() as folder:
            print(_row(contact, Path(folder)), flush=True)


if __name__ == "__main__":
    main()
