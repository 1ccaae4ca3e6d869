"""Pictures of every state of the page, for people to look at: ``python -m tests.web.pictures FOLDER [PART]``.

PART: only states whose name contains it. Each is taken at every size of `test_page_picture`, by light and by dark.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from bot.course.server.embedded import serving
from bot.web.agents import AgentPool
from bot.web.app import create_app
from tests.web.browser import CHROMIUM, run_of, tab
from tests.web.conftest import FLAGS, PATIENCE_MS
from tests.web.test_page_picture import AGENTS, SIZES, STATES, open_state

SETTLE_MS = 600
"""Time for what is drawn after the last request, milliseconds."""


def main() -> None:
    folder, wanted = Path(sys.argv[1]), "".join(sys.argv[2:])
    folder.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=PATIENCE_MS)
    with (
        tempfile.TemporaryDirectory() as logs,
        serving(create_app(Path(logs), pool=AgentPool(AGENTS))) as tab.url,
        sync_playwright() as playwright,
    ):
        run_of(Path(logs), 1.0, 1.0, -1.0, 0.5)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS.split())
        for name in STATES:
            for theme in ("light", "dark"):
                if wanted in name:
                    context = browser.new_context(color_scheme=theme, reduced_motion="reduce")
                    tab.page = context.new_page()
                    open_state(name)
                    take(folder / f"{name}-{theme}")
                    context.close()


def take(path: Path) -> None:
    """Take a picture of what the tab shows at every size."""
    for width, height in SIZES:
        tab.page.set_viewport_size({"width": width, "height": height})
        tab.page.wait_for_timeout(SETTLE_MS)
        tab.page.screenshot(path=f"{path}-{width}x{height}.png")


if __name__ == "__main__":
    main()
