"""One exchange: whether it was sent, what is sent, its times and limits, its thread, and the address it uses."""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import threading
from contextlib import nullcontext
from typing import Any
from unittest.mock import Mock

import pytest

from bot.course.client.exchange import Exchange
from bot.course.client.http import Timeouts
from bot.course.events import Replied
from bot.course.failures import Delivery
from tests.course.client.raw import PATIENT, all_end, client, failed, failure, good, once, reply
from tests.servers import HOST, SocketServer, raw_server, reserved_port, then_hangs

pytestmark = pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")
NOT_SENT, REJECTED, UNKNOWN = Delivery.NOT_SENT, Delivery.REJECTED, Delivery.UNKNOWN


# Whether it was sent


@pytest.mark.parametrize(
    ("server", "kind", "sentence"),
    [
        ("http://127.0.0.1:{closed}", "not sent", "the connection is refused"),
        ("http://course.test", "not sent", "its name is unknown"),
        ("ftp://course.test", "address", "not a usable address"),
        (f"http://{'a' * 70}.test", "address", "not a usable address"),
    ],
)
def test_an_address_that_cannot_be_reached(server, kind, sentence, monkeypatch):
    monkeypatch.setenv("no_proxy", "*")
    if "course.test" in server:
        monkeypatch.setattr(socket, "getaddrinfo", Mock(side_effect=socket.gaierror))
    with reserved_port() as port:
        failed = failure(server.format(closed=port))
    assert (failed.kind, sentence in failed.message) == (kind, True)
    assert failed.delivery is (NOT_SENT if kind == "not sent" else REJECTED)


VARIABLES = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSLKEYLOGFILE", "https_proxy", "HTTPS_PROXY", "ALL_PROXY")


@pytest.mark.parametrize(
    ("name", "value", "kind"),
    [
        ("https_proxy", "carrier-pigeon://127.0.0.1:1", "proxy"),
        ("HTTPS_PROXY", "http://127.0.0.1:port", "proxy"),
        ("ALL_PROXY", "socks5://127.0.0.1:1", "no socks"),
        ("REQUESTS_CA_BUNDLE", "no-such-file.pem", "certificates file"),
        ("CURL_CA_BUNDLE", __file__, "certificates file"),
        ("SSLKEYLOGFILE", "no-such-folder/keys", "key log"),
    ],
)
def test_a_wrong_variable_of_the_environment_is_named_and_nothing_is_sent(name, value, kind, monkeypatch):
    for each in VARIABLES:
        monkeypatch.delenv(each, raising=False)
    monkeypatch.setenv("no_proxy", "" if "proxy" in name.lower() else "*")
    if name == "REQUESTS_CA_BUNDLE":  # it counts before the other one
        monkeypatch.setenv("CURL_CA_BUNDLE", value)
    monkeypatch.setenv(name, value)
    if "proxy" in name.lower():  # on loopback, proxies are bypassed
        monkeypatch.setattr("bot.course.client.exchange.is_loopback", lambda _url: False)
    with socket.create_server((HOST, 0)) as listener:
        failed = failure(f"https://{HOST}:{listener.getsockname()[1]}")
    assert (failed.delivery, failed.kind) == (REJECTED, kind)
    assert failed.message.startswith(f"The environment's {name} names ") and "unset" in failed.hint


@pytest.mark.skipif(not shutil.which("openssl"), reason="makes a certificate: no key lies in the repository")
def test_over_tls_the_same_line_separates_sent_from_not_sent(tmp_path, monkeypatch):
    certificate = tmp_path / "both.pem"
    command = (
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=localhost"
        " -addext subjectAltName=IP:127.0.0.1"
    )
    made = subprocess.run([*command.split(), "-keyout", "-"], check=True, capture_output=True)
    certificate.write_bytes(made.stdout)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    plain = socket.create_server((HOST, 0))
    listener = context.wrap_socket(plain, server_side=True, do_handshake_on_connect=False)
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    with raw_server(good(botmove=2), b"", listener=listener) as (url, seen):
        secure = url.replace("http", "https")
        failed = failure(secure)
        assert (failed.delivery, failed.kind, seen) == (REJECTED, "certificate", []), "nobody vouches for it yet"
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(certificate))
        assert reply(secure).reply.botmove == 2
        failed = failure(secure)
        assert (failed.delivery, failed.kind, len(seen)) == (UNKNOWN, "closed", 2)


