"""Fingerprints: a comment in a source changes the results that depend on it, and no other. With the real files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bot.agents.catalogue import agent_modules, agent_names
from bot.agents.family import families, families_by_module
from bot.lab.judge.leaderboard import field
from bot.lab.sources import closure, fingerprint, fingerprint_in, imports, texts

PLAY = ("bot.lab.arena.games",)
"""The module of the work that plays games between agents."""
SHOWS = (
    "bot.lab.experiments",
    "bot.lab.judge",
    "bot.lab.exact",
    "bot.lab.store",
    "bot.lab.sources",
    "bot.cli",
    "bot.web",
)
"""Modules that solve, save, tabulate, draw or show."""
PAPERS = [f"{family.name}:4" for family in families()]
OTHERS = ["perfect", "proof", "proof+perfect", "mtdf@nodes=5", "alphabeta", "random", "depth3", "uct:10", "level:3"]
AGENTS = PAPERS + OTHERS


def changed_by(module: str) -> set[str]:
    """Return the agents whose games against each other have another fingerprint after a comment in ``module``."""
    after = {**texts(), module: texts()[module] + "\n# a comment\n"}
    tasks = {agent: (*PLAY, *agent_modules(agent)) for agent in AGENTS}
    return {agent for agent, modules in tasks.items() if fingerprint_in(after, modules) != fingerprint(modules)}


def agents_of(*modules: str) -> set[str]:
    """Return the publications' agents that these modules of `bot.agents.papers` define."""
    known = families_by_module()
    return {f"{family.name}:4" for module in modules for family in known[f"bot.agents.papers.{module}"]}


@pytest.mark.parametrize("paper", [name.rpartition(".")[2] for name in families_by_module()])
def test_a_comment_in_a_paper_changes_that_paper_s_results_only(paper: str) -> None:
    assert changed_by(f"bot.agents.papers.{paper}") == agents_of(paper)


def test_a_comment_in_the_search_changes_all_papers_that_use_it_and_the_textbook() -> None:
    assert set(PAPERS) <= changed_by("bot.agents.kernels.search") <= {*PAPERS, "uct:10"}


@pytest.mark.parametrize(("kernel", "paper"), [("van_der_schee", "van_der_schee"), ("rmarcus", "rmarcus")])
def test_a_comment_in_a_paper_s_own_kernel_changes_that_paper_only(kernel: str, paper: str) -> None:
    assert changed_by(f"bot.agents.kernels.{kernel}") == agents_of(paper)


@pytest.mark.parametrize(
    "module",
    [name for name in texts() if name.startswith(SHOWS)],
)
def test_what_solves_saves_tabulates_draws_or_shows_changes_no_games(module: str) -> None:
    assert not any(module in closure((*PLAY, *agent_modules(agent)), texts()) for agent in AGENTS)


def test_the_rules_change_everything_and_the_solver_only_those_who_ask_it() -> None:
    assert changed_by("bot.game.board") == set(AGENTS)
    assert changed_by("bot.engine.minimax") >= {"depth3"} and not changed_by("bot.engine.minimax") & set(PAPERS)
    assert {"perfect", "proof+perfect"} <= changed_by("bot.engine.perfect")
    assert not changed_by("bot.engine.perfect") & {*PAPERS, "random", "depth3", "proof", "mtdf@nodes=5"}
    assert changed_by("bot.engine.book.build") == set(), "a solved position is the same whatever solved it"


def test_every_agent_that_can_be_named_has_modules() -> None:
    names = [name for name in agent_names() if name.isalnum()] + list(field())
    assert all(set(agent_modules(name)) <= texts().keys() for name in names)
    assert agent_modules("scripted:44") == ("bot.engine.simple",)


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


def test_imports_are_those_of_the_statements_that_are_carried_out() -> None:
    assert imports(MODULE) == {
        *("os", "bot.a", "bot", "bot.b", "bot.c", "bot.c.d", "bot.c.e", "bot.h", "bot.i", "bot.i.j"),
    }  # fmt: skip


def test_a_closure_follows_imports_in_circles_and_knows_only_its_own_modules() -> None:
    known = {"a": "import b, json", "b": "from c import name", "c": "import a", "d": "import a"}
    assert closure(["a"], known) == {"a", "b", "c"}
    assert (
        fingerprint_in(known, ["a"])
        == fingerprint_in({**known, "d": ""}, ["a"])
        != fingerprint_in({**known, "c": "import a #"}, ["a"])
    )
    with pytest.raises(KeyError):
        closure(["nothing"], known)


TOY = """
from functools import partial

from bot.agents.family import Family
from bot.agents.papers.tommy import FAMILIES as TOMMY

FAMILIES = (Family("toy", "Toy 2026", "Tommy's under another name", TOMMY[0].make),)
"""


def test_a_publication_of_another_folder_has_its_own_fingerprint_and_place_on_the_leaderboard(tmp_path: Path) -> None:
    script = (
        "from bot.agents.catalogue import agent_modules; from bot.lab.sources import fingerprint; "
        "from bot.lab.judge.leaderboard import field; "
        "print(*agent_modules('toy:4'), fingerprint(agent_modules('toy:4')), fingerprint(agent_modules('kang-h1:4')), "
        "*[name for name in field() if name.startswith('toy')])"
    )
    found = []
    for text in (TOY, TOY + "# a comment\n"):
        (tmp_path / "toy.py").write_text(text)
        environment = {"BOT_PAPERS": str(tmp_path), "PATH": ""}
        command = [sys.executable, "-c", script]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
        found.append(done.stdout.split())
    (module, toy, kang, *names), (_, toy_after, kang_after, *_) = found
    assert (module, names) == ("bot_paper_toy", ["toy:4", "toy:8"])
    assert toy != toy_after and kang == kang_after == fingerprint(agent_modules("kang-h1:4"))
