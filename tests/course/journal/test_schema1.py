"""Journals of schema 1 are read as before, with the names of schema 2."""

from __future__ import annotations

import json

import pytest

from bot.course.journal.reader import parse_records, read_journal
from bot.course.journal.schema import FIELDS_OF_SCHEMA_1, KINDS_OF_SCHEMA_1, KNOWN_BY_OF_SCHEMA_1, complaint, translated
from bot.course.journal.verify import count_problems, replay_game
from tests.course.journal.schema1 import CASES, expected, path_of


def test_every_event_of_schema_1_is_among_the_recorded_ones() -> None:
    kinds = {json.loads(line).get("kind") for case in CASES for line in path_of(case).read_text().splitlines()[:-1]}
    assert set(KINDS_OF_SCHEMA_1) - {"not_processed"} < kinds
    assert {"silent_start", "resumed", "illegal", "no_safe_column"} < kinds


@pytest.mark.parametrize("case", CASES)
def test_games_results_and_problems_are_what_the_first_edition_saw(case: str) -> None:
    journal, wanted = read_journal(path_of(case)), expected(case)
    unfinished = journal.unfinished
    assert (journal.damaged, journal.torn) == ([], wanted["torn"])
    assert (unfinished and unfinished.number) == wanted["unfinished"]
    assert [
        {
            "game": game.number,
            "result": game.result,
            "known_by": game.ended and game.ended["known_by"],
            "problems": replay_game(game).problems,
        }
        for game in journal.games
    ] == [
        {**game, "known_by": KNOWN_BY_OF_SCHEMA_1.get(game["known_by"], game["known_by"])} for game in wanted["games"]
    ]
    assert count_problems(path_of(case)) == wanted["run_problems"]


@pytest.mark.parametrize("case", CASES)
def test_no_name_of_schema_1_is_left_and_nothing_is_lost(case: str) -> None:
    for line, raw in zip(
        parse_records(path_of(case).read_bytes()), path_of(case).read_text().splitlines(), strict=True
    ):
        if line.record is None:
            assert line.is_torn
            continue
        before = json.loads(raw)
        assert complaint(line.record) is None
        assert len(line.record) == len(before)
        assert not FIELDS_OF_SCHEMA_1.keys() & line.record.keys()
        assert line.record.get("kind") not in KINDS_OF_SCHEMA_1
        ends = [line.record, *(line.record.get("ended") or [])]
        assert not KNOWN_BY_OF_SCHEMA_1.keys() & {end.get("known_by") for end in ends}
        assert translated(line.record) == line.record


def test_a_journal_that_schema_1_began_goes_on_in_schema_2() -> None:
    content = path_of("killed_sent").read_bytes()
    content += b'{"type":"event","game":1,"kind":"reply_lost","text":"","delivered":0.25,"first_byte_s":0.5}\n'
    last = list(parse_records(content))[-1].record
    assert last is not None
    assert (last["kind"], last["delivered"], last["first_byte_s"]) == ("reply_lost", 0.25, 0.5)


def test_a_journal_of_schema_2_keeps_its_names() -> None:
    header = b'{"type":"run","schema":2,"server":"s","stil_ids":["a"]}\n'
    *_, line = parse_records(header + b'{"type":"event","kind":"books","worlds":1}\n')
    assert line.record is not None and (line.record["kind"], line.record["worlds"]) == ("books", 1)
