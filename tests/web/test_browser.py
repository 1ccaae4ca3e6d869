"""The page in a real browser: Debian's Chromium, driven by Playwright, against `python -m bot web`."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.game import Board, format_moves, parse_moves
from bot.journal.writer import JournalWriter
from bot.web.players import Choice, Table
from tests.web.test_runs import open_run, play

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
if CHROMIUM is None:
    pytest.skip("no Chromium is installed: `apt-get install chromium` to test the page", allow_module_level=True)
pytest.importorskip("playwright", reason="Playwright is not installed: `pip install -e '.[dev]'` to test the page")

from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright  # noqa: E402

pytestmark = pytest.mark.slow

FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)
LOCAL = re.compile(r"http://127\.0\.0\.1:|blob:")
PICTURES = Path(__file__).parents[2] / "artefacts"
DRAW = "257771314744647214154617633623313656555222"
OVER = "444443333161557"
LATE = "444443333161"
expect.set_options(timeout=15_000)


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("logs")


@pytest.fixture(scope="module")
def url(logs: Path) -> Iterator[str]:
    command = [sys.executable, "-m", "bot", "web", "--no-browser", "--port", "0", "--logs", str(logs)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    line = process.stdout.readline()
    try:
        yield re.search(r"http://[\d.]+:\d+", line)[0]  # type: ignore[index]
    finally:
        process.terminate()
        assert process.wait(10) == 0, "SIGTERM ends the page in good order"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS.split())
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A new page; an error in its console, or a request beyond this machine, fails the test."""
    options = getattr(request, "param", {})
    context = browser.new_context(**({"viewport": {"width": 1280, "height": 860}} | options))
    page = context.new_page()
    page.set_default_timeout(15_000)
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.on("request", lambda sent: None if LOCAL.match(sent.url) else wrong.append(sent.url))
    yield page
    PICTURES.mkdir(exist_ok=True)
    with contextlib.suppress(Exception):
        page.screenshot(path=PICTURES / f"{re.sub(r'[^a-z0-9]+', '_', request.node.name)}.png")
    context.close()
    assert not wrong, wrong


def start(page: Page, url: str, **hash_parts: object) -> None:
    page.goto("about:blank")
    page.goto(f"{url}/#{'&'.join(f'{name}={value}' for name, value in hash_parts.items())}")
    page.locator("body[data-ready]").wait_for()


def status(page: Page) -> Locator:
    return page.locator("#status-text")


def moves_of(page: Page) -> str:
    found = re.search(r"moves=(\d*)", page.url)
    return found[1] if found else ""


def column(page: Page, number: int) -> Locator:
    return page.locator("#columns button").nth(number - 1)


