"""Write the generated tables of bot/lab/README.md: ``python -m tests.lab.write_readme``.

Each table is between ``<!-- generated: NAME -->`` and ``<!-- end -->``. Agents and options come from the list of
agents, the verdicts from the committed ledger.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import bot.lab
from bot.agents.catalogue import COURSE_BOT, entries
from bot.agents.family import families
from bot.lab.experiments.pages import counts, table_of

LAB = Path(bot.lab.__file__).parent
README = LAB / "README.md"
BLOCK = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def agents() -> str:
    """Return the table of all agents, the publications' first."""
    papers = {family.name for family in families()}
    rows = []
    for entry in entries():
        name = f"`{entry.name}`"
        if entry.name == COURSE_BOT:
            name = f"`{entry.full_name(1)}` to `{entry.full_name(entry.deepest)}`"
        elif entry.depth is not None:
            alone = f", `{entry.name}` (depth {entry.depth})" if entry.depth_optional else ""
            name = f"`{entry.name}:{entry.number}`{alone}"
        rows.append((entry.name not in papers, [name, entry.about]))
    return table_of(["name", "agent"], [row for _, row in sorted(rows, key=lambda row: row[0])])


def options() -> str:
    """Return the table of the publications' options; agents with the same option share a row."""
    rows: dict[tuple[str, str], list[str]] = {}
    for family in families():
        for name, option in family.options.items():
            rows.setdefault((name, f"{option.about}. {option.hint}"), []).append(f"`{family.name}`")
    table = [[f"`{name}=...`", ", ".join(agents), meaning] for (name, meaning), agents in rows.items()]
    return table_of(["option", "agents", "meaning"], table)


def verdicts() -> str:
    """Return the number of verdicts by source."""
    ledger = json.loads((LAB / "results" / "ledger.json").read_text(encoding="utf-8"))
    return counts([(entry["source"], entry["verdict"]) for entry in ledger])


BLOCKS: dict[str, Callable[[], str]] = {"agents": agents, "options": options, "verdicts": verdicts}


def rewritten(text: str) -> str:
    """Return the document with its generated tables written anew."""
    return BLOCK.sub(lambda block: f"{block[1]}{BLOCKS[block[2]]()}\n{block[3]}", text)


if __name__ == "__main__":
    README.write_text(rewritten(README.read_text(encoding="utf-8")), encoding="utf-8")
