"""The journal's document and its code name the same records."""

from __future__ import annotations

import re
from pathlib import Path

import bot.course.journal
from bot.course.journal.schema import (
    FIELDS,
    FIELDS_OF_SCHEMA_1,
    KINDS_OF_SCHEMA_1,
    KNOWN_BY_OF_SCHEMA_1,
    REQUIRED_OF_EVENT,
    SCHEMA,
)

TEXT = (Path(bot.course.journal.__file__).parent / "README.md").read_text()
RECORDS = dict(re.findall(r"^\| `(\w+)` \| [^|]* \|(.*)\|$", TEXT, re.MULTILINE))


def named(text: str) -> set[str]:
    return set(re.findall(r"`(\w+)`", text))


def test_the_document_is_about_this_schema() -> None:
    assert f"## Records, schema {SCHEMA}\n" in TEXT


def test_every_checked_field_is_described() -> None:
    for record_type, fields in FIELDS.items():
        if record_type == "event":
            events = set().union(*(named(about) for kind, about in RECORDS.items() if kind not in FIELDS))
            assert set(fields) - {"drawn"} <= events | named(RECORDS["event"])
        else:
            assert set(fields) - {"streak"} <= named(RECORDS[record_type])


def test_every_event_is_described_with_the_fields_that_it_needs() -> None:
    assert set(KINDS_OF_SCHEMA_1.values()) <= set(RECORDS)
    for kind, fields in REQUIRED_OF_EVENT.items():
        assert set(fields) <= named(RECORDS[kind])


def test_every_name_of_schema_1_is_translated_in_the_document_as_in_the_code() -> None:
    pairs = dict(re.findall(r'[`"](\w+)[`"]\s\((\w+)\)', TEXT.partition("Names in schema 1")[2]))
    assert pairs == KINDS_OF_SCHEMA_1 | FIELDS_OF_SCHEMA_1 | KNOWN_BY_OF_SCHEMA_1
