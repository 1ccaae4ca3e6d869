"""Which setting wins, and that the key stays hidden."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from bot.config import COURSE_SERVER, load_settings, read_key
from bot.course.address import EMBEDDED
from bot.errors import UsageError


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_without_an_id_the_embedded_server_is_played() -> None:
    settings = load_settings()
    assert settings.is_embedded
    assert settings.identity == EMBEDDED


def test_with_an_id_the_course_server_is_the_default() -> None:
    settings = load_settings(stil_ids=["b", "a"])
    assert (settings.server, settings.player, settings.is_embedded) == (COURSE_SERVER, ("a", "b"), False)
    assert settings.api_key.get_secret_value() == "nyckel"


def test_options_win_over_the_environment_over_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("bot.toml").write_text('server = "http://file"\nstil_id = ["f"]\napi_key = "file-key"\n')
    assert load_settings().player == ("f",)
    monkeypatch.setenv("BOT_SERVER", "http://environment/")
    monkeypatch.setenv("BOT_STIL_ID", "e2, e1")
    settings = load_settings()
    assert (settings.server, settings.player) == ("http://environment", ("e1", "e2"))
    assert settings.api_key.get_secret_value() == "file-key"
    settings = load_settings("http://option", ["o"], "option-key")
    assert (settings.server, settings.player) == ("http://option", ("o",))
    assert settings.api_key.get_secret_value() == "option-key"


def test_the_key_does_not_show_when_printed() -> None:
    assert "hidden-key" not in repr(load_settings(stil_ids=["a"], api_key="hidden-key"))


@pytest.mark.parametrize(
    ("toml", "options"),
    [
        ("", {"stil_ids": ["a b"]}),
        ("", {"stil_ids": ["x" * 51]}),
        ("", {"stil_ids": ["a", "a"]}),
        ("", {"stil_ids": ["a"], "server": "ftp://x"}),
        ("", {"stil_ids": ["a"], "server": "http://user:hunter2@x"}),
        ("", {"server": "http://x"}),
        ("server =", {}),
        ("unknown = 1", {}),
        ("api_key = 5\nstil_id = 'a'", {}),
    ],
)
def test_what_makes_no_sense_is_one_sentence(toml: str, options: dict[str, object]) -> None:
    Path("bot.toml").write_text(toml)
    with pytest.raises(UsageError) as raised:
        load_settings(**options)  # type: ignore[arg-type]
    assert "\n" not in str(raised.value)
    assert "hunter2" not in str(raised.value)


@pytest.mark.parametrize(
    ("toml", "hint"),
    [("stil_ids = ['a']", "Did you mean stil_id?"), ("colour = 1", "The settings are server, stil_id, api_key.")],
)
def test_an_unknown_setting_is_named_with_the_known_ones(toml: str, hint: str) -> None:
    Path("bot.toml").write_text(toml)
    with pytest.raises(UsageError, match=r"bot\.toml has an unknown setting") as raised:
        load_settings()
    assert hint in raised.value.hint


@pytest.mark.parametrize("endpoint", ["/move", "/stats/", "//Move"])
def test_an_endpoints_name_is_dropped_from_the_address(endpoint: str) -> None:
    settings = load_settings(f"http://127.0.0.1:8000/course{endpoint}", ["a"])
    assert settings.server == settings.identity == "http://127.0.0.1:8000/course"


def test_the_scheme_is_written_small() -> None:
    assert load_settings("HTTP://127.0.0.1:8000/", ["a"]).server == "http://127.0.0.1:8000"


@pytest.mark.parametrize("server", ["http://x:99999", "http://x:port"])
def test_a_port_that_cannot_be_is_refused(server: str) -> None:
    with pytest.raises(UsageError, match="port"):
        load_settings(server, ["a"])


@pytest.mark.parametrize("toml", ["stil_id = 5", "stil_id = [5]", "stil_id = ['a b']", "server = 5\nstil_id = 'a'"])
def test_a_wrong_setting_of_the_file_is_named_with_the_file(toml: str) -> None:
    Path("bot.toml").write_text(toml)
    with pytest.raises(UsageError, match=r"in bot\.toml is wrong") as raised:
        load_settings()
    assert "tuple" not in raised.value.message and "Input" not in raised.value.message


def test_a_server_without_an_id_is_named_with_its_source(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("bot.toml").write_text('server = "http://127.0.0.1:8000"')
    with pytest.raises(UsageError, match=r"given in bot\.toml without a STIL id"):
        load_settings()
    with pytest.raises(UsageError, match="9000 is given without a STIL id"):
        load_settings("http://127.0.0.1:9000")
    monkeypatch.setenv("BOT_SERVER", "http://127.0.0.1:9000")
    with pytest.raises(UsageError, match="given in BOT_SERVER without a STIL id"):
        load_settings()


@pytest.mark.parametrize("prefix", [b"\xef\xbb\xbf", b"\r\n"])
def test_files_of_other_editors_are_read(prefix: bytes) -> None:
    Path("bot.toml").write_bytes(prefix + b"stil_id = 'a'\r\nserver = 'http://file'\r\n")
    settings = load_settings()
    assert (settings.player, settings.server) == (("a",), "http://file")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("stil_id = 'a'".encode("utf-16"), "it is not UTF-8 text"),
        (b"stil_id = '\xe5'", "it is not UTF-8 text"),
        (b"a = " + b"[" * 100_000, "it is nested too deeply"),
        (b"a = " + b"1" * 5_000, "cannot be read"),
        (b"api_key = 'secret'\napi_key = 'secret'", "cannot be read"),
        (b"server = 'http://x\\u001b[31m'\nstil_id = 'a'", "is wrong"),
    ],
)
def test_a_file_that_is_no_settings_file_is_one_sentence_without_the_key(content: bytes, reason: str) -> None:
    Path("bot.toml").write_bytes(content)
    with pytest.raises(UsageError, match=reason) as raised:
        load_settings()
    assert str(raised.value).isprintable() and "secret" not in str(raised.value)


@pytest.mark.parametrize("kind", ["folder", "link"])
def test_settings_that_are_no_file_are_not_passed_over(kind: str) -> None:
    if kind == "folder":
        Path("bot.toml").mkdir()
    else:
        Path("bot.toml").symlink_to("missing.toml")
    with pytest.raises(UsageError, match=r"bot\.toml is not a file"):
        load_settings()


@pytest.mark.parametrize("options", [{"server": "http://\udcff"}, {"api_key": "k\udcff"}])
def test_bytes_that_are_no_text_are_one_sentence(options: dict[str, str]) -> None:
    with pytest.raises(UsageError, match="is wrong") as raised:
        load_settings(stil_ids=["a"], **options)
    assert "k\udcff" not in str(raised.value)


KEY = "sekrit-key-1234"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_without_a_file_there_is_no_key() -> None:
    assert read_key(None) is None


@pytest.mark.parametrize("content", [KEY, f"{KEY}\n", f"\n {KEY} \r\n", f"\ufeff{KEY}\r\n"])
def test_a_key_is_read_from_a_file(content: str) -> None:
    Path("key").write_text(content, encoding="utf-8")
    assert read_key("key") == KEY


def test_a_key_is_read_from_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{KEY}\nmore"))
    assert read_key("-") == KEY
    assert sys.stdin.read() == "more"


def test_in_a_terminal_the_key_is_asked_for_without_echo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr("bot.config.getpass", lambda _prompt: KEY)
    assert read_key("-") == KEY


def test_no_key_typed_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def ended(_prompt: str) -> str:
        raise EOFError

    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr("bot.config.getpass", ended)
    with pytest.raises(UsageError, match="must hold one line"):
        read_key("-")


@pytest.mark.parametrize("content", [None, b"", b" \n", b"one\ntwo", b"a\0b", b"\xff\xfe"])
def test_a_file_without_a_key_is_one_sentence(content: bytes | None) -> None:
    if content is not None:
        Path("key").write_bytes(content)
    with pytest.raises(UsageError, match=r"^The key file [^\n]*$"):
        read_key("key")
