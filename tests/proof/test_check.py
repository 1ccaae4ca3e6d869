"""Both checkers and both players of diagrams: they agree, accept what is proven, and say what is wrong."""

from __future__ import annotations

import random
import subprocess
import sys
import zlib
from dataclasses import replace

import pytest

from bot.cli.app import run
from bot.errors import ExitCode
from bot.game import Board
from bot.proof import check
from bot.proof.diagram import mirror_order, step
from bot.proof.format import FIRST_LEAF, Claim
from bot.proof.plan import SHIPPED
from bot.proof.positions import board_of, key_of
from tests.positions import sample
from tests.proof.parts import PROOF, Part, claim_of, file_of, in_bytes, is_accepted, shipped_part

PARTS = [shipped_part(0), shipped_part(1)]


def changed(part: Part, rng: random.Random) -> Part:
    """Return the part with an entry changed, or two neighbouring cells of a diagram in use exchanged."""
    entries, diagrams = list(part.claim.entries), list(part.diagrams)
    place, number = rng.randrange(len(entries)), (entries[-1] - FIRST_LEAF) // 2
    if rng.random() < 0.5:
        cell, order = rng.randrange(41), diagrams[number]
        diagrams[number] = order[:cell] + order[cell : cell + 2][::-1] + order[cell + 2 :]
    else:
        entries[place] = rng.choice([entries[place] ^ 1, rng.randrange(7), FIRST_LEAF + rng.randrange(700)])
    return replace(part, claim=replace(part.claim, entries=tuple(entries)), diagrams=tuple(diagrams))


def test_both_checkers_agree_on_random_changes():
    rng = random.Random(1)
    verdicts = [is_accepted(changed(part, rng)) for part in PARTS for _ in range(60)]
    assert verdicts.count(False) > 20
    assert verdicts.count(True) > 4, "an exchange of two cells that are never compared changes nothing"


@pytest.mark.parametrize("part", PARTS)
def test_entries_too_few_or_too_many_are_rejected(part):
    assert is_accepted(part)
    entries = part.claim.entries
    for wrong in (entries[:-1], (*entries, FIRST_LEAF), ()):
        assert not is_accepted(replace(part, claim=replace(part.claim, entries=wrong)))


NOT_WHOLE = "rule 5: the file is not C4PROOF1 and one whole zlib stream"
MISSING = "rule 14: bytes are missing"
UNKNOWN = "rule 14: a claim has an unknown promise or opening"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", NOT_WHOLE),
        (SHIPPED.read_bytes()[8:], NOT_WHOLE),
        (SHIPPED.read_bytes()[:-200], NOT_WHOLE),
        (SHIPPED.read_bytes() + b" ", NOT_WHOLE),
        (b"C4PROOF1 and other words", "Error -3 while decompressing"),
        (file_of(1), "rule 14: a diagram is no order of all cells"),
        (file_of(0), "rule 14: no claim follows"),
        (file_of(0, b"\1\0\1\0\0\0"), MISSING),
        (file_of(0, claim_of(2, 0)), UNKNOWN),
        (file_of(0, claim_of(0, 128)), UNKNOWN),
        (file_of(0, claim_of(1, 0)), "rule 14: entries are missing"),
        (file_of(0, claim_of(1, 0, FIRST_LEAF)), "rule 14: there is no diagram 0"),
        (file_of(0, claim_of(0, 0, 0, 0, 0, 0)), "rule 11: a column is full"),
        (file_of(0, claim_of(0, 0, 1, 1, 2, 2)), "rule 13: the opponent can win"),
    ],
)
def test_both_checkers_reject_a_file_that_breaks_a_rule(tmp_path, capsys, content, said):
    with pytest.raises((ValueError, zlib.error), match=said):
        check.check(content)
    path = tmp_path / "proof.bin"
    path.write_bytes(content)
    assert run(["proof", "check", str(path)]) == ExitCode.BUG
    assert "Rejected: " in capsys.readouterr().out


def test_the_plain_checker_says_in_one_line_what_is_wrong():
    command = [sys.executable, check.__file__, "none.bin"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "") and "No such file" in done.stderr.splitlines()[-1]
    assert done.stderr.count("\n") == 1


def test_a_branch_without_entries_for_the_replies_is_accepted_where_it_wins_at_once():
    verdicts = set()
    for board in (Board.from_moves("445566"), *sample(200, 10, 30, seed=2)):
        root = key_of(board)
        for column in range(7):
            wins = board_of(root).wins_with(column)
            assert is_accepted(Part(root, Claim(True, (), (column,)))) == wins
            verdicts.add(wins)
    assert verdicts == {True, False}


def test_both_implementations_play_the_same_cell_and_its_image_in_the_mirror():
    """The plain checker plays on boards that stand side by side, 64 bits apart."""
    boards, rules, rng = sample(1_000, 0, 40), set(), random.Random(1)
    for number in range(0, len(boards), 20):
        order, some = bytes(rng.sample(range(42), 42)), boards[number : number + 20]
        each, ours, theirs = (
            sum(in_bytes(cells) << 64 * place for place, cells in enumerate(row))
            for row in ([1] * 20, [board.current for board in some], [board.opponent for board in some])
        )
        chosen = check.choice(ours, theirs, [check.CELLS[cell] for cell in order], each)
        for place, board in enumerate(some):
            column, rule = step(board, order)
            rules.add(rule)
            cell = chosen >> 64 * place & (1 << 64) - 1
            assert cell.bit_length() // 8 == column == 6 - step(board.mirror(), mirror_order(order))[0]
        assert order == mirror_order(mirror_order(order))
    assert rules >= {15, 16, 17, 18, 20}


@pytest.mark.parametrize(
    ("moves", "rule", "column"),
    [
        ("414141", 15, 3),
        ("41414", 16, 3),
        ("4152", 18, 5),
        ("321563454421531357361132551", 19, 6),
        ("4556", 20, 0),
    ],
)
def test_each_rule_decides_in_its_positions(moves, rule, column):
    """The diagram prefers the columns from the left."""
    assert step(Board.from_moves(moves), bytes(range(42))) == (column, rule)


SAID = """\
The first player always wins: proven, 2109 entries.
The second player, after 1 2 3 5 6 7, never loses: proven, 2462 entries.
Accepted.
"""


def test_the_plain_checker_reads_what_the_file_holds(monkeypatch, capsys):
    claims = []
    monkeypatch.setattr(check, "prove", lambda *claim: claims.append(claim))
    check.check(SHIPPED.read_bytes())
    assert capsys.readouterr().out == SAID
    roots = [(0, 0)], [(0, 1 << 8 * column) for column in (0, 1, 2, 4, 5, 6)]
    assert claims == [
        (begin, claim.entries, PROOF.diagrams, claim.must_win) for begin, claim in zip(roots, PROOF.claims, strict=True)
    ]


@pytest.mark.slow
def test_the_plain_checker_accepts_the_shipped_proof():
    """In an interpreter that cannot see this package."""
    command = [sys.executable, "-I", check.__file__, str(SHIPPED)]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == SAID
