"""Requests that were certainly not sent: they are repeated until the time limit."""

from __future__ import annotations

import http.client
import socket
import ssl
import subprocess
import threading
from contextlib import ExitStack
from pathlib import Path

import pytest
import requests

from bot.course.client.failures import is_final
from bot.course.client.http import NotSentError, RejectedError, Timeouts
from tests.course.client.raw import EnoughError, client, enough_after, good
from tests.servers import HOST, SocketServer, closed_port, raw_server, read_request, resets, then_hangs

PATIENT = Timeouts(connect_s=60, read_s=60, total_s=60, patience_s=60, first_contact_s=60)


@pytest.mark.parametrize("failing_call", [1, 2], ids=["while the head is written", "while the form is written"])
def test_a_request_that_was_not_written_to_its_end_is_sent_again(
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
    with raw_server(good()) as (url, seen):
        assert client(url, timeouts=PATIENT).move(3).status
        assert len(seen) == 1


def test_a_refused_connection_is_tried_again_until_patience_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    notes: list[str] = []
    now_s = 100.0

    def wait(seconds: float) -> None:
        nonlocal now_s
        now_s += max(seconds, 0.01)

    monkeypatch.setattr("tenacity.time.monotonic", lambda: now_s)  # time passes between the attempts only
    monkeypatch.setattr("tenacity.nap.time.sleep", wait)
    times = Timeouts(first_contact_s=1.0)
    with closed_port() as port, pytest.raises(NotSentError, match="the connection is refused"):
        client(f"http://127.0.0.1:{port}", timeouts=times, notify=notes.append).move(3)
    assert notes and now_s >= 101.0
    assert all("cannot be reached" in note and "Trying again for at most 1 s." in note for note in notes)


def test_a_name_that_does_not_exist_was_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_arguments: object, **_options: object) -> list[object]:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(NotSentError, match="its name is unknown"):
        client("http://nowhere.test").move(3)


@pytest.mark.parametrize("server", ["ftp://course.test", "http://", "http://a..b/", "http://" + "a" * 70 + ".test"])
def test_an_address_that_cannot_be_used_is_rejected(server: str) -> None:
    with pytest.raises(RejectedError, match="not a usable address"):
        client(server).move(3)


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("https_proxy", "http://", "names a proxy whose address cannot be used"),
        ("https_proxy", "::::", "names a proxy whose address cannot be used"),
        ("https_proxy", "carrier-pigeon://127.0.0.1:1", "names a proxy whose address cannot be used"),
        ("REQUESTS_CA_BUNDLE", "no-such-file.pem", "REQUESTS_CA_BUNDLE"),
        ("REQUESTS_CA_BUNDLE", __file__, "REQUESTS_CA_BUNDLE"),
    ],
)
def test_a_wrong_environment_is_named_and_nothing_is_sent(
    name: str, value: str, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[None] = []
    monkeypatch.setattr("bot.course.client.exchange.is_loopback", lambda _url: False)
    monkeypatch.setenv("no_proxy", "" if "proxy" in name else "*")
    monkeypatch.setenv(name, value)
    with SocketServer(then_hangs(b"")) as server:
        with pytest.raises(NotSentError, match=sentence) as raised:
            client(f"https://127.0.0.1:{server.port}", timeouts=PATIENT, notify=enough_after(1)).move(
                -1, lambda: started.append(None)
            )
        assert is_final(raised.value)
    assert not started


def test_a_socks_proxy_without_its_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_arguments: object, **_options: object) -> None:  # as requests defines it without the package
        raise requests.exceptions.InvalidSchema("Missing dependencies for SOCKS support.")

    monkeypatch.setattr("requests.adapters.SOCKSProxyManager", missing)
    monkeypatch.setenv("https_proxy", "socks5://127.0.0.1:9")
    with pytest.raises(NotSentError, match="pip install pysocks"):
        client("https://course.test").move(3)


def test_a_proxy_that_cannot_be_reached_is_in_the_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    with closed_port() as port, pytest.raises(NotSentError, match="names a proxy"):
        monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{port}")
        client("https://course.test/game").move(3)


