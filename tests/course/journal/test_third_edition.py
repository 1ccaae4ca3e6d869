"""500 journals that the third edition wrote: their results, standings and streaks stay what its readers said.

They were written by commit 9c88ba5c in a simulated world with faults, kills at any record, resumed and abandoned runs,
and then damaged: `third_edition.tar.xz` holds them with what that commit's readers said.
"""

from __future__ import annotations

import json
import tarfile
from pathlib import Path
from typing import Any

import pytest

from bot.course.address import Identity
from bot.course.journal.journal import Journal
from bot.course.journal.reader import journals as read_runs
from bot.course.journal.reader import read_journal, read_outline
from bot.course.journal.verify import game_problems
from bot.course.run.history import read_history
from bot.course.run.standings import journal_standings
from bot.errors import JournalError

ARCHIVE = Path(__file__).with_name("third_edition.tar.xz")
FOLDERS = [f"{number:02}" for number in range(1, 11)]
ONLY_SHOWN = {"02": 2, "03": 3, "04": 1, "05": 1, "06": 1, "08": 1}
"""Number of journals, by folder, whose last game ends with a reply alone."""
OTHER_STREAKS = {"04": 2, "05": 1, "06": 1, "07": 2, "08": 1}
"""Number of players, by folder, whose streak the third edition's `bot play` said wrongly."""


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("third")
    with tarfile.open(ARCHIVE) as file:
        file.extractall(folder, filter="data")
    return folder


@pytest.fixture(scope="module")
def expected(archive: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((archive / "expected.json").read_text())
    return found


def results(journal: Journal) -> list[list[float]]:
    return [[end.game, end.result] for end in journal.ends]


@pytest.mark.parametrize("folder", FOLDERS)
def test_each_journal_has_the_results_that_it_had_and_is_in_order_if_it_was(
    archive: Path, expected: dict[str, Any], folder: str
) -> None:
    only_shown = 0
    for path in sorted((archive / "journals" / folder).iterdir()):
        known = expected["journals"][f"{folder}/{path.name}"]
        if "error" in known:
            with pytest.raises(JournalError):
                read_journal(path)
            continue
        journal = read_journal(path)
        assert results(journal) == results(read_outline(path)) == known["results"], path.name
        assert (len(journal.damaged), journal.torn) == (known["damaged"], known["torn"]), path.name
        if journal.unfinished != known["unfinished"]:  # an end that the last reply shows needs no second record now
            assert journal.unfinished is None, path.name
            assert known["results"][-1][0] == known["unfinished"], path.name
            only_shown += 1
        if known.get("is_in_order"):
            problems = [*journal.problems, *(text for game in journal.games for text in game_problems(game))]
            assert problems == [], path.name
    assert only_shown == ONLY_SHOWN.get(folder, 0)


@pytest.mark.parametrize("folder", FOLDERS)
def test_each_player_has_the_standings_that_he_had_and_a_run_goes_on_with_the_streak(
    archive: Path, expected: dict[str, Any], folder: str
) -> None:
    """Where `bot play` of the third edition said another streak, it contradicted its own `bot streak`."""
    others = 0
    journals = archive / "journals" / folder
    for known in expected["folders"][folder]:
        player = Identity.of(known["server"], known["stil_ids"])
        found = journal_standings(journals, player.server, player.stil_ids)
        shown = {name: getattr(found, name) for name in known["standings"]}
        if shown["longest"] < known["standings"]["longest"]:  # that edition counted past a game without a result
            assert any(end.result == 0 for run in read_runs(journals, player) for end in run.ends)
            shown["longest"] = known["standings"]["longest"]
        assert shown == known["standings"], player
        streak = read_history(journals, player, fresh=True).standings.current
        if streak != known["streak"]:
            assert streak == found.current, player
            others += 1
    assert others == OTHER_STREAKS.get(folder, 0)
