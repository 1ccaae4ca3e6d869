"""The agent in bot/lab/README.md, which a reader copies into a file of their own."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import bot.lab
from bot.agents.external.child import end_programs
from bot.cli.app import run
from bot.errors import ExitCode

README = Path(bot.lab.__file__).parent / "README.md"


def test_the_agent_of_the_readme_plays_from_outside_the_package(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = re.search(r"<!-- own agent -->\n```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    source = found[1]
    assert source.count("\n") < 30
    file = tmp_path / "playouts.py"
    file.write_text(source, encoding="utf-8")
    arguments = ["match", f"{file}:Playouts,games=5", "random", "--games", "6", "--seed", "1", "--json"]
    results = []
    for _ in range(2):
        assert run(arguments) == ExitCode.DONE
        results.append(json.loads(capsys.readouterr().out))
    end_programs()
    assert results[0]["total"]["won"] >= 4, "it beats random play"
    assert [game["moves"] for game in results[0]["each"]] == [game["moves"] for game in results[1]["each"]]
