"""The proof for the page: whose turn it is, reasons, diagrams, and replies, checked against the rules of the game."""

from __future__ import annotations

import random
from pathlib import Path

from fastapi.testclient import TestClient

from bot.game import Board, format_moves
from bot.proof.explain import proof_json
from bot.web.app import create_app


def test_a_walk_through_the_proof_alternates_and_ends_with_its_promise(tmp_path: Path) -> None:
    client = TestClient(create_app(tmp_path), base_url="http://localhost", raise_server_exceptions=False)
    chance = random.Random(1)
    for _ in range(5):
        columns: tuple[int, ...] = ()
        while not Board.from_moves(columns).is_over:
            place = client.post("/api/proof", json={"moves": format_moves(columns)}).json()
            if len(columns) % 2 == 0:
                assert place["turn"] == "proof" and place["move"]["wins"] and place["move"]["sentences"]
                columns = (*columns, place["move"]["column"])
            else:
                assert place["turn"] == "opponent" and place["move"]["column"] == columns[-1]
                board = Board.from_moves(columns)
                assert [reply["column"] for reply in place["replies"]] == list(board.legal_columns())
                assert all(reply["answer"] is not None for reply in place["replies"] if not reply["ends"])
                columns = (*columns, chance.choice(place["replies"])["column"])
        assert Board.from_moves(columns).winner == 1
        assert proof_json(columns)["turn"] == "over"


def test_a_diagrams_cells_are_empty_and_in_one_order() -> None:
    chance = random.Random(1)
    columns: tuple[int, ...] = ()
    place = proof_json(columns)
    while not place["move"]["diagram"]:
        columns = (*columns, place["move"]["column"])
        going_on = [reply["column"] for reply in proof_json(columns)["replies"] if not reply["ends"]]
        columns = (*columns, chance.choice(going_on)) if going_on else ()
        place = proof_json(columns)
    board = Board.from_moves(columns)
    cells = [tuple(cell) for cell in place["move"]["order"]]
    assert len(set(cells)) == len(cells) == 42 - board.ply
    assert {tuple(cell) for cell in place["move"]["follow"] + place["move"]["claim"]} <= set(cells)


def test_a_position_that_no_claim_covers_is_outside() -> None:
    assert proof_json((3, 3, 0)) == {"turn": "outside", "move": None, "replies": []}
