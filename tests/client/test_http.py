"""Requests field by field, and every bad answer in a table: survival or one clear sentence, never a wrong move."""

from __future__ import annotations

import json
import re
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
import responses
from pydantic import SecretStr
from responses import matchers

from bot.client.http import AmbiguousError, CourseClient, NotSentError, RejectedError, Timeouts
from bot.errors import BotError, ExitCode

BASE = "http://course.test/game"
KEY = "sekrit"
GRID = [[0] * 7 for _ in range(6)]
GOOD = {"msg": None, "status": True, "result": 0.0, "botmove": -1, "state": GRID}
QUICK = Timeouts(connect_s=0.5, read_s=0.5, total_s=1.0, patience_s=0.3, first_contact_s=0.3, books_s=0.3)


def client(server: str = BASE, ids: tuple[str, ...] = ("aa", "bb")) -> CourseClient:
    return CourseClient(server, ids, SecretStr(KEY), QUICK)


@responses.activate
def test_a_move_is_a_form_with_every_id_the_column_and_the_key() -> None:
    responses.post(
        f"{BASE}/move",
        json=GOOD,
        match=[matchers.header_matcher({"Accept": "application/json"})],
    )
    assert client().move(3).botmove == -1
    request = responses.calls[0].request
    assert request.body == "stil_id=aa&stil_id=bb&move=3&api_key=sekrit"
    assert request.headers["Content-Type"] == "application/x-www-form-urlencoded"
    assert len(responses.calls) == 1


@responses.activate
def test_statistics_are_asked_with_ids_and_key_only() -> None:
    told = {"msg": None, "status": None, "played": 3, "won": 2, "lost": 1, "streak": 0, "total_reward": 1.0}
    responses.post(f"{BASE}/stats", json=told)
    stats = client().stats()
    assert stats is not None and (stats.played, stats.won, stats.lost) == (3, 2, 1)
    assert responses.calls[0].request.body == "stil_id=aa&stil_id=bb&api_key=sekrit"


@responses.activate
def test_a_server_without_statistics_has_none() -> None:
    responses.post(f"{BASE}/stats", json={"detail": "Not Found"}, status=404)
    assert client().stats() is None


@responses.activate
def test_statistics_are_asked_again_after_any_failure() -> None:
    responses.post(f"{BASE}/stats", body="<html>", content_type="text/html")
    responses.post(f"{BASE}/stats", status=503)
    responses.post(f"{BASE}/stats", json={"status": None, "played": 1, "won": 1, "lost": 0, "streak": 1})
    books = CourseClient(BASE, ["a"], SecretStr(KEY), Timeouts(books_s=20)).stats()
    assert books is not None and books.played == 1


TABLE: list[tuple[str, dict[str, object], type[BotError]]] = [
    ("HTML with status 200", {"body": "<html>", "content_type": "text/html"}, AmbiguousError),
    ("HTML that claims to be JSON", {"body": "<html>", "content_type": "application/json"}, AmbiguousError),
    ("empty body", {"body": "", "content_type": "application/json"}, AmbiguousError),
    ("truncated JSON", {"body": json.dumps(GOOD)[:40], "content_type": "application/json"}, AmbiguousError),
    ("JSON of another shape", {"json": [1, 2]}, AmbiguousError),
    ("JSON nested too deep", {"body": "[" * 100_000, "content_type": "application/json"}, AmbiguousError),
    ("status null", {"json": {**GOOD, "status": None}}, AmbiguousError),
    ("a 5 x 7 grid", {"json": {**GOOD, "state": GRID[:5]}}, AmbiguousError),
    ("a ragged grid", {"json": {**GOOD, "state": [*GRID[:5], [0]]}}, AmbiguousError),
    ("a number out of range", {"json": {**GOOD, "botmove": 9}}, AmbiguousError),
    ("a number as a string", {"json": {**GOOD, "botmove": "3"}}, AmbiguousError),
    ("a broken number", {"json": {**GOOD, "botmove": 3.5}}, AmbiguousError),
    ("redirect 301", {"status": 301, "headers": {"Location": "http://elsewhere.test/"}}, RejectedError),
    ("redirect 307", {"status": 307, "headers": {"Location": "http://elsewhere.test/"}}, RejectedError),
    ("401", {"status": 401}, RejectedError),
    ("403", {"status": 403}, RejectedError),
    ("404", {"status": 404}, RejectedError),
    ("422", {"status": 422, "json": {"detail": [{"loc": ["body", "move"], "msg": "bad", "type": "x"}]}}, RejectedError),
    ("422 with a strange body", {"status": 422, "body": "{"}, RejectedError),
    ("429", {"status": 429}, AmbiguousError),
    ("429 with Retry-After", {"status": 429, "headers": {"Retry-After": "2"}}, AmbiguousError),
    *[(str(status), {"status": status}, AmbiguousError) for status in (500, 501, 502, 503, 504)],
]


@pytest.mark.parametrize(("answer", "error"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE])
@responses.activate
def test_a_bad_answer_is_one_sentence_and_is_sent_once(answer: dict[str, object], error: type[BotError]) -> None:
    responses.post(f"{BASE}/move", **answer)  # type: ignore[arg-type]
    with pytest.raises(error) as raised:
        client().move(3)
    assert raised.value.exit_code in (ExitCode.NETWORK, ExitCode.PROTOCOL)
    assert "\n" not in str(raised.value)
    assert KEY not in str(raised.value)
    assert len(responses.calls) == 1, "a request that may have been processed is never repeated"


