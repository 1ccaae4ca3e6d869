"""Pictures of every state of every place, for people to look at: ``python -m tests.web.pictures FOLDER [PART]``.

PART: only pictures whose name contains it.

Each is made at two sizes, by light and by dark; the main state of each place at four further sizes.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, expect, sync_playwright

from bot.game import parse_moves
from bot.web.runs import bug_sentence
from bot.web.standalone import SavedGame, web_page
from tests.processes import running_bot
from tests.web.browser import (
    CHROMIUM,
    LOST,
    OVER,
    SEEN,
    answer,
    click,
    discs,
    drop,
    game,
    opponent,
    press,
    respond,
    run_of,
    sees,
    tab,
    until,
    visit,
)
from tests.web.conftest import FLAGS, PATIENCE_MS
from tests.web.test_page_agent import NAME, results
from tests.web.test_page_puzzles import PUZZLES, SHOWN
from tests.web.test_runs import open_run, play

A_LOSS = f"view=play&moves={SEEN}&yellow=you&red=level:2"
SIZES = [(390, 844), (1440, 900)]
MORE_SIZES = [(844, 390), (768, 1024), (1024, 1366), (2560, 1440)]
SETTLE_MS = 600
"""Time for what is drawn after the last request, milliseconds."""


def steps(*acts: Callable[[], object]) -> Callable[[], object]:
    """Return an action that does these one after the other."""
    return lambda: [act() for act in acts]


def pause() -> None:
    """Wait for three moves of a line."""
    tab.page.wait_for_timeout(3200)


def held(path: str) -> Callable[[], object]:
    """Return a preparation after which requests to a path wait without an answer."""
    return partial(respond, path, lambda _route: None)


def failing(path: str) -> Callable[[], object]:
    """Return a preparation after which requests to a path meet a bug."""
    return partial(answer, path, status=500, json={"error": bug_sentence("Something went wrong", ValueError())})


def nothing() -> None:
    """Need no preparation."""


def play_to_the_end() -> None:
    opponent("222")
    for column in (1, 1, 1):
        drop(column)
        until(lambda: tab.page.locator("#columns button:enabled").count() > 0)
    drop(1)
    sees("#rematch")


def moments() -> None:
    click("#moments")
    sees("#guide-head")


def turn_around() -> None:
    moments()
    click("#guide-show", "#guide-turn")


def win() -> None:
    opponent("1" * 19 + "4")
    turn_around()
    drop(5)
    until(lambda: tab.page.locator("#columns button:enabled").count() > 0)
    drop(4)
    sees("#rematch")


def tested(versions: int, losses: int) -> Callable[[], object]:
    """Return a preparation after which the gauntlet has found this many versions and lost games of one's own agent."""
    return lambda: answer("agent", json=results(versions, losses))


def solve() -> None:
    click("#puzzle-answer")
    pause()


def practice() -> None:
    sees("#puzzle-question")
    click("label:has-text('Practice')")
    sees("#puzzles-more:enabled")


def begin_with_three_moves() -> None:
    """Put a known puzzle, which asks for three moves, in place of the day's first one."""
    first = PUZZLES["three moves"]
    respond("puzzles/daily*", lambda route: route.fulfill(json=[first, *route.fetch().json()[1:]]))


def solve_at_once() -> None:
    """Solve that puzzle without a mistake."""
    for number, column in enumerate((7, 7, 6)):
        discs(SHOWN + 2 * number)
        drop(column)
    sees("#puzzle-said", "Right. Column 7 wins")


def solve_all() -> None:
    for _ in range(4):
        click("#puzzle-answer", "#leave-line", "#puzzle-next")
    click("#puzzle-answer", "#leave-line")
    sees("#puzzle-result")


@cache
def saved_page() -> Any:
    """Return the web page of a lost game, as `bot export page` and the page make it, as a file while this runs."""
    game = SavedGame(parse_moves(SEEN), ("You", "Level 2"))
    file = tempfile.NamedTemporaryFile("w", suffix=".html", encoding="utf-8")  # noqa: SIM115
    file.write(web_page(game, position_s=1))
    file.flush()
    return file


def saved(*presses: str) -> Callable[[], object]:
    """Return an action that opens that page from the disk and presses these."""

    def act() -> None:
        tab.page.goto(Path(saved_page().name).as_uri())
        sees("body[data-ready]")
        click(*presses)

    return act


