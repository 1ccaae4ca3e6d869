"""Which spellings name the same server."""

from __future__ import annotations

import pytest

from bot.course.address import is_loopback, normalised_server, without_endpoint

SAME = [
    [
        "http://127.0.0.1:8000",
        "http://127.0.0.1:8000/",
        "HTTP://LocalHost:8000",
        "http://localhost:8000//",
        "http://localhost.:8000/move",
        "http://127.3.2.1:8000/stats/",
        "http://[::1]:8000/MOVE",
        "http://[0:0:0:0:0:0:0:1]:8000",
        "http://bot.localhost:8000",
    ],
    ["https://vilde.cs.lth.se/edap01-4inarow", "https://Vilde.CS.lth.se:443/edap01-4inarow//move"],
    ["http://example.org", "http://example.org.:80/", "http://EXAMPLE.org/stats"],
    ["http://[2001:DB8::1]:9", "http://[2001:db8:0:0:0:0:0:1]:9/"],
    ["http://10.0.0.1", "http://10.0.0.1:80/"],
]


@pytest.mark.parametrize("spellings", SAME)
def test_spellings_of_one_server_are_one(spellings: list[str]) -> None:
    assert len({normalised_server(url) for url in spellings}) == 1


def test_servers_that_differ_stay_apart() -> None:
    apart = [spellings[0] for spellings in SAME]
    apart += [
        "https://127.0.0.1:8000",
        "http://127.0.0.1:8001",
        "http://127.0.0.1:8000/Course",
        "http://127.0.0.1:8000/course",
        "http://127.0.0.1:8000/moves",
        "http://128.0.0.1:8000",
        "embedded",
    ]
    assert len({normalised_server(url) for url in apart}) == len(apart)


@pytest.mark.parametrize("url", ["embedded", "s", "", "http://", "http://[::1", "http://x:99999", "ftp://localhost/"])
def test_what_is_no_address_is_left_as_it_is(url: str) -> None:
    assert normalised_server(url) == url


def test_a_normalised_address_is_its_own() -> None:
    for url in (url for spellings in SAME for url in spellings):
        assert normalised_server(normalised_server(url)) == normalised_server(url)


def test_an_endpoint_is_dropped_once_from_the_end() -> None:
    assert without_endpoint("http://x/move/a/") == "http://x/move/a"
    assert without_endpoint("http://x/a/stats") == "http://x/a"
    assert without_endpoint("http://move") == "http://move"


def test_loopback_is_known_by_all_its_names() -> None:
    assert all(is_loopback(url) for url in SAME[0])
    assert not any(is_loopback(url) for spellings in SAME[1:] for url in spellings)
    assert not is_loopback("http://localhost.example.org")
    assert not is_loopback("http://[::1")
