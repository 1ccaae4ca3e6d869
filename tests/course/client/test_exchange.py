"""One exchange: its time limit, its thread, and that a cancelled request sends nothing."""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from bot.course.client.connection import Attempt, NeverSentError
from bot.course.client.exchange import BusyError, Request, TotalTimeoutError, Transport
from bot.course.client.failures import reply_of
from bot.course.client.http import AmbiguousError, NotSentError, Timeouts
from bot.errors import JournalError
from tests.course.client.raw import HEAD, client, good, time_is_over
from tests.servers import Answer, drips, http, raw_server, then_hangs


def request_threads() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name == "request"}


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


def join(threads: set[threading.Thread]) -> None:
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()


def test_a_get_brings_a_page_that_is_not_json() -> None:
    with raw_server(http(b"<title>4 in a row</title>", kind="text/html", extra="X-Odd: 1\r\n")) as (url, seen):
        exchange = Transport().exchange(Request(f"{url}/"), total_s=60)
        assert seen == [b""]
    assert exchange.error is None and exchange.is_sent
    assert exchange.reply is not None
    assert (exchange.reply.status, exchange.reply.body) == (200, b"<title>4 in a row</title>")
    assert exchange.reply.header("x-odd") == "1"
    assert exchange.reply.header("X-Odd") == "1"
    assert exchange.reply.header("missing") == ""
    timing = exchange.timing
    assert timing.connected_at_s is not None and timing.sent_at_s is not None and timing.first_byte_at_s is not None
    assert timing.connected_at_s <= timing.sent_at_s <= timing.first_byte_at_s <= timing.end_at_s


def test_a_request_cancelled_before_it_was_sent_is_never_sent(lookups: threading.Event) -> None:
    before = request_threads()
    with raw_server(good()) as (url, seen):
        exchange = Transport().exchange(Request(url, (("move", "3"),)), total_s=0.1)
        assert isinstance(exchange.error, NeverSentError)
        assert isinstance(exchange.error.__cause__, TotalTimeoutError)
        assert not exchange.is_sent
        lookups.set()
        join(request_threads() - before)
        assert not seen, "the name was found after the request had been cancelled"


def test_the_client_says_that_it_was_not_sent(lookups: threading.Event) -> None:
    times = Timeouts(total_s=0.1, patience_s=0.0, first_contact_s=0.0)
    with pytest.raises(NotSentError, match=r"cannot be reached within 0\.1 s"):
        client("http://127.0.0.1:9", timeouts=times).move(3)
    assert not lookups.is_set()


def test_threads_are_bounded_and_a_further_request_waits_for_one(lookups: threading.Event) -> None:
    before = request_threads()
    transport = Transport(max_threads=3)
    with raw_server(good()) as (url, seen):
        for _ in range(5):
            exchange = transport.exchange(Request(url, (("move", "3"),)), total_s=0.05)
            assert isinstance(exchange.error, NeverSentError)
        assert exchange.error is not None and isinstance(exchange.error.__cause__, BusyError)
        assert len(request_threads() - before) == 3
        lookups.set()
        exchange = transport.exchange(Request(url, (("move", "4"),)), total_s=60)
        assert exchange.reply is not None and exchange.reply.status == 200
        assert seen == [b"move=4"]


def test_too_many_waiting_requests_end_in_a_sentence(lookups: threading.Event) -> None:
    transport = Transport(max_threads=1)
    for sentence in ("within 0.1 s", "Too many earlier requests"):
        exchange = transport.exchange(Request("http://127.0.0.1:9"), total_s=0.1)
        with pytest.raises(NotSentError, match=sentence):
            reply_of(exchange, "http://127.0.0.1:9")
    assert not lookups.is_set()


@pytest.mark.parametrize(
    ("ending", "part"),
    [
        (then_hangs, b""),
        (then_hangs, HEAD + b"\r\n{"),
        (drips, HEAD + b"X: "),
        (drips, HEAD + b"Content-Length: 9999\r\n\r\n"),
    ],
    ids=["silent", "stalled", "dripping head", "dripping body"],
)
def test_a_thread_whose_request_is_over_ends_although_the_server_goes_on(
    ending: Callable[[bytes], Answer], part: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, asked = request_threads(), threading.Event()

    def answer(connection: socket.socket, over: threading.Event) -> None:
        asked.set()
        ending(part)(connection, over)

    time_is_over(monkeypatch, asked)
    with raw_server(answer) as (url, _seen):
        with pytest.raises(AmbiguousError):
            client(url, timeouts=Timeouts(read_s=600, total_s=600)).move(3)
        join(request_threads() - before)


def test_a_system_without_threads_sends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    transport = Transport(max_threads=1)
    with raw_server(good()) as (url, seen):
        with monkeypatch.context() as patched:
            patched.setattr(threading.Thread, "start", refuse)
            exchange = transport.exchange(Request(url), total_s=60)
        assert isinstance(exchange.error, NeverSentError) and not exchange.is_sent
        assert transport.exchange(Request(url), total_s=60).reply is not None, "its slot is free again"
        assert len(seen) == 1


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_nothing_is_sent_after_ctrl_c(lookups: threading.Event, monkeypatch: pytest.MonkeyPatch) -> None:
    before, find_late, found = request_threads(), socket.getaddrinfo, list[Any]()

    def interrupt_and_find(*args: Any, **options: Any) -> Any:
        found.append(args)
        if len(found) == 1:
            os.kill(os.getpid(), signal.SIGINT)  # the request has begun, and its caller waits
        return find_late(*args, **options)

    monkeypatch.setattr(socket, "getaddrinfo", interrupt_and_find)
    transport = Transport()
    with raw_server(good()) as (url, seen):
        with pytest.raises(KeyboardInterrupt):
            transport.exchange(Request(url, (("move", "3"),)), total_s=600)
        lookups.set()
        join(request_threads() - before)
        assert not seen


def test_what_is_called_before_sending_is_called_once_and_can_stop_the_request() -> None:
    calls: list[str] = []
    with raw_server(good()) as (url, seen):
        exchange = Transport().exchange(
            Request(url, (("move", "3"),)), total_s=60, on_sent=lambda: calls.append("sent")
        )
        assert exchange.reply is not None and calls == ["sent"]

        def fails() -> None:
            raise OSError("No space left on device")

        exchange = Transport().exchange(Request(url, (("move", "3"),)), total_s=60, on_sent=fails)
        assert isinstance(exchange.error, NeverSentError) and not exchange.is_sent
        assert len(seen) == 1


def test_a_journal_that_cannot_be_written_is_not_a_failure_of_the_network() -> None:
    def fails() -> None:
        raise JournalError("The disk is full.")

    with raw_server(good()) as (url, seen):
        with pytest.raises(JournalError, match="disk is full"):
            client(url).move(3, fails)
        assert not seen


def test_a_cancelled_attempt_refuses_every_step() -> None:
    attempt = Attempt()
    attempt.check()
    assert not attempt.cancel()
    for step in (attempt.check, attempt.sending, lambda: attempt.opened(None)):
        with pytest.raises(NeverSentError):
            step()
    attempt = Attempt()
    attempt.sending()
    assert attempt.cancel() and attempt.is_sent