def two_agents() -> None:
    for colour in ("Yellow", "Red"):
        tab.page.get_by_role("group", name=colour).get_by_text("Agent", exact=True).click()


STATES: dict[str, tuple[Callable[[], object], str, Callable[[], object]]] = {
    # name: what is prepared, the address, what is done
    "play-loading": (held("levels"), "", nothing),
    "play-empty": (nothing, "view=play", nothing),
    "play-agents": (nothing, "view=play", two_agents),
    "play-ready": (lambda: opponent("4355"), "view=play", steps(partial(drop, 4), partial(drop, 4), partial(drop, 3))),
    "play-thinking": (held("move"), "view=play", lambda: drop(4)),
    "play-error": (failing("move"), "view=play", lambda: drop(4)),
    "play-over": (nothing, "view=play", play_to_the_end),
    "moments-asked": (nothing, A_LOSS, moments),
    "moments-tried": (nothing, A_LOSS, steps(moments, partial(press, "2"), pause)),
    "moments-found": (nothing, A_LOSS, steps(moments, partial(press, "7"), pause)),
    "moments-told": (nothing, A_LOSS, steps(moments, partial(click, "#guide-show"))),
    "moments-line": (nothing, A_LOSS, steps(moments, partial(click, "#guide-show", "#panel .reason button"), pause)),
    "moments-over": (nothing, A_LOSS, steps(moments, partial(click, "#guide-show", "#guide-next", "#guide-skip"))),
    "moments-all": (
        nothing,
        A_LOSS,
        steps(moments, partial(click, "#guide-skip", "#guide-skip", "#guide-all", "#guide-show")),
    ),
    "turned-begun": (nothing, A_LOSS, turn_around),
    "turned-won": (nothing, A_LOSS, win),
    "puzzles-loading": (held("puzzles/**"), "view=puzzles", nothing),
    "puzzles-ready": (nothing, "view=puzzles", lambda: sees("#puzzle-question")),
    "puzzles-practice": (nothing, "view=puzzles", practice),
    "puzzles-practice-solved": (nothing, "view=puzzles", steps(practice, solve)),
    "puzzles-over": (nothing, "view=puzzles", solve),
    "puzzles-solved": (begin_with_three_moves, "view=puzzles", solve_at_once),
    "puzzles-result": (nothing, "view=puzzles", solve_all),
    "puzzles-error": (failing("puzzles/**"), "view=puzzles", nothing),
    "scores-loading": (held("analysis"), "moves=4444", nothing),
    "scores-empty": (nothing, "view=scores", nothing),
    "scores-ready": (nothing, f"moves={LOST[:21]}", nothing),
    "scores-line": (nothing, f"moves={LOST[:21]}", steps(partial(click, "#show-line"), pause)),
    "scores-over": (nothing, f"moves={OVER}", nothing),
    "scores-error": (failing("analysis"), "moves=4444", nothing),
    "book-loading": (held("explore"), "view=book&moves=44", nothing),
    "book-ready": (nothing, "view=book&moves=44", nothing),
    "book-over": (nothing, f"view=book&moves={OVER}", nothing),
    "book-error": (failing("explore"), "view=book&moves=44", nothing),
    "proof-empty": (nothing, "view=proof", nothing),
    "proof-ready": (nothing, "view=proof&moves=4444", nothing),
    "proof-order": (nothing, "view=proof&moves=41", steps(partial(press, "c"), partial(drop, 2), pause)),
    "proof-error": (failing("proof"), "view=proof&moves=44", nothing),
    "games-loading": (held("live"), "view=games", nothing),
    "games-live": (nothing, "view=games", nothing),
    "games-journals": (nothing, "view=games", partial(click, "#list-journals", "[data-run]")),
    "games-yours": (play_to_the_end, "view=games&run=own", nothing),
    "games-error": (failing("runs**"), "view=games", nothing),
    "projector": (nothing, "view=games", lambda: press("f")),
    "agent-loading": (held("agent"), "view=agent", nothing),
    "agent-empty": (nothing, "view=agent", nothing),
    "agent-ready": (tested(8, 60), "view=agent", nothing),
    "agent-loss": (tested(8, 60), "view=agent", partial(click, "#losses li:nth-child(2) button")),
    "agent-line": (
        tested(8, 60),
        "view=agent",
        steps(partial(click, "#losses li:nth-child(2) button", "#loss-why"), pause),
    ),
    "agent-error": (failing("agent"), "view=agent", nothing),
    "menu": (nothing, "view=play", lambda: click("#more > summary")),
    "saved-open": (nothing, "view=play", saved()),
    "saved-asked": (nothing, "view=play", saved("#moments")),
    "saved-told": (nothing, "view=play", saved("#moments", "#guide-show")),
    "saved-over": (nothing, "view=play", saved("#moments", *["#guide-skip"] * 2)),
    "sharing": (nothing, A_LOSS, partial(click, "#more > summary", "#share-game")),
}
MAIN = (
    "play-over",
    "play-empty",
    "puzzles-ready",
    "scores-ready",
    "book-ready",
    "proof-ready",
    "games-live",
    "agent-loss",
    "projector",
)
SPECTATORS = ("games-live", "projector")


