"""What the tests in a real browser share: which Chromium, and a visit to the page. Skips where there is none.

The functions act on one tab, as a person does. What is looked for is waited for, as long as `PATIENCE_S` says.
"""

from __future__ import annotations

import base64
import json
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.web.test_runs import open_run

PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""Chromium's names. The headless shell has the same engine without the windows, and takes a third of the time."""
CHROMIUM = next(filter(None, map(shutil.which, PROGRAMS)), None)
if CHROMIUM is None:
    reason = "no Chromium is installed: `apt-get install chromium-headless-shell` to test the page"
    pytest.skip(reason, allow_module_level=True)
pytest.importorskip("playwright", reason="Playwright is not installed: `pip install -e '.[dev]'` to test the page")

from playwright.sync_api import CDPSession, Error, Page, Request, expect  # noqa: E402

DRAW = "257771314744647214154617633623313656555222"
LAST_FOUR = "557353756357262164721166463253473447421112"
"""Red's four comes with the 42nd disc."""
OVER = "444443333161557"
"""Yellow wins; move 12 is a slower loss."""
LATE = OVER[:-3]
LOST = "4453473433225224343262755"
"""A game that red loses, with mistakes of red in moves 6, 22 and 24; yellow's first one is move 3."""
SEEN = "117115772464226532564447"
"""Yellow leaves a four open in move 21, when the game is lost already; move 19 could still hold it."""
SEGMENTS = ("scores", "proof")
"""The views that are segments of Study; each other view has a place of its own."""
PHONE = pytest.mark.parametrize(
    "tab", [{"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}], indirect=True, ids=["phone"]
)
MOVING = pytest.mark.parametrize("tab", [{"reduced_motion": "no-preference"}], indirect=True, ids=["moving"])
IN_VIEW = """(parts) => {
  const end = document.getElementById("places")?.getBoundingClientRect().y ?? innerHeight;
  const boxes = parts.map((part) => document.querySelector(part)?.getBoundingClientRect());
  return boxes.every((box) => box && box.height > 0 && box.top >= 0 && box.bottom <= end);
}"""

STOPPED = """{
  let now = Date.now(), last = 0;
  const begun = now, timers = new Map(), next = new MessageChannel();
  const set = (isRepeated) => (act, delay_ms = 0, ...given) => {
    timers.set(++last, { at: now + Math.max(1, delay_ms), number: last, every_ms: isRepeated && delay_ms, act, given });
    return last;
  };
  window.Date = class extends Date {
    constructor(...given) { super(...given.length ? given : [now]); }
    static now() { return now; }
  };
  performance.now = () => now - begun;
  window.setTimeout = set(false);
  window.setInterval = set(true);
  window.clearTimeout = window.clearInterval = (number) => timers.delete(number);
  window.runClock = async (time_ms) => {
    const end = now + time_ms, first = (one, other) => one.at - other.at || one.number - other.number;
    for (;;) {
      const [timer] = [...timers.values()].filter(({ at }) => at <= end).sort(first);
      if (!timer) break;
      now = timer.at;
      if (timer.every_ms) timer.at += timer.every_ms; else timers.delete(timer.number);
      timer.act(...timer.given);
      await new Promise((resolve) => { next.port1.onmessage = resolve; next.port2.postMessage(0); });
    }
    now = end;
  };
}"""
"""Stops the clock in the page, whose scripts see no other; Playwright's clock would stop it in the whole context, which
no other test could use then."""

SERIOUS = """async (rules) => {
  const options = { resultTypes: ["violations"], ...rules.length ? { runOnly: rules } : {} };
  const { violations } = await axe.run(options), isSerious = ({ impact }) => /serious|critical/.test(impact);
  return violations.filter(isSerious).map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`);
}"""


class Tab:
    """The tab of the browser that the functions below act on; the fixture `tab` opens it."""

    page: Page
    devtools: CDPSession
    replies: list[tuple[str, Callable[[Asked], object], list[Asked]]]
    """Pattern of addresses, what answers them in the server's place, and the requests that came; the newest first."""
    url: str
    """Address of the server."""
    faults: list[str]
    """Errors in the console and requests beyond this machine; a test that provokes some clears the list."""
    has_own_clock: bool
    """Whether the browser context keeps a time that a test has set, so that no other test can have it."""
    looks: set[Request]
    """Requests about runs that are not answered yet, since the clock was stopped."""


tab = Tab()


@contextmanager
def beside() -> Iterator[None]:
    """Act in a second tab of the same browser meanwhile."""
    first, tab.page = tab.page, tab.page.context.new_page()
    yield
    tab.page = first


def visit(address: str = "") -> None:
    """Open the page anew at this part of its address, and wait until it can be used."""
    tab.page.goto("about:blank")
    tab.page.goto(f"{tab.url}/#{address}")
    sees("body[data-ready]")


def prefer(**settings: object) -> None:
    """Open the page from now on with these settings, where the browser keeps no other ones yet."""
    merged = f"{{ ...{json.dumps(settings)}, ...JSON.parse(localStorage.settings) }}"
    tab.page.add_init_script(f"if (location.protocol === 'http:') localStorage.settings = JSON.stringify({merged})")


def keep(name: str, value: object) -> None:
    """Let the browser have kept this under a name before the page is opened."""
    text = json.dumps(json.dumps(value))
    tab.page.add_init_script(f"if (location.protocol === 'http:') localStorage['{name}'] ??= {text}")


def reload() -> None:
    """Load the page again, and wait until it can be used and, where its clock is stopped, has looked at the runs."""
    tab.page.reload()
    sees("body[data-ready]")
    settle()


def go_to(view: str) -> None:
    """Open a view, as its place or as a segment of its place."""
    click(f"#place-{'study' if view in SEGMENTS else view}")
    if view in SEGMENTS:
        click(f"#segment-{view}")
    sees(f"body[data-view={view}]")


def click(*parts: str) -> None:
    for part in parts:
        tab.page.locator(part).first.click()


def drop(column: int) -> None:
    click(f"#columns [data-column='{column - 1}']")


def press(*keys: str) -> None:
    for key in keys:
        tab.page.keyboard.press(key)


def fill(part: str, text: str) -> None:
    tab.page.fill(part, text)


def choose(label: str, option: str) -> None:
    """Choose an option of the first field with this label."""
    tab.page.get_by_role("combobox", name=label, exact=True).first.select_option(option)


def seat(colour: str, kind: str) -> None:
    """Set who plays a colour in the next game: "You", "Level" or "Program"."""
    tab.page.get_by_role("group", name=colour).get_by_text(kind, exact=True).click()


def open_menu(part: str) -> None:
    """Press a part of the menu."""
    click("#more", part)


def sees(part: str, text: str | re.Pattern[str] = "") -> None:
    """Wait until there is such a part, and the first one contains the text."""
    expect(tab.page.locator(part).first).to_contain_text(text)


def lists(parts: str, *texts: str | re.Pattern[str]) -> None:
    """Wait until there are exactly these parts, with exactly these texts."""
    expect(tab.page.locator(parts)).to_have_text(texts)


def lacks(parts: str) -> None:
    """Wait until none of these parts can be seen."""
    counts(0, f"{parts} >> visible=true")


def counts(count: int, parts: str) -> None:
    expect(tab.page.locator(parts)).to_have_count(count)


def discs(count: int) -> None:
    counts(count, "#board .disc:not(.ghost)")


def says(text: str) -> None:
    """Wait for this text in the panel's headline."""
    sees("#status-text", text)


def plays(moves: str) -> None:
    """Wait until these moves, a pattern, are in the address, which is written a moment after the board is drawn."""
    expect(tab.page).to_have_url(re.compile(f"[#&]moves={moves}(&|$)"))


def until(has_come: Callable[[], bool]) -> None:
    """Wait for something that the page does not show, such as a request."""
    while not has_come():
        tab.page.wait_for_timeout(20)  # lets the browser's events in


def kept(name: str) -> Any:
    """Return what the browser keeps under a name."""
    return json.loads(tab.page.evaluate("name => localStorage[name] ?? 'null'", name))


def are_in_view(*parts: str) -> None:
    """Wait until these parts are in the window, above the places at a phone's lower edge."""
    tab.page.wait_for_function(IN_VIEW, arg=parts)


def stop_clock() -> None:
    """Stop the clock of the page that is opened next: only `run_clock` moves it on."""
    looks = tab.looks = set()

    def begin(asked: Request) -> None:
        if re.search("/api/(live|runs)", asked.url):
            looks.add(asked)

    def end(asked: Request) -> None:
        looks.discard(asked)

    tab.page.on("request", begin)
    tab.page.on("requestfinished", end)
    tab.page.on("requestfailed", end)
    tab.page.add_init_script(STOPPED)


def visit_stopped(address: str) -> None:
    """Open the page with its clock stopped, and wait until it has looked at the runs."""
    stop_clock()
    visit(address)
    settle()


def run_clock(time_ms: int) -> None:
    """Let time pass in the page, and wait until it has looked at the runs: its next look waits for the clock again."""
    tab.page.evaluate("time_ms => runClock(time_ms)", time_ms)
    settle()


def settle() -> None:
    """Wait until all looks at the runs have been answered for a moment, since one answer can lead to another look."""
    quiet = 0
    while quiet < 3:
        tab.page.wait_for_timeout(10)
        quiet = 0 if tab.looks else quiet + 1


class Asked(NamedTuple):
    """A request that the browser holds until it is answered.

    Playwright's routes do the same for all requests, and switch the browser's cache off for it.
    """

    number: str
    request: dict[str, Any]

    def body(self) -> Any:
        """Return what the page sent."""
        return json.loads(self.request["postData"])

    def fetch(self) -> Any:
        """Return what the server replies to what the page sent."""
        return tab.page.request.post(self.request["url"], data=self.body(), timeout=0).json()

    def end(self, way: str, **details: object) -> None:
        with suppress(Error):  # the page has given it up
            tab.devtools.send(f"Fetch.{way}", {"requestId": self.number, **details})

    def reply(self, body: object, status: int = 200) -> None:
        coded = base64.b64encode(json.dumps(body).encode()).decode()
        self.end("fulfillRequest", responseCode=status, body=coded)

    def pass_on(self) -> None:
        """Let the server answer."""
        self.end("continueRequest")

    def refuse(self) -> None:
        self.end("failRequest", errorReason="ConnectionRefused")


def hand_over(paused: dict[str, Any]) -> None:
    """Let the newest reply to a request's path answer it."""
    asked = Asked(paused["requestId"], paused["request"])
    for pattern, reply, came in tab.replies:
        if fnmatch(asked.request["url"], pattern):
            came.append(asked)
            reply(asked)
            break


def respond(path: str, reply: Callable[[Asked], object]) -> list[Asked]:
    """Let ``reply`` answer requests to a path from now on; return the list of the requests that come."""
    came: list[Asked] = []
    tab.replies.insert(0, (f"*/api/{path}", reply, came))
    tab.devtools.send("Fetch.enable", {"patterns": [{"urlPattern": pattern} for pattern, *_ in tab.replies]})
    return came


def answer(path: str, body: object, status: int = 200) -> list[Asked]:
    """Answer requests to a path so; see `respond`."""
    return respond(path, lambda asked: asked.reply(body, status))


def alter(path: str, **fields: Any) -> list[Asked]:
    """Put these fields into the server's replies to a path; see `respond`."""
    return respond(path, lambda asked: asked.reply(asked.fetch() | fields))


def play_out(moves: str) -> None:
    """Play a game to its end as yellow, against an opponent who replies with its moves."""
    opponent(moves)
    visit("view=play")
    for count in range(0, len(moves), 2):
        discs(count)
        press(moves[count])


def hold(path: str) -> Callable[[], Asked]:
    """Hold the requests to a path; return a function that waits for the next one and hands it over."""
    held = respond(path, lambda _asked: None)

    def take() -> Asked:
        until(lambda: bool(held))
        return held.pop(0)

    return take


def opponent(columns: str) -> list[Asked]:
    """Let the computer reply with these columns, by the number of moves on the board, and then with column 7."""
    replies = columns + "7" * 42

    def reply(asked: Asked) -> None:
        move_to(asked, int(replies[len(asked.body()["moves"])]))

    return respond("move", reply)


def move_to(asked: Asked, column: int) -> None:
    """Answer a request for the computer's move."""
    asked.reply({"column": column - 1})


def serious_faults(*rules: str) -> list[str]:
    """Return what axe finds serious in the page, by all its rules or these."""
    axe = pytest.importorskip("axe_playwright_python.base")
    if not tab.page.evaluate("'axe' in window"):
        tab.page.evaluate(axe.AXE_SCRIPT)
    return list(tab.page.evaluate(SERIOUS, rules))


def run_of(logs: Path, *results: float, moves: str = OVER, end: str = "finished", goal: int = 20) -> str:
    """Write a run of games with these results, in which the bot starts when it wins; return its name."""
    journal = open_run(logs, goal=goal)
    for number, result in enumerate(results, start=1):
        journal.game_end(number, result, moves=moves, we_started=result > 0)
    journal.run_end(end)
    journal.close()
    return journal.path.name
