"""An engine's move times."""

from __future__ import annotations

import json

from bot.cli.app import run
from bot.errors import ExitCode
from bot.trials.bench.engine import MoveTime, rows_of


def bench(capsys, *arguments: str) -> tuple[int, str, str]:
    code = run(["bench", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_move_times_of_an_engine_by_ply(capsys) -> None:
    code, out, _ = bench(
        capsys, "engine", "--engine", "depth2", "--opponent", "random", "--games", "6", "--seed", "3", "--json"
    )
    assert code == ExitCode.DONE
    told = json.loads(out)
    assert (told["engine"], told["opponent"], told["games"], told["seed"]) == ("depth2", "random", 6, 3)
    *groups, everything = told["rows"]
    assert everything["name"] == "all"
    assert sum(row["moves"] for row in groups) == everything["moves"] > 0
    for row in told["rows"]:
        assert 0 < row["median_s"] <= row["p95_s"] <= row["p99_s"] <= row["worst_s"]


def test_the_engine_table_for_people(capsys) -> None:
    code, out, _ = bench(capsys, "engine", "--engine", "random", "--opponent", "random", "--games", "2")
    assert code == ExitCode.DONE
    assert out.startswith("random against random, 2 games; ready after")
    assert out.splitlines()[-1].startswith("all ")


def test_an_unknown_engine_is_refused(capsys) -> None:
    code, out, err = bench(capsys, "engine", "--engine", "none")
    assert (code, out) == (ExitCode.USAGE, "")
    assert "no agent called 'none'" in err


def test_percentiles_are_those_of_each_group_alone() -> None:
    times = [MoveTime(ply, float(ply)) for ply in (0, 7, 8, 41)]
    rows = rows_of(times)
    assert [(row["name"], row["moves"], row["median_s"], row["worst_s"]) for row in rows] == [
        ("ply 0-7", 2, 3.5, 7.0),
        ("ply 8-11", 1, 8.0, 8.0),
        ("ply 24-41", 1, 41.0, 41.0),
        ("all", 4, 7.5, 41.0),
    ]
