"""The key, in every encoding, is removed from texts, and nothing else; no reply or error of the client contains it."""

from __future__ import annotations

import html
import json
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
import responses
from hypothesis import assume, given
from hypothesis import strategies as st

from bot.course.client.http import TracedExchange
from bot.course.client.redaction import Redactor
from bot.errors import BotError
from tests.course.client.raw import GOOD, client

SECRETS = ["sekrit-key", 'a"b\\c/d', "två ord & <mer>", "P@ss+w%rd", "naïve½", "𝔘nicode", ".*[x]+", "ß-straße", "ﬁnal"]


def escaped(text: str, pattern: str) -> str:
    return "".join(pattern.format(ord(character)) for character in text)


@pytest.mark.parametrize("secret", SECRETS)
def test_a_key_is_found_in_every_spelling(secret: str) -> None:
    redactor = Redactor({secret: "***"})
    spellings = {
        secret,
        secret.upper(),
        secret.lower(),
        quote(secret),
        quote(secret, safe="").lower(),
        quote(quote(secret, safe=""), safe=""),
        quote_plus(secret),
        "".join(f"%{byte:02X}" for byte in secret.encode()),
        json.dumps(secret)[1:-1],
        json.dumps(secret, ensure_ascii=False)[1:-1],
        json.dumps(json.dumps(secret)[1:-1])[1:-1],
        secret.replace("/", "\\/"),
        html.escape(secret),
        escaped(secret, "&#{};"),
        escaped(secret, "&#x{:X};"),
    }
    for spelling in spellings:
        assert redactor.text(f"The key {spelling} is wrong.") == "The key *** is wrong.", spelling
        assert redactor.text(f"x{spelling}x{spelling}") == "x***x***", spelling


@given(st.text(min_size=4, max_size=12), st.text(max_size=20), st.text(max_size=20))
def test_no_key_survives(secret: str, before: str, after: str) -> None:
    text = Redactor({secret: ""}).text(before + secret + after)
    assert len(text) <= len(before + after)


@given(st.text(alphabet="abcdefghij ", max_size=40))
def test_a_text_without_the_key_stays_as_it_is(text: str) -> None:
    assume("aaaa" not in text)
    assert Redactor({"aaaa": "***"}).text(text) == text


def test_a_short_key_is_removed_as_a_whole_word_only() -> None:
    redactor = Redactor({"ab": "***"})
    assert redactor.text("ab cab abc AB, ab-x, %61%62") == "*** cab abc ***, ***-x, ***"
    assert Redactor({"": "***"}).text("nothing") == "nothing"
    assert Redactor({"1": "***"}).text("10 moves, 1 game") == "10 moves, *** game"


def test_the_longest_secret_goes_first() -> None:
    assert Redactor({"abcd": "<id>", "abcdef": "<key>"}).text("abcdef abcd") == "<key> <id>"


KEY = 'se"krit/kéy'
ECHO = f"You said {KEY}, that is {quote(KEY, safe='')} or {KEY.upper()} or {json.dumps(KEY)}"
SPELLINGS = (KEY, KEY.upper(), quote(KEY, safe=""), json.dumps(KEY)[1:-1], "krit")


def is_clean(text: str) -> bool:
    return not any(spelling.lower() in text.lower() for spelling in SPELLINGS)


DETAIL = {"detail": [{"loc": ["body", KEY], "msg": ECHO, "type": "x"}]}
REPLIES: dict[str, dict[str, Any]] = {
    "msg": {"json": {**GOOD, "msg": ECHO}},
    "msg of a refusal": {"json": {"status": False, "msg": ECHO}},
    "msg of a partial reply": {"body": json.dumps({**GOOD, "msg": ECHO})[:-20]},
    "detail": {"status": 422, "json": DETAIL},
    "long detail": {"status": 422, "json": {"detail": [{"loc": ["x" * 190], "msg": KEY}]}},
    "location": {"status": 307, "headers": {"Location": f"http://x.test/?api_key={quote(KEY, safe='')}"}},
    "header": {"status": 503, "headers": {"X-Echo": KEY.encode().decode("latin-1"), "Retry-After": KEY}},
    "page": {"body": f"<html>{ECHO}"},
    "text": {"body": ECHO},
    "field": {"json": {**GOOD, KEY: KEY, "botmove": KEY}},
    "UTF-16": {"body": json.dumps({KEY: ECHO}).encode("utf-16")},
    "latin-1": {"body": KEY.upper().encode("latin-1") + b"\xff" + KEY.encode()},
}


@pytest.mark.parametrize("reply", REPLIES.values(), ids=REPLIES.keys())
@pytest.mark.parametrize("endpoint", ["move", "stats"])
@responses.activate
def test_a_server_that_echoes_the_key_puts_it_nowhere(endpoint: str, reply: dict[str, Any]) -> None:
    texts: list[str] = []
    traces: list[TracedExchange] = []
    responses.post(f"http://course.test/{endpoint}", **reply)
    playing = client("http://course.test", key=KEY, notify=texts.append, trace=traces.append)
    try:
        texts.append(repr(playing.move(3) if endpoint == "move" else playing.stats(0.0)))
    except BotError as error:
        texts.append(str(error))
        texts.append(repr(vars(error)))
        assert error.__cause__ is None and (error.__context__ is None or error.__suppress_context__)
    assert traces and texts
    for text in [*texts, *map(repr, traces)]:
        assert is_clean(text), text
