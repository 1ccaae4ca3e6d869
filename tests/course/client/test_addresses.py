"""Several addresses of one host: a black hole delays the first request a little and the following not at all."""

from __future__ import annotations

import selectors
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest

from bot.course.client import addresses
from bot.course.client.addresses import AddressInfo, AddressMemory, connect_first
from bot.course.client.http import CourseClient, NotSentError, Timeouts
from tests.course.client.raw import client, good
from tests.servers import closed_port, raw_server, resets

NEVER_S = 3600.0
"""A time that no test waits for: it fails by the suite's own limit instead."""
PATIENT = Timeouts(connect_s=NEVER_S, read_s=NEVER_S, total_s=60, patience_s=60, first_contact_s=60)


def at(port: int) -> AddressInfo:
    return (socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", ("127.0.0.1", port))


@contextmanager
def black_hole() -> Iterator[int]:
    """A port that answers no connection attempt: its queue is full."""
    with ExitStack() as stack:
        listener = stack.enter_context(socket.socket())
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        port = listener.getsockname()[1]
        for _ in range(20):
            filler = stack.enter_context(socket.socket())
            filler.setblocking(False)
            filler.connect_ex(("127.0.0.1", port))
            with selectors.DefaultSelector() as selector:
                selector.register(filler, selectors.EVENT_WRITE)
                if not selector.select(0.3):
                    yield port
                    return
        pytest.skip("this system accepts every connection")


def port_of(url: str) -> int:
    return int(url.rpartition(":")[2])


@pytest.fixture
def name(monkeypatch: pytest.MonkeyPatch) -> list[AddressInfo]:
    """The addresses that every name has."""
    found: list[AddressInfo] = []

    def find(*_arguments: Any, **_options: Any) -> list[AddressInfo]:
        if not found:
            raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")
        return list(found)

    monkeypatch.setattr(socket, "getaddrinfo", find)
    monkeypatch.setenv("no_proxy", "*")
    return found


def test_the_next_address_is_tried_while_the_first_is_silent() -> None:
    with black_hole() as hole, raw_server(good()) as (url, _seen):
        connection, address = connect_first([at(hole), at(port_of(url))], timeout_s=NEVER_S)
        with connection:
            assert address == ("127.0.0.1", port_of(url))
            assert connection.getblocking()


def test_a_refused_address_lets_the_next_start_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "STAGGER_S", NEVER_S)
    with closed_port() as one, closed_port() as other, raw_server(good()) as (url, _seen):
        connection, address = connect_first([at(one), at(other), at(port_of(url))], timeout_s=NEVER_S)
        connection.close()
        assert address == ("127.0.0.1", port_of(url))


def test_where_no_address_answers_the_last_error_or_the_time_limit_is_raised() -> None:
    with closed_port() as one, closed_port() as other, pytest.raises(ConnectionRefusedError):
        connect_first([at(one), at(other)], timeout_s=NEVER_S)
    with black_hole() as hole, pytest.raises(TimeoutError):
        connect_first([at(hole), at(hole)], timeout_s=0.3)
    with pytest.raises(OSError, match="no address"):
        connect_first([], timeout_s=NEVER_S)
    with pytest.raises(OSError):
        connect_first([(99, socket.SOCK_STREAM, 0, "", ("127.0.0.1", 9))], timeout_s=NEVER_S)


def test_the_address_that_worked_is_the_only_one_tried_next(
    name: list[AddressInfo], monkeypatch: pytest.MonkeyPatch
) -> None:
    with black_hole() as hole, raw_server(good()) as (url, seen):
        name[:] = [at(hole), at(port_of(url))]
        playing = client("http://course.test", timeouts=PATIENT)
        assert playing.move(3).status
        monkeypatch.setattr(addresses, "STAGGER_S", NEVER_S)  # a black hole that comes first would hang now
        assert playing.move(3).status
        assert len(seen) == 2


def test_when_the_address_that_worked_fails_the_others_are_tried(name: list[AddressInfo]) -> None:
    with raw_server(good(botmove=2)) as (second, _):
        with raw_server(good(botmove=1)) as (first, _):
            name[:] = [at(port_of(first)), at(port_of(second))]
            playing = client("http://course.test", timeouts=PATIENT)
            assert botmoves(playing) == [1, 1]
        assert botmoves(playing) == [2, 2]


def botmoves(playing: CourseClient) -> list[int | None]:
    return [playing.move(3).botmove, playing.move(3).botmove]


def test_an_address_that_connects_but_brings_no_reply_comes_last(name: list[AddressInfo]) -> None:
    with raw_server(resets) as (broken, tried), raw_server(good()) as (url, seen):
        name[:] = [at(port_of(broken)), at(port_of(url))]
        playing = client("http://course.test", timeouts=PATIENT)
        with pytest.raises(Exception, match="reset"):
            playing.move(3)
        assert playing.move(3).status
        assert (len(tried), len(seen)) == (1, 1)


def test_a_name_that_cannot_be_looked_up_any_more_keeps_the_address_that_worked(name: list[AddressInfo]) -> None:
    with raw_server(good()) as (url, seen):
        name[:] = [at(port_of(url))]
        playing = client("http://course.test", timeouts=PATIENT)
        assert playing.move(3).status
        name.clear()
        assert playing.move(3).status
        assert len(seen) == 2
    name.clear()
    with pytest.raises(NotSentError, match="its name is unknown"):
        client("http://other.test").move(3)


def test_addresses_are_ordered_by_what_is_known_of_them(name: list[AddressInfo]) -> None:
    memory = AddressMemory()
    name[:] = [at(1), at(2), at(3)]
    memory.note(at(1)[4], works=False)
    memory.note(at(3)[4], works=True)
    assert [info[4][1] for info in memory.resolve("course.test", 80)] == [3, 2, 1]
    memory.note(at(3)[4], works=False)
    memory.note(at(1)[4], works=True)
    assert [info[4][1] for info in memory.resolve("course.test", 80)] == [1, 2, 3]
