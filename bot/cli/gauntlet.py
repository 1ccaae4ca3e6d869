"""`bot gauntlet`: an agent of one's own against rules, clock, fixed opponents and the course's bots."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Exit

from bot.cli.formatting import echo, numbered, print_json
from bot.cli.options import AsJson, Logs, OneAgent, Workers, flag, option
from bot.errors import ExitCode

_PARTS = {"lost": "explaining different lost games", "again": "moves that lost, asked again", "state": "new processes"}
"""Parts of the work whose names would not say what is counted."""
_REPORT_S = 60.0
"""Longest time for the report of what is known after Ctrl-C, seconds; less than one as a rule."""


def gauntlet(
    agent: OneAgent,
    *,
    quick: Annotated[bool, flag("--quick", "End after a minute; the same command goes on where it stopped.")] = False,
    bot: Annotated[
        list[str] | None, option("AGENT", "Bot that has to be passed, in place of the course's; repeat it for more.")
    ] = None,
    workers: Workers = 2,
    logs: Logs = Path("logs"),
    as_json: AsJson = False,
    web: Annotated[bool, flag("--web", "Then show the results on the page.")] = False,
) -> None:
    """Try an agent of your own: will it pass, and what is wrong?

    It is also tried whether the agent keeps to the rules. Passing means 20 games in a row without a loss against the
    course's bots: depth3, where either side starts, and random, where the student does. The answer is yes where the
    95 % interval of its probability lies above one half, no where it lies below; until then games are played, and
    --quick says about how long that takes.

    A version is the content of the agent's file and of the modules beside it that it imports. Each result is kept at
    once, under gauntlet/ in --logs: an interrupted run goes on, and an unchanged version plays nothing again.

    Exit code 0: done; 130: Ctrl-C, which shows what is known so far; the same command goes on.

    \b
    Examples:
      bot gauntlet skeleton.py:student_move --quick  a minute
      bot gauntlet mine.py:Searcher                  until the answer is known
      bot gauntlet mine.py:Searcher --quick --web    the lost games on the page
    """
    from bot.agents.games import check_agents
    from bot.cli.agents import getting_ready
    from bot.cli.progress import ProgressLine
    from bot.engine.interrupt import cleanup
    from bot.gauntlet.passing import COURSE_BOTS, course_bot
    from bot.gauntlet.report import lines_of
    from bot.gauntlet.run import QUICK, WHOLE, Gauntlet, place
    from bot.gauntlet.store import RecordStore

    bots = [course_bot(name) for name in bot] if bot else list(COURSE_BOTS)
    for name in (agent, *(each.name for each in bots)):
        with getting_ready(name):
            check_agents((name,))
    plan = QUICK if quick else WHOLE
    with RecordStore(*place(logs, agent)) as store, ProgressLine("Starting") as line, cleanup(_REPORT_S):

        def on_progress(part: str, missing: int) -> None:
            if missing:
                line.update(0, missing, _PARTS.get(part, part))
            else:
                line.advance()

        report = Gauntlet(agent, store, plan, workers, on_progress).run(bots)
    if as_json:
        print_json(numbered(report))
    else:
        for text in lines_of(report):
            echo(text)
    if report["is_stopped"]:
        raise Exit(ExitCode.INTERRUPTED)
    if web:
        from bot.cli.web import web as show

        show(agent=[agent], logs=logs)
