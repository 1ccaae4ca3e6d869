"""Journals that the fourth edition wrote: they are read, verified and resumed, and what a reply has shown stays.

Four are of `bot play`, the others of simulated runs with faults and kills; `fourth_edition.tar.xz` holds them with what
the readers of commit 2ce0b7a3 said.
"""

from __future__ import annotations

import json
import tarfile
from pathlib import Path

from bot.course.journal.games import game_problems
from bot.course.journal.journal import parse_outline, read_journal


def test_journals_of_the_fourth_edition_keep_their_results_and_their_unfinished_games(tmp_path):
    with tarfile.open(Path(__file__).with_name("fourth_edition.tar.xz")) as archive:
        if hasattr(tarfile, "data_filter"):  # Python 3.10.12, 3.11.4 and later
            archive.extraction_filter = tarfile.data_filter
        archive.extractall(tmp_path)
    for name, expected in json.loads((tmp_path / "expected.json").read_text()).items():
        journal = read_journal(tmp_path / name)
        problems = [
            *journal.problems,
            *(text for game in journal.games for text in (*game.problems, *game_problems(game))),
        ]
        assert len(problems) == expected["problems"] == len(journal.damaged) == 0, name
        assert journal.unfinished == expected["unfinished"], name
        assert len(journal.ends) == len(expected["ends"])
        for end, (game, result, known_by) in zip(journal.ends, expected["ends"], strict=True):
            may_be_looked_for = known_by == "inferred" and end.known_by in ("statistics", "unknown", "server_reset")
            assert end.game == game and (may_be_looked_for or (end.result, end.known_by) == (result, known_by)), name
        assert [end.result for end in parse_outline((tmp_path / name).read_bytes(), tmp_path / name).ends] == [
            end.result for end in journal.ends
        ]
