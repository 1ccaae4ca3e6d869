"""Games: journals that are replayed, a run that is watched while it grows, and spectators with phones in the room."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from bot.course.events import Counted
from bot.course.protocol import Stats
from bot.course.server.embedded import serving
from bot.course.server.network import listen
from bot.game import Board, format_moves, parse_moves
from bot.web import reading, runs
from bot.web.app import create_app
from tests.course.journal.build import Hand
from tests.processes import running_bot
from tests.servers import reserved_port
from tests.web.browser import (
    DRAW,
    OVER,
    PHONE,
    Asked,
    answer,
    beside,
    click,
    counts,
    discs,
    go_to,
    lacks,
    lists,
    press,
    reload,
    respond,
    run_clock,
    run_of,
    says,
    sees,
    serious_faults,
    tab,
    visit,
    visit_stopped,
)
from tests.web.test_runs import open_run

STEP_MS = LOOK_MS = 800
"""Least time between two moves of a live run, and between two looks at it."""
QUICK_MS = 200
"""The same while the next game has begun."""
LAST_DISC_FOUR = "165272351361452665774351431436261744573227"
"""A game whose 42nd disc makes the only four."""
OWNERS_ONLY = "#share-game, #study, #play-on, #moments, #analyse, .score, #coach, #room"
PROJECTED = ".name, .state:not(:empty), .standing-text, .standing-score, .streak i"
SHARES = """(parts) => [...document.querySelectorAll(parts)].map((one) => {
  const style = getComputedStyle(one);
  return [one.textContent || "dot", parseFloat(one.matches("i") ? style.height : style.fontSize) / innerHeight];
})"""
"""Returns the height of each of these parts, a dot or a type size, as a share of the window's height."""

pytestmark = pytest.mark.usefixtures("tab")


def chosen(*texts: str) -> None:
    """Wait until these games are chosen in the list."""
    lists("#games [aria-pressed=true]", *texts)


def test_a_run_is_replayed_and_linked(logs):
    visit(f"view=games&run={run_of(logs, 1.0, -1.0)}")
    lists("#games > *", "Lost", "2 \u2212", "Others", "1 \u2713")
    says("Game 2\u00a0\u00b7\u00a0The server's bot wins with four in a row.")  # a lost game is what one looks for
    lists(".standing-score", "After a loss: 0 of 20")
    tab.page.locator("#games button").nth(0).press("ArrowRight")  # in a list, arrows go through it
    sees("#games button:focus", "1 \u2713")
    tab.page.locator("#games button").nth(1).press("Enter")
    says("Game 1\u00a0\u00b7\u00a0perfect wins with four in a row.")
    press("Home", "ArrowRight")
    discs(1)
    says("Game 1, move 1\u00a0\u00b7\u00a0The server's bot to move.")
    tab.page.locator("#games button").nth(0).press("Enter")
    says("The server's bot wins with four in a row.")
    reload()
    chosen("2 \u2212")


def test_a_game_that_ended_otherwise_than_on_the_board_says_so(logs):
    journal = open_run(logs)
    *moves, ours, answer = parse_moves(LAST_DISC_FOUR)
    journal.play(1, format_moves(moves))
    journal.intent(1, ours, 40)
    journal.reply(1, status=True, botmove=answer, result=0.5, state=Board.from_moves([*moves, ours, answer]).to_grid())
    journal.play(2, OVER[:4])
    journal.intent(3, -1)
    journal.reply(3, status=True, state=Board().to_grid())
    journal.play(3, "444444")
    journal.run_end("interrupted")
    journal.close()
    visit(f"view=games&run={journal.path.name}")
    lists("#games button", "1 =", "2 \u00d7", "3 \u2026")
    sees("#games [aria-label*=drawn]")
    says("Drawn by the course's rule: the four came with the last disc.")
    lists(".player .state", "drawn", "drawn")
    counts(4, "#board .four")
    lacks("main :text-matches('win', 'i')")
    click("#games button >> nth=1")
    says("Void: the server lost the game, so it does not count.")
    lacks(".player .state:text-matches('drawn|won|lost')")
    click("#games button >> nth=2")
    says("Left unfinished.")