@responses.activate
def test_retry_after_is_kept_and_bounded() -> None:
    responses.post(f"{BASE}/move", status=429, headers={"Retry-After": "7"})
    with pytest.raises(AmbiguousError) as raised:
        client().move(3)
    assert raised.value.retry_after_s == 7


@responses.activate
def test_a_status_false_is_handed_on_with_its_message() -> None:
    refused = {"msg": "Impossible move.", "status": False, "result": None, "botmove": None, "state": None}
    responses.post(f"{BASE}/move", json=refused)
    reply = client().move(3)
    assert (reply.status, reply.msg) == (False, "Impossible move.")


@contextmanager
def raw_server(answer: Callable[[socket.socket], None]) -> Iterator[tuple[str, list[bytes]]]:
    """A server that reads each request whole and lets ``answer`` do the rest; yields its URL and the requests."""
    listener = socket.create_server(("127.0.0.1", 0))
    seen: list[bytes] = []

    def run() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=serve, args=(connection,), daemon=True).start()

    def serve(connection: socket.socket) -> None:
        with connection:
            data = b""
            while b"\r\n\r\n" not in data:
                piece = connection.recv(65536)
                if not piece:
                    return
                data += piece
            head, _, body = data.partition(b"\r\n\r\n")
            length = int(re.search(rb"content-length: (\d+)", head, re.I)[1])  # type: ignore[index]
            while len(body) < length:
                body += connection.recv(65536)
            seen.append(body)
            with suppress(OSError):
                answer(connection)

    threading.Thread(target=run, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", seen
    finally:
        listener.close()


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


def reset(connection: socket.socket) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")


def silence(_connection: socket.socket) -> None:
    time.sleep(3)


def half_a_body(connection: socket.socket) -> None:
    connection.sendall(HEAD + b"Content-Length: 500\r\n\r\n{")


def endless(connection: socket.socket) -> None:
    connection.sendall(HEAD + b"Content-Length: 100000000\r\n\r\n")
    for _ in range(100):
        connection.sendall(b" " * 1_000_000)


def drip(connection: socket.socket) -> None:
    connection.sendall(HEAD + b"Content-Length: 500\r\n\r\n")
    for _ in range(40):
        connection.sendall(b" ")
        time.sleep(0.1)


def dripping_head(connection: socket.socket) -> None:
    for byte in HEAD + b"X: " + b"y" * 400:
        connection.sendall(bytes([byte]))
        time.sleep(0.1)


@pytest.mark.parametrize("answer", [reset, silence, half_a_body, endless, drip, dripping_head])
def test_a_connection_that_fails_after_the_request_is_ambiguous_and_not_repeated(
    answer: Callable[[socket.socket], None],
) -> None:
    with raw_server(answer) as (url, seen):
        start = time.monotonic()
        with pytest.raises(AmbiguousError) as raised:
            client(url).move(3)
        assert time.monotonic() - start < 3
        assert raised.value.exit_code == ExitCode.NETWORK
        time.sleep(0.2)
        assert len(seen) == 1


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def test_a_refused_connection_never_left_and_is_tried_again_until_patience_ends() -> None:
    notes: list[str] = []
    refused = CourseClient(f"http://127.0.0.1:{free_port()}", ["a"], SecretStr(KEY), QUICK, notes.append)
    with pytest.raises(NotSentError):
        refused.move(3)
    assert notes and "cannot be reached" in notes[0]


def test_a_name_that_does_not_exist_never_left(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_arguments: object, **_options: object) -> list[object]:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(NotSentError):
        client("http://nobody.test").move(3)


def test_a_server_that_comes_up_late_gets_the_move_exactly_once() -> None:
    port = free_port()
    seen: list[bytes] = []

    def start_late() -> None:
        time.sleep(0.4)
        listener = socket.create_server(("127.0.0.1", port))
        connection, _ = listener.accept()
        seen.append(connection.recv(65536))
        body = json.dumps(GOOD).encode()
        connection.sendall(HEAD + b"Content-Length: %d\r\n\r\n" % len(body) + body)
        listener.close()

    thread = threading.Thread(target=start_late, daemon=True)
    thread.start()
    timeouts = Timeouts(patience_s=10, first_contact_s=10)
    reply = CourseClient(f"http://127.0.0.1:{port}", ["a"], SecretStr(KEY), timeouts).move(3)
    assert reply.status
    assert len(seen) == 1


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A self-signed certificate, made here: no key of any kind lies in the repository."""
    path = tmp_path_factory.mktemp("tls") / "both.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost"]
    done = subprocess.run([*command, "-keyout", str(path), "-out", "-"], capture_output=True, check=False)
    if done.returncode != 0:
        pytest.skip("openssl is not installed")
    path.write_bytes(path.read_bytes() + done.stdout)
    return path


def test_a_certificate_that_nobody_vouches_for_is_refused_at_once(certificate: Path) -> None:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    listener = socket.create_server(("127.0.0.1", 0))

    def run() -> None:
        with pytest.raises(OSError):
            connection, _ = listener.accept()
            context.wrap_socket(connection, server_side=True)

    threading.Thread(target=run, daemon=True).start()
    with pytest.raises(NotSentError, match="certificate"):
        client(f"https://127.0.0.1:{listener.getsockname()[1]}").move(3)
    listener.close()


def test_a_server_without_tls_is_named_as_such() -> None:
    def plain(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

    listener = socket.create_server(("127.0.0.1", 0))

    def run() -> None:
        connection, _ = listener.accept()
        connection.recv(65536)
        plain(connection)
        connection.close()

    threading.Thread(target=run, daemon=True).start()
    with pytest.raises(NotSentError):
        client(f"https://127.0.0.1:{listener.getsockname()[1]}").move(3)
    listener.close()
