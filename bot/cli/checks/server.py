"""Checks of the settings and of the course server. Only statistics are requested, never a move."""

from __future__ import annotations

import time
from collections.abc import Iterator

from bot.cli.checks.check_result import CheckResult, ok, warning
from bot.cli.formatting import duration
from bot.config import COURSE_KEY, Settings
from bot.course.client.http import CourseClient, Timeouts

PATIENCE_S = 6.0
"""Time limit of a request, seconds."""
SLOW_S = 1.0
"""Reply time above which a warning is given, seconds."""


def check_settings(settings: Settings) -> Iterator[CheckResult]:
    """Report server, ids and whether the key is the course's or another one; never the key itself."""
    key = "the course's" if settings.api_key.get_secret_value() == COURSE_KEY else "your own"
    who = f"{'+'.join(settings.player)} at {settings.server}"
    if settings.is_embedded:
        who = "no STIL id: `bot play` plays the embedded server"
    yield ok("settings", f"{who}; key: {key}")


def check_server(settings: Settings) -> Iterator[CheckResult]:
    """Request the statistics, POST /stats, which changes nothing, with the client that `play` uses.

    Raises that client's error where there is no usable reply: it names the cause and the next step as `play` does.
    """
    timeouts = Timeouts(total_s=PATIENCE_S, statistics_s=0.5)
    start_s = time.monotonic()
    counts = CourseClient(settings.server, settings.player, settings.api_key, timeouts=timeouts).read_statistics()
    took_s = time.monotonic() - start_s
    answers = f"{settings.server} answers in {duration(took_s)}"
    if counts is None:
        text = f"{answers}, but it has no /stats (HTTP 404): it keeps no statistics, or it is not a course server."
        yield warning("server", text, "Check --server. If it is right, `streak` counts the journals instead.")
        return
    text = f"{answers}: {counts.played} played, {counts.won} won, {counts.lost} lost, streak {counts.streak}"
    if took_s > SLOW_S:
        yield warning("server", text, "Play from a faster network: every move loses the time of the round trip.")
    else:
        yield ok("server", text)
