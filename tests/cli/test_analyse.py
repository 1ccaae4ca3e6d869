"""`bot analyse`: its words, its JSON, its files and its limits."""

from __future__ import annotations

import json
from unittest.mock import Mock

from bot.engine.analysis import Analyst

LATE = "3117537462422444124527"
"""A position of 22 plies; column 4 is full."""
LETTERS = LATE.translate(str.maketrans("1234567", "abcdefg"))


def test_json_holds_every_score_and_a_best_line(cli):
    answer = json.loads(cli(f"analyse {LETTERS} --json --no-book").stdout)
    known = [score for score in answer["scores"] if score is not None]
    assert (answer["moves"], answer["exact"], answer["outcome"], answer["scores"][3]) == (LATE, True, "loss", None)
    assert (answer["score"], len(answer["scores"])) == (max(known), 7)
    assert answer["best"] == [column for column, score in enumerate(answer["scores"], 1) if score == max(known)]
    assert (
        answer["pv"][0] in answer["best"]
        and answer["best_by"] == "score"
        and answer["nodes"] > 0
        and answer["seconds"] > 0
    )


def test_words_show_board_columns_and_line(cli):
    text = cli(f"analyse {LATE} --no-book").stdout
    for part in ("1 2 3 4 5 6 7", "X to move loses in 9 moves.", "  4 full", "\n* ", "best: ", "line: ", "nodes"):
        assert part in text
    assert "The time limit" not in text


def test_what_is_not_proven_in_time_is_given_as_bounds(cli):
    command = "analyse 44 --no-book --deadline 0.01"
    answer = json.loads(cli(f"{command} --json").stdout)
    assert answer["exact"] is False and answer["score"] is None and answer["bounds"][0] < answer["bounds"][1]
    assert any(lower < upper for lower, upper in answer["column_bounds"]) and answer["best_by"] != "score"
    for line in (command, "analyse 1 --deadline 0"):
        assert "The time limit ended the search: a longer --deadline proves more." in cli(line).stdout


FILE = f"""\ufeff# {LATE}
{LETTERS} 5 anything

{LATE}5
1212121
44x
44444444
{"9" * 1000}
{LATE}\t
"""


def test_a_file_is_answered_line_by_line_and_bad_lines_are_reported(cli, tmp_path):
    (tmp_path / "file").write_text(FILE)
    done, shown = (cli(f"analyse --file file --score-only {form}") for form in ("--json", ""))
    answer = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == shown.returncode == 2
    assert [entry.get("line") for entry in answer] == [None, None, 5, 6, 7, 8, None]
    assert answer[0]["score"] == answer[-1]["score"] == -2 and answer[0]["pv"] is None
    assert "over" in answer[2]["error"] and "column" in answer[3]["error"]
    assert shown.stdout.splitlines() == [f"{LATE} -2", f"{LATE}5 +10", f"{LATE} -2"]
    complaints = shown.stderr.splitlines()
    assert [line.split(":")[1] for line in complaints] == ["5", "6", "7", "8"]
    assert f"{'9' * 60}: '9' at place 1" in complaints[-1]


def test_the_line_has_the_time_that_the_scores_leave(cli, monkeypatch):
    asked = Mock(return_value=())
    monkeypatch.setattr(Analyst, "line", asked)
    cli(f"analyse {LATE} --no-book --deadline 5")
    assert 0 < asked.call_args.kwargs["deadline_s"] < 5


def test_the_scores_come_before_the_solver_is_loaded(cli, monkeypatch):
    monkeypatch.setattr(Analyst, "warm_up", lambda _analyst: print("(loading)"))
    scores, line = cli("analyse 4453").stdout.split("(loading)")
    assert scores.rstrip().endswith("best: 3 6 7") and line.lstrip().startswith("line: ")