def test_a_proxy_that_opens_no_tunnel_has_sent_nothing_on(monkeypatch):
    def serve(connection, _over):
        assert connection.recv(65536).startswith(b"CONNECT course.test:443")
        connection.sendall(b"HTTP/1.1 502 Bad Gateway\r\n\r\n")

    with SocketServer(serve) as server:
        monkeypatch.setenv("https_proxy", server.url)
        failed = failure("https://course.test/game")
    assert (failed.delivery, failed.kind, "environment's https_proxy names a proxy" in failed.hint) == (
        NOT_SENT,
        "not sent",
        True,
    )
    assert "the proxy does not let the request through" in failed.message


def test_a_plain_request_goes_through_a_proxy_but_not_on_loopback(monkeypatch):
    monkeypatch.delenv("no_proxy", raising=False)
    with raw_server(good()) as (url, seen):
        monkeypatch.setenv("http_proxy", url)
        assert reply("http://course.test/game").first_byte_s is not None
        monkeypatch.setenv("http_proxy", "http://course.test")
        assert reply(url) and len(seen) == 2
    assert "proxy" not in failure(url).hint


# What is sent


def test_a_move_is_a_form_with_every_id_the_column_and_the_key(tmp_path, monkeypatch):
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login me password mine\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    request = b""

    def serve(connection, _over):
        nonlocal request
        while not request.endswith(b"\r\n\r\nstil_id=aa&stil_id=bb&move=3&api_key=a+key%2B"):
            request += connection.recv(65536)
        connection.sendall(good())

    with SocketServer(serve) as server:
        reply(f"{server.url}/game/", key="a key+")
    assert request.startswith(b"POST /game/move HTTP/1.1\r\n")
    assert b"Accept: application/json" in request and b"Connection: close" in request
    assert b"Content-Type: application/x-www-form-urlencoded" in request
    assert b"authorization" not in request.lower(), "the password of the user's netrc is not sent"


def botmove(playing: Any) -> int:
    """Return the bot's column in the reply to one more move."""
    return int(once(playing).reply.botmove)  # type: ignore[union-attr, arg-type]


# Time


@pytest.mark.parametrize("is_interrupted", [False, True], ids=["time is over", "Ctrl-C"])
def test_a_request_that_ends_in_a_name_lookup_is_never_sent(is_interrupted, monkeypatch):
    may_end, find, limit_s = threading.Event(), socket.getaddrinfo, 60.0 if is_interrupted else 0.1

    def find_late(*arguments):
        if is_interrupted:
            os.kill(os.getpid(), signal.SIGINT)  # the request has begun, and its caller waits
        may_end.wait()
        return find(*arguments)

    monkeypatch.setattr(socket, "getaddrinfo", find_late)
    with raw_server(good()) as (url, seen):
        with pytest.raises(KeyboardInterrupt) if is_interrupted else nullcontext():
            found = failed(client(url, timeouts=Timeouts(read_s=limit_s, total_s=limit_s)).attempt(3).outcome(limit_s))
            assert (found.delivery, "it does not answer" in found.message) == (NOT_SENT, True)
        may_end.set()
        assert all_end() and not seen, "the name was found after the request had been cancelled"


