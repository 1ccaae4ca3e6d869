"""The command `bot proof`: options, the written file, and the other player's claim kept."""

from __future__ import annotations

from itertools import count

import pytest

from bot.cli.app import run
from bot.errors import ExitCode, UsageError
from bot.game import Board, parse_moves
from bot.proof.builder.builder import Builder
from bot.proof.builder.workshop import Workshop
from bot.proof.export import roots_of
from bot.proof.format import Claim, Proof, RejectedError
from bot.proof.plan import SHIPPED
from bot.proof.positions import board_of, key_of
from bot.proof.reading import entries_of
from bot.proof.strategy import Branch, Leaf
from tests.proof.parts import WON

ORDER = bytes(range(42))


def workshop(tmp_path, side: str = "first") -> Workshop:
    return Workshop.open(tmp_path / "record", side=side, openings="a", seed=1, report=lambda _line: None)


def fill(builder: Builder, roots: list[int]) -> None:
    """Give each root a leaf with a diagram that need not hold: a file can be written without being proven."""
    number = builder.add_diagram(ORDER)
    for root in roots:
        builder.strategy.entries[root] = Leaf(number)
    builder.strategy.acquire(roots)


def test_both_claims_of_a_file_are_kept(tmp_path):
    out = tmp_path / "proof.bin"
    first, second = workshop(tmp_path), workshop(tmp_path, "second")
    fill(first.builder, roots_of(()))
    fill(second.builder, list(dict.fromkeys(roots_of((0, 6)))))
    second.write(out)
    first.write(out)
    first.write(out)
    proof = Proof.load(out)
    assert [(claim.must_win, claim.openings) for claim in proof.claims] == [(True, ()), (False, (0, 6))]
    assert [claim.entries for claim in proof.claims] == [(9,), (7,)]
    assert proof.diagrams == (ORDER, ORDER)


@pytest.mark.parametrize(("side", "openings"), [("third", "a"), ("second", ""), ("second", "ad")])
def test_unknown_sides_and_openings_are_rejected(tmp_path, side, openings):
    with pytest.raises(UsageError):
        Workshop.open(tmp_path / "record", side=side, openings=openings, seed=1, report=print)


def test_the_command_checks_the_shipped_proof(capsys):
    assert run(["proof", "check"]) == ExitCode.DONE
    assert "The first player always wins" in capsys.readouterr().out


def test_the_command_rejects_a_changed_proof(tmp_path, capsys):
    proof = Proof.load(SHIPPED)
    claim = proof.claims[0]
    wrong = Proof(proof.diagrams, (Claim(True, (), (0, *claim.entries[1:])),))
    path = tmp_path / "wrong.bin"
    path.write_bytes(wrong.to_bytes())
    assert run(["proof", "check", str(path)]) == ExitCode.BUG
    assert "Rejected" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "code"),
    [(b"", ExitCode.BUG), (b"C4PROOF1", ExitCode.BUG), (b"another file", ExitCode.BUG), (None, ExitCode.USAGE)],
    ids=["empty", "only the magic", "another file", "missing"],
)
def test_a_file_that_is_no_proof_is_rejected_and_one_that_cannot_be_read_is_a_wrong_argument(
    tmp_path, capsys, content, code
):
    path = tmp_path / "file.bin"
    if content is not None:
        path.write_bytes(content)
    assert run(["proof", "check", str(path)]) == code
    said = capsys.readouterr()
    assert ("Rejected: The file is not a proof file" in said.out) == (content is not None)
    assert ("cannot be read" in said.err) == (content is None)


@pytest.mark.parametrize(
    ("moves", "entries", "reason"),
    [
        ([3, 3, 3, 3, 3, 3, 0, 1], (3,), "full column"),
        ([0, 3, 0, 3, 1, 3], (1, *(7,) * 7), "opponent win"),
        ([], (3, 7), "ends before"),
    ],
)
def test_an_unsound_tree_is_rejected_with_the_reason(moves, entries, reason):
    root = key_of(Board.from_moves(moves))
    if moves and board_of(root) != Board.from_moves(moves):
        entries = (6 - entries[0], *entries[1:])
    with pytest.raises(RejectedError, match=reason):
        entries_of(Claim(True, (), entries), [root])


def test_a_resumed_record_gives_the_same_claim(tmp_path):
    first = workshop(tmp_path)
    root = roots_of(())[0]
    with first.recording():
        number = first.builder.add_diagram(ORDER)
        first._log(f"D {ORDER.hex()}")
        first.builder.set_entry(root, Leaf(number))
        first.builder.set_entry(root, Branch(3))
    again = workshop(tmp_path)
    assert again.builder.strategy.entries == {root: Branch(3)}
    assert again.builder.orders == [ORDER]


def test_wrong_openings_are_named_in_digits(tmp_path):
    with pytest.raises(UsageError, match="'14'") as rejected:
        Workshop.open(tmp_path / "record", side="second", openings="ad", seed=1, report=print)
    assert rejected.value.hint.startswith("Choose from 1, 2 and 3")


def test_shrinking_writes_the_file_and_ends_in_time_or_when_nothing_is_left(tmp_path):
    first, out = workshop(tmp_path), tmp_path / "proof.bin"
    fill(first.builder, roots_of(()))
    reads = count()
    first.shrink(out, seconds=0.0, clock=reads.__next__)
    assert not out.exists()
    first.shrink(out, seconds=1e9, clock=reads.__next__)
    assert next(reads) < 10_000
    assert Proof.load(out).claims[0].entries == (7,)


def test_shrinking_knows_what_the_build_has_completed(tmp_path, monkeypatch):
    """Otherwise no branch could change to a move whose replies are solved."""
    root = key_of(Board.from_moves(parse_moves(WON[0])))
    monkeypatch.setattr("bot.proof.builder.workshop.roots_of", lambda _openings: [root])
    first = workshop(tmp_path)
    monkeypatch.setattr(first, "write", lambda _out: None)
    first.build(tmp_path / "proof.bin")
    in_use = {key for key, _ in first.builder.strategy.in_use()}
    assert root in in_use and in_use <= first.builder.complete
