"""`bot doctor`: every result can be good and bad."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.cli import doctor
from bot.course.events import GameEnded
from bot.course.journal.records import RunEnded, as_line
from bot.errors import JournalError
from tests.course.journal.build import Hand, started


@pytest.fixture(autouse=True)
def quick_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Timers and disk are quick whatever else runs on this machine."""
    monkeypatch.setattr(doctor, "_overrun_s", lambda: 0.001)
    monkeypatch.setattr(doctor, "_slowest_record_s", lambda _folder: 0.001)


def test_on_this_machine_nothing_is_wrong_and_every_result_is_complete(cli, tmp_path):
    done = cli("doctor --json")
    found = {result["name"]: result for result in json.loads(done.stdout)}
    assert done.returncode == 0, done.stdout
    assert list(found) == ["python", "engine", "time", "journals"]
    for result in found.values():
        assert set(result) == {"name", "state", "text", "next"} and result["text"]
        assert bool(result["next"]) == (result["state"] == "warning"), result
    assert not list(tmp_path.iterdir()), "a doctor leaves nothing behind"


def test_the_first_error_decides_the_exit_code_and_the_rest_is_still_examined(cli, tmp_path):
    (tmp_path / "logs").touch()
    done = cli("doctor")
    assert done.returncode == 2 and "1 error, " in done.stdout
    assert done.stdout.index("error    time") < done.stdout.index("journals")


def test_a_check_that_fails_itself_is_a_result():
    def fails(error: Exception) -> tuple[str, str]:
        raise error

    bug = doctor.checked("solver", fails, RuntimeError("out of luck"))
    gone = doctor.checked("journals", fails, JournalError("The folder is gone.", "Look for it."))
    assert (bug.state, bug.exit_code) == ("error", 1) and "RuntimeError: out of luck" in bug.text
    assert (gone.text, gone.next_step, gone.exit_code) == ("The folder is gone.", "Look for it.", 2)


TIMES = {
    (0.1, 0.07): ("ok", ""),
    (0.1, 0.08): ("warning", "End other programs before you play."),
    (0.3, 0.06): ("error", "End other programs before you play."),
    (0.0, 2.0): ("error", "Choose a --logs folder on a faster disk."),
}


def test_five_seconds_are_safe_by_the_stated_rule(monkeypatch, tmp_path):
    for (late_s, record_s), expected in TIMES.items():
        monkeypatch.setattr(doctor, "_overrun_s", lambda late_s=late_s: late_s)
        monkeypatch.setattr(doctor, "_slowest_record_s", lambda _folder, record_s=record_s: record_s)
        result = doctor.checked("time", doctor.check_time, tmp_path / "a/b")
        assert (result.state, result.next_step) == expected and "5 s" in result.text


def test_wrong_scores_of_the_solver_are_reported(monkeypatch):
    monkeypatch.setattr(doctor, "POSITIONS", tuple((moves, score + 1) for moves, score in doctor.POSITIONS[:1]))
    result = doctor.checked("engine", doctor.check_engine)
    assert (result.state, result.exit_code) == ("error", 1)
    assert "17117653653 has the score -1, not -2" in result.text


def opened(logs: Path) -> Hand:
    """Return a journal of a game that has just begun."""
    journal = Hand(logs, started(server="embedded", ids=["local-player"]))
    journal.intent(1, -1)
    journal.reply(1, status=True, state=[[0] * 7] * 6)
    return journal


def test_damage_is_named_by_file_and_line_and_does_not_hide_other_files(tmp_path):
    impossible, damaged = opened(tmp_path), opened(tmp_path)
    for journal in (impossible, damaged):
        journal.close()
    assert doctor.check_journals(tmp_path) == (f"2 journals in {tmp_path}, none damaged", "")
    with impossible.path.open("ab") as file:  # its records show no end
        file.write(as_line(RunEnded("finished", games=(GameEnded(1, 1.0, "reply"),)), "2026-01-02T03:05:00.000+00:00"))
    assert doctor.check_journals(tmp_path)[0].startswith("1 of 2 journals with problems. ")
    impossible.path.unlink()
    with damaged.path.open("ab") as file:
        file.write(b"no json\nno json\n")
    (tmp_path / "000007-a.jsonl").touch()
    text, next_step = doctor.check_journals(tmp_path)
    assert text.startswith("2 of 2 journals with problems. ") and "bot replay FILE --verify" in next_step
    assert f"{damaged.path.name}: Line" in text and "is damaged and was skipped: it is not JSON." in text
