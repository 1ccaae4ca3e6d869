"""Requests field by field, and a table of bad replies: each gives one sentence and a kind, and never a second move."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import responses
from responses import matchers

from bot.course.client.failures import KINDS
from bot.course.client.http import AmbiguousError, NotFoundError, RejectedError, Timeouts
from bot.course.client.wire import BadReplyError, RefusedError, parse_move_reply
from bot.errors import BotError, ExitCode
from tests.course.client.raw import GOOD, GRID, KEY, client

BASE = "http://course.test/game"
FORM = "stil_id=aa&stil_id=bb"
WHOLE = json.dumps(GOOD)


@responses.activate
def test_a_move_is_a_form_with_every_id_the_column_and_the_key() -> None:
    responses.post(f"{BASE}/move", json=GOOD, match=[matchers.header_matcher({"Accept": "application/json"})])
    assert client(BASE).move(3).botmove == -1
    request = responses.calls[0].request
    assert request.body == f"{FORM}&move=3&api_key={KEY}"
    assert request.headers["Content-Type"] == "application/x-www-form-urlencoded"
    assert len(responses.calls) == 1


@responses.activate
def test_statistics_are_requested_with_ids_and_key_only() -> None:
    statistics = {"msg": None, "status": None, "played": 3, "won": 2, "lost": 1, "streak": 0, "total_reward": 1.0}
    responses.post(f"{BASE}/stats", json=statistics)
    stats = client(BASE).stats()
    assert stats is not None and (stats.played, stats.won, stats.lost) == (3, 2, 1)
    assert responses.calls[0].request.body == f"{FORM}&api_key={KEY}"


@responses.activate
def test_a_server_without_statistics_has_none() -> None:
    responses.post(f"{BASE}/stats", json={"detail": "Not Found"}, status=404)
    assert client(BASE).stats() is None


@responses.activate
def test_statistics_are_requested_again_after_any_failure() -> None:
    responses.post(f"{BASE}/stats", body="<html>", content_type="text/html")
    responses.post(f"{BASE}/stats", status=503)
    responses.post(f"{BASE}/stats", json={"status": None, "played": 1, "won": 1, "lost": 0, "streak": 1})
    notes: list[str] = []
    stats = client(BASE, timeouts=Timeouts(statistics_s=60, first_contact_s=60), notify=notes.append).stats()
    assert stats is not None and stats.played == 1
    assert len(notes) == 2
    assert all(re.search(r" Trying again for at most (60|5\d) s\.$", note) for note in notes)


@responses.activate
def test_statistics_in_the_middle_of_a_game_have_a_patience_of_their_own() -> None:
    responses.post(f"{BASE}/stats", status=500)
    patient = client(BASE, timeouts=Timeouts(first_contact_s=3600, statistics_s=3600, patience_s=3600))
    with pytest.raises(AmbiguousError):
        patient.stats(0.3)
    assert len(responses.calls) > 1


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        ({"status": 307, "headers": {"Location": "http://elsewhere.test/stats"}}, AmbiguousError),
        ({"json": {"status": False, "msg": "Incorrect API key."}}, RefusedError),
    ],
)
@responses.activate
def test_statistics_are_not_requested_again_where_that_cannot_help(
    reply: dict[str, object], error: type[BotError]
) -> None:
    responses.post(f"{BASE}/stats", **reply)
    with pytest.raises(error):
        client(BASE, timeouts=Timeouts(first_contact_s=3600, statistics_s=3600)).stats()
    assert len(responses.calls) == 1


DETAIL = {"detail": [{"loc": ["body", "move"], "msg": "bad", "type": "x"}]}
REDIRECT = {"headers": {"Location": "http://elsewhere.test/game/move"}}
AMBIGUOUS: dict[str, tuple[dict[str, object], str]] = {
    "HTML with status 200": ({"body": "<html>", "content_type": "text/html"}, "html"),
    "HTML that claims to be JSON": ({"body": " <!DOCTYPE html>"}, "html"),
    "empty body": ({"body": ""}, "empty"),
    "white space": ({"body": "\r\n"}, "empty"),
    "text": ({"body": "hello", "content_type": "text/plain"}, "not json"),
    "truncated JSON": ({"body": WHOLE[:40]}, "truncated"),
    "a list": ({"json": [1, 2]}, "not json"),
    "null": ({"body": "null"}, "not json"),
    "two objects": ({"body": WHOLE + WHOLE}, "trailing bytes"),
    "bytes after the object": ({"body": WHOLE + "<script>"}, "trailing bytes"),
    "status null without a board": ({"json": {**GOOD, "status": None, "state": None}}, "bad reply"),
    "a 5 x 7 grid": ({"json": {**GOOD, "state": GRID[:5]}}, "bad reply"),
    "a ragged grid": ({"json": {**GOOD, "state": [*GRID[:5], [0]]}}, "bad reply"),
    "a number out of range, without a board": ({"json": {**GOOD, "botmove": 9, "state": None}}, "bad reply"),
    "a number in words, without a board": ({"json": {**GOOD, "botmove": "three", "state": None}}, "bad reply"),
    "a broken number, without a board": ({"json": {**GOOD, "botmove": 3.5, "state": None}}, "bad reply"),
    **{f"redirect {code}": ({"status": code, **REDIRECT}, "redirect") for code in (301, 302, 303, 304, 307, 308)},
    "redirect to nowhere": ({"status": 302}, "redirect"),
    "status 204": ({"status": 204}, "empty"),
    **{f"status {code}": ({"status": code}, f"http {code}") for code in (400, 408, 409, 418, 429, 500, 501, 502)},
    "status 503 with a reply without a board": ({"status": 503, "json": {**GOOD, "state": None}}, "http 503"),
    "status 503 with a refusal": ({"status": 503, "json": {"status": False, "msg": "No."}}, "http 503"),
}


NO_COLUMNS: tuple[Any, ...] = (9, -2, 7.0, 3.5, "three", "7", True, [3], {}, 1e300)
READABLE: dict[str, dict[str, Any]] = {
    "Latin-1": {"body": json.dumps({**GOOD, "msg": "b\xf6rjar"}, ensure_ascii=False).encode("latin-1")},
    "a message that is an object": {"json": {**GOOD, "msg": {"sv": "b\xf6rjar"}}},
    "numbers as strings": {"json": {**GOOD, "botmove": "3", "result": "0.0"}},
    **{f"botmove {column!r}": {"json": {**GOOD, "botmove": column}} for column in NO_COLUMNS},
    **{f"status {code}": {"status": code, "json": GOOD} for code in (201, 202, 206, 500, 502, 503)},
}


@pytest.mark.parametrize("reply", READABLE.values(), ids=READABLE.keys())
@responses.activate
def test_a_reply_that_can_be_read_is_never_lost(reply: dict[str, Any]) -> None:
    """Called lost, it would make the client play blindly."""
    responses.post(f"{BASE}/move", **reply)
    got = client(BASE).move(3)
    expected = parse_move_reply(GOOD)
    assert (got.status, got.result, got.state) == (expected.status, expected.result, expected.state)


@pytest.mark.parametrize(("reply", "kind"), AMBIGUOUS.values(), ids=AMBIGUOUS.keys())
@responses.activate
def test_a_reply_that_may_follow_a_processed_move_is_ambiguous(reply: dict[str, object], kind: str) -> None:
    responses.post(f"{BASE}/move", **{"content_type": "application/json", **reply})
    with pytest.raises(AmbiguousError) as raised:
        client(BASE).move(3)
    assert raised.value.kind == kind
    assert kind in KINDS or kind.startswith("http ")
    assert raised.value.exit_code == ExitCode.NETWORK
    assert "\n" not in str(raised.value) and KEY not in str(raised.value)
    assert len(responses.calls) == 1, "a request that may have been processed is never repeated"


@pytest.mark.parametrize("status", [401, 403, 404, 405, 410, 411, 413, 414, 415, 422])
@pytest.mark.parametrize("body", ["", "{", "<html>", "[" * 100_000, json.dumps(DETAIL)])
@responses.activate
def test_a_status_that_proves_that_nothing_was_processed_rejects(status: int, body: str) -> None:
    responses.post(f"{BASE}/move", status=status, body=body)
    with pytest.raises(RejectedError) as raised:
        client(BASE).move(3)
    assert raised.value.exit_code == ExitCode.PROTOCOL
    assert "\n" not in str(raised.value)
    assert isinstance(raised.value, NotFoundError) == (status == 404)
    assert ("body.move: bad" in raised.value.message) == (status == 422 and body == json.dumps(DETAIL))
    assert len(responses.calls) == 1


@responses.activate
def test_a_redirect_names_the_address_and_is_not_followed() -> None:
    responses.post(f"{BASE}/move", status=307, headers={"Location": "http://elsewhere.test/x/move"})
    with pytest.raises(AmbiguousError, match=r"HTTP 307") as raised:
        client(BASE).move(3)
    assert "http://elsewhere.test/x/move" in raised.value.hint
    assert [call.request.url for call in responses.calls] == [f"{BASE}/move"]


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("7", 7), ("9999", 60)] + [(odd, 0) for odd in ("²", "Wed, 21 Oct 2026 07:28:00 GMT", "-5", "1e9", "", "9" * 400)],
)
@responses.activate
def test_retry_after_is_kept_and_bounded(value: str, seconds: float) -> None:
    responses.post(f"{BASE}/move", status=503, headers={"Retry-After": value})
    with pytest.raises(AmbiguousError) as raised:
        client(BASE).move(3)
    assert raised.value.retry_after_s == seconds


@pytest.mark.parametrize(
    ("date", "value", "seconds"),
    [
        ("Wed, 21 Oct 2026 07:28:00 GMT", "Wed, 21 Oct 2026 07:28:09 GMT", 9),
        ("Wed, 21 Oct 2026 07:28:00 GMT", "Wednesday, 21-Oct-26 07:28:09 GMT", 9),
        ("Wed, 21 Oct 2026 07:28:00 GMT", "Thu, 22 Oct 2026 07:28:00 GMT", 60),
        ("Wed, 21 Oct 2026 07:28:00 GMT", "Wed, 21 Oct 2026 07:27:00 GMT", 0),
        ("Wed, 21 Oct 2026 07:28:00 -0000", "Wed, 21 Oct 2026 07:28:09 GMT", 0),
        ("yesterday", "Wed, 21 Oct 2026 07:28:09 GMT", 0),
        ("Wed, 21 Oct 2026 07:28:00 GMT", "Wed, 99 Oct 2026 07:28:09 GMT", 0),
    ],
)
@responses.activate
def test_a_date_of_retry_after_counts_from_the_replys_own_date(date: str, value: str, seconds: float) -> None:
    responses.post(f"{BASE}/move", status=503, headers={"Date": date, "Retry-After": value})
    with pytest.raises(AmbiguousError) as raised:
        client(BASE).move(3)
    assert raised.value.retry_after_s == seconds


@responses.activate
def test_too_many_requests_were_hardly_processed() -> None:
    responses.post(f"{BASE}/move", status=429)
    with pytest.raises(AmbiguousError) as raised:
        client(BASE).move(3)
    assert raised.value.delivered is not None and raised.value.delivered < 0.1


@responses.activate
def test_the_password_of_the_users_netrc_is_not_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "netrc").write_text("machine course.test login me password mine\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    responses.post(f"{BASE}/move", json=GOOD)
    client(BASE).move(3)
    assert "Authorization" not in responses.calls[0].request.headers


@responses.activate
def test_a_status_false_is_a_reply_with_its_message() -> None:
    refused = {"msg": "Impossible move.", "status": False, "result": None, "botmove": None, "state": None}
    responses.post(f"{BASE}/move", json=refused)
    reply = client(BASE).move(3)
    assert (reply.status, reply.msg) == (False, "Impossible move.")


@responses.activate
def test_a_lost_game_without_a_board_is_a_reply() -> None:
    responses.post(f"{BASE}/move", json={**GOOD, "result": -1, "botmove": None, "state": None})
    reply = client(BASE).move(3)
    assert (reply.status, reply.result, reply.state, reply.is_over) == (True, -1.0, None, True)


CONTENT_TYPES = [
    "text/html",
    "text/plain; charset=ascii",
    "application/json; charset=utf-16",
    "application/octet-stream",
    "image/png",
    "nonsense",
    "",
]


@pytest.mark.parametrize("content_type", CONTENT_TYPES)
@responses.activate
def test_json_is_read_whatever_its_content_type(content_type: str) -> None:
    responses.post(f"{BASE}/move", body=json.dumps({**GOOD, "msg": "Din tur, åäö"}), content_type=content_type)
    assert client(BASE).move(3).msg == "Din tur, åäö"


@pytest.mark.parametrize("content_type", CONTENT_TYPES)
@responses.activate
def test_a_partial_reply_is_recovered_whatever_its_content_type(content_type: str) -> None:
    notes: list[str] = []
    responses.post(f"{BASE}/move", body=json.dumps({**GOOD, "botmove": 4})[:-20], content_type=content_type)
    reply = client(BASE, notify=notes.append).move(3)
    assert (reply.botmove, reply.state) == (4, None)
    assert len(notes) == 1 and "contains everything needed" in notes[0]


@responses.activate
def test_a_partial_reply_that_proves_the_move_but_not_the_position_is_certain_to_be_processed() -> None:
    responses.post(f"{BASE}/move", body=WHOLE[: WHOLE.index('"botmove"')])
    with pytest.raises(AmbiguousError) as raised:
        client(BASE).move(3)
    assert (raised.value.kind, raised.value.delivered) == ("truncated", 1.0)


def test_an_attribute_that_does_not_exist_cannot_be_set() -> None:
    with pytest.raises(AttributeError):
        client(BASE).on_departure = print  # type: ignore[attr-defined]


@responses.activate
def test_statistics_that_make_no_sense_end_in_one_sentence() -> None:
    responses.post(f"{BASE}/stats", json={"played": "many"})
    with pytest.raises(BadReplyError, match="played"):
        client(BASE).stats()
