"""Both checkers: they accept proven claims, and agree on every changed one."""

from __future__ import annotations

import random
import struct
import subprocess
import sys
import zlib
from dataclasses import replace
from pathlib import Path

import pytest

import bot.proof
from bot.proof import check
from bot.proof.fast_check import verify
from bot.proof.format import FIRST_LEAF, Proof
from bot.proof.positions import board_of
from tests.proof.parts import HELD, LARGE, WON, Part, fast_verdict, part, plain_verdict

FOLDER = Path(bot.proof.__file__).parent
FILE = FOLDER / "data" / "proof.bin"


FULL_COLUMN = (0, 0, 0, 0)
"""Entries of a claim: in each position we play the leftmost column, and the opponent replies there."""
FOUR_ABOVE_EACH_OTHER = (1, 1, 2, 2)
"""Entries of a claim: the opponent's first replies go to the leftmost column, and nothing is done about it."""


def file_of(claims: bytes, *, diagrams: int = 0) -> bytes:
    """Return a proof file without diagrams; with ``diagrams``, it gives this number of them and they are missing."""
    return b"C4PROOF1" + zlib.compress(diagrams.to_bytes(2, "little") + claims)


def claim_of(must_win: int, openings: int, *entries: int) -> bytes:
    """Return a claim as it stands in a file."""
    return struct.pack(f"<BBI{len(entries)}H", must_win, openings, len(entries), *entries)


def mutated(part: Part, rng: random.Random) -> Part:
    """Return the part with one random change of an entry or of a diagram."""
    if rng.random() < 0.4:
        return part.with_swap(rng.randrange(len(part.diagrams)), *rng.sample(range(42), 2))
    place = rng.randrange(len(part.claim.entries))
    old = part.claim.entries[place]
    choices = [entry for entry in range(FIRST_LEAF + 2 * len(part.diagrams)) if entry != old]
    return part.with_entry(place, rng.choice(choices))


def agreed(part: Part, count: int, seed: int) -> list[bool]:
    """Return the verdicts on ``count`` changes, on which both checkers must agree."""
    rng = random.Random(seed)
    verdicts = []
    for _ in range(count):
        changed = mutated(part, rng)
        verdicts.append(fast_verdict(changed))
        assert plain_verdict(changed) == verdicts[-1]
    return verdicts


@pytest.mark.parametrize("moves", WON)
def test_both_checkers_accept_a_part_that_was_built(moves):
    assert fast_verdict(part(moves))
    assert plain_verdict(part(moves))


def test_both_checkers_agree_on_random_changes():
    verdicts = agreed(part(WON[-1]), 120, seed=1)
    assert verdicts.count(False) > 40
    assert verdicts.count(True) > 4, "a swap of two cells that are never compared changes nothing"


@pytest.mark.slow
def test_both_checkers_agree_on_a_thousand_random_changes():
    verdicts = [*agreed(part(WON[-1]), 500, seed=2), *agreed(part(LARGE), 500, seed=3)]
    assert verdicts.count(False) > 300
    assert verdicts.count(True) > 4


@pytest.mark.parametrize("moves", WON)
def test_entries_too_few_or_too_many_are_rejected(moves):
    whole = part(moves)
    for entries in (whole.claim.entries[:-1], (*whole.claim.entries, FIRST_LEAF), ()):
        changed = replace(whole, claim=replace(whole.claim, entries=entries))
        assert not fast_verdict(changed)
        assert not plain_verdict(changed)


def test_the_shipped_proof_is_proven():
    verdicts = verify(Proof.load(FILE))
    assert [(verdict.claim.must_win, verdict.claim.openings) for verdict in verdicts][:1] == [(True, ())]
    assert all(not verdict.claim.must_win for verdict in verdicts[1:])


def test_the_plain_checker_is_short_and_uses_the_standard_library_only():
    text = (FOLDER / "check.py").read_text()
    assert len(text.splitlines()) <= 140
    modules = {line.split()[1].partition(".")[0] for line in text.splitlines() if line.startswith(("import ", "from "))}
    assert modules <= set(sys.stdlib_module_names)


def test_the_plain_checker_rejects_a_damaged_file(tmp_path):
    damaged = tmp_path / "damaged.bin"
    damaged.write_bytes(FILE.read_bytes()[:-200])
    command = [sys.executable, str(FOLDER / "check.py"), str(damaged)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("Not accepted")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "Not accepted: [Errno 2] No such file or directory"),
        (b"", "Not accepted: rule 5: "),
        (b"C4PROOF1", "Not accepted: rule 5: "),
        (b"C4PROOF1 and other words", "Not accepted: Error -3 while decompressing"),
        (FILE.read_bytes()[8:], "Not accepted: rule 5: "),
        (FILE.read_bytes() + b" ", "Not accepted: rule 5: "),
        (file_of(b"", diagrams=1), "Not accepted: rule 14: a diagram is no order of all cells."),
        (file_of(b""), "Not accepted: rule 14: no claim follows."),
        (file_of(b"\1\0\1\0"), "Not accepted: rule 14: bytes are missing."),
        (file_of(b"\1\0\1\0\0\0"), "Not accepted: rule 14: bytes are missing."),
        (file_of(claim_of(2, 0)), "Not accepted: rule 14: a claim has an unknown promise or opening."),
        (file_of(claim_of(0, 128)), "Not accepted: rule 14: a claim has an unknown promise or opening."),
        (file_of(claim_of(1, 0)), "Not accepted: rule 14: entries are missing."),
        (file_of(claim_of(1, 0, FIRST_LEAF)), "Not accepted: rule 14: there is no diagram 0."),
        (file_of(claim_of(0, 0, *FULL_COLUMN)), "Not accepted: rule 11: a column is full."),
        (file_of(claim_of(0, 0, *FOUR_ABOVE_EACH_OTHER)), "Not accepted: rule 13: the opponent can win."),
    ],
    ids=lambda value: "" if isinstance(value, bytes) else str(value),
)
def test_the_plain_checker_says_in_one_line_what_is_wrong_with_a_file(tmp_path, content, said):
    path = tmp_path / "proof.bin"
    if content is not None:
        path.write_bytes(content)
    done = subprocess.run([sys.executable, FOLDER / "check.py", path], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.startswith(said) and done.stderr.count("\n") == 1


def test_the_plain_checker_rejects_a_win_that_is_a_draw():
    held = part(HELD, must_win=False)
    board = board_of(held.root)
    position = (board.current, board.opponent)
    check.prove([position], held.claim.entries, held.diagrams, False)
    with pytest.raises(ValueError, match="rule 13: a game that is to be won is drawn"):
        check.prove([position], held.claim.entries, held.diagrams, True)


def test_the_plain_checker_asks_for_a_file():
    done = subprocess.run([sys.executable, FOLDER / "check.py"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "Usage: python check.py FILE\n")


@pytest.mark.slow
def test_the_plain_checker_accepts_the_shipped_proof():
    """Takes minutes; in an interpreter that cannot see this package."""
    command = [sys.executable, "-I", str(FOLDER / "check.py"), str(FILE)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "The first player always wins: proven, " in done.stdout
    assert "The second player, after 1 2 3 5 6 7, never loses: proven, " in done.stdout
