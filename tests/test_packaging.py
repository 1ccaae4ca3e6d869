"""What is shipped: the package's data, its type marker, the console command; and an install from nothing."""

from __future__ import annotations

import json
import subprocess
import sys
import venv
import zipfile
from importlib import metadata, resources
from pathlib import Path

import pytest

from bot import __version__

ROOT = Path(__file__).parents[1]
RESULTS = "bot/lab/results/"
"""What belongs to the repository and not to the wheel."""


def data_files() -> list[str]:
    """Everything in the package's folder that is no code and no result of an experiment, as a wheel names it."""
    found = (path for path in (ROOT / "bot").rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    names = (path.relative_to(ROOT).as_posix() for path in found if path.suffix not in (".py", ".pyc"))
    return sorted(name for name in names if not name.startswith(RESULTS))


def test_data_files_are_matched_by_the_globs_that_the_wheel_is_built_from() -> None:
    tomllib = pytest.importorskip("tomllib", reason="from Python 3.11 on")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    globs = project["tool"]["setuptools"]["package-data"]["bot"]
    matched = {path.relative_to(ROOT).as_posix() for glob in globs for path in (ROOT / "bot").glob(glob)}
    assert "bot/py.typed" in data_files()
    assert "bot/web/static/index.html" in data_files()
    assert "bot/lab/experiments/tommy.toml" in data_files()
    assert project["tool"]["setuptools"]["exclude-package-data"]["bot"] == [f"{RESULTS.removeprefix('bot/')}*"]
    missing = [name for name in data_files() if name not in matched]
    assert not missing, "these would be left out of the wheel"


def test_every_folder_with_code_is_a_package() -> None:
    """setuptools leaves a folder without __init__.py out of the wheel."""
    folders = {path.parent for path in (ROOT / "bot").rglob("*.py")}
    assert folders
    assert not [folder for folder in folders if not (folder / "__init__.py").exists()]


def test_the_installed_package_has_its_marker_page_and_console_command() -> None:
    for name in ("py.typed", "web/static/index.html"):
        assert resources.files("bot").joinpath(name).is_file()
    entry = next(entry for entry in metadata.entry_points(group="console_scripts") if entry.name == "bot")
    assert entry.value == "bot.__main__:main"
    done = subprocess.run([sys.executable, "-m", "bot", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"bot {__version__}\n"


@pytest.mark.slow
def test_a_wheel_installs_into_a_fresh_environment_and_everything_works(tmp_path: Path) -> None:
    """Needs the package index that pip is set up with; is not run by default."""
    home = tmp_path / "venv"
    venv.create(home, with_pip=True)
    python, bot = home / "bin" / "python", home / "bin" / "bot"
    source = tmp_path / "source"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(source)], check=True)
    subprocess.run([python, "-m", "pip", "install", "-q", str(source)], check=True)
    wheels = tmp_path / "wheels"
    subprocess.run([python, "-m", "pip", "wheel", "-q", "--no-deps", "-w", wheels, str(source)], check=True)
    content = zipfile.ZipFile(next(wheels.glob("*.whl"))).namelist()
    tracked = subprocess.run(["git", "ls-files", "bot"], cwd=source, capture_output=True, text=True, check=True)
    wanted = sorted(name for name in tracked.stdout.split() if not name.startswith(RESULTS))
    assert sorted(name for name in content if name.startswith("bot/")) == wanted

    def run(*arguments: str) -> str:
        done = subprocess.run([bot, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    assert run("--version") == f"bot {__version__}\n"
    assert json.loads(run("play", "--games", "2", "--goal", "2", "--json"))["passed"] is True
    assert "no problems" in run("replay", "--verify")
    assert {finding["state"] for finding in json.loads(run("doctor", "--json"))} <= {"ok", "warning"}
