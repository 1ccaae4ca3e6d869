"""What is shipped and how it starts: the package's data, the console command; and a release from nothing."""

from __future__ import annotations

import email
import json
import re
import subprocess
import venv
import zipfile
from importlib import metadata

import pytest

from bot import __main__ as start
from bot import __version__
from tests.processes import ROOT, bot


def test_the_console_command_prints_the_version_and_refuses_a_key_among_its_arguments(tmp_path):
    """Every user of a machine can read the arguments of its processes."""
    for name in ("bot", "bot-connect-four"):  # the second one is what `pipx run` looks for
        (entry,) = metadata.entry_points(group="console_scripts", name=name)
        assert entry.value == "bot.__main__:main"
    assert bot("--version", cwd=tmp_path).stdout == f"bot {__version__}\n"
    assert f"\nversion: {__version__}\n" in (ROOT / "bot/CITATION.cff").read_text(encoding="utf-8")
    done = bot("play", "--api-key", "sekrit-key-1234", cwd=tmp_path)
    assert (done.returncode, "--api-key-file" in done.stderr, "sekrit" in done.stdout) == (2, True, False)


def test_an_interrupt_while_modules_are_imported_is_no_traceback(monkeypatch, capsys):
    def interrupted():
        raise KeyboardInterrupt

    ended: list[int] = []
    monkeypatch.setattr(start, "_run", interrupted)
    monkeypatch.setattr("os._exit", ended.append)
    with pytest.raises(UnboundLocalError):  # the process has ended before
        start.main()
    assert (ended, capsys.readouterr().err) == ([130], "Interrupted.\n")


@pytest.mark.slow
def test_a_wheel_is_small_and_complete_and_works_in_a_fresh_environment(tmp_path):
    """Needs the package index that pip is set up with; is not run by default."""
    venv.create(tmp_path / "venv", with_pip=True)
    programs, source = tmp_path / "venv" / "bin", tmp_path / "source"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(source)], check=True)
    subprocess.run([programs / "pip", "wheel", "-q", "--no-deps", "-w", tmp_path, str(source)], check=True)
    (wheel,) = tmp_path.glob("*.whl")
    content = zipfile.ZipFile(wheel)
    tracked = subprocess.run(["git", "ls-files", "bot"], cwd=source, capture_output=True, text=True, check=True)
    wanted = {*tracked.stdout.split()}
    assert (
        {name for name in content.namelist() if name.startswith("bot/")} == wanted >= {"bot/py.typed", "bot/README.md"}
    )
    assert wheel.stat().st_size < 1_300_000
    (about,) = (name for name in content.namelist() if name.endswith("dist-info/METADATA"))
    shown = email.message_from_bytes(content.read(about)).get_payload()
    assert re.findall(r"\]\((?!https?://|#)[^)]*\)|(?:src|href)=\"(?!https?://|#)[^\"]*\"", str(shown)) == []
    subprocess.run([programs / "pip", "install", "-q", wheel], check=True)

    def run(*arguments: str) -> str:
        done = subprocess.run([programs / "bot", *arguments], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    assert run("--version") == f"bot {__version__}\n"
    assert json.loads(run("play", "--games", "2", "--goal", "2", "--json"))["passed"] is True
    assert "no problems" in run("replay", "--verify")
    assert {finding["state"] for finding in json.loads(run("doctor", "--json"))} <= {"ok", "warning"}