def test_the_newest_run_is_shown_and_all_that_are_listed_can_be_opened(logs):
    played, failed = run_of(logs, 1.0), run_of(logs, end="error")
    with (logs / played).open("ab") as file:
        file.write(b'{"type": "int')  # a line that is being written
    (logs / "bad.jsonl").write_text("garbage\n")
    run_of(logs, -1.0)
    visit("view=games")
    says("The server's bot wins with four in a row.")
    press("ArrowLeft")
    discs(len(OVER) - 1)
    sees("#list-live[aria-current=true]", "Last run")
    click("#list-journals")
    counts(0, f"[data-run='{failed}']")
    sees("#panel button:disabled", "bad.jsonl is not a journal")
    for run in tab.page.locator("[data-run]").evaluate_all("all => all.map((one) => one.dataset.run)"):
        click(f"[data-run='{run}']")
        sees("#games [aria-pressed=true]")
    visit("view=games&run=bad.jsonl")
    sees("#error", "bad.jsonl is not a journal")
    says("This run cannot be shown.")
    click(f"[data-run='{played}']")
    says("perfect wins with four in a row.")
    lacks("#error span")
    tab.faults.clear()  # the damaged journal's refusal


def test_journals_open_their_newest_run_whatever_was_open_before_and_without_own_games_one_can_be_played(logs):
    newest = run_of(logs, 1.0, -1.0)
    visit("view=games")
    click("#list-yours")
    says("No games yet.")
    lacks("#panel p")
    click("#list-journals")
    sees(f"[data-run='{newest}'][aria-current=true]")
    says("Game 2\u00a0\u00b7\u00a0The server's bot wins")
    lacks("#panel :text('No games')")
    click("#games button >> nth=1")
    chosen("1 \u2713")
    click("#list-live", "#list-journals")
    chosen("2 \u2212")
    click("#list-yours", "#play")
    sees("body[data-view=play]")


@pytest.fixture
def live(logs: Path, monkeypatch: pytest.MonkeyPatch) -> Hand:
    """A run that has just begun, in a folder without any other."""
    monkeypatch.setattr(runs, "LOOK_S", -1.0)  # each request looks anew
    monkeypatch.setattr(reading, "LIVE_S", reading.SILENT_S)  # the page may be slow to look
    for earlier in logs.glob("*.jsonl"):
        earlier.unlink()  # their streak would go on
    return open_run(logs, goal=2)


def test_a_quick_run_is_shown_slowly_and_board_and_text_agree(live):
    visit_stopped("view=games")
    says("The first game has not begun.")
    live.play(1, DRAW[:4])
    run_clock(LOOK_MS)
    counts(1, "#games button")
    run_clock(1)
    sees("#ribbon[aria-valuemax='4']")
    for count in range(4):
        discs(count)
        run_clock(STEP_MS - 2)
        discs(count)
        run_clock(2)
    discs(4)
    live.play(1, DRAW)
    live.game_end(1, 0.5, moves=DRAW)
    live.game_end(2, 1.0, moves=OVER)
    run_clock(LOOK_MS)
    sees("#live", "Game 2 won")  # both have arrived: the board hurries
    sees("#ribbon[aria-valuemax='42']")
    lists(".standing-score", "Streak 0 of 2")
    sees(".run-score", "No result yet in this run.")  # the board has not come to an end
    says("Game 1, move 4\u00a0\u00b7\u00a0perfect to move.")
    lists(".standing-text", "Game 1")
    click("#projector")
    lists(".standing-text", "Game 1, move 4")
    press("f")
    lacks(".player .state:text-matches('won|lost|drawn')")
    run_clock((len(DRAW) - 4) * QUICK_MS)
    discs(len(DRAW))
    chosen("1 =")  # it is shown to its end
    says("Game 1\u00a0\u00b7\u00a0A draw: the board is full.")
    lists(".standing-score", "Streak 1 of 2")
    sees(".run-score", "1 drawn in this run.")
    run_clock(9 * STEP_MS)
    chosen("2 \u2026")
    run_clock(len(OVER) * STEP_MS)
    chosen("2 \u2713")
    lists(".standing-score", "Goal reached: 2 without a loss")
    sees(".run-score", "1 won, 1 drawn in this run.")
    for number in (3, 4, 5):
        live.game_end(number, 1.0, moves=OVER)
    run_clock(LOOK_MS)
    sees("#live", "Game 5 won")
    run_clock(2 * STEP_MS)
    chosen("5 \u2713")  # the run is too quick to show each
    lists(".standing-score", "Goal reached: 5 without a loss")
    sees(".run-score", "4 won, 1 drawn in this run.")
    live.close()