def write_runs(logs: Path) -> None:
    """Write journals: an earlier run, one that met its goal, and one that is going on."""
    run_of(logs, 1.0, 1.0, -1.0, 0.5)
    run_of(logs, *[1.0] * 20)
    journal = open_run(logs)
    for number in range(1, 8):
        game(journal, number, OVER, 1.0, we_started=True)
    play(journal, 8, LOST[:12], we_started=True)


def shots(name: str) -> Iterator[tuple[int, int, str, bool]]:
    """Yield width, height, theme, and whether a spectator sees it, of each picture of a state."""
    for is_spectator in (False, True) if name in SPECTATORS else (False,):
        for width, height in SIZES:
            yield width, height, "light", is_spectator
            yield width, height, "dark", is_spectator
        for width, height in MORE_SIZES if name in MAIN else []:
            yield width, height, "light", is_spectator


def picture(browser: Browser, name: str, shot: tuple[int, int, str, bool], owner: str, spectator: str) -> bytes:
    """Return the picture of a state, as PNG."""
    width, height, theme, is_spectator = shot
    prepare, address, act = STATES[name]
    options: Any = {"viewport": {"width": width, "height": height}, "color_scheme": theme, "reduced_motion": "reduce"}
    context = browser.new_context(**options)
    tab.page, tab.url, tab.faults = context.new_page(), owner, []
    if is_spectator:
        tab.page.goto(spectator)
        tab.url = spectator.partition("/?")[0]
    if prepare is play_to_the_end:
        visit(view="play")
    prepare()
    tab.page.goto("about:blank")
    tab.page.goto(f"{tab.url}/#{address}")
    sees("body[data-drawn]" if name.endswith("loading") else "body[data-ready]")
    tab.page.wait_for_timeout(SETTLE_MS)
    act()
    tab.page.wait_for_timeout(SETTLE_MS)
    content = tab.page.screenshot()
    context.close()
    return content


def main() -> None:
    folder, wanted = Path(sys.argv[1]), "".join(sys.argv[2:])
    folder.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=PATIENCE_MS)
    with tempfile.TemporaryDirectory() as logs, sync_playwright() as playwright:
        write_runs(Path(logs))
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS.split())
        for more, names in (
            ("", [name for name in STATES if not is_of_agent(name)]),
            (f" --agent {NAME}", list(filter(is_of_agent, STATES))),
        ):
            command = f"web --no-browser --port 0 --host 127.0.0.1 --logs {logs}{more}"
            with running_bot(*command.split(), stdout=subprocess.PIPE) as process:
                assert process.stdout is not None
                owner, spectator = (process.stdout.readline().split(" at ")[1].split()[0] for _ in range(2))
                for name in names:
                    for shot in shots(name):
                        width, height, theme, is_spectator = shot
                        label = f"{name}{'-spectator' * is_spectator}-{width}x{height}-{theme}"
                        if wanted in label:
                            touch(Path(logs))
                            (folder / f"{label}.png").write_bytes(picture(browser, name, shot, owner, spectator))
                process.terminate()


def is_of_agent(name: str) -> bool:
    """Whether a state needs a page that was started with an agent: it has a fifth place."""
    return name.startswith("agent-")


def touch(logs: Path) -> None:
    """Let the newest run go on."""
    max(logs.glob("*.jsonl")).touch()


if __name__ == "__main__":
    main()
