"""Fingerprints of the real files: which games an edit of a module repeats."""

from __future__ import annotations

from functools import cache

from bot.agents.catalogue import agent_modules
from bot.agents.family import families_by_module
from bot.gauntlet.sources import closure, fingerprint, imports, texts

OTHERS = {"perfect", "proof", "proof+perfect", "mtdf@nodes=5", "alphabeta", "random", "depth3", "uct:10", "level:3"}
TASKS = "bot.papers.tasks"
MODULE = """
import os, bot.a
from bot import b
from bot.c import d, e
if TYPE_CHECKING:
    from bot.f import g
else:
    import bot.h
def inside():
    from bot.i import j
"""


def test_imports_are_those_of_the_statements_that_are_carried_out():
    found = "os", "bot.a", "bot", "bot.b", "bot.c", "bot.c.d", "bot.c.e", "bot.h", "bot.i", "bot.i.j"
    assert imports(MODULE) == {*found}


@cache
def papers() -> dict[str, set[str]]:
    """Return the agents of each publication by its module."""
    return {module: {f"{family.name}:4" for family in listed} for module, listed in families_by_module().items()}


@cache
def repeated_games() -> dict[str, set[str]]:
    """Return the agents whose games each module decides."""
    names = OTHERS.union(*papers().values())
    used = {name: closure((TASKS, *agent_modules(name)), texts()) for name in names}
    return {module: {name for name in names if module in used[name]} for module in texts()}


def test_an_edit_of_a_publication_repeats_its_own_games_and_no_others():
    assert {module: repeated_games()[module] for module in papers()} == papers()
    assert fingerprint(agent_modules("kang-h2:4")) == fingerprint(agent_modules("kang-h1:2")) != fingerprint(())


def test_rules_repeat_all_games_kernels_those_of_their_agents_and_pages_none():
    repeated, everyone = repeated_games(), set.union(*papers().values())
    assert repeated["bot.game.board"] == everyone | OTHERS
    assert everyone <= repeated["bot.agents.kernels.search"] <= {*everyone, "uct:10"}
    assert repeated["bot.papers.rmarcus.search"] == {"rmarcus:4"}
    assert "depth3" in repeated["bot.engine.minimax"] and not repeated["bot.engine.minimax"] & everyone
    assert {"perfect", "proof+perfect"} <= repeated["bot.engine.perfect"] <= OTHERS - {"random", "depth3", "proof"}
    assert repeated[TASKS] == repeated["bot.agents.games"] == everyone | OTHERS
    showing = ("bot.papers.page", "bot.papers.study", "bot.gauntlet.exact", "bot.gauntlet.store", "bot.cli")
    repeating = {module for module, names in repeated.items() if names and module.startswith((*showing, "bot.web"))}
    assert not repeating and not repeated["bot.engine.book.build"]
