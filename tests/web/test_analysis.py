"""The page's analysis, checked against plain minimax, and its wording."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from bot.game import Board, parse_moves
from bot.web import analysis
from bot.web.app import create_app

LATE = "444443333161"
DRAW = "257771314744647214154617633623313656555222"


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    return TestClient(create_app(tmp_path), base_url="http://127.0.0.1:8044")


@lru_cache(None)
def exact(board: Board) -> int:
    """The score by plain minimax, apart from the solver."""
    if board.has_winner:
        return (board.ply + 1) // 2 - 22
    if board.is_full:
        return 0
    return max(-exact(board.play(column)) for column in board.legal_columns())


@pytest.mark.parametrize("plies", range(30, 43))
def test_the_analysis_agrees_with_plain_minimax(
    client: TestClient, plies: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysis, "PV_MOST_S", 60.0)  # a busy machine may need it
    moves = DRAW[:plies]
    board = Board.from_moves(parse_moves(moves))
    answer = client.post("/api/analysis", json={"moves": moves, "time_s": 60}).json()
    wanted = [-exact(board.play(column)) if board.can_play(column) else None for column in range(7)]
    if board.is_over:
        wanted = [None] * 7
    assert [None if entry is None else entry["exact"] for entry in answer["columns"]] == wanted
    if not board.is_over:
        assert set(answer["best"]) == {column for column in range(7) if wanted[column] == exact(board)}
        for column in answer["pv"]:
            assert -exact(board.play(column)) == exact(board), "the line must be best for both"
            board = board.play(column)
        assert board.is_over


def test_the_review_finds_the_moves_that_gave_something_away(client: TestClient) -> None:
    moves = "444443333161557"
    answer = client.post("/api/review", json={"moves": moves, "time_s": 60}).json()
    assert len(answer["scores"]) == 16 and len(answer["moves"]) == 15
    assert answer["scores"][15] == exact(Board.from_moves(parse_moves(moves))) * -1
    assert answer["moves"][11]["kind"] == "sooner"
    assert all(answer["moves"][ply]["kind"] == "best" for ply in (12, 14))


def test_the_review_says_what_a_person_could_have_seen(client: TestClient) -> None:
    """Exact play calls move 9 only a sooner loss; it is what people understand, and the moment of the game."""
    answer = client.post("/api/review", json={"moves": "142634435265", "time_s": 60}).json()
    assert (answer["moment"], answer["doomed"], answer["doomed_text"]) == (8, None, None)
    seen = answer["insights"][8]
    assert seen.pop("text") == "O can open two fours at the same time with column 2; X can block only one."
    assert seen == {
        "kind": "allowed double threat",
        "missed": False,
        "player": 2,
        "line": [4, 1, 0, 4],
        "cells": [7, 13, 19, 25],
        "pairs": [],
        "better": [1, 6],
    }
    assert len(answer["insights"]) == 12
    assert answer["moves"][10]["kind"] == "best" and answer["moves"][10]["text"] == "best, but every move loses here"


def test_the_moment_is_the_losers_own_move(client: TestClient) -> None:
    answer = client.post("/api/review", json={"moves": "4453473433225224343262755", "time_s": 60}).json()
    graves = [ply for ply, verdict in enumerate(answer["moves"]) if verdict["grave"]]
    assert graves == [2, 5], "the opponent's move 3, and our move 6"
    assert answer["doomed"] is None and answer["moment"] % 2 == 1
    assert answer["insights"][answer["moment"]]["player"] == 1


def test_a_game_that_nothing_could_save_is_called_so(client: TestClient) -> None:
    answer = client.post("/api/review", json={"moves": "4141474", "time_s": 60}).json()
    assert (answer["moment"], answer["doomed"]) == (5, 1)
    assert answer["doomed_text"] == "Every move of O lost from the start: X never gave the win away."


def test_an_unfinished_game_has_no_moment(client: TestClient) -> None:
    answer = client.post("/api/review", json={"moves": "414147", "time_s": 60}).json()
    assert answer["moment"] is None and answer["doomed"] is None
    assert answer["insights"][5]["kind"] == "missed block"


@pytest.mark.parametrize(
    ("moves", "words"), [("414141", "win in 1"), ("44553", "loss in 1"), (LATE, "win in 2"), (DRAW[:41], "draw")]
)
def test_scores_in_words_count_the_moves_to_the_end(moves: str, words: str) -> None:
    assert analysis.analyse(parse_moves(moves), 60.0)["text"] == words
