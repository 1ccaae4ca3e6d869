"""Both checkers: they accept proven claims, and agree on every changed one."""

from __future__ import annotations

import random
import subprocess
import sys
import zlib
from dataclasses import replace
from pathlib import Path

import pytest

import bot.proof
from bot.proof.fast_check import verify
from bot.proof.format import FIRST_LEAF, Proof
from tests.proof.parts import LARGE, WON, Part, fast_verdict, part, plain_verdict

FOLDER = Path(bot.proof.__file__).parent
FILE = FOLDER / "data" / "proof.bin"


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
    assert len(text.splitlines()) <= 100
    modules = {line.split()[1].partition(".")[0] for line in text.splitlines() if line.startswith(("import ", "from "))}
    assert modules <= set(sys.stdlib_module_names)


def test_the_plain_checker_rejects_a_damaged_file(tmp_path):
    damaged = tmp_path / "damaged.bin"
    damaged.write_bytes(FILE.read_bytes()[:-200])
    command = [sys.executable, str(FOLDER / "check.py"), str(damaged)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("Rejected")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "Rejected: [Errno 2] No such file or directory"),
        (b"", "Rejected: the file does not follow the format."),
        (b"C4PROOF1", "Rejected: the file does not follow the format."),
        (b"C4PROOF1 and other words", "Rejected: Error -3 while decompressing"),
        (FILE.read_bytes()[8:], "Rejected: the file does not follow the format."),
        (b"C4PROOF1" + zlib.compress(b""), "Rejected: unpack_from requires"),
        (b"C4PROOF1" + zlib.compress(bytes(2) + b"\1\0" + bytes(4)), "Rejected: the file lacks entries."),
    ],
    ids=["missing", "empty", "only the magic", "no stream", "without the magic", "nothing in it", "no entries"],
)
def test_the_plain_checker_says_in_one_line_what_is_wrong_with_a_file(tmp_path, content, said):
    path = tmp_path / "proof.bin"
    if content is not None:
        path.write_bytes(content)
    done = subprocess.run([sys.executable, FOLDER / "check.py", path], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.startswith(said) and done.stderr.count("\n") == 1


def test_the_plain_checker_asks_for_a_file():
    done = subprocess.run([sys.executable, FOLDER / "check.py"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "Usage: python check.py FILE\n")


@pytest.mark.slow
def test_the_plain_checker_accepts_the_shipped_proof():
    """Takes minutes; in an interpreter that cannot see this package."""
    command = [sys.executable, "-I", str(FOLDER / "check.py"), str(FILE)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "The first player: always wins." in done.stdout
