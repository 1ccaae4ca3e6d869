"""A journal of which a line is damaged, resumed in mid-game: the server's board is the truth at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bot.course.journal.reader import journals
from bot.course.server.referee import Starter
from bot.course.session.events import Chosen, Note, Record, Replied, Started
from tests.course.run.course import Course, Killed, Silent, level, play

MOVES = 5
"""Requests to /move before the client dies."""


@dataclass
class Notices(Silent):
    texts: list[str] = field(default_factory=list)

    def notice(self, text: str) -> None:
        self.texts.append(text)


def killed(logs: Path, starter: Starter, *, games: int = 1) -> Course:
    """Play until the client dies in the last of ``games``, after a reply was sent and before it arrived."""
    course = Course(4, starter, bot="depth2")

    def die() -> None:
        if len(course.reasons) == games - 1 and course.moves - finished(course) >= MOVES:
            raise Killed

    course.after = die
    with pytest.raises(Killed):
        play(course, logs, games=games, server=logs.name)
    course.after = lambda: None
    return course


def finished(course: Course) -> int:
    """Return the requests to /move that belonged to finished games."""
    return sum(1 + (len(game.moves.strip()) + game.student_first) // 2 for game in course.store.games("a"))


def after_resuming(logs: Path) -> list[Record]:
    (journal,) = journals(logs)
    records = [record for _line, record in journal.records]
    started = max(index for index, record in enumerate(records) if isinstance(record, Started))
    return records[started:]


@pytest.mark.parametrize("starter", ["student", "bot"])
@pytest.mark.parametrize("games", [1, 2])
def test_after_damage_no_move_is_blind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, starter: Starter, games: int
) -> None:
    """Each line after the header in turn: the first board decides, and nothing is played on a guess after it."""
    level(monkeypatch)
    killed(tmp_path / "whole", starter, games=games)
    (whole,) = (tmp_path / "whole").glob("*.jsonl")
    count = len(whole.read_bytes().splitlines())
    assert count > 12
    for line in range(1, count, 1 if games == 1 else 3):
        logs = tmp_path / str(line)
        course = killed(logs, starter, games=games)
        (path,) = logs.glob("*.jsonl")
        lines = path.read_bytes().splitlines(keepends=True)
        lines[line] = lines[line][:30] + b"\n"
        path.write_bytes(b"".join(lines))
        shown = Notices()
        play(course, logs, shown, server=logs.name)
        assert course.reasons[:games] == ["played"] * games, (line, course.reasons)
        assert not [text for text in shown.texts if "ame 0" in text], line
        records = after_resuming(logs)
        first = next(index for index, record in enumerate(records) if isinstance(record, Replied))
        assert all(record.hypotheses == 1 for record in records[first:] if isinstance(record, Chosen)), line
        assert not [record for record in records if isinstance(record, Note) and record.kind == "conflicting_reply"], (
            line
        )
