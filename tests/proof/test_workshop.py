"""The command `bot proof`: options, the written file, and the other player's claim kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.cli.app import run
from bot.errors import ExitCode, UsageError
from bot.game import Board, parse_moves
from bot.proof.builder.builder import Builder
from bot.proof.builder.finder import Finder
from bot.proof.builder.workshop import complete, openings_of, recording, write
from bot.proof.format import FIRST_LEAF, Claim, Proof, RejectedError
from bot.proof.plan import SHIPPED
from bot.proof.positions import board_of, key_of
from bot.proof.walk import entries_of, roots_of
from tests.proof.parts import WON, fast_verdict, part_of, plain_verdict


def test_a_strategy_is_completed_and_both_checkers_accept_it():
    roots = [key_of(Board.from_moves(parse_moves(moves))) for moves in WON]
    builder = Builder(Finder(draw_fails=True), quick=200, thorough=200)
    complete(builder, roots)
    for root in roots:
        part = part_of(builder, root)
        assert len(part.claim.entries) > 1 and fast_verdict(part)
        assert plain_verdict(part) if root == roots[1] else True


def strategy_of(number: int) -> Builder:
    """Return a builder with the strategy of a claim of the shipped proof, and an unused diagram before its own."""
    proof = Proof.load(SHIPPED)
    claim = proof.claims[number]
    builder = Builder(Finder(draw_fails=claim.must_win))
    for order in (bytes(range(42)), *proof.diagrams):
        builder.add_diagram(order)
    entries = entries_of(claim).items()
    builder.entries.update({key: entry + 2 if entry >= FIRST_LEAF else entry for key, entry in entries})
    return builder


def test_both_claims_of_a_file_are_kept(tmp_path):
    out, shipped = tmp_path / "proof.bin", Proof.load(SHIPPED)
    first, second = strategy_of(0), strategy_of(1)
    assert len(write(second, shipped.claims[1].openings, out)) == 1
    for _ in range(2):
        assert [verdict.claim.openings for verdict in write(first, (), out)] == [(), shipped.claims[1].openings]
    written = Proof.load(out)
    assert [claim.must_win for claim in written.claims] == [True, False]
    assert sorted(written.diagrams) == sorted(shipped.diagrams), "the unused one is left out"


def test_a_file_that_is_not_proven_is_not_written(tmp_path):
    out, first = tmp_path / "proof.bin", strategy_of(0)
    wrong = next(key for key, entry in first.entries.items() if entry >= FIRST_LEAF)
    first.entries[wrong] = FIRST_LEAF
    with pytest.raises(RejectedError):
        write(first, (), out)
    assert not out.exists()


def test_the_command_builds_writes_and_says_what_is_proven(tmp_path, monkeypatch, capsys):
    """The strategy is taken from the shipped proof, since a build takes minutes."""

    def known(builder: Builder, roots: list[int]) -> None:
        assert roots == roots_of(()) and builder.finder.draw_fails
        builder.entries, builder.orders = strategy_of(0).entries, strategy_of(0).orders

    monkeypatch.setattr("bot.proof.builder.workshop.complete", known)
    out = tmp_path / "proof.bin"
    assert run(["proof", "build", "--out", str(out)]) == ExitCode.DONE
    said = capsys.readouterr().out
    assert said.startswith("The first player always wins: 403 branches") and f"{out.stat().st_size:,} bytes" in said
    assert run(["proof", "check", str(out)]) == ExitCode.DONE


def interrupted_build(path: Path, root: int) -> list[str]:
    """Interrupt a build after ten searches; return the lines of its file."""
    builder = Builder(Finder(draw_fails=True), quick=2_000, thorough=2_000)
    with pytest.raises(KeyboardInterrupt), recording(builder, path):
        write_line, left = builder.log, iter(range(10))

        def log(line: str) -> None:
            if next(left, None) is None:
                raise KeyboardInterrupt
            write_line(line)

        builder.log = log
        complete(builder, [root])
    return path.read_text().splitlines()


def test_an_interrupted_build_goes_on_with_its_searches(tmp_path):
    path, root = tmp_path / "proof.bin.first", key_of(Board.from_moves([3, 3, 3, 3, 3, 3, 2, 1]))
    lines = interrupted_build(path, root)
    assert len(lines) == 11 and {line.split()[0] for line in lines[1:]} == {"found", "none"}
    path.write_text("\n".join(lines) + "\nfound 12")  # the last line was torn
    again = Builder(Finder(draw_fails=True), quick=2_000, thorough=2_000)
    searched: list[str] = []
    with recording(again, path):
        assert len(again.orders) + len(again.tried) == 10
        again.log = searched.append
        complete(again, [root])
    assert searched and not {line.split()[1] for line in lines if line.startswith("found")} & {
        line.split()[1] for line in searched
    }
    assert fast_verdict(part_of(again, root))
    assert not path.exists(), "a finished build leaves nothing to go on with"


@pytest.mark.parametrize(
    "line", ["X 1", "found 5", "none 5 x", "found 5 zz", f"found 7 {bytes(41).hex()}", "found 7 ff"]
)
def test_a_damaged_file_of_searches_is_rejected(tmp_path, line):
    path = tmp_path / "proof.bin.first"
    path.write_text(f"searches for diagrams that win\nfound 5 {bytes(range(42)).hex()}\n{line}\n")
    with pytest.raises(UsageError, match="Line 3"), recording(Builder(Finder(draw_fails=True)), path):
        pass
    with pytest.raises(UsageError, match="written by another command"), recording(Builder(Finder(draw_fails=False)), path):
        pass


@pytest.mark.parametrize("openings", ["", "14", "a"])
def test_unknown_openings_are_rejected(openings):
    with pytest.raises(UsageError, match="Unknown openings") as rejected:
        openings_of(openings)
    assert rejected.value.hint.startswith("Choose from 1, 2 and 3")


def test_openings_stand_for_their_mirror_images():
    assert openings_of("31") == (0, 2, 4, 6)
    assert roots_of(openings_of("123")) == roots_of((0, 1, 2))


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
