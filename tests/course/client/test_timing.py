"""The start and the end of a reply, on a clock that the test sets; and which bytes belong to the reply."""

from __future__ import annotations

import socket
import threading

import pytest

from bot.course.client.connection import Timing
from bot.course.client.http import AmbiguousError, CourseClient
from tests.course.client.raw import HEAD, client, good
from tests.servers import http, raw_server, sends, then_hangs


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
    monkeypatch.setattr("bot.course.client.connection.time.perf_counter", clock)
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
        reply = client(url).move(3)
    assert (reply.first_byte_s, reply.body_s, reply.latency_s) == (5.0, 2.5, 7.5)


def test_an_interim_reply_is_not_the_first_byte(clock: Clock) -> None:
    def early_hints(connection: socket.socket, _over: threading.Event) -> None:
        clock.now = 1.0
        connection.sendall(b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n")
        clock.wait_until_read()
        clock.now = 4.0
        connection.sendall(good())

    with raw_server(early_hints) as (url, _seen):
        assert client(url).move(3).first_byte_s == 4.0


@pytest.mark.parametrize("answer", [b"", HEAD + b"\r\n<html></h", http(b""), good()[:-30], http(b"", status="502 X")])
def test_a_failure_says_how_soon_it_came(clock: Clock, answer: bytes) -> None:
    def fail(connection: socket.socket, _over: threading.Event) -> None:
        clock.now = 3.0
        connection.sendall(answer)

    with raw_server(fail) as (url, _seen):
        try:
            waited_s = client(url).move(3).first_byte_s
        except AmbiguousError as error:
            waited_s = error.first_byte_s
    assert waited_s == 3.0


def test_the_timing_of_an_exchange() -> None:
    timing = Timing(connected_at_s=1.0, sent_at_s=1.5, first_byte_at_s=3.5, end_at_s=4.0)
    assert (timing.first_byte_s, timing.body_s) == (2.0, 0.5)
    failed = Timing(connected_at_s=1.0, sent_at_s=1.5, first_byte_at_s=None, end_at_s=4.0)
    assert (failed.first_byte_s, failed.body_s) == (2.5, 0.0)
    unsent = Timing(connected_at_s=None, sent_at_s=None, first_byte_at_s=None, end_at_s=4.0)
    assert (unsent.first_byte_s, unsent.body_s) == (None, 0.0)


@pytest.mark.parametrize(
    "interim", [b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n", b"HTTP/1.1 102 Processing\r\n\r\n"]
)
def test_interim_replies_are_not_the_reply(interim: bytes) -> None:
    with raw_server(interim + interim + good(botmove=2)) as (url, _seen):
        assert client(url).move(3).botmove == 2


def columns(playing: CourseClient, count: int) -> list[int | None]:
    return [playing.move(3).botmove for _ in range(count)]


def test_a_second_reply_is_not_taken_for_the_next_requests_reply() -> None:
    first, second = then_hangs(good(botmove=1) + good(botmove=6)), then_hangs(good(botmove=2))
    with raw_server(first, second) as (url, _seen):
        assert columns(client(url), 2) == [1, 2]


def test_a_complete_reply_does_not_wait_for_the_length_it_announces() -> None:
    """The server keeps the connection open: a client that waits for more has no reply but a timeout."""
    with raw_server(then_hangs(good(botmove=4).replace(b"Content-Length: ", b"Content-Length: 9"))) as (url, _seen):
        notes: list[str] = []
        reply = client(url, notify=notes.append).move(3)
        assert reply.botmove == 4 and reply.state is not None
        assert not notes


def test_a_reply_in_small_parts_is_whole() -> None:
    answer = good(botmove=4)
    with raw_server(sends(*(answer[index : index + 1] for index in range(len(answer))))) as (url, _seen):
        assert client(url).move(3).state is not None
