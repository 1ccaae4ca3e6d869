"""The page of one game: a single file that works from the disk, holds the analysis, and no student's id."""

from __future__ import annotations

import json
import re
from typing import Any
from unittest.mock import Mock

import pytest

from bot.engine.agent import StopFlag
from bot.errors import BotError
from bot.learn.coach.coach import Coach
from bot.learn.coach.moments import GameLessons
from bot.web.analysis import review
from bot.web.standalone import SavedGame, web_page
from tests.processes import bot_here
from tests.web.test_runs import open_run

OVER = "444443333161557"
COLUMNS = tuple(int(move) - 1 for move in OVER)


@pytest.fixture(scope="module")
def text() -> str:
    counts: list[int] = []
    content = web_page(SavedGame(COLUMNS, ("You", "<script>"), "<script>"), position_s=1, progress=counts.append)
    assert counts == list(range(1, len(OVER) + 2))
    return content


@pytest.fixture(scope="module")
def data(text: str) -> dict[str, Any]:
    """What the file holds of the game."""
    return dict(json.loads(text.partition('id="data">')[2].partition("</script>")[0]))


def test_the_file_asks_for_nothing_else_and_stays_small(text, data):
    assert not re.search(r'(?:src|href)="(?!#)', text)
    assert set(re.findall(r"https?://[\w./]+", text)) <= {"http://www.w3.org/2000/svg"}
    assert "<script>" not in text, "a name cannot become an element"
    assert len(text) < 120_000
    assert (data["moves"], len(data["positions"]), data["names"][1]) == (OVER, len(OVER) + 1, "<script>")


def test_the_file_holds_what_the_coach_and_the_review_say(data):
    assert data["review"]["lessons"]
    assert data["review"] == json.loads(json.dumps(review(COLUMNS, 60.0))), "as the page's own review"


def test_the_review_of_a_saved_game_has_the_time_of_all_positions(monkeypatch):
    analyse, judge = Mock(return_value=None), Mock(return_value=None)
    monkeypatch.setattr("bot.web.analysis.analyse", analyse)
    monkeypatch.setattr("bot.web.analysis.review", judge)
    web_page(SavedGame((3, 3)), position_s=2)
    assert [asked.args[1] for asked in (*analyse.call_args_list, judge.call_args)] == [2, 2, 2, 6]


def test_lessons_have_what_the_review_leaves_of_the_time_or_a_second(monkeypatch):
    times_s, real = [], Coach.game

    def game(*args: Any, deadline_s: float, stop: StopFlag | None) -> GameLessons:
        times_s.append(deadline_s)
        return real(*args, deadline_s=deadline_s, stop=stop)

    monkeypatch.setattr(Coach, "game", game)
    for deadline_s in (600, 0.001):
        review((3, 3), deadline_s)
    assert 1 < times_s[0] <= 600 and times_s[1] == 1


def test_the_command_writes_a_journals_game_without_ids(tmp_path):
    journal = open_run(tmp_path, stil_ids=("ab1234cd-s",))
    for number, we_started in ((1, True), (2, False)):
        journal.game_end(number, 1.0, moves=OVER, we_started=we_started)
    journal.close()
    command = f"export page --journal {journal.path.name} --game 2 --out game.html --deadline 0.1"
    done = bot_here(*command.split(), cwd=journal.path.parent)
    assert done.returncode == 0 and "game.html:" in done.stdout, done.stderr
    text = (journal.path.parent / "game.html").read_text(encoding="utf-8")
    assert "ab1234cd" not in text and "Connect Four: game 2" in text and '"The opponent","The bot"' in text


def test_moves_that_cannot_be_played_are_refused_before_anything_is_analysed():
    for columns in ((3,) * 7, (9,)):
        with pytest.raises(BotError):
            web_page(SavedGame(columns), progress=lambda ply: pytest.fail(f"{ply} positions are analysed"))
