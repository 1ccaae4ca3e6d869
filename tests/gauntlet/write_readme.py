"""Write the generated parts of the package's documents: ``python -m tests.gauntlet.write_readme``.

Each part is between ``<!-- generated: NAME -->`` and ``<!-- end -->``: agents and options, from the list of agents.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import bot
from bot.agents.catalogue import COURSE_BOT, families
from bot.agents.family import paper_families
from bot.papers.page import markdown

PACKAGE = Path(bot.__file__).parent
DOCUMENTS = sorted(path for path in PACKAGE.rglob("README.md") if "<!-- generated: " in path.read_text("utf-8"))
BLOCK = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def agents() -> str:
    """Return the table of all agents, the publications' first."""
    papers = {family.name for family in paper_families()}
    rows = []
    for entry in families():
        name = f"`{entry.name}`"
        if entry.name == COURSE_BOT:
            name = f"`{entry.full_name(1)}` to `{entry.full_name(entry.deepest)}`"
        elif entry.depth is not None:
            alone = f", `{entry.name}` (depth {entry.depth})" if entry.depth_optional else ""
            name = f"`{entry.name}:{entry.number}`{alone}"
        rows.append((entry.name not in papers, [name, entry.about]))
    return markdown([["name", "agent"], *(row for _, row in sorted(rows, key=lambda row: row[0]))])


def options() -> str:
    """Return the list of the publications' options, under the agents that have them."""
    owners: dict[str, list[str]] = {}
    for family in paper_families():
        for name, option in family.options.items():
            choices = re.fullmatch(r"Write one of (.*)\.", option.hint)
            item = f"`{name}=...`: {option.about}. {option.hint}"
            if choices is not None:
                item = f"`{name}={choices[1].replace(', ', '/')}`: {option.about}."
            owners.setdefault(item, []).append(f"`{family.name}`")
    lists: dict[str, list[str]] = {}
    for item, agents in owners.items():
        lists.setdefault(", ".join(agents), []).append(f"  - {item}")
    return "\n".join(line for agents, lines in lists.items() for line in (f"- {agents}", *lines))


BLOCKS: dict[str, Callable[[], str]] = {"agents": agents, "options": options}


def rewritten(text: str) -> str:
    """Return a document with its generated parts written anew."""
    return BLOCK.sub(lambda block: block[1] + f"{BLOCKS[block[2]]()}\n".lstrip() + block[3], text)


if __name__ == "__main__":
    for document in DOCUMENTS:
        document.write_text(rewritten(document.read_text("utf-8")), encoding="utf-8")
