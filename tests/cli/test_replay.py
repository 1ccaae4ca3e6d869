"""`bot replay`: which journal is the newest, what its lines say, and a reader that leaves early."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bot.cli.app import run
from bot.course.journal.writer import JournalWriter
from bot.course.protocol import MoveReply
from tests.course.journal.build import Fault, Server, not_sent, recorded, unheard

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the journal of two games, and a newer one of a run that failed at once."""
    folder = tmp_path_factory.mktemp("replay")
    logs = folder / "logs"
    command = ["play", "--games", "2", "--goal", "2", "--think", "0.05", "--seed", "1", "--logs", str(logs)]
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("BOT_STATE_DIR", str(folder / "state"))
        assert run(command) == 0
    played = next(logs.glob("*.jsonl"))
    header = played.read_text().splitlines()[0]
    (logs / f"99990101T000000{played.name[15:]}").write_text(f"{header}\n")
    return logs


def test_a_run_without_games_is_not_the_newest(logs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["replay", "--verify", "--logs", str(logs)]) == 0
    assert "2 games, no problems." in capsys.readouterr().out


def test_a_file_that_is_no_journal_is_not_the_newest(
    logs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "zzz.jsonl").write_text('{"agent": "depth2", "first": 0}\n')
    without_games = next(path for path in logs.glob("*.jsonl") if path.name.startswith("9999"))
    shutil.copy(without_games, tmp_path)
    assert run(["replay", "--verify", "--logs", str(tmp_path)]) == 2
    assert "There is no journal with a game in" in capsys.readouterr().err


def test_columns_are_numbers_and_distances_moves_of_the_winner(logs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["replay", "--game", "1", "--logs", str(logs)]) == 0
    out = capsys.readouterr().out
    assert "1 2 3 4 5 6 7" in out and "a b c" not in out
    assert "we play 4 (" in out and "wins in " in out and " moves" in out


def test_a_request_that_is_sent_again_is_one_move(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["replay", str(troubled_game(tmp_path))]) == 0
    out = capsys.readouterr().out
    moves = re.findall(r"move \d: we play \d.*", re.sub(r" \([^)]*\)", "", out))
    assert moves == [
        "move 1: we play 4; the bot plays 1",
        "move 2: we play 4; it did not reach the server",
        "move 2: we play 4; the server refuses: Busy.",
        "move 2: we play 4; the bot plays 1",
        "move 3: we play 4; no reply is recorded",
        "move 4: we play 4; the bot does not move",
    ]
    assert "won after 4 moves of ours; in order" in out


def troubled_game(folder: Path) -> Path:
    """A won game of four moves of ours: one is not sent, then refused, and the reply to another is lost."""
    faults: dict[int, Fault] = {3: not_sent, 4: busy, 6: unheard}
    writer = JournalWriter.create(folder, "a")
    recorded([3] * 7, faults, server=Server([0] * 3), writer=writer)
    writer.close()
    return writer.path


def busy(_server: Server, _move: int) -> MoveReply:
    """Refuse the request."""
    return MoveReply(False, "Busy.")


def test_a_missing_game_is_answered_with_the_numbers_that_there_are(
    logs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["replay", "--game", "9", "--logs", str(logs)]) == 2
    assert "It has 2 games: 1, 2." in capsys.readouterr().err


def test_a_closed_pipe_is_no_error(logs: Path, tmp_path: Path) -> None:
    journal = tmp_path / "long.jsonl"
    shutil.copy(next(path for path in logs.glob("*.jsonl") if not path.name.startswith("9999")), journal)
    with subprocess.Popen(
        [sys.executable, "-m", "bot", "replay", str(journal)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(600) == 0


def test_a_first_line_that_is_nested_too_deeply_is_no_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "000001.jsonl").write_text("[" * 100_000 + "]" * 100_000 + "\n")
    assert run(["replay", "--logs", str(tmp_path)]) == 2
    assert "There is no journal with a game in" in capsys.readouterr().err
    assert run(["replay", str(tmp_path / "000001.jsonl")]) == 2
    assert "000001.jsonl is not a journal: it holds no record" in capsys.readouterr().err