def test_a_move_that_leaves_late_and_is_not_answered_is_not_waited_for_as_long_as_a_whole_exchange(monkeypatch):
    find = socket.getaddrinfo

    def find_late(*arguments, **options):
        threading.Event().wait(0.1)  # its caller waits
        return find(*arguments, **options)

    monkeypatch.setattr(socket, "getaddrinfo", find_late)
    with raw_server(then_hangs(b"")) as (url, _seen):
        underway = client(url).attempt(3)
        assert underway.outcome(0.0) is None
        assert failed(underway.close()).delivery is UNKNOWN


@pytest.mark.parametrize("comes", [False, True])
def test_after_ctrl_c_the_outcome_is_what_comes_at_once(comes, monkeypatch):
    monkeypatch.setattr("bot.course.client.exchange._LAST_S", 60.0 if comes else 0.1)

    is_waited_for = threading.Event()

    def interrupted(connection, over):
        is_waited_for.wait(60)
        os.kill(os.getpid(), signal.SIGINT)
        then_hangs(good(botmove=5) if comes else b"")(connection, over)

    with raw_server(interrupted) as (url, seen):
        playing = client(url)
        attempt = playing.attempt

        def begun(move):
            try:
                return attempt(move)
            finally:
                is_waited_for.set()

        monkeypatch.setattr(playing, "attempt", begun)
        found = playing.send(3)
        assert (playing.is_interrupted, len(seen)) == (True, 1)
        assert (failed(found).kind == "timeout") if not comes else isinstance(found, Replied)


def test_ctrl_c_while_nothing_can_be_sent_leaves_it_certain_that_nothing_was(monkeypatch):
    monkeypatch.setattr("bot.course.client.http.time.sleep", Mock(side_effect=KeyboardInterrupt))
    with reserved_port() as port:
        playing = client(f"http://{HOST}:{port}")
        assert (failed(playing.send(3)).delivery, playing.is_interrupted) == (NOT_SENT, True)


def test_a_reply_that_has_begun_has_until_the_end_of_a_whole_exchange(monkeypatch):
    waited: list[float] = []
    monkeypatch.setattr(Exchange, "_ends_within", lambda _exchange, seconds, **_: waited.append(seconds))
    with raw_server(good()) as (url, _seen):
        client(url).attempt(3).outcome(10.0)
    assert waited == [10.0, PATIENT.total_s - 10.0]


def test_the_beginning_and_the_end_of_a_reply_are_measured_apart(monkeypatch):
    ticks = itertools.count()
    monkeypatch.setattr("bot.course.client.exchange.time.perf_counter", lambda: float(next(ticks)))
    with raw_server(good()) as (url, _seen):
        replied = reply(url)
    assert (replied.first_byte_s, replied.body_s) == (1.0, 1.0), "sent, begun and ended are three moments"


# Addresses


@pytest.mark.skipif(sys.platform != "linux", reason="needs a second loopback address")
def test_the_address_that_brought_a_reply_is_tried_first_and_forgotten_when_it_fails(monkeypatch):
    known = ["127.0.0.2", HOST]
    look_up = socket.getaddrinfo

    def found(host, port, *options):
        if host != "course.test":
            return look_up(host, port, *options)
        return [(socket.AF_INET, socket.SOCK_STREAM, 0, "", (address, port)) for address in known]

    monkeypatch.setattr(socket, "getaddrinfo", found)
    monkeypatch.setenv("no_proxy", "*")
    one, two = good(botmove=1), good(botmove=2)
    with raw_server(one, one, b"") as (url, _seen):
        port = int(url.rpartition(":")[2])
        playing = client(f"http://course.test:{port}")
        assert botmove(playing) == 1, "the name's first address does not work"
        with raw_server(two, listener=socket.create_server(("127.0.0.2", port))):
            assert botmove(playing) == 1, "it did not work before"
            failed(once(playing))
            assert botmove(playing) == 2, "an address that connects, but brings no reply, is forgotten"
    known[:] = [HOST]
    with raw_server(one, listener=socket.create_server((HOST, port))):
        assert [botmove(playing), botmove(playing)] == [1, 1], "one that refuses is forgotten at once"
