"""Random changes of the shipped file: both checkers give the same verdict on each."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from bot.proof.fast_check import verify_claim
from bot.proof.format import FIRST_LEAF, Claim, Proof, RejectedError
from bot.proof.plan import SHIPPED
from bot.proof.walk import entries_of
from tests.proof.parts import Part, fast_verdict, plain_verdict


def claims() -> list[tuple[Claim, Proof, list[int]]]:
    """Return each claim with the file and the positions of its entries."""
    proof = Proof.load(SHIPPED)
    return [(claim, proof, list(entries_of(claim))) for claim in proof.claims]


def with_swap(diagrams: tuple[bytes, ...], number: int, rng: random.Random) -> tuple[bytes, ...]:
    """Return the diagrams with two neighbouring cells of one of them exchanged."""
    order, place = bytearray(diagrams[number]), rng.randrange(41)
    order[place], order[place + 1] = order[place + 1], order[place]
    return (*diagrams[:number], bytes(order), *diagrams[number + 1 :])


@pytest.mark.slow
def test_both_checkers_agree_where_a_leaf_or_its_diagram_changes():
    """900 changes after which the tree is the same: only the leaf in question has to be checked again."""
    rng, verdicts = random.Random(1), Counter[bool]()
    known = claims()
    while verdicts.total() < 900:
        claim, proof, keys = rng.choice(known)
        place = rng.randrange(len(keys))
        entry, diagrams = claim.entries[place], proof.diagrams
        if entry < FIRST_LEAF:
            continue
        kind = rng.random()
        if kind < 0.4:
            entry = FIRST_LEAF + rng.randrange(2 * len(diagrams))
        elif kind < 0.6:
            entry = FIRST_LEAF + (entry - FIRST_LEAF ^ 1)
        else:
            diagrams = with_swap(diagrams, (entry - FIRST_LEAF) // 2, rng)
        part = Part(keys[place], replace(claim, entries=(entry,)), diagrams)
        verdicts[fast_verdict(part)] += 1
        assert plain_verdict(part) == fast_verdict(part)
    assert min(verdicts[False], verdicts[True]) > 100, verdicts


@pytest.mark.slow
def test_changes_of_the_tree_are_rejected_or_leave_a_proof():
    """100 changes that give other positions to the entries which follow."""
    rng, verdicts = random.Random(2), Counter[bool]()
    known = claims()
    for _ in range(100):
        claim, proof, keys = rng.choice(known)
        entries, place = list(claim.entries), rng.randrange(len(keys))
        branch = rng.choice([place for place, entry in enumerate(entries) if entry < FIRST_LEAF])
        kind = rng.randrange(4)
        if kind == 0:
            entries[branch] = (entries[branch] + rng.randrange(1, 7)) % 7
        elif kind == 1:
            entries[place] = rng.randrange(7) if entries[place] >= FIRST_LEAF else FIRST_LEAF
        elif kind == 2:
            del entries[place]
        else:
            entries.insert(place, entries[place])
        try:
            verify_claim(replace(claim, entries=tuple(entries)), proof.diagrams)
            verdicts[True] += 1
        except RejectedError:
            verdicts[False] += 1
    assert verdicts[False] > 90, verdicts
