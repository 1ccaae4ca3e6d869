"""Requests field by field, and every bad answer in a table: survival or one clear sentence, never a wrong move."""

from __future__ import annotations

import http.client
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


@pytest.mark.parametrize("value", ["²", "Wed, 21 Oct 2026 07:28:00 GMT", "-5", "1e9", "", "9" * 400])
@responses.activate
def test_a_strange_retry_after_is_no_reason_to_fall_over(value: str) -> None:
    responses.post(f"{BASE}/move", status=503, headers={"Retry-After": value})
    with pytest.raises(AmbiguousError) as raised:
        client().move(3)
    assert raised.value.retry_after_s == 0


@responses.activate
def test_the_users_netrc_is_none_of_the_servers_business(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "netrc").write_text("machine course.test login me password mine\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    responses.post(f"{BASE}/move", json=GOOD)
    client().move(3)
    assert "Authorization" not in responses.calls[0].request.headers


@responses.activate
def test_statistics_in_the_middle_of_a_game_are_asked_for_no_longer_than_allowed() -> None:
    responses.post(f"{BASE}/stats", status=500)
    patient = CourseClient(BASE, ["a"], SecretStr(KEY), Timeouts(first_contact_s=60, books_s=60, patience_s=60))
    start = time.monotonic()
    with pytest.raises(AmbiguousError):
        patient.stats(0.3)
    assert 0.2 < time.monotonic() - start < 2
    assert len(responses.calls) > 1


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


def raw(head: bytes, body: bytes = b"") -> Callable[[socket.socket], None]:
    return lambda connection: connection.sendall(head + b"\r\n\r\n" + body)


NONSENSE: dict[str, Callable[[socket.socket], None]] = {
    "nothing": lambda _connection: None,
    "zero bytes": lambda connection: connection.sendall(bytes(500)),
    "another protocol": lambda connection: connection.sendall(b"SSH-2.0-OpenSSH_9.6\r\n"),
    "HTTP 0.9": lambda connection: connection.sendall(b"hello"),
    "no status": raw(b"HTTP/1.1"),
    "status 999": raw(b"HTTP/1.1 999 Odd\r\nContent-Length: 0"),
    "status 100 for ever": lambda connection: connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n" * 50),
    "204": raw(b"HTTP/1.1 204 No Content"),
    "negative length": raw(HEAD + b"Content-Length: -5", b"{}"),
    "length in words": raw(HEAD + b"Content-Length: many", b"{}"),
    "two lengths": raw(HEAD + b"Content-Length: 5\r\nContent-Length: 9", b"{}"),
    "bad chunk": raw(HEAD + b"Transfer-Encoding: chunked", b"zz\r\n{}\r\n"),
    "huge chunk": raw(HEAD + b"Transfer-Encoding: chunked", b"ffffffffffffffff\r\n{}"),
    "no last chunk": raw(HEAD + b"Transfer-Encoding: chunked", b"2\r\n{}\r\n"),
    "gzip that is none": raw(HEAD + b"Content-Encoding: gzip\r\nContent-Length: 2", b"{}"),
    "many headers": raw(HEAD + b"\r\n".join(b"X-%d: y" % number for number in range(500))),
    "an endless header": raw(HEAD + b"X: " + b"y" * 200_000),
    "headers without colons": raw(HEAD + b"one two three\r\nfour", b"{}"),
    "no UTF-8": raw(HEAD + b"Content-Length: 12", b'{"msg": "\xff"}'),
    "a number too long": raw(HEAD + b"Content-Length: 5009", b'{"botmove": ' + b"9" * 4996 + b"}"),
}


@pytest.mark.parametrize("answer", NONSENSE.values(), ids=NONSENSE.keys())
def test_bytes_that_are_no_answer_are_of_unknown_fate_and_never_a_traceback(
    answer: Callable[[socket.socket], None],
) -> None:
    with raw_server(answer) as (url, seen):
        with pytest.raises(AmbiguousError) as raised:
            client(url).move(3)
        assert "\n" not in str(raised.value)
        assert len(seen) == 1


def test_a_thread_that_reads_a_dripping_reply_ends_by_itself() -> None:
    def steady_drip(connection: socket.socket) -> None:
        connection.sendall(HEAD + b"Content-Length: 100000\r\n\r\n")
        for _ in range(5_000):
            connection.sendall(b" ")
            time.sleep(0.002)

    before = set(threading.enumerate())
    with raw_server(steady_drip) as (url, _seen):
        with pytest.raises(AmbiguousError):
            client(url).move(3)
        deadline = time.monotonic() + 5
        while any(thread.name == "request" for thread in set(threading.enumerate()) - before):
            assert time.monotonic() < deadline, "the reply still drips, and somebody still reads it"
            time.sleep(0.05)


def test_a_connection_that_the_server_has_closed_meanwhile_is_replaced_unseen() -> None:
    body = json.dumps(GOOD).encode()

    def answer_and_close(connection: socket.socket) -> None:
        connection.sendall(HEAD + b"Content-Length: %d\r\nConnection: keep-alive\r\n\r\n" % len(body) + body)

    with raw_server(answer_and_close) as (url, seen):
        playing = client(url)
        for number in range(1, 4):
            assert playing.move(3).status
            assert len(seen) == number
            time.sleep(0.1)


@pytest.mark.parametrize("failing_call", [1, 2], ids=["while the head is written", "while the form is written"])
def test_a_request_that_was_not_written_to_its_end_never_left(
    failing_call: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = 0
    send = http.client.HTTPConnection.send

    def breaking(self: http.client.HTTPConnection, data: bytes) -> None:
        nonlocal calls
        calls += 1
        if calls == failing_call:
            raise ConnectionResetError(104, "Connection reset by peer")
        send(self, data)

    monkeypatch.setattr(http.client.HTTPConnection, "send", breaking)
    body = json.dumps(GOOD).encode()
    with raw_server(raw(HEAD + b"Content-Length: %d" % len(body), body)) as (url, seen):
        assert client(url).move(3).status, "it is sent again"
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


@pytest.mark.parametrize("ending", ["closes", "resets", "is silent"])
def test_a_handshake_that_comes_to_nothing_is_tried_again_since_nothing_left(ending: str) -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    tries: list[socket.socket] = []

    def run() -> None:
        with suppress(OSError):
            while True:
                connection, _ = listener.accept()
                tries.append(connection)
                if ending == "is silent":
                    continue
                connection.recv(65536)
                if ending == "resets":
                    reset(connection)
                connection.close()

    threading.Thread(target=run, daemon=True).start()
    with pytest.raises(NotSentError) as raised:
        CourseClient(
            f"https://127.0.0.1:{listener.getsockname()[1]}",
            ["a"],
            SecretStr(KEY),
            Timeouts(connect_s=0.2, first_contact_s=4),
        ).move(3)
    listener.close()
    assert "\n" not in str(raised.value)
    assert len(tries) > 1


def test_a_proxy_that_opens_no_tunnel_has_let_nothing_out(monkeypatch: pytest.MonkeyPatch) -> None:
    proxy = socket.create_server(("127.0.0.1", 0))
    asked: list[bytes] = []

    def run() -> None:
        with suppress(OSError):
            while True:
                connection, _ = proxy.accept()
                asked.append(connection.recv(65536))
                connection.sendall(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")
                connection.close()

    threading.Thread(target=run, daemon=True).start()
    monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{proxy.getsockname()[1]}")
    with pytest.raises(NotSentError):
        client("https://course.test/game").move(3)
    proxy.close()
    assert asked and all(request.startswith(b"CONNECT course.test:443") for request in asked)


def test_no_proxy_stands_between_us_and_ourselves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{free_port()}")
    monkeypatch.delenv("no_proxy", raising=False)
    body = json.dumps(GOOD).encode()
    with raw_server(raw(HEAD + b"Content-Length: %d" % len(body), body)) as (url, _seen):
        assert client(url).move(3).status


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