def test_who_leaves_the_games_during_a_look_ends_the_looking(live):
    visit_stopped("view=games")
    looks = respond("live*", lambda _asked: None)
    with tab.page.expect_request("**/api/live*"):
        tab.page.evaluate("runClock(800)")
    go_to("play")
    with tab.page.expect_response("**/api/live*"):
        looks[0].pass_on()
    tab.page.evaluate("runClock(8000)")
    assert tab.page.evaluate("fetch('/api/levels').then((answer) => answer.status)") == 200, (
        "a later request is through"
    )
    assert len(looks) == 1
    live.close()


def test_a_run_that_ends_while_the_board_is_behind_brings_it_to_the_end(live):
    live.play(1, OVER[:2])
    visit_stopped("view=games")
    discs(2)
    live.play(1, OVER)
    live.game_end(1, 1.0, moves=OVER)
    run_clock(LOOK_MS)
    sees("#ribbon[aria-valuemax='15']")
    says("Game 1, move 2\u00a0\u00b7\u00a0perfect to move.")
    live.run_end("finished")
    live.close()
    run_clock(LOOK_MS)
    sees(".run-state", "The run has ended.")
    discs(len(OVER))
    says("Game 1\u00a0\u00b7\u00a0perfect wins with four in a row.")
    sees("#moments.strong")
    lacks("#follow")


def test_a_result_that_arrives_after_its_last_move_is_said(live):
    live.play(1, OVER[:4])
    visit_stopped("view=games")
    says("Game 1\u00a0\u00b7\u00a0perfect to move.")
    live.game_end(1, -10.0, moves=OVER[:4])
    run_clock(LOOK_MS)
    says("Game 1\u00a0\u00b7\u00a0The server's bot wins: the last move was illegal.")
    live.close()


def test_a_run_stands_among_the_journals_as_soon_as_it_has_ended(live):
    visit("view=games")
    live.game_end(1, 1.0, moves=OVER)
    counts(1, "#games button")
    click("#list-journals")
    sees("#panel", "Games appear here when their run has ended.")
    go_to("play")
    go_to("games")
    sees("#list-live[aria-current=true]")  # whose game is on the board
    click("#list-journals")
    live.run_end("finished")
    live.close()
    lists("[data-run]", re.compile("1 won.*perfect", re.DOTALL))
    run_of(live.path.parent, 1.0)  # too short to be seen while it goes on
    sees("[data-run]:nth-child(1)", "1 won")
    counts(2, "[data-run]")
    respond("runs/*", Asked.refuse)
    other = run_of(live.path.parent, -1.0)
    held = respond("live*", lambda _asked: None)
    reload()
    click("#list-journals")  # opened while the page is loading, the list stays
    respond("live*", Asked.pass_on)
    held[-1].pass_on()
    click(f"[data-run='{live.path.name}']")
    sees("#panel [role=status]", "does not respond")
    assert other
    tab.faults.clear()


def test_thousands_of_games_are_listed_a_few_at_first(logs):
    run = run_of(logs, *[1.0] * 160, goal=310)
    visit(f"view=games&run={run}")
    counts(150, "#games button")
    counts(20, ".streak .on")  # of 40 dots, each of which stands for 7.75 games: none is lit too early
    click("button:has-text('Show 10 more games')")
    counts(160, "#games button")


def test_the_goal_is_celebrated_once_and_a_reload_does_not_repeat_it(live):
    live.game_end(1, 1.0, moves=OVER)
    live.take(Counted(0.0, Stats(1, 1, 0, 1)))
    visit_stopped("view=games")
    counts(1, ".streak .on")
    for number in (2, 3):
        live.game_end(number, 1.0, moves=OVER)
        live.take(Counted(0.0, Stats(number, number, 0, number)))
        run_clock(LOOK_MS)
        run_clock(len(OVER) * STEP_MS)
        sees(".streak.reached")
        sees("#live", "Goal met: 2 games in a row without a loss." if number == 2 else "Game 3 won.")
        counts(2, ".streak .on")
    go_to("play")
    go_to("games")
    lacks(".streak.reached")
    reload()
    lists(".run-verdict.good", re.compile("^\\s*Goal met: 2 games"))
    live.game_end(4, 1.0, moves=OVER)
    live.take(Counted(0.0, Stats(4, 4, 0, 4)))
    run_clock(LOOK_MS)
    run_clock(len(OVER) * STEP_MS)
    sees(".run-score", "4 won")
    sees(".run-verdict.good")
    lacks(".streak.reached")
    live.close()


