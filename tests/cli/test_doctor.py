"""`bot doctor`: every result can be good and bad."""

from __future__ import annotations

import json

import pytest

from bot.cli import doctor


@pytest.fixture(autouse=True)
def quick_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Timers and disk are quick whatever else runs on this machine."""
    monkeypatch.setattr(doctor, "_overrun_s", lambda: 0.001)
    monkeypatch.setattr(doctor, "_slowest_record_s", lambda _folder: 0.001)


def test_on_this_machine_nothing_is_wrong_and_every_result_is_complete(cli, tmp_path):
    done = cli("doctor --json")
    found = {result["name"]: result for result in json.loads(done.stdout)}
    assert done.returncode == 0, done.stdout
    assert list(found) == ["python", "engine", "time"]
    for result in found.values():
        assert set(result) == {"name", "state", "text", "next"} and result["text"]
        assert bool(result["next"]) == (result["state"] == "warning"), result
    assert not list(tmp_path.iterdir()), "a doctor leaves nothing behind"


def test_the_first_error_decides_the_exit_code_and_the_rest_is_still_examined(cli, tmp_path, monkeypatch):
    monkeypatch.setattr(doctor, "POSITIONS", (("17117653653", -1),))
    (tmp_path / "logs").touch()
    done = cli("doctor")
    assert done.returncode == 1 and "2 errors, " in done.stdout
    assert done.stdout.index("17117653653 has the score -1, not -2") < done.stdout.index("error    time")


def test_a_check_that_fails_itself_is_a_result():
    def fails() -> tuple[str, str]:
        raise RuntimeError("out of luck")

    bug = doctor.checked("solver", fails)
    assert (bug.state, bug.exit_code) == ("error", 1) and "RuntimeError: out of luck" in bug.text


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
