"""How long a request waited for its fate: the server's time alone, over real sockets."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
from pydantic import SecretStr

from bot.client.http import AmbiguousError, CourseClient, NotSentError, Timeouts

REPLY = json.dumps({"msg": None, "status": True, "result": 0.0, "botmove": -1, "state": [[0] * 7] * 6}).encode()
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"


@contextmanager
def server(think_s: float, answer: bytes, rest_s: float = 0.0) -> Iterator[str]:
    """Thinks, answers (nothing at all: hangs up), and takes ``rest_s`` for the last byte."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                request = b""
                while b"move=" not in request:
                    request += connection.recv(4096)
                time.sleep(think_s)
                connection.sendall(answer[:-1])
                time.sleep(rest_s)
                connection.sendall(answer[-1:])

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        listener.close()


def client(url: str) -> CourseClient:
    return CourseClient(url, ["ab1234cd-s"], SecretStr("key"))


def test_a_reply_waits_as_long_as_the_server_thinks_and_not_for_its_last_byte() -> None:
    with server(0.2, HEAD % len(REPLY) + REPLY, rest_s=0.3) as url:
        reply = client(url).move(3)
    assert reply.first_byte_s is not None
    assert 0.19 < reply.first_byte_s < reply.latency_s - 0.25


@pytest.mark.parametrize("answer", [b"", HEAD % 9 + b"<html></h", HEAD % 0])
def test_a_failure_tells_how_soon_it_came(answer: bytes) -> None:
    for think_s in (0.0, 0.3):
        with server(think_s, answer) as url, pytest.raises(AmbiguousError) as caught:
            client(url).move(3)
        assert caught.value.first_byte_s is not None
        assert (caught.value.first_byte_s > 0.29) == (think_s > 0)


def test_a_wait_is_told_once_and_none_where_nothing_was_sent() -> None:
    from bot.client.connection import waited_s

    assert waited_s() is None
    with server(0.0, HEAD % len(REPLY) + REPLY) as url:
        told = client(url).move(3).first_byte_s
    assert told is not None and told < 0.2
    assert waited_s() is None, "requests run in threads of their own, and so do their waits"


def test_a_request_given_up_before_it_left_never_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    came: list[bytes] = []
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with suppress(OSError):
            while True:
                connection, _ = listener.accept()
                came.append(connection.recv(4096))

    threading.Thread(target=serve, daemon=True).start()
    find = socket.getaddrinfo

    def find_late(*args: Any, **options: Any) -> Any:
        time.sleep(0.5)
        return find(*args, **options)

    monkeypatch.setattr(socket, "getaddrinfo", find_late)
    times = Timeouts(total_s=0.1, patience_s=0.0, first_contact_s=0.0)
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    with pytest.raises(NotSentError, match="cannot be reached within"):
        CourseClient(url, ["ab1234cd-s"], SecretStr("key"), times).move(3)
    time.sleep(0.8)
    listener.close()
    assert not any(came), "the name was found after the request had been given up"


def answering(*answers: bytes, keeps_open: bool = True) -> tuple[str, socket.socket]:
    """A server that gives every request the next of ``answers`` and leaves the connection open."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        kept = []
        with suppress(OSError):
            for answer in answers:
                connection, _ = listener.accept()
                kept.append(connection)
                request = b""
                while b"move=" not in request:
                    request += connection.recv(4096)
                connection.sendall(answer)
            time.sleep(5 if keeps_open else 0)

    threading.Thread(target=serve, daemon=True).start()
    return f"http://127.0.0.1:{listener.getsockname()[1]}", listener


def told(botmove: int) -> bytes:
    body = REPLY.replace(b'"botmove": -1', b'"botmove": %d' % botmove)
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body


@pytest.mark.parametrize(
    "interim", [b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n", b"HTTP/1.1 102 Processing\r\n\r\n"]
)
def test_interim_replies_are_not_the_reply(interim: bytes) -> None:
    url, listener = answering(interim + interim + told(2))
    assert client(url).move(3).botmove == 2
    listener.close()


def test_a_second_reply_is_not_taken_for_the_next_requests_answer() -> None:
    url, listener = answering(told(1) + told(6), told(2))
    ours = client(url)
    assert [ours.move(3).botmove, ours.move(3).botmove] == [1, 2]
    listener.close()


def test_a_whole_reply_is_taken_though_its_length_promises_more() -> None:
    url, listener = answering(told(4).replace(b"Content-Length: ", b"Content-Length: 9"))
    begin = time.monotonic()
    assert client(url).move(3).botmove == 4
    assert time.monotonic() - begin < 4, "to wait for the rest would cost the read time-out, 10 s"
    listener.close()
