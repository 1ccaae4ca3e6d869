"""The opening book: the exact score of every unfinished position up to a certain ply, mirror images stored once.

File format, little-endian: the magic ``C4BOOK2\\n``, one byte with the deepest ply, three zero bytes, the number of
positions (uint32), a SHA-256 of the ply's byte and everything after the digest; then one zlib stream with the keys'
differences (int64; keys ascend, the first difference is the first key) and the scores (int8) in the same order.
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from array import array
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from bot.engine.score import finished_score
from bot.errors import UsageError
from bot.game import Board
from bot.game.board import BOTTOM, COLUMNS, STRIDE

MAGIC = b"C4BOOK2\n"
_HEADER = struct.Struct("<8sB3xI32s")
SHIPPED = Path(__file__).parent / "data" / "book.bin"


def book_key(board: Board) -> int:
    """Return the position's number, which is the same for its mirror image: the smaller of the two.

    Each column takes seven bits: the discs of the side to move below a leading one at the column's height.
    """
    mirrored = board.mirror()
    return min(board.current + board.mask + BOTTOM, mirrored.current + mirrored.mask + BOTTOM)


def board_of_key(key: int) -> Board:
    """Return the position (or its mirror image) that has this book key."""
    current = mask = 0
    for column in range(COLUMNS):
        bits = key >> (column * STRIDE) & 0x7F
        filled = (1 << (bits.bit_length() - 1)) - 1
        mask |= filled << (column * STRIDE)
        current |= (bits & filled) << (column * STRIDE)
    return Board(current, mask)


def unfinished_layers(plies: int) -> Iterator[list[int]]:
    """Yield the ascending keys of all distinct unfinished positions at ply 0, 1, ... ``plies``."""
    layer = [book_key(Board())]
    for ply in range(plies + 1):
        yield layer
        if ply == plies:
            return
        following = set()
        for key in layer:
            board = board_of_key(key)
            for column in board.legal_columns():
                child = board.play(column)
                if not child.is_over:
                    following.add(book_key(child))
        layer = sorted(following)


@dataclass(frozen=True, slots=True)
class Book:
    """Exact scores by key.

    ``plies`` is the deepest complete ply; ``keys`` (int64) ascend and ``scores`` (int8) are in the same order. They are
    the standard library's arrays, because importing numpy takes longer than reading the book.
    """

    plies: int
    keys: array[int]
    scores: array[int]

    @classmethod
    def load(cls, path: Path | None = None) -> Book:
        """Return the book in ``path``, or the package's own; raises UsageError when it is missing or damaged."""
        path = path or SHIPPED
        try:
            return cls.from_bytes(path.read_bytes())
        except OSError as error:
            raise UsageError(f"The book {path} cannot be read: {error.strerror}.") from None

    @classmethod
    def from_bytes(cls, blob: bytes) -> Book:
        """Return the book of a file's content; raises UsageError when magic, length or checksum are wrong."""
        if len(blob) < _HEADER.size or not blob.startswith(MAGIC):
            raise UsageError("This file is not an opening book.", "Build one with `bot book build`.")
        _, plies, count, digest = _HEADER.unpack_from(blob)
        packed = blob[_HEADER.size :]
        is_whole = _digest(plies, packed) == digest
        body = zlib.decompress(packed) if is_whole else b""
        if not body or len(body) != 9 * count:
            raise UsageError(
                "The opening book is damaged.", "Install the package again, or build a new book with `bot book build`."
            )
        differences = array("q", body[: 8 * count])
        return cls(plies, array("q", accumulate(differences)), array("b", body[8 * count :]))

    def to_bytes(self) -> bytes:
        """Return the file's content."""
        differences = array("q", (key - before for before, key in zip([0, *self.keys], self.keys, strict=False)))
        packed = zlib.compress(differences.tobytes() + self.scores.tobytes(), 9)
        return _HEADER.pack(MAGIC, self.plies, len(self.keys), _digest(self.plies, packed)) + packed

    def score(self, board: Board) -> int | None:
        """Return the exact score of ``board`` for the side to move; None when the book does not contain it."""
        if board.ply > self.plies:
            return None
        key = book_key(board)
        index = bisect_left(self.keys, key)
        if index == len(self.keys) or self.keys[index] != key:
            return None
        return self.scores[index]

    def column_scores(self, board: Board) -> list[int | None] | None:
        """Return the exact score of every column, None where it is full; None if the book lacks one of them."""
        scores: list[int | None] = []
        for column in range(COLUMNS):
            if not board.can_play(column):
                scores.append(None)
                continue
            child = board.play(column)
            value = finished_score(child) if child.is_over else self.score(child)
            if value is None:
                return None
            scores.append(-value)
        return scores


def _digest(plies: int, packed: bytes) -> bytes:
    return hashlib.sha256(bytes([plies]) + packed).digest()


def complete(deepest: dict[int, int], plies: int) -> Book:
    """Return the whole book from the scores of all positions of its deepest ply, by backward induction."""
    layers = list(unfinished_layers(plies))
    scores = {key: deepest[key] for key in layers[plies]}
    for layer in reversed(layers[:plies]):
        scores.update((key, best_of_children(board_of_key(key), scores)) for key in layer)
    return from_scores(scores, plies)


def best_of_children(board: Board, scores: dict[int, int]) -> int:
    """Return a position's score from its children's, which ``scores`` must contain unless they are finished."""
    children = (board.play(column) for column in board.legal_columns())
    return -min(finished_score(child) if child.is_over else scores[book_key(child)] for child in children)


def from_scores(scores: dict[int, int], plies: int) -> Book:
    """Return the book of these keys and scores."""
    keys = array("q", sorted(scores))
    return Book(plies, keys, array("b", (scores[key] for key in keys)))
