"""Runs: journals that are replayed, a run that is watched while it grows, and spectators with phones in the room."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from bot.course.server.embedded import serving
from bot.course.server.sockets import listen
from bot.web import runs
from bot.web.app import create_app
from tests.course.journal.build import Hand
from tests.processes import running_bot
from tests.servers import reserved_port
from tests.web.browser import (
    OVER,
    PHONE,
    beside,
    choose,
    click,
    counts,
    discs,
    fill,
    game,
    lacks,
    lists,
    press,
    reload,
    run_clock,
    run_of,
    says,
    sees,
    serious_faults,
    stop_clock,
    tab,
    visit,
)
from tests.web.test_runs import grid, open_run, play

STEP_MS = 800
"""Least time between two moves of a live run."""
OWNERS_ONLY = "#open, #save, #link, #find, #analyse, [data-field=analyse], #new, #room"

pytestmark = pytest.mark.usefixtures("tab")


def test_a_run_is_replayed_filtered_and_linked(logs: Path) -> None:
    visit(view="replay", run=run_of(logs, 1.0, -1.0))
    counts(2, "#games button")
    says("The bot wins with four in a row.")
    fill("#slider", "3")
    discs(3)
    tab.page.locator("#games button").nth(1).press("Enter")
    says("The opponent wins with four in a row.")
    choose("filter", "defeats")
    reload()
    lists("#games button", "2 −")
    choose("slow", "2")
    lists("#games", "This run has no such game.")
    click("#open")
    fill("#import-text", "4435\n1212121")
    click("#import-open")
    counts(2, "#games button")  # whatever was filtered before
    visit(view="replay", run=run_of(logs, -10.0, moves=OVER[:5]), filter="defeats")
    lists("#games button", "1 −")  # by an illegal move


def test_what_the_journal_proves_and_slow_moves_are_marked_at_once(logs: Path) -> None:
    journal = open_run(logs)
    journal.reply(1, status=True, msg="", botmove=-1, result=0, state=grid("", True))
    for ply, score in ((0, 0.0), (2, 14.0), (4, 14.0)):
        journal.intent(1, 3, ply, score=score, proven=True, move_s=2.5, source="solver")
        journal.reply(1, status=True, botmove=3, result=0, state=grid("444444"[: ply + 2], True))
    journal.run_end("interrupted")
    journal.close()
    visit(view="replay", run=journal.path.name, slow=2)
    counts(1, "#games button")
    counts(1, "#graph [data-mistake='2']")
    lists("#moves .grave button", re.compile(r"4\s*\?\?"))
    sees("#moves .grave button[title*='gave the draw away']")


def test_the_newest_run_with_games_is_shown_and_a_damaged_one_is_one_sentence(logs: Path) -> None:
    played, failed = run_of(logs, 1.0), run_of(logs, end="error")
    with (logs / played).open("ab") as file:
        file.write(b'{"type": "int')  # a line that is being written
    with beside():
        visit(view="replay")
        sees(f"#runs option:checked[value='{played}']")
        counts(0, f"#runs option[value='{failed}']")
    (logs / "bad.jsonl").write_text("garbage\n")
    visit(view="replay", run="bad.jsonl")
    sees("#error", "bad.jsonl is not a journal")
    says("Choose a run and a game.")
    tab.page.select_option("#runs", played)
    says("The bot wins with four in a row.")
    lacks("#error")
    tab.faults.clear()  # the damaged journal's refusal


@pytest.fixture
def live(logs: Path, monkeypatch: pytest.MonkeyPatch) -> Hand:
    """A run that has just begun, in a folder without any other."""
    monkeypatch.setattr(runs, "LIVE_S", runs.SILENT_S)  # the page may be slow to look
    for earlier in logs.glob("*.jsonl"):
        earlier.unlink()  # their streak would go on
    return open_run(logs, goal=2)


def test_a_quick_run_is_shown_slowly_enough_to_follow(live: Hand) -> None:
    tab.page.clock.install()
    visit(view="watch")
    sees("#watch-run", "running now")
    stop_clock()
    play(live, 1, OVER[:6], we_started=True)
    counts(1, "#watch-games button")
    run_clock(1)
    sees("#slider[max='6']")
    for count in range(6):
        discs(count)
        run_clock(STEP_MS - 2)
        discs(count)
        run_clock(2)
    discs(6)
    play(live, 1, OVER, we_started=True, since=6)
    live.game_end(1, 1.0, moves=OVER, we_started=True, known_by="reply")
    for number in (2, 3):
        game(live, number, OVER, 1.0, we_started=True)
    lists("#watch-score", "Streak 3, goal 2: 3 won, 0 drawn, 0 lost in this run")
    run_clock(9 * STEP_MS)
    lists("#watch-games [aria-pressed=true]", "1 +")  # it is shown to its end
    says("Game 1: won.")
    run_clock(20 * STEP_MS)
    lists("#watch-games [aria-pressed=true]", "3 +")
    live.run_end("finished")
    live.close()
    sees("aside h2", "The run has ended")
    says("Game 3: won.")
    sees("#live-pill", "Newest game")


def test_nothing_that_arrives_interrupts_looking_back(live: Hand) -> None:
    tab.page.clock.install()
    play(live, 1, OVER[:8], we_started=True)
    visit(view="watch")
    discs(8)
    press("ArrowLeft", "ArrowLeft")
    live.game_end(1, 1.0, moves=OVER[:8], we_started=True, known_by="reply")
    game(live, 2, OVER, 1.0, we_started=True)
    with live.path.open("ab") as file:
        file.write(b"broken\n")
    counts(2, "#watch-games button")
    sees("#error", "damaged")
    run_clock(4 * STEP_MS)  # longer than any pause
    discs(6)
    says("Game 1: the bot to move.")
    click("#live-pill")
    discs(len(OVER))
    lists("#watch-games [aria-pressed=true]", "2 +")
    live.close()


@PHONE
def test_a_spectator_follows_a_run_and_meets_no_dead_end(logs: Path) -> None:
    command = f"web --no-browser --port 0 --host 127.0.0.1 --logs {logs}"
    journal = open_run(logs)
    game(journal, 1, OVER, 1.0, we_started=True)
    with running_bot(*command.split(), stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        own, link = (process.stdout.readline().split(" at ")[1].split()[0] for _ in range(2))
        tab.page.goto(link)
        says("Game 1: won.")
        assert "room=" not in tab.page.url, "the token is in a cookie, not in the address that others see"
        play(journal, 2, "44", we_started=True)
        discs(2)
        tab.url = link.partition("/?")[0]
        for view in ("replay", "watch", "analysis"):
            visit(view=view, analyse=1, moves=444444)
            press(*"123 uraAcnhmMsf", "ArrowLeft", "Home", "End", "Escape")
            lacks(f":is({OWNERS_ONLY})")
        sees("#tab-watch[aria-current=page]")
        assert not serious_faults() + tab.faults, "nothing was asked for that is refused"
        with beside():
            tab.page.goto(f"{own}/#view=watch")
            lists("#room-link", link)
            lists("#room-count", "1 spectator is watching.")
            tab.page.close()
        tab.page.goto("about:blank")  # it would complain when the server ends
        process.terminate()
        assert process.wait() == 0, "SIGTERM ends the page in good order"
    journal.close()


def test_a_server_that_is_started_again_is_noticed(tmp_path: Path) -> None:
    run_of(tmp_path, 1.0)
    with reserved_port() as port:
        with serving(create_app(tmp_path), listen("127.0.0.1", port)) as tab.url:
            visit(view="watch")
            counts(1, "#watch-games button")
        sees("#error", "server does not respond")
        run_of(tmp_path, 1.0, 1.0)
        with serving(create_app(tmp_path), listen("127.0.0.1", port)):
            counts(2, "#watch-games button")
            lacks("#error")
            tab.page.goto("about:blank")
    tab.faults.clear()  # refused connections
