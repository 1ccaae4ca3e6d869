"""`bot init`: the file that it writes is one that the settings accept."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot.cli.app import run
from bot.config import COURSE_SERVER, Settings, load_settings


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_without_options_every_setting_is_commented_out() -> None:
    assert run(["init"]) == 0
    text = Path("bot.toml").read_text()
    assert all(f"# {name} = " in text for name in Settings.model_fields)
    assert load_settings().is_embedded


def test_given_values_are_set() -> None:
    assert run(["init", "--stil-id", "ab", "--stil-id", "cd", "--server", "http://127.0.0.1:8000/move"]) == 0
    settings = load_settings()
    assert (settings.server, settings.player) == ("http://127.0.0.1:8000", ("ab", "cd"))


def test_uncommented_examples_are_valid() -> None:
    run(["init"])
    lines = Path("bot.toml").read_text().splitlines()
    Path("bot.toml").write_text("\n".join(line.removeprefix("# ") if " = " in line else line for line in lines))
    assert load_settings().server == COURSE_SERVER


def test_an_existing_file_is_kept_unless_forced(capsys: pytest.CaptureFixture[str]) -> None:
    Path("bot.toml").write_text("not toml =")
    assert run(["init"]) == 2
    assert "--force" in capsys.readouterr().err
    assert Path("bot.toml").read_text() == "not toml ="
    assert run(["init", "--force"]) == 0
    assert load_settings().is_embedded


@pytest.mark.parametrize("options", [["--stil-id", "a b"], ["--server", "ftp://x"]])
def test_wrong_values_write_nothing(options: list[str]) -> None:
    assert run(["init", *options]) == 2
    assert not Path("bot.toml").exists()


def test_a_server_without_an_id_is_commented_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["init", "--server", "http://127.0.0.1:8000"]) == 0
    assert "stil_id" in capsys.readouterr().out
    assert '# server = "http://127.0.0.1:8000"' in Path("bot.toml").read_text().splitlines()
    assert load_settings().is_embedded


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_only_the_owner_may_read_the_file() -> None:
    Path("bot.toml").touch(mode=0o644)
    assert run(["init", "--force"]) == 0
    assert Path("bot.toml").stat().st_mode & 0o777 == 0o600
