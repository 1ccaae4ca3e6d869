"""`bot proof explain`: what a person reads in each kind of position, and what a program reads."""

from __future__ import annotations

import json
import random

import pytest

from bot.cli.app import run
from bot.game import Board, format_moves
from bot.proof.explain import proof_json

OUTSIDE = "No claim of the proof covers this position. Start again, or take a move back."


@pytest.fixture
def said(capsys):
    """Return a function that runs the command and returns what it prints."""

    def run_it(moves: str, *options: str) -> str:
        assert run(["proof", "explain", moves, *options]) == 0
        return capsys.readouterr().out

    return run_it


def under_a_diagram() -> tuple[int, ...]:
    """Return a game in which a diagram gives the proof's next move, which does not win at once."""
    rng = random.Random(3)
    columns: tuple[int, ...] = ()
    while not (move := proof_json(columns)["move"])["follow"]:
        after = Board.from_moves((*columns, move["column"]))
        replies = [] if after.is_over else [c for c in after.legal_columns() if not after.play(c).is_over]
        columns = (*columns, move["column"], rng.choice(replies)) if replies else ()
    return columns


def table(text: str) -> list[list[str]]:
    """Return the rows of the table of replies, without its heading."""
    return [line.split(maxsplit=2) for line in text.partition("reply  answer")[2].splitlines()[1:]]


def test_a_branch_gives_reason_entries_and_an_answer_to_each_reply(said):
    text = said("")
    assert "Play column 4 now, because the proof names this column here." in text
    assert "This wins: the proof has an answer to each reply.\n2,109 entries of the proof follow from here." in text
    answers = [reply["answer"] + 1 for reply in proof_json((3,))["replies"]]
    assert [row[:2] for row in table(text)] == [[str(reply), str(answer)] for reply, answer in enumerate(answers, 1)]
    assert all(row[2].endswith(" entries") for row in table(text))


def test_after_the_proofs_move_the_same_is_said_as_before_it(said):
    before, after = said(""), said("4")
    assert table(before) == table(after)
    assert "The proof has just moved. It said:\nPlay column 4 now" in after


def test_a_diagram_gives_its_list_and_what_it_means(said):
    columns = under_a_diagram()
    text, order = said(format_moves(columns)), proof_json(columns)["move"]["order"]
    assert "From here a fixed order of the cells wins without looking ahead." in text
    assert "Follow up: when the opponent plays directly below" in text
    listed = "abcdefg"[order[0][0]] + str(order[0][1] + 1)
    assert f"The list: {listed} " in text
    assert all(row[2] in ("a diagram decides", "the game ends") for row in table(text))


def test_outside_the_proof_one_sentence_says_so(said):
    assert said("443").endswith(f"\n\n{OUTSIDE}\n")


def test_where_a_game_has_ended_nothing_follows(said):
    columns: tuple[int, ...] = ()
    while not Board.from_moves(columns).is_over:
        place = proof_json(columns)
        column = place["move"]["column"] if place["turn"] == "proof" else Board.from_moves(columns).legal_columns()[0]
        columns = (*columns, column)
    text = said(format_moves(columns))
    assert "because it makes four in a row." in text and "reply" not in text


def test_programs_read_columns_from_one_and_cells_by_their_names(said):
    columns = under_a_diagram()
    found, place = json.loads(said(format_moves(columns), "--json")), proof_json(columns)
    assert (found["turn"], found["move"]["column"]) == ("proof", place["move"]["column"] + 1)
    column, row = place["move"]["follow"][0]
    assert found["move"]["follow"][0] == "abcdefg"[column] + str(row + 1)
    answers = json.loads(said("4", "--json"))["replies"]
    assert [reply["answer"] for reply in answers] == [reply["answer"] + 1 for reply in proof_json((3,))["replies"]]
    assert json.loads(said("443", "--json")) == {"turn": "outside", "move": None, "replies": []}