def test_a_drawn_board_comes_within_two_seconds_warm(browser: Browser, tmp_path: Path) -> None:
    seconds = []
    for _ in range(2):
        begin = time.perf_counter()
        command = [sys.executable, "-m", "bot", "web", "--no-browser", "--port", "0", "--logs", str(tmp_path)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None
            page = browser.new_page()
            page.goto(process.stdout.readline().split(" at ")[1].split()[0])
            page.locator("body[data-drawn]").wait_for()
            seconds.append(time.perf_counter() - begin)
            page.close()
        finally:
            process.terminate()
            process.wait(10)
    print(f"from the command to a drawn board: {min(seconds):.2f} s")
    assert min(seconds) < 4, "2 s on an idle machine; twice that where others compute too"


def test_a_whole_game_is_clicked_and_keyed_and_survives_a_reload(page: Page, url: str) -> None:
    table, board, wanted = Table(), Board(), []
    reply = table.choose(board.play(0), Choice("random")).column
    mine = next(column for column in (0, 1) if column != reply)  # the opponent always takes the same column
    start(page, url, agent="random", fixed=1)
    for number in range(4):
        expect(status(page)).to_contain_text("Your move")
        if number % 2:
            page.keyboard.press(str(mine + 1))
        elif number:
            column(page, mine + 1).click()
        else:
            page.locator(f"#board [data-column='{mine}']").click()
        board = board.play(mine)
        wanted.append(mine)
        if number < 3:
            wanted.append(table.choose(board, Choice("random")).column)
            board = board.play(wanted[-1])
            expect(page).to_have_url(re.compile(f"moves={format_moves(wanted)}&"))
    expect(status(page)).to_have_text("You win with four in a row.")
    expect(page.locator("#live")).to_contain_text("You win")
    expect(page.locator("#board .four")).to_have_count(4)
    cells = {page.locator("#board .four").nth(index).get_attribute("data-cell") for index in range(4)}
    assert cells == {f"{mine},{row}" for row in range(4)}
    for number in range(1, 8):
        expect(column(page, number)).to_be_disabled()
    page.keyboard.press("5")
    page.reload()
    expect(status(page)).to_have_text("You win with four in a row.")
    assert moves_of(page) == format_moves(wanted)
    expect(page.locator("#board .disc")).to_have_count(7)


def test_undo_takes_back_a_move_with_its_answer_and_redo_brings_both_back(page: Page, url: str) -> None:
    start(page, url, agent="random")
    for number in (1, 2):
        column(page, 4).click()
        expect(page.locator("#board .disc")).to_have_count(2 * number)
    before = moves_of(page)
    page.keyboard.press("u")
    expect(page.locator("#board .disc")).to_have_count(2)
    expect(page).to_have_url(re.compile(f"moves={before}&at=2&"))
    page.reload()
    expect(page.locator("#board .disc")).to_have_count(2)
    page.keyboard.press("r")
    expect(page.locator("#board .disc")).to_have_count(4)
    page.locator("#undo").click()
    page.locator("#undo").click()
    expect(page.locator("#board .disc")).to_have_count(0)
    expect(page.locator("#undo")).to_be_disabled()
    page.locator("#redo").click()
    expect(page.locator("#board .disc")).to_have_count(2)
    column(page, 1).click()
    expect(page.locator("#board .disc")).to_have_count(4)
    assert moves_of(page)[:2] == before[:2] and moves_of(page)[2] == "1"
    page.keyboard.press("n")
    expect(page.locator("#board .disc")).to_have_count(0)


def test_the_page_lives_while_the_computer_thinks_and_a_new_game_cancels(page: Page, url: str) -> None:
    start(page, url, agent="mtdf", time=60)
    for _ in range(8):  # more searches than the server carries at once: those cancelled must really end
        column(page, 4).click()
        expect(status(page)).to_have_text("mtdf is thinking…")
        for key in "123":
            page.keyboard.press(key)
        page.locator("#board [data-column='2']").click()
        page.locator("#theme").click()
        expect(page.locator("#board .disc")).to_have_count(1)
        page.locator("#new").click()
        expect(status(page)).to_contain_text("Your move")
        expect(page.locator("#board .disc")).to_have_count(0)
        page.wait_for_timeout(120)
    page.locator("[data-field=agent]").select_option("random")
    page.keyboard.press("4")
    expect(page.locator("#board .disc")).to_have_count(2)
    expect(page.locator("#error")).to_be_hidden()


def test_the_computer_starts_when_told_and_moves_for_either_side(page: Page, url: str) -> None:
    start(page, url, agent="depth", depth=2)
    page.locator("text=Computer >> visible=true").first.click()
    expect(page.locator("#board .disc.first")).to_have_count(1)
    expect(status(page)).to_have_text("Your move: you are red.")
    page.keyboard.press("c")
    expect(page.locator("#board .disc.second")).to_have_count(1)
    expect(page.locator("#thought")).to_contain_text("Column")
    page.get_by_role("radio", name="Random").check(force=True)
    page.keyboard.press("n")
    expect(status(page)).to_contain_text("Your move")
    starts_second = "you are red" in (status(page).text_content() or "")
    expect(page.locator("#board .disc")).to_have_count(1 if starts_second else 0)


@pytest.mark.parametrize(
    ("moves", "human", "words"),
    [(OVER, 0, "You win"), (OVER, 1, "The computer wins"), (DRAW, 0, "A draw: the board is full")],
)
def test_ends_are_said_in_words(page: Page, url: str, moves: str, human: int, words: str) -> None:
    start(page, url, moves=moves, view="play", human=human)
    expect(status(page)).to_contain_text(words)
    expect(page.locator("#columns button:not(:disabled)")).to_have_count(0)
    page.locator("#undo").click()
    expect(status(page)).not_to_contain_text(words)


def test_a_full_column_takes_no_disc(page: Page, url: str) -> None:
    start(page, url, moves="444444", view="analysis")
    expect(column(page, 4)).to_be_disabled()
    page.keyboard.press("4")
    page.locator("#board [data-column='3']").click()
    expect(page.locator("#board .disc:not(.ghost)")).to_have_count(6)


def test_analysis_shows_every_score_the_best_line_and_the_mistake(page: Page, url: str) -> None:
    start(page, url, moves=LATE, patience=2)
    expect(page.locator(".score")).to_have_count(7)
    expect(page.locator(".score").nth(4)).to_contain_text("+14")
    expect(page.locator(".score").nth(4)).to_contain_text("win in 2")
    expect(page.locator(".score").nth(1)).to_have_class(re.compile("loss"))
    expect(page.locator(".score.best")).to_have_count(2)
    expect(page.locator("#board .ghost")).to_have_count(3)
    expect(page.locator("#verdict")).to_contain_text("sooner loss")
    page.locator("#panel-analysis [data-review]").click()
    expect(page.locator("[data-graph=analysis] [data-mistake='12']")).to_have_count(1)
    expect(page.locator("[data-moves=analysis] .slip button")).to_have_text("1?")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#board .disc:not(.ghost)")).to_have_count(11)
    page.locator("#play-on").click()
    expect(page.locator("#tab-play")).to_have_attribute("aria-selected", "true")
    expect(status(page)).to_contain_text("Your move")


def test_errors_are_one_readable_sentence(page: Page, url: str) -> None:
    start(page, url, agent="kang-h1", options="features=9")
    page.route("**/api/move", lambda route: route.fulfill(status=200, body="no json"))
    page.keyboard.press("4")
    expect(page.locator("#error")).to_contain_text("cannot be read")
    page.unroute("**/api/move")
    page.locator("[data-field=options]").fill("")
    page.keyboard.press("Tab")
    page.locator("#computer").click()
    expect(page.locator("#error")).to_be_hidden()
    expect(page.locator("#board .disc")).to_have_count(2)
    page.locator("[data-field=depth]").fill("99")
    page.keyboard.press("Tab")
    expect(page.locator("#error")).to_contain_text("Depth limit goes from 1 to 42.")


def test_two_agents_play_each_other_stepped_and_running(page: Page, url: str) -> None:
    start(page, url, view="duel", a="random", b="depth", bdepth=2)
    page.locator("#step").click()
    expect(page.locator("#board .disc")).to_have_count(1)
    page.keyboard.press("s")
    expect(page.locator("#board .disc")).to_have_count(2)
    page.locator("#run").click()
    expect(page.locator("#board .disc").nth(4)).to_be_attached()
    page.locator("#run").click()
    page.wait_for_timeout(200)
    count = page.locator("#board .disc").count()
    page.wait_for_timeout(800)
    assert page.locator("#board .disc").count() == count, "a pause is a pause"
    page.locator("#run").click()
    expect(status(page)).to_have_text(re.compile("wins|draw"), timeout=40_000)


def game(journal: JournalWriter, number: int, moves: str, result: float, *, we_started: bool) -> None:
    play(journal, number, moves, we_started=we_started)
    journal.game_end(number, result, moves=moves, we_started=we_started, known_by="reply")


def test_a_run_is_replayed_filtered_linked_and_saved(page: Page, url: str, logs: Path) -> None:
    journal = open_run(logs)
    game(journal, 1, OVER, 1.0, we_started=True)
    game(journal, 2, OVER, -1.0, we_started=False)
    journal.run_end("finished", played=2, won=1, drawn=0, lost=1, error=None)
    journal.close()
    start(page, url, view="replay", run=journal.path.name, patience=1)
    expect(page.locator("#games button")).to_have_count(2)
    expect(status(page)).to_have_text("The bot wins with four in a row.")
    expect(page.locator("[data-graph=replay] svg")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#board .disc")).to_have_count(14)
    page.locator("#slider").fill("3")
    expect(page.locator("#board .disc")).to_have_count(3)
    page.locator("[data-field=filter]").select_option("lost")
    expect(page.locator("#games button")).to_have_count(1)
    page.locator("[data-field=filter]").evaluate("element => element.blur()")
    expect(status(page)).to_have_text("The opponent wins with four in a row.")
    page.locator("#panel-replay [data-review]").click()
    expect(page.locator("[data-mistake='12']")).to_have_count(1)
    with page.expect_download() as download:
        page.locator("#save-text").click()
    assert f"Moves: {OVER}\nX wins." in Path(download.value.path()).read_text()
    with page.expect_download() as download:
        page.locator("#save-svg").click()
    drawing = Path(download.value.path()).read_text()
    assert drawing.startswith("<svg") and drawing.count("<circle") > 15 and "class" not in drawing
    page.reload()
    expect(page.locator("#games button")).to_have_count(1)
    page.goto(f"{url}/#moves=4455")
    expect(page.locator("#tab-analysis")).to_have_attribute("aria-selected", "true")
    expect(page.locator("#board .disc:not(.ghost)")).to_have_count(4)


def test_a_running_play_is_watched_live(page: Page, url: str, logs: Path) -> None:
    start(page, url, view="watch")
    process = subprocess.Popen(
        [sys.executable, "-m", "bot", "play", "--games", "2", "--goal", "2", "--think", "0.05", "--seed", "1",
         "--opponent", "depth1", "--logs", str(logs)],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        env={key: value for key, value in os.environ.items() if not key.startswith("BOT_")},
    )  # fmt: skip
    try:
        expect(page.locator("#watch-run")).to_contain_text("running now", timeout=40_000)
        expect(page.locator("#board .disc").nth(3)).to_be_attached()
        expect(page.locator("[data-graph=watch] svg .bar").first).to_be_attached()
        expect(page.locator("#watch-tally")).to_contain_text("Streak 2 of 2: 2 won", timeout=40_000)
        expect(page.locator("#streak i.on")).to_have_count(2)
        expect(status(page)).to_have_text("Game 2: won.")
        expect(page.locator("#watch-games button")).to_have_count(2)
        page.locator("#watch-games button").first.click()
        expect(status(page)).to_have_text("Game 1: won.")
        assert process.wait(20) == 0, process.communicate()
        expect(page.locator("#watch-run")).to_contain_text("finished")
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("page", [{"viewport": {"width": 360, "height": 740}, "has_touch": True}], indirect=True)
def test_everything_fits_a_phone(page: Page, url: str) -> None:
    for view in ("play", "analysis", "watch", "replay", "duel"):
        start(page, url, moves=LATE, view=view, patience=0.5)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, view
        for tab in page.locator("[role=tab]").all():
            box = tab.bounding_box()
            assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 360, tab.text_content()
    start(page, url, moves="", view="play", agent="random")
    column(page, 4).tap()
    expect(page.locator("#board .disc")).to_have_count(2)


VIEWS = (("play", "44"), ("play", OVER), ("analysis", LATE), ("watch", ""), ("replay", ""), ("duel", "44"))


@pytest.mark.parametrize(
    ("page", "views"), [({"color_scheme": "light"}, VIEWS), ({"color_scheme": "dark"}, VIEWS[1:4])],
    indirect=["page"], ids=["light", "dark"],
)  # fmt: skip
def test_axe_finds_nothing_serious(page: Page, url: str, views: tuple[tuple[str, str], ...]) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    for view, moves in views:
        start(page, url, view=view, moves=moves, agent="random", human=0, patience=2)
        if view == "analysis":
            page.locator(".score.best").first.wait_for()
            page.locator("#panel-analysis [data-review]").click()
            page.locator("[data-graph=analysis] svg").wait_for()
        for rule in axe.run(page).response["violations"]:
            where = [node["html"] for node in rule["nodes"]]
            assert rule["impact"] not in ("serious", "critical"), (view, rule["id"], where)


def test_the_keyboard_alone_reaches_everything(page: Page, url: str) -> None:
    start(page, url, agent="random")
    page.keyboard.press("Tab")
    expect(page.locator("#tab-play")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#tab-analysis")).to_be_focused()
    expect(page.locator("#panel-analysis")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(column(page, 1)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#board .disc")).to_have_count(2)
    expect(page.locator("#live")).to_contain_text("You play column 1. The computer plays column")
    words = re.compile("Board after 2 moves; column 1 from below: yellow")
    expect(page.locator("#board")).to_have_attribute("aria-label", words)
    assert parse_moves(moves_of(page))[0] == 0
