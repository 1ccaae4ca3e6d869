"""Which setting wins, what is refused, and that the key stays hidden."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.config import COURSE_KEY, COURSE_SERVER, load_public_url, load_settings, read_key
from bot.course.protocol import EMBEDDED
from bot.errors import UsageError

TOML = Path("bot.toml")


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_without_an_id_the_embedded_server_is_played_and_with_one_the_courses():
    settings = load_settings()
    assert (settings.is_embedded, settings.identity) == (True, EMBEDDED)
    assert load_settings(stil_ids=["a" * 50]).player == ("a" * 50,)
    settings = load_settings(stil_ids=["b", "a"])
    assert (settings.server, settings.player, settings.is_embedded) == (COURSE_SERVER, ("a", "b"), False)
    assert settings.api_key.get_secret_value() == "nyckel"


def test_options_win_over_the_environment_over_the_file(monkeypatch):
    TOML.write_bytes(b"\xef\xbb\xbfserver = 'http://file'\r\nstil_id = 'f'\r\napi_key = 'file-key'\r\n")
    found = [load_settings()]
    monkeypatch.setenv("BOT_SERVER", "HTTP://environment/course//Move/")
    monkeypatch.setenv("BOT_STIL_ID", "e2, e1")
    found += [load_settings(stil_ids=[]), load_settings("http://option", ["o"], "option-key")]
    assert [(settings.server, settings.player, settings.api_key.get_secret_value()) for settings in found] == [
        ("http://file", ("f",), "file-key"),
        ("http://environment/course", ("e1", "e2"), "file-key"),
        ("http://option", ("o",), "option-key"),
    ]
    assert "file-key" not in repr(found)


def test_the_address_that_results_name_is_an_option_a_variable_or_a_setting(monkeypatch):
    assert load_public_url(None) is None
    TOML.write_text("public_url = 'https://file.example/four'")
    assert load_public_url(None) == load_settings().public_url == "https://file.example/four"
    monkeypatch.setenv("BOT_PUBLIC_URL", "https://environment.example")
    assert load_public_url(None) == "https://environment.example"
    assert load_public_url("http://option.example") == "http://option.example"
    with pytest.raises(UsageError, match="public_url is wrong: 'javascript:x' is not an address"):
        load_public_url("javascript:x")


@pytest.mark.parametrize("blank", ["", "  ", "\t\n"])
def test_blanks_are_no_key_and_no_part_of_one(blank, monkeypatch):
    monkeypatch.setenv("BOT_API_KEY", blank)
    TOML.write_text("api_key = 'file-key'")
    assert load_settings(api_key=blank).api_key.get_secret_value() == "file-key"
    TOML.write_text(f"api_key = {json.dumps(blank)}")
    assert load_settings().api_key.get_secret_value() == COURSE_KEY
    monkeypatch.setenv("BOT_API_KEY", f"{blank}key{blank}")
    assert load_settings().api_key.get_secret_value() == "key"


WRONG = {
    b"stil_id = '\xc3\xa5'": "is not a STIL id",
    b"stil_id = '" + b"a" * 51 + b"'": "is not a STIL id",
    b"stil_id = ['a', 'A']": "given twice",
    b"server = 'http://x?y'": "is not an address",
    b"server = 'http://x:99999'": "has no valid host or port",
    b"server = 'http://a..b'": "'http://a..b' has no valid host or port",
    b"server = 'http://user:hunter2@x'": "user name and password",
    b"stil_ids = ['a']": "Did you mean stil_id",
    b"colour = 1": "unknown setting 'colour'. The settings are server, stil_id, api_key",
    b"stil_id = [5]": "in bot.toml is wrong",
    b"server = 'http://x\\u001b[31m'\nstil_id = 'a'": "in bot.toml is wrong",
    b"stil_id = '\xe5'": "it is not UTF-8 text",
    b"api_key = 'hunter2'\napi_key = 'hunter2'": "cannot be read",
    b"server = 'http://127.0.0.1:9000'": "9000 is given in bot.toml without a STIL id",
}
"""Contents of the file, and part of what is said of each."""


@pytest.mark.parametrize("content", WRONG)
def test_a_file_that_makes_no_sense_is_one_sentence_without_secrets(content):
    TOML.write_bytes(content)
    with pytest.raises(UsageError) as raised:
        load_settings()
    said = str(raised.value)
    assert WRONG[content] in said and said.isprintable() and "hunter2" not in said


def test_a_key_that_is_no_text_is_not_repeated():
    with pytest.raises(UsageError, match=r"^The setting api_key is wrong: it is not text\."):
        load_settings(api_key="hunter2\udcff")


def test_settings_that_are_no_file_are_not_passed_over():
    TOML.symlink_to("missing.toml")
    with pytest.raises(UsageError, match=r"bot\.toml cannot be read"):
        load_settings()


@pytest.mark.parametrize("content", ["sekrit", "sekrit\n", "\n sekrit \r\n", "\ufeffsekrit\r\n"])
def test_a_key_is_read_from_a_file(content):
    Path("key").write_text(content, encoding="utf-8")
    assert (read_key("key"), read_key(None)) == ("sekrit", None)


@pytest.mark.parametrize("content", [b"", b" \n", b"one\ntwo", b"a\0b", b"\xff\xfe"])
def test_a_file_without_a_key_is_one_sentence(content):
    Path("key").write_bytes(content)
    for name in ("key", "missing"):
        with pytest.raises(UsageError, match=rf"^The key file {name} [^\n]*$"):
            read_key(name)
