"""`bot judge`: agents against solved positions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from bot.cli.formatting import echo, print_json, print_table
from bot.cli.options import (
    AsJson,
    Seed,
    Workers,
    argument,
    complete_agent,
    flag,
    option,
)
from bot.cli.progress import loading_engine, progress
from bot.errors import UsageError

if TYPE_CHECKING:
    from bot.lab.judge.accuracy import Accuracy
    from bot.lab.positions import ScoredPosition

SAVED = Path("logs/judge/answers.jsonl")


def judge(
    names: Annotated[list[str] | None, argument("AGENT...", "Agents to judge.", autocompletion=complete_agent)] = None,
    field: Annotated[bool, flag("--field", "Also judge the agents of the leaderboard.")] = False,
    positions: Annotated[Path | None, option("FILE", "Another set of positions, of the same format.")] = None,
    count: Annotated[int | None, option("N", "Only the first N positions; 36 of them cover every ply.", min=1)] = None,
    seed: Seed = 0,
    workers: Workers = 1,
    saved: Annotated[Path, option("FILE", "File to which answers are appended, and from which a run resumes.")] = SAVED,
    worst: Annotated[int, option("N", "Also list the N answers of each agent that give away most.", min=0)] = 0,
    out: Annotated[Path | None, option("FOLDER", "Folder for the leaderboard: judge.md and judge.json.")] = None,
    as_json: AsJson = False,
) -> None:
    """Judge agents by exact values: how often their moves keep the outcome and the score of 2,000 solved positions.

    Decisive are the positions in which at least one column gives the outcome away. Blunders per game: moves that give
    the outcome away, in a game that lasts to the end. Regret: points given away per move (a win 1, a draw 0.5), by
    phase: plies 4 to 11, 12 to 23, 24 to 39. Intervals are 95 % (Wilson). An interrupted run resumes.

    Hard are those in which a search to eight plies does not find the only column that keeps it. --worst lists wins
    that became losses first, then other lost outcomes, then lost points; it shows moves, columns and exact scores.

    --json prints one object: the settings, and for each agent all estimates.

    \b
    Examples:
      bot judge tommy-ab:8 uct:1000                two agents
      bot judge --field --workers 2 --out results  the leaderboard, as judge.md and judge.json
      bot judge mine.py:Mine --worst 10            where to look for its mistakes
    """
    from bot.agents.games import check_agents
    from bot.lab.judge import leaderboard, mistakes
    from bot.lab.judge.accuracy import accuracy
    from bot.lab.judge.run import HEAD, ask_all
    from bot.lab.positions import read_positions
    from bot.lab.store import RecordStore

    agents = list(names or [])
    if field:
        agents += leaderboard.field()
    agents = list(dict.fromkeys(agents))
    if not agents:
        raise UsageError("There is no agent to judge.", "Name some, or judge the leaderboard's with --field.")
    chosen = read_positions(positions)[:count]
    with loading_engine():
        check_agents(agents)
    moves = [position.columns for position in chosen]
    with RecordStore(saved, HEAD) as store, progress("answers", len(agents) * len(moves)) as asked:
        answers = ask_all(agents, moves, store, seed=seed, workers=workers, on_answers=asked.advance)
    results = [accuracy(agent, chosen, answers[agent]) for agent in agents]
    if out is not None:
        judged = "--field" if field else " ".join(agents)
        _write(out, results, chosen, f"bot judge {judged} --seed {seed}")
    listed = {agent: mistakes.worst(chosen, answers[agent], worst) for agent in agents}
    if as_json:
        found = [each.as_json() for each in results]
        for agent in found if worst else ():
            agent["worst"] = [mistake._asdict() for mistake in listed[agent["agent"]]]
        print_json({"positions": len(chosen), "seed": seed, "agents": found})
        return
    print_table(leaderboard.table(results), keys=2)
    if worst:
        echo()
        print_table(mistakes.table(listed), keys=2)
    for each in results:
        if each.failures:
            echo(f"{each.agent} made no legal move in {each.failures} of {each.positions} positions.")


def _write(folder: Path, results: list[Accuracy], positions: list[ScoredPosition], command: str) -> None:
    """Write the leaderboard, with what is needed to make it again."""
    from bot import __version__
    from bot.agents.catalogue import agent_modules
    from bot.lab.judge.answers import ask
    from bot.lab.judge.leaderboard import write
    from bot.lab.positions import digest
    from bot.lab.sources import fingerprint

    sources = fingerprint((ask.__module__, *(module for each in results for module in agent_modules(each.agent))))
    made = f"version {__version__}, sources {sources}, positions {digest(positions)}"
    write(folder, results, f"`{command} --out FOLDER`; {made}.")
