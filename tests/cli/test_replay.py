"""`bot replay`: which journal is the newest, and what its lines say."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from bot.course.journal.records import JournalWriter
from bot.course.run.move_review import MoveReview, Reviewer
from tests.course.journal.build import recorded

TROUBLED = (
    'counted 0 0 0; new: .; d: +a; d: not sent; d: no "Busy."; settled 0 0 0; d: +a; d: lost reset; settled 0 0 0; '
    "d: dadadad; counted 1 1 0"
)
"""A won game of four moves of ours: one is not sent, then refused, and the reply to another is lost."""


def troubled_game(folder: Path) -> Path:
    """Write the troubled game into a new journal."""
    writer = JournalWriter.create(folder, "a")
    writer.close()
    writer.path.write_bytes(recorded(TROUBLED))
    return writer.path


def test_the_newest_journal_with_a_game_is_shown(cli, tmp_path):
    logs = tmp_path / "logs"
    older, played = troubled_game(logs), troubled_game(logs)
    (logs / "99990101T000000-a.jsonl").write_text(f"{played.read_text().splitlines()[0]}\n")  # a run without games
    (logs / "zzz.jsonl").write_text('{"agent": "depth2", "first": 0}\n')
    (logs / "zzzz.jsonl").write_text("[" * 100_000 + "]" * 100_000 + "\n")
    assert f"{played.name}: 1 game, no problems." in cli("replay --verify").stdout
    assert "It has 1 game: 1." in cli("replay --game 9").stderr
    nested = cli("replay logs/zzzz.jsonl")
    assert nested.returncode == 2 and "zzzz.jsonl is not a journal: it holds no record" in nested.stderr
    header, counted, *_ = played.read_text().splitlines(keepends=True)
    (logs / "twice.jsonl").write_text(header + counted * 2)
    wrong = cli("replay logs/twice.jsonl --verify")
    assert wrong.returncode == 4 and "twice.jsonl: 0 games, 1 problem." in wrong.stdout
    (logs / "damaged.jsonl").write_text(played.read_text() + "no json\n" * 2)
    damaged = cli("replay logs/damaged.jsonl --json")
    assert damaged.returncode == 4 and json.loads(damaged.stdout)["problems"] == 2
    for path in (older, played, logs / "damaged.jsonl"):
        path.unlink()
    assert "There is no journal with a game in" in cli("replay").stderr


def test_a_request_that_is_sent_again_is_one_move(cli, tmp_path):
    done = cli(f"replay {troubled_game(tmp_path)}")
    moves = re.findall(r"move \d: we play \d.*", re.sub(r" \([^)]*\)", "", done.stdout))
    assert moves == [
        "move 1: we play 4; the server's bot plays 1",
        "move 2: we play 4; it did not reach the server",
        "move 2: we play 4; the server refuses: Busy.",
        "move 2: we play 4; the server's bot plays 1",
        "move 3: we play 4; no reply is recorded",
        "move 4: we play 4; the server's bot does not move",
    ]
    assert done.returncode == 0 and "won after 4 moves of ours; in order" in done.stdout


@pytest.mark.parametrize(("given", "code"), [(["Move 1."], 4), ([], 0)])
def test_a_move_that_gave_value_away_is_a_problem_unless_it_is_excused(cli, tmp_path, monkeypatch, given, code):
    found = MoveReview(4, given, excused=["Move 2."], slower=["Move 3."], unchecked=["Move 4."])
    monkeypatch.setattr(Reviewer, "review", lambda *_: found)
    done = cli(f"replay {troubled_game(tmp_path)} --verify --values")
    first, *below, last = done.stdout.splitlines()
    assert first.endswith(f"; in order; 4 moves checked, {1 + len(given)} gave value away")
    assert below == [f"  {text}" for text in (*given, "Note: Move 2.", "Note: Move 3.", "Note: Move 4.")]
    assert last.endswith(f": 1 game, {'1 problem' if given else 'no problems'}.") and done.returncode == code