def test_a_server_that_comes_up_late_gets_the_move_exactly_once() -> None:
    seen: list[bytes] = []
    servers: list[SocketServer] = []

    def serve(connection: socket.socket, _over: threading.Event) -> None:
        seen.append(read_request(connection))
        connection.sendall(good())

    with socket.socket() as bound, ExitStack() as stack:
        bound.bind((HOST, 0))  # connections are refused until it listens

        def start(_note: str) -> None:
            if not servers:
                bound.listen()
                servers.append(stack.enter_context(SocketServer(serve, bound)))

        url = f"http://{HOST}:{bound.getsockname()[1]}"
        assert client(url, timeouts=PATIENT, notify=start).move(3).status
    assert len(seen) == 1


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A self-signed certificate, made here: no key of any kind lies in the repository."""
    path = tmp_path_factory.mktemp("tls") / "both.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost",
               "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]  # fmt: skip
    done = subprocess.run([*command, "-keyout", str(path), "-out", "-"], capture_output=True, check=False)
    if done.returncode != 0:
        pytest.skip("openssl is not installed")
    path.write_bytes(path.read_bytes() + done.stdout)
    return path


def tls_server(certificate: Path) -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    return context


def test_an_untrusted_certificate_is_refused_at_once(certificate: Path) -> None:
    context = tls_server(certificate)

    def serve(connection: socket.socket, _over: threading.Event) -> None:
        context.wrap_socket(connection, server_side=True).close()

    with SocketServer(serve) as server:
        with pytest.raises(NotSentError, match="certificate"):
            client(f"https://127.0.0.1:{server.port}", timeouts=PATIENT).move(3)
        assert server.accepted == 1


@pytest.mark.parametrize("ending", ["reply", "closed"])
def test_over_tls_the_same_line_separates_sent_from_not_sent(
    ending: str, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = tls_server(certificate)
    seen: list[bytes] = []

    def serve(connection: socket.socket, _over: threading.Event) -> None:
        with context.wrap_socket(connection, server_side=True) as secure:
            seen.append(read_request(secure))
            if ending == "reply":
                secure.sendall(good(botmove=2))

    monkeypatch.setattr("bot.course.client.exchange.is_loopback", lambda _url: False)
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(certificate))
    monkeypatch.setenv("no_proxy", "*")
    with SocketServer(serve) as server:
        playing = client(f"https://127.0.0.1:{server.port}", timeouts=PATIENT)
        if ending == "reply":
            reply = playing.move(3)
            assert reply.botmove == 2 and reply.first_byte_s is not None
        else:
            with pytest.raises(Exception, match="without an answer") as raised:
                playing.move(3)
            assert getattr(raised.value, "kind", None) == "closed"
    assert len(seen) == 1


@pytest.mark.parametrize("ending", ["closes", "resets", "is silent"])
def test_a_handshake_that_fails_was_not_sent_and_is_tried_again(ending: str) -> None:
    def serve(connection: socket.socket, over: threading.Event) -> None:
        if ending == "is silent":
            over.wait()
        connection.recv(65536)
        if ending == "resets":
            resets(connection, over)

    times = Timeouts(connect_s=0.2, patience_s=3600, first_contact_s=3600)
    with SocketServer(serve) as server:
        with pytest.raises(EnoughError, match="Trying again"):
            client(f"https://127.0.0.1:{server.port}", timeouts=times, notify=enough_after(3)).move(3)
        server.wait_for_accepted(3)


def test_a_server_without_tls_is_named_at_once() -> None:
    def serve(connection: socket.socket, _over: threading.Event) -> None:
        connection.recv(65536)
        connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

    with SocketServer(serve) as server:
        with pytest.raises(NotSentError, match="does not use TLS"):
            client(f"https://127.0.0.1:{server.port}", timeouts=PATIENT).move(3)
        assert server.accepted == 1


def test_a_proxy_that_opens_no_tunnel_has_sent_nothing_on(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bytes] = []
    started: list[None] = []

    def serve(connection: socket.socket, _over: threading.Event) -> None:
        asked.append(connection.recv(65536))
        connection.sendall(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")

    with SocketServer(serve) as server:
        monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{server.port}")
        with pytest.raises(NotSentError, match="proxy"):
            client("https://course.test/game").move(3, lambda: started.append(None))
    assert asked and all(request.startswith(b"CONNECT course.test:443") for request in asked)
    assert not started, "a tunnel is not the request"


def test_a_proxy_that_hangs_in_the_tunnel_has_sent_nothing_on(monkeypatch: pytest.MonkeyPatch) -> None:
    with SocketServer(then_hangs(b"")) as server:
        monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{server.port}")
        times = Timeouts(connect_s=600, read_s=600, total_s=0.3, first_contact_s=0.0)
        with pytest.raises(NotSentError, match=r"within 0\.3 s"):
            client("https://course.test/game", timeouts=times).move(3)


def test_a_plain_request_goes_through_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    with raw_server(good(botmove=3)) as (url, seen):
        monkeypatch.setenv("http_proxy", url)
        reply = client("http://course.test/game").move(3)
        assert reply.botmove == 3 and reply.first_byte_s is not None
        assert len(seen) == 1


def test_proxies_are_bypassed_on_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("no_proxy", raising=False)
    with closed_port() as port, raw_server(good()) as (url, _seen):
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{port}")
        assert client(url).move(3).status
