"""The solver's kernel without single techniques: every switch belongs to a technique, and only the speed changes."""

from __future__ import annotations

import sys

import pytest

from bot.bench.ablation import TECHNIQUES, Variant, variant
from bot.bench.positions import random_positions
from bot.engine.kernels import solve, switches
from tests.processes import python_json

SWITCHES = {name for name, value in vars(switches).items() if value is True}

PLAIN = """
import json
from bot.bench.ablation import TECHNIQUES, Variant
from tests.engine.solved import some
results = []
for technique in (None, *(each for each in TECHNIQUES if each.switches)):
    kernel = Variant(technique)
    for position in some(8, 22, 26, seed=2):
        kernel.solve(position.board, weak=False)
    results.append([technique and technique.name, kernel.nodes, kernel.results])
print(json.dumps(results))
"""


def test_every_switch_belongs_to_a_technique() -> None:
    used = [name for technique in TECHNIQUES for name in technique.switches]
    assert len(used) == len(set(used)) and set(used) == SWITCHES


def test_an_unknown_switch_is_refused() -> None:
    with pytest.raises(LookupError, match="NO_SUCH_SWITCH"):
        variant("NO_SUCH_SWITCH")
    with pytest.raises(LookupError, match="annotations"):
        variant("annotations")


@pytest.mark.slow  # compiles the solver
def test_a_variant_leaves_the_engines_kernel_and_the_switches_alone() -> None:
    module = variant("THREAT_ORDER")
    assert module is not solve and vars(module)["list_moves"] is not vars(solve)["list_moves"]
    assert sys.modules["bot.engine.kernels.solve"] is solve
    assert {name for name, value in vars(switches).items() if value is True} == SWITCHES


def test_every_variant_finds_the_same_scores() -> None:
    """In plain Python: compiling all of them takes a minute."""
    (_, nodes, scores), *without = python_json(PLAIN, NUMBA_DISABLE_JIT="1")
    assert len(without) == len(SWITCHES)
    assert all(found == scores for _, _, found in without)
    same = [name for name, count, _ in without if count == nodes]
    plain = {"four directions in one register", "entries of all children are fetched first"}
    early = {"mirror images share an entry in the first plies"}  # these positions are late
    assert set(same) == plain | early, "every other technique changes the number of nodes"


@pytest.mark.slow
@pytest.mark.parametrize("weak", [False, True], ids=["exact", "weak"])
def test_without_a_technique_the_answers_are_the_same_for_more_nodes(weak: bool) -> None:
    chosen = next(technique for technique in TECHNIQUES if technique.name == "threats order the moves")
    whole, without = Variant(None), Variant(chosen)
    for position in random_positions(18, 20, 1):
        whole.solve(position.board, weak=weak)
        without.solve(position.board, weak=weak)
    assert whole.results == without.results
    assert len(set(whole.results)) > 1
    assert without.nodes > 1.2 * whole.nodes
