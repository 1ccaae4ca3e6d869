"""The opening book: its keys, its file, and that damaged files are refused."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.engine.book.build import build, solve_piece
from bot.engine.book.check import induction_errors, opening_errors
from bot.engine.book.lookup import (
    Book,
    best_of_children,
    board_of_key,
    book_key,
    complete,
    from_scores,
    unfinished_layers,
)
from bot.errors import UsageError
from bot.game import Board
from bot.trials.bench.positions import random_position
from tests.engine.positions import boards
from tests.engine.solved import fixture

PLIES = 3


def invented(seed: int = 1) -> Book:
    """Return a book with invented scores in the deepest ply and induced ones above: only its form is right."""
    chance = random.Random(seed)
    deepest = list(unfinished_layers(PLIES))[PLIES]
    return complete({key: chance.randint(-18, 18) for key in deepest}, PLIES)


BOOK = invented()
BLOB = BOOK.to_bytes()


@given(boards())
def test_a_key_stands_for_a_board_and_its_mirror_image(board):
    key = book_key(board)
    assert key == book_key(board.mirror())
    assert board_of_key(key) in (board, board.mirror())


def test_layers_hold_every_position_once_up_to_mirroring():
    """The counts of all positions are published: OEIS A212693. Before ply 7 none is finished."""
    layers = list(unfinished_layers(5))
    images = [{board for key in layer for board in (board_of_key(key), board_of_key(key).mirror())} for layer in layers]
    assert [len(boards) for boards in images] == [1, 7, 49, 238, 1120, 4263]
    assert all(
        layer == sorted({book_key(board) for board in boards}) for layer, boards in zip(layers, images, strict=True)
    )


def test_a_book_survives_its_file():
    again = Book.from_bytes(BLOB)
    assert again.plies == PLIES
    assert (again.keys, again.scores) == (BOOK.keys, BOOK.scores)
    assert again.to_bytes() == BLOB
    assert len(BLOB) < 4 * len(BOOK.keys), "it is compressed"


@settings(max_examples=200)
@given(st.integers(0, len(BLOB) - 1), st.integers(1, 255))
def test_no_flipped_byte_goes_unnoticed(place, bits):
    damaged = bytearray(BLOB)
    damaged[place] ^= bits
    if 9 <= place < 12:  # the header's padding means nothing
        assert Book.from_bytes(bytes(damaged)).to_bytes() == BLOB
    else:
        with pytest.raises(UsageError, match="book"):
            Book.from_bytes(bytes(damaged))


@settings(max_examples=100)
@given(st.integers(0, len(BLOB) - 1))
def test_a_truncated_file_is_no_book(length):
    with pytest.raises(UsageError, match="book"):
        Book.from_bytes(BLOB[:length])


@pytest.mark.parametrize("blob", [b"", b"C4BOOK2\n", b"PK\x03\x04" + bytes(100), BLOB + b"\0", b"C4BOOK1\n" + BLOB[8:]])
def test_other_files_are_no_books(blob, tmp_path):
    path = tmp_path / "book.bin"
    path.write_bytes(blob)
    with pytest.raises(UsageError, match="book"):
        Book.load(path)


def test_the_shipped_book_knows_the_game_and_agrees_with_both_solvers():
    book = Book.load()
    assert book.plies >= 8
    assert opening_errors(book) == []
    eight = [position for position in fixture() if position.board.ply == 8]
    assert len(eight) == 10
    assert all(book.score(position.board) == position.score for position in eight)
    chance = random.Random(5)
    for _ in range(200):
        board = random_position(chance.randint(0, 7), chance).board
        scores = [score for score in book.column_scores(board) or () if score is not None]
        assert book.score(board) == max(scores)


def test_a_missing_file_is_one_sentence(tmp_path):
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        Book.load(tmp_path / "none.bin")


def test_the_book_answers_for_what_it_holds_and_no_more():
    for ply, layer in enumerate(unfinished_layers(PLIES)):
        for key in layer:
            board = board_of_key(key)
            assert BOOK.score(board) == BOOK.score(board.mirror()) is not None
            if ply < PLIES:
                scores = BOOK.column_scores(board)
                mirrored = BOOK.column_scores(board.mirror())
                assert scores is not None and mirrored is not None
                assert BOOK.score(board) == max(score for score in scores if score is not None)
                assert scores == mirrored[::-1]
            else:
                assert BOOK.column_scores(board) is None
    beyond = Board.from_moves([0, 1, 2, 3])
    assert BOOK.score(beyond) is None
    assert BOOK.column_scores(beyond) is None


def test_finished_children_and_full_columns_need_no_book():
    stacked = Board.from_moves([0, 0, 0, 0, 0, 0, 3, 1, 3, 1, 3, 1])
    children = [stacked.play(column) for column in stacked.legal_columns()]
    scores = {book_key(child): -2 for child in children if not child.is_over}
    told = from_scores(scores, stacked.ply + 1).column_scores(stacked)
    assert told == [None, 2, 2, 22 - 7, 2, 2, 2]
    assert best_of_children(stacked, scores) == 22 - 7


def test_a_wrong_score_breaks_the_induction_and_a_missing_or_foreign_key_shows():
    assert induction_errors(BOOK) == []
    scores = dict(zip(BOOK.keys, BOOK.scores, strict=True))
    layers = list(unfinished_layers(PLIES))
    inner = layers[2][5]
    assert inner in induction_errors(from_scores({**scores, inner: scores[inner] + 1}, PLIES))
    without = {key: score for key, score in scores.items() if key != layers[3][7]}
    assert layers[3][7] in induction_errors(from_scores(without, PLIES))
    foreign = book_key(Board.from_moves([0, 1, 2, 3]))
    assert induction_errors(from_scores({**scores, foreign: 0}, PLIES)) == [foreign]


def test_an_invented_book_contradicts_the_games_known_result():
    assert any(
        "column 4" in error for error in opening_errors(complete(dict.fromkeys(list(unfinished_layers(1))[1], 5), 1))
    )
    right = {book_key(Board().play(column)): score for column, score in enumerate((2, 1, 0, -1))}
    assert opening_errors(complete(right, 1)) == []


def test_a_piece_has_the_scores_of_its_positions():
    some = [position for position in fixture() if position.board.ply > 20][:12]
    (scores,) = solve_piece([book_key(position.board) for position in some])
    assert scores == {book_key(position.board): position.score for position in some}


def test_a_build_takes_up_its_pieces_up_to_the_torn_line_and_solves_the_rest_in_processes(tmp_path, monkeypatch):
    shipped = Book.load()
    *_, layer = unfinished_layers(2)
    scores = {key: shipped.score(board_of_key(key)) for key in layer}
    whole = "bot book build --plies 2\n" + "".join(f"{key} {scores[key]}\n" for key in layer[:-3])
    pieces = tmp_path / "book.ply2"
    pieces.write_text(whole + f"{layer[-3]} 1")
    solved = []

    def at_once(_work, tasks, workers):
        solved.append((workers, [list(task) for task in tasks]))
        yield {key: scores[key] for key in layer[-3:]}

    monkeypatch.setattr("bot.engine.book.build.in_processes", at_once)
    told = []
    book = build(2, tmp_path / "book", 5, lambda *counts: told.append(counts))
    assert solved == [(5, [layer[-3:]])]
    assert told == [(len(layer) - 3, len(layer)), (len(layer), len(layer))]
    assert pieces.read_text() == whole + "".join(f"{key} {scores[key]}\n" for key in layer[-3:])
    assert opening_errors(book) == [] and Book.load(tmp_path / "book") == book
    assert build(2, tmp_path / "book", 5, lambda *_: None) == book and solved[1:] == [(5, [])]


@pytest.mark.parametrize("foreign", ["my notes\n", "my notes, without a line end", "bot book build --plies 3\n"])
def test_a_build_leaves_a_file_of_another_kind_as_it_is(tmp_path, foreign):
    pieces = tmp_path / "book.ply2"
    pieces.write_text(foreign)
    with pytest.raises(UsageError, match="another command or with other options"):
        build(2, tmp_path / "book", 1, lambda *_: None)
    assert pieces.read_text() == foreign
