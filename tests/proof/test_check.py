"""The checker: it agrees with the rules written a second time, accepts what is proven, and says what is wrong."""

from __future__ import annotations

import random
import subprocess
import sys
import zlib
from collections.abc import Callable

import pytest

from bot.cli.app import run
from bot.errors import ExitCode
from bot.game import Board
from bot.proof import check
from bot.proof.player import SHIPPED, position_of
from tests.positions import sample
from tests.proof.parts import board_of, chosen, claim_of, file_of, holds


def is_accepted(check_all: Callable[..., object], *given: object) -> bool:
    """Return whether a check raises nothing."""
    try:
        check_all(*given)
    except ValueError:
        return False
    return True


def test_a_diagram_is_accepted_where_it_keeps_its_promise_against_every_reply():
    """Twelve cells of each are mixed: where they are never compared, that changes nothing."""
    rng, verdicts = random.Random(1), []
    for claim in check.claims_of(SHIPPED.read_bytes()):
        walked = [place for place in check.prove(claim, leaves=False) if place[2] >= 7]
        walked.sort(key=lambda place: sum(place[0]).bit_count(), reverse=True)  # the quickest first
        for form, image, entry in walked[:25]:
            number, is_mirrored = divmod(entry - 7, 2)
            order, start = claim[-1][number], rng.randrange(30)
            diagram = order[:start] + bytes(rng.sample(order[start : start + 12], 12)) + order[start + 12 :]
            position = image if is_mirrored else form
            for must_win in (True, False):
                verdicts.append(is_accepted(check.follow, position, diagram, must_win))
                assert verdicts[-1] == holds(board_of(position), diagram, must_win)
    assert min(verdicts.count(False), verdicts.count(True)) > 5


def test_a_branch_without_entries_for_the_replies_is_accepted_where_it_wins_at_once():
    verdicts = set()
    for board in (Board.from_moves("445566"), *sample(200, 10, 30, seed=2)):
        root = next(check.prove(("", True, [position_of(board)], (7,), []), leaves=False))[0]
        for column in range(7):
            wins = board_of(root).wins_with(column)
            for entries, is_proven in (((column,), wins), ((column, 7), False)):
                claim: check.Claim = ("", True, [root], entries, [])
                assert is_accepted(list, check.prove(claim)) == is_proven
            verdicts.add(wins)
    assert verdicts == {True, False}


NOT_WHOLE = "rule 5: the file is not C4PROOF1 and one whole zlib stream"
MISSING = "rule 14: bytes are missing"
UNKNOWN = "rule 14: a claim has an unknown promise or opening"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", NOT_WHOLE),
        (SHIPPED.read_bytes()[:-200], NOT_WHOLE),
        (SHIPPED.read_bytes() + b" ", NOT_WHOLE),
        (file_of(1), "rule 14: a diagram is no order of all cells"),
        (file_of(0), "rule 14: no claim follows"),
        (file_of(0, b"\1\0\1\0\0\0"), MISSING),
        (file_of(0, claim_of(2, 0)), UNKNOWN),
        (file_of(0, claim_of(0, 128)), UNKNOWN),
        (file_of(0, claim_of(1, 0)), "rule 14: entries are missing"),
        (file_of(0, claim_of(1, 0, 7)), "rule 14: there is no diagram 0"),
        (file_of(0, claim_of(0, 0, 0, 0, 0, 0)), "rule 11: a column is full"),
        (file_of(0, claim_of(0, 0, 1, 1, 2, 2)), "rule 13: the opponent can win"),
    ],
)
def test_a_file_that_breaks_a_rule_is_rejected_with_the_rule(tmp_path, capsys, content, said):
    with pytest.raises((ValueError, zlib.error), match=said):
        for claim in check.claims_of(content):
            list(check.prove(claim))
    path = tmp_path / "proof.bin"
    path.write_bytes(content)
    assert run(["proof", "check", str(path)]) == ExitCode.BUG
    assert f"Rejected: {said}" in capsys.readouterr().out
    assert run(["proof", "check", str(tmp_path / "none.bin")]) == ExitCode.USAGE


def test_the_checker_alone_says_in_one_line_what_is_wrong():
    for given, said in ((["none.bin"], "No such file"), ([], "the command is python check.py FILE")):
        command = [sys.executable, check.__file__, *given]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (1, "") and said in done.stderr
        assert done.stderr.count("\n") == 1


def test_each_rule_decides_as_it_is_written():
    """In the first positions, rules 15, 16, 18, 19 and 20 decide."""
    decided = ("414141", "41414", "4152", "321563454421531357361132551", "4556")
    for board in (*map(Board.from_moves, decided), *sample(300, 0, 40)):
        cell = check.choice(*position_of(board), check.CELLS)
        assert cell.bit_length() // 8 == chosen(board, bytes(range(42)))


def test_the_openings_of_a_claim_are_its_roots():
    ((_, _, roots, _, _),) = check.claims_of(file_of(0, claim_of(0, 0b101)))
    assert roots == [(0, 1), (0, 1 << 16)]


SAID = """\
The first player always wins: proven, 2109 entries.
The second player, after 1 2 3 5 6 7, never loses: proven, 2462 entries.
"""


def test_the_command_says_what_is_proven(monkeypatch, capsys):
    """Every leaf is believed here; the test after this one believes none."""
    leaves = []
    monkeypatch.setattr(check, "follow", lambda *leaf: leaves.append(leaf))
    assert run(["proof", "check"]) == ExitCode.DONE
    assert capsys.readouterr().out.replace(",", "") == SAID.replace(",", "") + "Every claim is proven.\n"
    assert len(leaves) == 1706 + 1973 and sum(must_win for _, _, must_win in leaves) == 1706


@pytest.mark.slow
def test_the_checker_accepts_the_shipped_proof():
    """In an interpreter that cannot see this package."""
    command = [sys.executable, "-I", check.__file__, str(SHIPPED)]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == f"{SAID}Accepted.\n"