def test_nothing_that_arrives_interrupts_looking_back(live):
    live.play(1, OVER[:8])
    visit_stopped("view=games")
    discs(8)
    press("ArrowLeft", "ArrowLeft")
    live.game_end(1, 1.0, moves=OVER[:8])
    live.game_end(2, 1.0, moves=OVER)
    with live.path.open("ab") as file:
        file.write(b"broken\n")
    run_clock(LOOK_MS)
    counts(2, "#games button")
    run_clock(4 * STEP_MS)  # longer than any pause
    discs(6)
    says("Game 1, move 6\u00a0\u00b7\u00a0perfect to move.")
    click("#follow")
    discs(len(OVER))
    chosen("2 \u2713")
    live.close()


def test_the_projector_names_the_players_in_type_for_the_last_row(live):
    live.game_end(1, 1.0, moves=OVER)
    live.game_end(2, 1.0, moves=OVER)
    visit("view=games")
    click("#projector")
    lists(".standing-score.good", "Goal reached: 2 without a loss")
    lacks("#projector-code")  # nobody else may watch
    link = "http://192.168.100.100:8000/?room=yy8ehz853k3j"
    answer("room", {"spectator": False, "link": link, "code": "/static/icon.svg"})
    reload()
    click("#projector")
    for width, height in ((1920, 1080), (1440, 900), (1280, 720)):
        tab.page.set_viewport_size({"width": width, "height": height})
        tab.page.wait_for_function("height => innerHeight === height", arg=height)
        lacks(":is(header, #panel, #actions, #ribbon)")
        lists(".name", "The server's bot", "perfect")
        shares = tab.page.evaluate(SHARES, PROJECTED)
        assert len(shares) >= 8
        assert not [(text, share) for text, share in shares if not 0.0495 <= share <= 0.0805]
        shown = f"#board, #projector-code, #projector-link, {PROJECTED}"
        boxes = [one.bounding_box() for one in tab.page.locator(shown).all()]
        assert all(box and box["y"] >= 0 and box["y"] + box["height"] <= height for box in boxes), "nothing is cut"
    press("Escape")
    sees("#panel >> visible=true")
    press("f")
    click("#projector-end")
    sees("#panel >> visible=true")
    live.close()


@PHONE
def test_a_spectator_follows_a_run_and_sees_nothing_else(tmp_path):
    command = f"web --no-browser --port 0 --host 127.0.0.1 --logs {tmp_path}"
    journal = open_run(tmp_path, goal=1)
    journal.game_end(1, 1.0, moves=OVER)
    with running_bot(*command.split(), stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        own, link = (process.stdout.readline().split(" at ")[1].split()[0] for _ in range(2))
        tab.url = link.partition("/?")[0]
        tab.page.goto(tab.url)
        sees("p", "Ask for the link that is valid now.")
        tab.faults.clear()
        tab.page.goto(link)
        says("Game 1\u00a0\u00b7\u00a0perfect wins with four in a row.")
        assert "room=" not in tab.page.url, "the token is in a cookie, not in the address that others see"
        journal.take(Counted(0.0, Stats(1, 1, 0, 1)))
        lists(".run-verdict.good", "Goal reached: 1 without a loss")
        journal.play(2, "44")
        discs(2)
        for view in ("play", "replay", "scores", "puzzles"):
            visit(f"view={view}&moves=444444")
            sees("body[data-view=games]")
        press(*"123 uraAcnhmMs", "ArrowLeft", "Home", "End", "Escape")
        sees("body[data-view=games]")
        lacks(f":is({OWNERS_ONLY}, #places button)")
        lacks("#panel :text-matches('solver|score', 'i')")
        assert not serious_faults() + tab.faults, "nothing was asked for that is refused"
        journal.path.touch()  # on a slow machine, the run would be called silent by now
        with beside():
            tab.page.goto(f"{own}/#view=games")
            lists("#room-link", link)
            discs(2)
            press("f")
            sees("#projector-code[src^='data:image/svg+xml'] >> visible=true")
            tab.page.close()
        tab.page.goto("about:blank")  # it would complain when the server ends
        process.terminate()
        assert process.wait() == 0, "SIGTERM ends the page in good order"
    journal.close()


def test_a_server_that_is_started_again_is_noticed(tmp_path):
    run_of(tmp_path, 1.0, 1.0)
    with reserved_port() as port:
        with serving(create_app(tmp_path), listen("127.0.0.1", port)) as tab.url:
            visit("view=games")
            counts(2, "#games button")
        sees("#error", "server does not respond")
        run_of(tmp_path, 1.0)
        with serving(create_app(tmp_path), listen("127.0.0.1", port)):
            counts(1, "#games button")
            lacks("#error span")
            tab.page.goto("about:blank")
    tab.faults.clear()  # refused connections
