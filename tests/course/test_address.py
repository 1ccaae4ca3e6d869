"""Which spellings name the same server and the same player."""

from __future__ import annotations

import pytest

from bot.course.protocol import Identity, normalised_server, without_endpoint

SAME = [
    [
        "http://127.0.0.1:8000",
        "HTTP://LocalHost:8000/",
        "http://localhost.:8000//move",
        "http://127.3.2.1:8000/stats/",
        "http://[::1]:8000/MOVE",
        "http://[0:0:0:0:0:0:0:1]:8000",
        "http://bot.localhost:8000",
    ],
    ["https://vilde.cs.lth.se/edap01-4inarow", "https://Vilde.CS.lth.se:443/edap01-4inarow//move"],
    ["http://example.org", "http://example.org.:80/", "http://EXAMPLE.org/stats"],
    ["http://[2001:DB8::1]:9", "http://[2001:db8:0:0:0:0:0:1]:9/"],
    ["http://example.org:443"],
    ["http://evillocalhost:8000"],
    ["https://127.0.0.1:8000"],
    ["http://127.0.0.1:8000/Course"],
    ["http://127.0.0.1:8000/course"],
    ["http://128.0.0.1:8000/moves"],
    *([text] for text in ("embedded", "s", "", "http://", "http://[::1", "http://x:99999", "ftp://localhost/")),
]


def test_all_spellings_of_one_server_are_one_and_no_others():
    names = [{normalised_server(url) for url in spellings} for spellings in SAME]
    assert [len(one) for one in names] == [1] * len(SAME)
    assert len(set.union(*names)) == len(SAME)
    assert all({normalised_server(name) for name in one} == one for one in names), "a name is its own"


def test_a_player_has_one_key_in_any_order_and_another_group_has_another():
    groups = [("a", "bc"), ("BC", "A"), ("ab", "c"), ("abc",)]
    keys = [Identity.of("s", ids).key for ids in groups]
    assert keys[0] == keys[1] and len(set(keys)) == 3


@pytest.mark.parametrize(
    ("url", "base"),
    [("http://x/move/a/", "http://x/move/a"), ("http://x/a/stats", "http://x/a"), ("http://move", "http://move")],
)
def test_an_endpoint_is_dropped_once_from_the_end(url, base):
    assert without_endpoint(url) == base
