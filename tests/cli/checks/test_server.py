"""The doctor on a server: whatever it answers is judged."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.cli.checks import examination, server
from bot.config import load_settings
from tests.cli.checks.findings import KEY, answer, only
from tests.servers import raw_server, then_hangs


@contextmanager
def answering(raw: bytes | None) -> Iterator[str]:
    """A server that answers every request with ``raw``; None: it accepts connections and sends nothing."""
    with raw_server(then_hangs(b"") if raw is None else raw) as (url, _seen):
        yield url


def reply(status: str, body: str, kind: str = "application/json", extra: str = "") -> bytes:
    return f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n{extra}Content-Length: {len(body)}\r\n\r\n{body}".encode()


@pytest.mark.parametrize(
    ("raw", "level", "said"),
    [
        (reply("200 OK", '{"title": "4 in a row"}'), "ok", ": 4 in a row"),
        (reply("200 OK", '"a\\u001b[31m title\\nof two lines"'), "ok", ": a [31m title of two lines"),
        (reply("200 OK", "<html>Log in</html>", "text/html"), "warning", "text/html"),
        (reply("200 OK", '{"title": 4}'), "warning", "does not look like a course server"),
        (reply("200 OK", "{{{"), "warning", "does not look like a course server"),
        (reply("200 OK", "[" * 100_000), "warning", "does not look like a course server"),
        (reply("200 OK", ""), "warning", "does not look like a course server"),
        (reply("404 Not Found", "{}"), "warning", "HTTP 404"),
        (reply("307 Moved", "", extra="Location: http://elsewhere/\r\n"), "error", "redirect to http://elsewhere/"),
        (reply("503 Down", "", extra="Retry-After: 100\r\n"), "error", "HTTP 503"),
        (b"SSH-2.0-OpenSSH_9.6\r\n", "error", "cannot be reached or used: "),
        (reply("200 OK", '{"title": "4 in a row"}', "text/html"), "ok", ": 4 in a row"),
        (b"", "error", "cannot be reached or used: "),
        (None, "error", "did not answer"),
    ],
)
def test_whatever_a_server_answers_is_judged(
    raw: bytes | None, level: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "PATIENCE_S", 0.8 if raw is None else 60.0)
    with answering(raw) as url:
        result = only(server.check_server(load_settings(url, ["aa"], KEY)))
    assert result.level.value == level
    assert said in result.text
    assert "\x1b" not in result.text


def test_no_server_and_an_unknown_name_are_errors() -> None:
    result = only(server.check_server(load_settings("http://127.0.0.1:9", ["aa"], KEY)))
    assert (result.level.value, result.exit_code) == ("error", 3)
    assert "refused" in result.text


def test_statistics_that_make_no_sense_are_an_error() -> None:
    for raw in (reply("200 OK", '{"played": "many"}'), reply("200 OK", "<html>", "text/html"), b""):
        with answering(raw) as url:
            assert only(server.check_stats(load_settings(url, ["aa"], KEY))).level.value == "error"
    with answering(reply("404 Not Found", "{}")) as url:
        assert only(server.check_stats(load_settings(url, ["aa"], KEY))).level.value == "warning"


def server_part(url: str | None = None) -> dict[str, str]:
    return answer(examination._check_server(url, (), None))


def test_settings_that_play_refuses_are_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    found = server_part("http://127.0.0.1:9")
    assert list(found) == ["settings"] and "Add --stil-id" not in found["settings"]
    assert found["settings"].startswith("error") and "without a STIL id" in found["settings"]
    assert list(server_part("not an address")) == ["settings"]
    assert list(server_part()) == ["settings"], "the embedded server needs no network"
    Path("bot.toml").write_text(f'api_key = "{KEY}"\nserver = 5')
    found = server_part()
    assert found["settings"].startswith("error")
    assert KEY not in str(found)
