"""The proof file: a written file is read back unchanged, and damaged files are rejected."""

from __future__ import annotations

import zlib

import pytest

from bot.errors import UsageError
from bot.proof.format import MAGIC, Claim, Proof

ORDER = bytes(range(42))
PROOF = Proof(
    (ORDER, ORDER[::-1]),
    (Claim(True, (), (3, 7, 8, 10)), Claim(False, (0, 1, 2, 4, 5, 6), tuple(range(11)) * 500)),
)


def test_a_written_file_is_read_back_unchanged(tmp_path):
    path = tmp_path / "proof.bin"
    path.write_bytes(PROOF.to_bytes())
    assert Proof.load(path) == PROOF


@pytest.mark.parametrize("cut", [0, 1, 7, 8, 9, 20, -1])
def test_a_shortened_file_is_rejected(cut):
    with pytest.raises(UsageError, match="damaged"):
        Proof.from_bytes(PROOF.to_bytes()[:cut])


def test_a_body_that_breaks_the_format_is_rejected():
    body = zlib.decompress(PROOF.to_bytes()[len(MAGIC) :])
    for wrong in (body[:-1], body[:2] + b"\1\1" + body[4:], b"", b"\xff\xff" + body[2:], body + b"\0"):
        with pytest.raises(UsageError, match="damaged"):
            Proof.from_bytes(MAGIC + zlib.compress(wrong))


def test_a_missing_file_is_named_in_the_message(tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        Proof.load(tmp_path / "none.bin")
