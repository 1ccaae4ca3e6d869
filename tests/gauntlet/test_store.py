"""The store of results: it resumes, skips what is damaged, and leaves the files of others alone."""

from __future__ import annotations

import pytest

from bot.errors import UsageError
from bot.gauntlet.store import RecordStore, load

HEAD = {"plan": ["a", 1], "version": "x"}


def test_a_record_is_in_the_file_at_once_and_counts_for_its_sources(tmp_path):
    path = tmp_path / "new" / "results.jsonl"
    with RecordStore(path, HEAD) as store:
        store.add("one", {"value": [1, None]}, "before")
        assert load(path, HEAD)["one"]["value"] == [1, None], "before the store is closed"
    with RecordStore(path, {"plan": ("a", 1), "version": "x"}) as store:
        assert [store.get("one", sources) is not None for sources in ("before", "after", "")] == [True, False, False]
        store.add("one", {"value": 3}, "after")
    assert load(path, HEAD) == {"one": {"key": "one", "sources": "after", "value": 3}}


def test_a_file_that_a_crash_tore_or_damaged_anywhere_resumes(tmp_path):
    path = tmp_path / "results.jsonl"
    with RecordStore(path, HEAD) as store:
        store.add("one", {})
    whole = path.read_bytes()
    for content in (*(whole[:cut] for cut in range(len(whole))), whole + b'{"key": "two", "val\n[]\n{"a": 3}\n\xff\n'):
        path.write_bytes(content)
        with RecordStore(path, HEAD) as store:
            assert {*store.known} <= {"one"}
            store.add("two", {})
        assert [*load(path, HEAD)][-1] == "two"
    assert [*load(path, HEAD)] == ["one", "two"]


@pytest.mark.parametrize("content", [b"mine\n", b"{}", b"[1]\n", b'{"plan": ["a", 2], "version": "x"}\n', b"\x00\xff"])
def test_a_file_of_another_kind_is_refused_and_kept(tmp_path, content):
    path = tmp_path / "mine"
    path.write_bytes(content)
    for place in (path, path / "below", tmp_path):
        with pytest.raises(UsageError), RecordStore(place, HEAD):
            pass
    assert path.read_bytes() == content
