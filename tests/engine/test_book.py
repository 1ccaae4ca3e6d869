"""The opening book: its keys, its file, what it answers, its checks, and how it is built."""

from __future__ import annotations

import random

import pytest

from bot.engine.book.build import build, solve_piece
from bot.engine.book.check import induction_errors, opening_errors, sample_errors
from bot.engine.book.lookup import Book, board_of_key, book_key, complete, from_scores, unfinished_layers
from bot.engine.perfect import shipped_book
from bot.engine.processes import Pool
from bot.errors import UsageError
from bot.game import Board
from tests.positions import sample, solved, some

PLIES = 3
LAYERS = list(unfinished_layers(PLIES))
CHANCE = random.Random(1)
BOOK = complete({key: CHANCE.randint(-18, 18) for key in LAYERS[PLIES]}, PLIES)
"""A book of invented scores in the deepest ply and induced ones above: only its form is right."""
BLOB = BOOK.to_bytes()


def test_layers_hold_every_position_once_up_to_mirroring():
    """The numbers of all positions are published: OEIS A212693. Before ply 7 none is finished."""
    for layer, count in zip(unfinished_layers(5), [1, 7, 49, 238, 1120, 4263], strict=True):
        known = [board_of_key(key) for key in layer]
        assert len({*known, *(board.mirror() for board in known)}) == count


def test_a_book_survives_its_file_and_no_change_of_a_byte_goes_unnoticed(tmp_path):
    assert Book.from_bytes(BLOB) == BOOK
    padding = 9, 10, 11
    places = [place for place in range(len(BLOB)) if place not in padding]
    wrong = [BLOB[:place] + bytes([BLOB[place] ^ 1]) + BLOB[place + 1 :] for place in places]
    wrong += [BLOB[:place] for place in places] + [BLOB + b"\0", b"C4BOOK1\n" + BLOB[8:]]
    for blob in wrong:
        with pytest.raises(UsageError, match="book"):
            Book.from_bytes(blob)
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        Book.load(tmp_path / "none.bin")


def test_the_shipped_book_agrees_with_both_solvers_and_with_itself():
    book = shipped_book()
    assert book is not None and book.plies >= 8
    assert opening_errors(book) == []
    assert all(book.score(known.board) == known.score for known in solved(8, 8))
    for board in sample(200, 0, 7):
        scores = [score for score in book.column_scores(board) or () if score is not None]
        assert book.score(board) == max(scores)


def test_a_book_answers_for_what_it_holds_and_no_more():
    for ply, layer in enumerate(LAYERS):
        for board in map(board_of_key, layer):
            scores, mirrored = BOOK.column_scores(board), BOOK.column_scores(board.mirror())
            assert BOOK.score(board) == BOOK.score(board.mirror()) is not None
            assert scores == (mirrored and mirrored[::-1])
            assert (scores is None) == (ply == PLIES)
            assert scores is None or BOOK.score(board) == max(score for score in scores if score is not None)
    beyond = Board.from_moves("1234")
    assert BOOK.score(beyond) is None is BOOK.column_scores(beyond)


def test_a_check_finds_wrong_missing_and_foreign_scores():
    scores = dict(zip(BOOK.keys, BOOK.scores, strict=True))
    inner, deep, foreign = LAYERS[2][5], LAYERS[3][7], book_key(Board.from_moves("1234"))
    assert induction_errors(BOOK) == []
    assert inner in induction_errors(from_scores({**scores, inner: scores[inner] + 1}, PLIES))
    assert induction_errors(from_scores({key: scores[key] for key in scores if key != deep}, PLIES)) == [deep]
    assert induction_errors(from_scores({**scores, foreign: 0}, PLIES)) == [foreign]
    right = {book_key(Board().play(column)): score for column, score in enumerate((2, 1, 0, -1))}
    assert opening_errors(complete(right, 1)) == []
    assert any("column 4" in error for error in opening_errors(complete(dict.fromkeys(right, 5), 1)))


def test_a_piece_has_the_scores_of_its_positions_and_a_sample_finds_a_wrong_one():
    known = {book_key(each.board): each.score for each in some(12, 21, 21)}
    assert list(solve_piece([*known])) == [known]
    wrong = next(iter(known))
    assert {*sample_errors(from_scores({**known, wrong: known[wrong] + 1}, 21), 12, 1)} == {None, wrong}


def test_a_build_takes_up_its_pieces_up_to_the_torn_line_and_solves_the_rest(tmp_path, monkeypatch):
    shipped = Book.load()
    *_, layer = unfinished_layers(2)
    scores = {key: shipped.score(board_of_key(key)) for key in layer}
    whole = "bot book build --plies 2\n" + "".join(f"{key} {scores[key]}\n" for key in layer[:-3])
    pieces, out = tmp_path / "book.ply2", tmp_path / "book"
    pieces.write_text(whole + f"{layer[-3]} 1")
    asked: list[object] = []

    def at_once(keys):
        asked.append(keys)
        return [{key: scores[key] for key in keys}]

    def here(workers):
        asked.append(workers)
        return Pool(1)

    monkeypatch.setattr("bot.engine.book.build.solve_piece", at_once)
    monkeypatch.setattr("bot.engine.book.build.Pool", here)
    book = build(2, out, 5, lambda *_: None)
    assert asked == [5, layer[-3:]]
    assert pieces.read_text() == whole + "".join(f"{key} {scores[key]}\n" for key in layer[-3:])
    assert opening_errors(book) == [] and Book.load(out) == book
