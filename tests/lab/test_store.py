"""The store of results: it resumes, skips what is damaged or outdated, and leaves the files of others alone."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from bot.errors import UsageError
from bot.lab.store import Store, load

HEAD = {"plan": ["a", 1], "version": "x"}


def test_a_record_is_in_the_file_at_once_and_found_again(tmp_path: Path) -> None:
    path = tmp_path / "new" / "results.jsonl"
    with Store(path, HEAD) as store:
        store.add("one", {"value": [1, None]})
        assert load(path, HEAD)["one"]["value"] == [1, None], "before the store is closed"
        store.add("two", {"value": 2})
    with Store(path, {"plan": ("a", 1), "version": "x"}) as store:
        assert list(store.known) == ["one", "two"]
        found = store.get("two")
        assert found is not None and found["value"] == 2 and store.get("three") is None


@pytest.mark.parametrize("cut", range(1, 90))
def test_a_file_that_a_crash_tore_anywhere_resumes(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "results.jsonl"
    with Store(path, HEAD) as store:
        store.add("one", {"value": 1})
    path.write_bytes(path.read_bytes()[:cut])
    with Store(path, HEAD) as store:
        assert set(store.known) <= {"one"}
        store.add("two", {"value": 2})
    assert load(path, HEAD)["two"]["value"] == 2
    assert all(json.loads(line) for line in path.read_text().splitlines())


def test_a_damaged_line_is_skipped_wherever_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    with Store(path, HEAD) as store:
        store.add("one", {"value": 1})
    with path.open("ab") as file:
        file.write(b'{"key": "two", "val\n[]\n{"value": 3}\n\xff\xfe\n')
    with Store(path, HEAD) as store:
        assert list(store.known) == ["one"]
        store.add("three", {"value": 3})
    assert list(load(path, HEAD)) == ["one", "three"]


def test_a_record_of_other_sources_counts_as_missing(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    with Store(path, HEAD) as store:
        store.add("one", {"value": 1}, "before")
        assert store.get("one", "before") and not store.get("one", "after") and not store.get("one")
    with Store(path, HEAD) as store:
        assert store.get("one", "after") is None
        store.add("one", {"value": 2}, "after")
    found = load(path, HEAD)
    assert (found["one"]["value"], found["one"]["sources"]) == (2, "after")


@pytest.mark.parametrize("content", [b"mine\n", b"{}", b"[1]\n", b'{"plan": ["a", 2], "version": "x"}\n', b"\x00\xff"])
def test_a_file_of_another_kind_or_plan_is_refused_and_kept(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "mine"
    path.write_bytes(content)
    with pytest.raises(UsageError), Store(path, HEAD):
        pass
    assert path.read_bytes() == content


def test_a_place_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be used"), Store(tmp_path, HEAD):
        pass
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="cannot be used"), Store(tmp_path / "file" / "below", HEAD):
        pass


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    with pytest.raises(UsageError, match="cannot be used"), Store(path, HEAD) as store:
        with Path("/dev/full").open("ab") as full:
            os.dup2(full.fileno(), store._file._file.fileno())  # type: ignore[union-attr]
        store.add("one", {"value": 1})


def test_without_a_path_records_are_kept_for_the_run() -> None:
    with Store(None, HEAD) as store:
        store.add("one", {"value": 1})
        assert store.get("one") and list(store.known) == ["one"]
