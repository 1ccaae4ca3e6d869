"""One exchange: whether it was sent, its time limits and times, its connection and thread, and the address it uses."""

from __future__ import annotations

import http.client
import os
import selectors
import signal
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
import requests

from bot.course.client import failures
from bot.course.client.http import CourseClient, Timeouts
from bot.course.session.events import Delivery, Replied
from bot.errors import JournalError
from tests.course.client.raw import all_end, client, failure, good, reply, request_threads, send
from tests.servers import HOST, Answer, SocketServer, closed_port, drips, raw_server, read_request, resets, then_hangs

NOT_SENT, REJECTED, UNKNOWN = Delivery.NOT_SENT, Delivery.REJECTED, Delivery.UNKNOWN


@pytest.fixture
def asked_name(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let course.test have these addresses: an empty list is a name that cannot be looked up."""
    found: list[str] = []
    look_up = socket.getaddrinfo

    def find(host: Any, port: Any, *arguments: Any, **options: Any) -> list[Any]:
        if host != "course.test":
            return look_up(host, port, *arguments, **options)
        if not found:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return [(socket.AF_INET, socket.SOCK_STREAM, 0, "", (address, port)) for address in found]

    monkeypatch.setattr(socket, "getaddrinfo", find)
    monkeypatch.setenv("no_proxy", "*")
    return found


# Whether it was sent


@pytest.mark.parametrize("failing_call", [1, 2], ids=["while the head is written", "while the form is written"])
@pytest.mark.parametrize("error", [ConnectionResetError(104, "reset"), BrokenPipeError(32, "pipe")], ids=repr)
def test_a_request_that_was_not_written_to_its_end_was_not_sent(
    failing_call: int, error: OSError, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = 0
    write = http.client.HTTPConnection.send

    def breaking(self: http.client.HTTPConnection, data: bytes) -> None:
        nonlocal calls
        calls += 1
        if calls == failing_call:
            self.sock.close()
            raise error
        write(self, data)

    monkeypatch.setattr(http.client.HTTPConnection, "send", breaking)
    with raw_server(good()) as (url, _seen):
        failed = failure(url)
    assert (failed.delivery, failed.kind) == (NOT_SENT, "not sent")


@pytest.mark.parametrize(
    ("server", "delivery", "kind", "sentence"),
    [
        ("http://127.0.0.1:{closed}", NOT_SENT, "not sent", "the connection is refused"),
        ("http://course.test", NOT_SENT, "not sent", "its name is unknown"),
        ("ftp://course.test", REJECTED, "address", "not a usable address"),
        ("http://", REJECTED, "address", "not a usable address"),
        ("http://a..b/", REJECTED, "address", "not a usable address"),
        ("http://" + "a" * 70 + ".test", REJECTED, "address", "not a usable address"),
    ],
)
def test_an_address_that_cannot_be_reached(
    server: str, delivery: Delivery, kind: str, sentence: str, asked_name: list[str]
) -> None:
    assert asked_name == []
    with closed_port() as port:
        failed = failure(server.format(closed=port))
    assert (failed.delivery, failed.kind) == (delivery, kind)
    assert f"\n{kind}: " in str(failures.__doc__) and sentence in failed.message


@pytest.mark.parametrize(
    ("name", "value", "kind", "sentence"),
    [
        ("https_proxy", "http://", "proxy", "a proxy whose address cannot be used"),
        ("https_proxy", "::::", "proxy", "a proxy whose address cannot be used"),
        ("https_proxy", "carrier-pigeon://127.0.0.1:1", "proxy", "a proxy whose address cannot be used"),
        ("https_proxy", "socks5://127.0.0.1:1", "proxy", "SOCKS"),
        ("REQUESTS_CA_BUNDLE", "no-such-file.pem", "certificate", "file of trusted certificates"),
        ("REQUESTS_CA_BUNDLE", __file__, "certificate", "file of trusted certificates"),
    ],
)
def test_a_wrong_environment_is_named_and_nothing_is_sent(
    name: str, value: str, kind: str, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(*_arguments: object, **_options: object) -> None:  # as requests defines it without the package
        raise requests.exceptions.InvalidSchema("Missing dependencies for SOCKS support.")

    started: list[None] = []
    monkeypatch.setattr("requests.adapters.SOCKSProxyManager", missing)
    monkeypatch.setattr("bot.course.client.exchange.is_loopback", lambda _url: False)
    monkeypatch.setenv("no_proxy", "" if "proxy" in name else "*")
    monkeypatch.setenv(name, value)
    with SocketServer(then_hangs(b"")) as server:
        failed = failure(f"https://127.0.0.1:{server.port}", lambda: started.append(None))
    assert (failed.delivery, failed.kind) == (REJECTED, kind)
    assert sentence in failed.message and not started


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A self-signed certificate, made here: no key of any kind lies in the repository."""
    path = tmp_path_factory.mktemp("tls") / "both.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost",
               "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]  # fmt: skip
    made = path.with_name("key.pem"), path.with_name("certificate.pem")
    try:
        subprocess.run([*command, "-keyout", made[0], "-out", made[1]], check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("needs openssl")
    path.write_bytes(made[0].read_bytes() + made[1].read_bytes())
    return path


@contextmanager
def tls_server(certificate: Path, answer: bytes) -> Iterator[tuple[str, list[bytes]]]:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    seen: list[bytes] = []

    def serve(connection: socket.socket, _over: threading.Event) -> None:
        with context.wrap_socket(connection, server_side=True) as secure:
            seen.append(read_request(secure))
            secure.sendall(answer)

    with SocketServer(serve) as server:
        yield f"https://127.0.0.1:{server.port}", seen


def test_an_untrusted_certificate_is_named(certificate: Path) -> None:
    with tls_server(certificate, good()) as (url, seen):
        failed = failure(url)
    assert (failed.delivery, failed.kind, seen) == (REJECTED, "certificate", [])


@pytest.mark.parametrize("answer", [good(botmove=2), b""], ids=["reply", "closed"])
def test_over_tls_the_same_line_separates_sent_from_not_sent(
    answer: bytes, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.course.client.exchange.is_loopback", lambda _url: False)
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(certificate))
    monkeypatch.setenv("no_proxy", "*")
    calls: list[None] = []
    with tls_server(certificate, answer) as (url, seen):
        found = send(url, lambda: calls.append(None))
    assert len(seen) == len(calls) == 1
    if isinstance(found, Replied):
        assert answer and found.reply.botmove == 2
    else:
        assert (found.delivery, found.kind) == (UNKNOWN, "closed")


@pytest.mark.parametrize("ending", ["closes", "resets", "is silent", "answers without TLS"])
def test_a_handshake_that_fails_was_not_sent(ending: str) -> None:
    def serve(connection: socket.socket, over: threading.Event) -> None:
        if ending == "is silent":
            over.wait()
        connection.recv(65536)
        if ending == "resets":
            resets(connection, over)
        if ending == "answers without TLS":
            connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

    with SocketServer(serve) as server:
        times = Timeouts(connect_s=0.2 if ending == "is silent" else 60.0)
        failed = failure(f"https://127.0.0.1:{server.port}", timeouts=times)
    is_plain = ending == "answers without TLS"
    assert (failed.delivery, failed.kind) == ((REJECTED, "no tls") if is_plain else (NOT_SENT, "not sent"))


@pytest.mark.parametrize("answer", [b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n", None])
def test_a_proxy_that_opens_no_tunnel_has_sent_nothing_on(
    answer: bytes | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bytes] = []
    started: list[None] = []

    def serve(connection: socket.socket, over: threading.Event) -> None:
        asked.append(connection.recv(65536))
        if answer is None:
            over.wait()
        else:
            connection.sendall(answer)

    with SocketServer(serve) as server:
        monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{server.port}")
        times = Timeouts(connect_s=60.0, total_s=60.0 if answer else 0.3)
        failed = failure("https://course.test/game", lambda: started.append(None), timeouts=times)
    assert asked[0].startswith(b"CONNECT course.test:443") and not started
    assert (failed.delivery, failed.kind) == (NOT_SENT, "not sent")
    assert "names a proxy" in failed.hint and (answer is None or "proxy" in failed.message)


def test_a_plain_request_goes_through_a_proxy_but_not_on_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("no_proxy", raising=False)
    with raw_server(good(botmove=3)) as (url, seen), closed_port() as port:
        monkeypatch.setenv("http_proxy", url)
        replied = reply("http://course.test/game")
        assert replied.reply.botmove == 3 and replied.first_byte_s is not None
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{port}")
        assert reply(url).reply.botmove == 3
        assert len(seen) == 2


def test_without_a_connection_that_reports_nothing_is_certain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as with another version of requests or urllib3, or a test's stand-in for the network."""

    def fails(*_arguments: object, **_options: object) -> None:
        raise requests.ConnectionError("reset")

    monkeypatch.setattr("requests.adapters.HTTPAdapter.send", fails)
    assert failure("http://course.test").delivery is UNKNOWN


# What is sent


def test_a_move_is_a_form_with_every_id_the_column_and_the_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked_name: list[str]
) -> None:
    (tmp_path / "netrc").write_text("machine course.test login me password mine\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    asked_name.append(HOST)
    heads: list[bytes] = []

    def serve(connection: socket.socket, _over: threading.Event) -> None:
        request = b""
        while not request.endswith(b"%2B"):
            request += connection.recv(65536)
        heads.append(request)
        connection.sendall(good())

    with SocketServer(serve) as server:
        reply(f"http://course.test:{server.port}/game", key="a key+")
    head, _, body = heads[0].partition(b"\r\n\r\n")
    assert head.startswith(b"POST /game/move HTTP/1.1\r\n")
    assert b"Accept: application/json" in head and b"Content-Type: application/x-www-form-urlencoded" in head
    assert b"authorization" not in head.lower(), "the password of the user's netrc is not sent"
    assert body == b"stil_id=aa&stil_id=bb&move=3&api_key=a+key%2B"


def test_what_is_called_before_sending_is_called_once_and_can_stop_the_request() -> None:
    calls: list[str] = []

    class Killed(BaseException):
        pass

    def fails(error: BaseException) -> None:
        raise error

    with raw_server(good()) as (url, seen):
        send(url, lambda: calls.append("sent"))
        assert calls == ["sent"] and len(seen) == 1
        for error in (JournalError("The disk is full."), OSError("No space"), BrokenPipeError(32, "pipe"), Killed()):
            with pytest.raises(type(error)) as raised:
                send(url, lambda error=error: fails(error))  # type: ignore[misc]
            assert raised.value is error
        assert len(seen) == 1


def test_the_next_request_has_a_connection_of_its_own() -> None:
    """Also if the server keeps the first one open, or sends a second reply over it."""
    first = then_hangs(good(botmove=1).replace(b"\r\n\r\n", b"\r\nConnection: keep-alive\r\n\r\n", 1) + good(botmove=6))
    with raw_server(first, good(botmove=2)) as (url, seen):
        playing = client(url)
        assert botmoves(playing) == [1, 2]
        assert len(seen) == 2


# Time


@pytest.fixture
def lookups(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Name lookups hang until this event is set."""
    may_end = threading.Event()
    find = socket.getaddrinfo

    def find_late(*args: Any, **options: Any) -> Any:
        may_end.wait()
        return find(*args, **options)

    monkeypatch.setattr(socket, "getaddrinfo", find_late)
    yield may_end
    may_end.set()


def test_a_request_whose_time_is_over_in_a_name_lookup_is_never_sent(lookups: threading.Event) -> None:
    started: list[None] = []
    before = request_threads()
    with raw_server(good()) as (url, seen):
        failed = failure(url, lambda: started.append(None), timeouts=Timeouts(total_s=0.1))
        assert (failed.delivery, failed.kind) == (NOT_SENT, "not sent")
        assert "it does not answer" in failed.message
        lookups.set()
        assert all_end(request_threads() - before)
        assert not seen and not started, "the name was found after the request had been cancelled"


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_nothing_is_sent_after_ctrl_c(lookups: threading.Event, monkeypatch: pytest.MonkeyPatch) -> None:
    before, find_late = request_threads(), socket.getaddrinfo

    def interrupt_and_find(*args: Any, **options: Any) -> Any:
        os.kill(os.getpid(), signal.SIGINT)  # the request has begun, and its caller waits
        return find_late(*args, **options)

    monkeypatch.setattr(socket, "getaddrinfo", interrupt_and_find)
    with raw_server(good()) as (url, seen):
        with pytest.raises(KeyboardInterrupt):
            send(url, timeouts=Timeouts(total_s=600))
        lookups.set()
        assert all_end(request_threads() - before)
        assert not seen


@pytest.mark.parametrize(
    "answer",
    [then_hangs(b""), then_hangs(good()[:30]), drips(b"HTTP/1.1 200 OK\r\nX: "), drips(good()[:70])],
    ids=["silent", "stops in the head", "drips in the head", "drips in the body"],
)
def test_an_exchange_ends_in_time_and_its_thread_too_although_the_server_goes_on(answer: Answer) -> None:
    before = request_threads()
    with raw_server(answer) as (url, _seen):
        start = time.monotonic()
        assert failure(url, timeouts=Timeouts(total_s=0.5, read_s=600)).delivery is UNKNOWN
        assert time.monotonic() - start < 30, "not the 600 s between two packets"
        assert all_end(request_threads() - before)


class Clock:
    """Replaces time.perf_counter: time passes only when the test sets it."""

    def __init__(self) -> None:
        self.now = 0.0
        self._reads = threading.Condition()
        self._read: set[float] = set()

    def __call__(self) -> float:
        with self._reads:
            self._read.add(self.now)
            self._reads.notify_all()
            return self.now

    def wait_until_read(self) -> None:
        """Wait until another thread has read the present time."""
        with self._reads:
            assert self._reads.wait_for(lambda: self.now in self._read, timeout=60)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("bot.course.client.exchange.time.perf_counter", clock)
    return clock


@pytest.mark.parametrize("split", [1, 20, len(good()) - 1], ids=["first byte", "in the head", "last byte"])
def test_the_first_byte_and_the_end_are_measured_apart(clock: Clock, split: int) -> None:
    answer = good()

    def slow(connection: socket.socket, _over: threading.Event) -> None:
        clock.now = 5.0
        connection.sendall(answer[:split])
        clock.wait_until_read()
        clock.now = 7.5
        connection.sendall(answer[split:])

    with raw_server(slow) as (url, _seen):
        replied = reply(url)
    assert (replied.first_byte_s, replied.body_s) == (5.0, 2.5)


def test_the_clock_of_a_run_starts_with_its_client(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr("bot.course.client.http.time.sleep", slept.append)
    playing = client("http://course.test")
    earlier = playing.now()
    assert 0 <= earlier <= playing.now() < 60 and earlier == round(earlier, 4)
    for _ in range(200):
        playing.sleep(4.0)
    assert all(3.0 <= seconds <= 4.0 for seconds in slept) and len(set(slept)) > 1


# Addresses


@contextmanager
def black_hole(address: str, port: int) -> Iterator[None]:
    """Let connection attempts to this address be answered by nobody: the listener's queue is full."""
    with ExitStack() as stack:
        listener = stack.enter_context(socket.socket())
        try:
            listener.bind((address, port))
        except OSError:
            pytest.skip("this system has one loopback address")
        listener.listen(0)
        for _ in range(20):
            filler = stack.enter_context(socket.socket())
            filler.setblocking(False)
            filler.connect_ex((address, port))
            with selectors.DefaultSelector() as selector:
                selector.register(filler, selectors.EVENT_WRITE)
                if not selector.select(0.3):
                    yield
                    return
        pytest.skip("this system accepts every connection")


def test_a_dead_first_address_delays_only_the_first_of_twenty_moves(asked_name: list[str]) -> None:
    with raw_server(good()) as (url, seen):
        port = int(url.rpartition(":")[2])
        with black_hole("127.0.0.2", port):
            asked_name[:] = ["127.0.0.2", HOST]
            playing = client(f"http://course.test:{port}", timeouts=Timeouts(connect_s=1.5))
            took_s = []
            for _ in range(20):
                start = time.monotonic()
                assert isinstance(playing.send(3, lambda: None), Replied)
                took_s.append(time.monotonic() - start)
            assert took_s[0] >= 1.5 and max(took_s[1:]) < 1.0
            assert len(seen) == 20
            asked_name.clear()
            assert isinstance(playing.send(3, lambda: None), Replied), "it needs no name lookup any more"


def test_an_address_that_stops_working_is_replaced_by_the_names_others(asked_name: list[str]) -> None:
    def serve(connection: socket.socket, _over: threading.Event) -> None:
        read_request(connection)
        connection.sendall(good(botmove=2))

    with raw_server(good(botmove=1)) as (url, _seen):
        port = int(url.rpartition(":")[2])
        playing = client(f"http://course.test:{port}")
        asked_name[:] = ["127.0.0.2", HOST]
        try:
            listener = socket.create_server(("127.0.0.2", port))
        except OSError:
            pytest.skip("this system has one loopback address")
        with SocketServer(serve, listener):
            assert botmoves(playing) == [2, 2]
        assert botmoves(playing) == [1, 1]


def botmoves(playing: CourseClient) -> list[int | None]:
    found = [playing.send(3, lambda: None) for _ in range(2)]
    return [one.reply.botmove for one in found if isinstance(one, Replied)]
