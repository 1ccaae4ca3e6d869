"""The page of one game: a single file that works from the disk, holds the analysis, and no student's id."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import unquote

import pytest

from bot.engine.analysis import Analyst
from bot.engine.perfect import shipped_book
from bot.engine.review import review
from bot.errors import BotError
from bot.game import Board
from bot.learn.coach.coach import Coach
from bot.web.analysis import review as review_of
from bot.web.standalone import SavedGame, web_page
from tests.processes import bot_here
from tests.web.test_runs import open_run, play

OVER = "444443333161557"
COLUMNS = tuple(int(move) - 1 for move in OVER)


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("saved") / "game.html"
    counts: list[int] = []
    content = web_page(SavedGame(COLUMNS, ("You", "<script>")), position_s=1, progress=counts.append)
    assert counts == list(range(1, len(OVER) + 2))
    path.write_text(content, encoding="utf-8")
    return path


def test_the_import_map_holds_what_the_modules_import(saved: Path) -> None:
    text = saved.read_text(encoding="utf-8")
    urls = json.loads(re.search(r'type="importmap">(.*?)</script>', text)[1])["imports"]  # type: ignore[index]
    scripts = [unquote(url.removeprefix("data:text/javascript,")) for url in urls.values()]
    imported = re.findall(r'^import [^"]* from "(.*)";$', "\n".join([text, *scripts]), re.MULTILINE)
    assert set(imported) == set(urls)
    assert {"vendor/lit-html.js", "guidePanel.js"} < set(urls) and not {"api.js", "share.js"} & set(urls)


def test_the_file_asks_for_nothing_else_and_stays_small(saved: Path) -> None:
    text = saved.read_text(encoding="utf-8")
    assert not re.search(r'(?:src|href)="(?!#)', text)
    assert set(re.findall(r"https?://[\w./]+", text)) <= {"http://www.w3.org/2000/svg"}
    assert "<script>" not in text, "a name cannot become an element"
    assert len(text) < 120_000
    data = json.loads(re.search(r'id="data">(.*?)</script>', text)[1])  # type: ignore[index]
    assert data["moves"] == OVER and len(data["positions"]) == len(OVER) + 1 and data["names"][1] == "<script>"


def test_the_file_holds_the_coachs_reasons(saved: Path) -> None:
    data = json.loads(re.search(r'id="data">(.*?)</script>', saved.read_text(encoding="utf-8"))[1])  # type: ignore[index]
    analyst = Analyst(shipped_book())
    wanted = [
        (lesson.ply, lesson.column, lesson.text, [(one.text, list(one.line)) for one in lesson.reasons])
        for lesson in Coach(analyst).game(COLUMNS, review(COLUMNS, analyst, deadline_s=60.0))
    ]
    found = [
        (lesson["ply"], lesson["column"], lesson["text"], [(one["text"], one["line"]) for one in lesson["reasons"]])
        for lesson in data["lessons"]
    ]
    assert found == wanted and any(reasons for *_, reasons in found)
    assert all({"missed", "pairs"} <= set(one) for lesson in data["lessons"] for one in lesson["reasons"])
    for ply, *_, reasons in found:
        for _, line in reasons:
            assert Board.from_moves([*COLUMNS[:ply], *line]).winner is not None, "the line ends with the winner's four"


def test_the_file_holds_what_a_person_could_have_seen(saved: Path) -> None:
    data = json.loads(re.search(r'id="data">(.*?)</script>', saved.read_text(encoding="utf-8"))[1])  # type: ignore[index]
    assert data["review"] == json.loads(json.dumps(review_of(COLUMNS, 60.0))), "as the page's own review"
    seen = data["review"]["insights"]
    assert len(seen) == len(COLUMNS) and any(seen)
    assert data["review"]["moment"] == 11 and seen[11]["better"]


def test_the_command_writes_a_journals_game_without_ids(tmp_path: Path) -> None:
    journal = open_run(tmp_path, stil_ids=("ab1234cd-s",))
    for number, we_started in ((1, True), (2, False)):
        play(journal, number, OVER, we_started=we_started)
        journal.game_end(number, 1.0, moves=OVER, we_started=we_started, known_by="reply")
    journal.close()
    out = tmp_path / "game.html"
    arguments = (
        "export",
        "page",
        "--journal",
        str(journal.path),
        "--game",
        "2",
        "--out",
        str(out),
        "--deadline",
        "0.1",
    )
    done = bot_here(*arguments, cwd=tmp_path)
    assert done.returncode == 0 and f"{out}:" in done.stdout, done.stderr
    text = out.read_text(encoding="utf-8")
    assert "ab1234cd" not in text and "Connect Four: game 2" in text and '"The opponent","The bot"' in text


@pytest.mark.parametrize("columns", [(3, 3, 3, 3, 3, 3, 3), (9,)])
def test_moves_that_cannot_be_played_are_refused(columns: tuple[int, ...]) -> None:
    with pytest.raises(BotError):
        web_page(SavedGame(columns))
