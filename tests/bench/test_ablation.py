"""Techniques taken out of the kernel: every edit finds its place, and nothing but speed changes."""

from __future__ import annotations

import pytest

from bot.bench.ablation import TECHNIQUES, Technique, Variant, edited
from bot.bench.positions import random_positions


@pytest.mark.parametrize("technique", TECHNIQUES, ids=lambda technique: technique.name)
def test_every_edit_applies_and_leaves_a_program(technique):
    source = edited(technique)
    compile(source, technique.name, "exec")
    assert (source != edited(Technique("nothing"))) == bool(technique.edits)


def test_an_edit_that_finds_no_place_is_told():
    with pytest.raises(LookupError, match="no longer holds"):
        edited(Technique("gone", (("this text is not in the kernel", ""),)))


@pytest.mark.parametrize("weak", [False, True], ids=["exact", "weak"])
def test_without_a_technique_the_answers_are_the_same_for_more_nodes(weak):
    chosen = next(technique for technique in TECHNIQUES if technique.name == "threats order the moves")
    whole, without = Variant(None), Variant(chosen)
    for position in random_positions(18, 20, 1):
        whole.solve(position.board, weak=weak)
        without.solve(position.board, weak=weak)
    assert whole.scores == without.scores
    assert len(set(whole.scores)) > 1
    assert without.nodes > 1.2 * whole.nodes
