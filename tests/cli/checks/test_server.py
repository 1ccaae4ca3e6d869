"""The doctor on a server: whatever it answers is judged."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.cli import doctor
from bot.cli.checks import server
from bot.cli.checks.check_result import CheckResult, guarded
from tests.cli.checks.findings import KEY, answer
from tests.servers import raw_server, then_hangs


@contextmanager
def answering(raw: bytes | None) -> Iterator[str]:
    """A server that answers every request with ``raw``; None: it accepts connections and sends nothing."""
    with raw_server(then_hangs(b"") if raw is None else raw) as (url, _seen):
        yield url


def reply(status: str, body: str, kind: str = "application/json", extra: str = "") -> bytes:
    return f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n{extra}Content-Length: {len(body)}\r\n\r\n{body}".encode()


@pytest.mark.parametrize(
    ("raw", "level", "code", "said"),
    [
        (reply("200 OK", '{"played": 3, "won": 2, "lost": 1, "streak": 0}'), "ok", 0, "3 played, 2 won, 1 lost"),
        (reply("200 OK", '{"played": "many"}'), "error", 4, "does not follow the protocol"),
        (reply("200 OK", "<html>Log in</html>", "text/html"), "error", 4, "an HTML page"),
        (reply("200 OK", "{{{"), "error", 4, "cannot be used"),
        (reply("200 OK", ""), "error", 3, "it is empty"),
        (reply("404 Not Found", "{}"), "warning", 0, "HTTP 404"),
        (reply("403 Forbidden", "{}"), "error", 4, "denies access"),
        (reply("307 Moved", "", extra="Location: http://elsewhere/\r\n"), "error", 4, "to http://elsewhere/"),
        (reply("307 Moved", "", extra="Location: http://a\x1b[31m/\r\n"), "error", 4, "redirects"),
        (reply("503 Down", "", extra="Retry-After: 100\r\n"), "error", 3, "HTTP 503"),
        (b"SSH-2.0-OpenSSH_9.6\r\n", "error", 3, "is not HTTP"),
        (b"", "error", 3, "closed the connection"),
        (None, "error", 3, "did not answer"),
    ],
)
def test_whatever_a_server_answers_is_judged(
    raw: bytes | None, level: str, code: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "PATIENCE_S", 0.8 if raw is None else 60.0)
    with answering(raw) as url:
        result = checked(url)
    assert (result.state, result.exit_code) == (level, code)
    assert said in result.text
    assert "\x1b" not in result.text
    assert bool(result.next_step) == (level != "ok")


def checked(url: str) -> CheckResult:
    """The result of the server's check, without the one of the settings."""
    settings, result = doctor._check_settings(url, ["aa"], KEY)
    assert settings.state == "ok"
    return result


def test_no_server_is_an_error() -> None:
    result = checked("http://127.0.0.1:9")
    assert (result.state, result.exit_code) == ("error", 3)
    assert "refused" in result.text


def test_a_slow_server_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "SLOW_S", 0.0)
    with answering(reply("200 OK", '{"played": 3, "won": 2, "lost": 1, "streak": 0}')) as url:
        assert checked(url).state == "warning"


def server_part(url: str | None = None) -> dict[str, str]:
    return answer(guarded("settings", doctor._check_settings, url, (), None))


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
