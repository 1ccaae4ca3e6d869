"""`bot analyse`: its words, its JSON, its batches and its refusals."""

from __future__ import annotations

import json
import subprocess

import pytest
from typer.testing import CliRunner

from bot.cli.app import app, run
from tests.processes import running_bot

LATE = "3117537462422444124527"  # 22 plies


def ask(*arguments: str, stdin: str | None = None) -> str:
    told = CliRunner().invoke(app, ["analyse", *arguments], input=stdin)
    assert told.exit_code == 0, told.output
    return told.stdout


def test_json_holds_what_is_promised():
    told = json.loads(ask(LATE, "--json", "--no-book"))
    assert told["moves"] == LATE
    assert len(told["scores"]) == 7 and told["scores"][3] is None, "column d is full"
    known = [score for score in told["scores"] if score is not None]
    assert told["score"] == max(known) and told["exact"] is True
    assert told["best"] == [column for column, score in enumerate(told["scores"], 1) if score == max(known)]
    assert told["outcome"] == ("win" if max(known) > 0 else "loss" if max(known) < 0 else "draw")
    assert told["pv"][0] in told["best"] and told["nodes"] > 0 and told["seconds"] > 0


def test_letters_and_digits_mean_the_same():
    letters = "".join("abcdefg"[int(digit) - 1] for digit in LATE)
    first, second = (json.loads(ask(moves, "--json", "--no-book")) for moves in (LATE, letters))
    assert {**first, "seconds": 0} == {**second, "seconds": 0}


def test_words_show_board_columns_and_line():
    text = ask(LATE, "--no-book")
    assert "1 2 3 4 5 6 7" in text and "X to move" in text
    assert "d full" in text and "best: " in text and "line: " in text and "nodes" in text
    assert sum(line.startswith("* ") for line in text.splitlines()) >= 1


def test_a_batch_answers_line_by_line_and_survives_bad_lines(tmp_path):
    lines = [LATE + " 5 anything", LATE + "5", "1212121", "44x", "44444444", LATE + "\t"]
    file = tmp_path / "positions.txt"
    file.write_text("\n".join(lines) + "\n")
    told = [json.loads(line) for line in ask("--file", str(file), "--json", "--score-only").splitlines()]
    assert len(told) == len(lines)
    assert ["error" in entry for entry in told] == [False, False, True, True, True, False]
    single = json.loads(ask(LATE, "--json"))
    assert told[0]["score"] == told[5]["score"] == single["score"]
    assert told[0]["scores"] is None and told[0]["pv"] is None
    assert "over" in told[2]["error"] and "column" in told[3]["error"]


def test_a_batch_streams():
    """Each answer comes before the next question is asked."""
    command = ("analyse", "--file", "-", "--json", "--score-only")
    with running_bot(*command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=1) as process:
        assert process.stdin is not None and process.stdout is not None
        for moves in (LATE, LATE + "5", LATE):
            process.stdin.write(moves + "\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["moves"] == moves
        process.stdin.close()
        assert process.wait() == 0


def test_only_outcomes():
    weak, exact = (json.loads(ask(LATE, "--json", "--no-book", *more)) for more in (["--weak"], []))
    assert weak["outcome"] == exact["outcome"]
    assert weak["outcomes"] == exact["outcomes"]


def test_what_is_not_proven_in_time_is_told_as_bounds():
    told = json.loads(ask("44", "--json", "--no-book", "--deadline", "0.01"))
    assert told["exact"] is False and told["score"] is None
    assert told["bounds"][0] < told["bounds"][1]
    assert "bounds only" in ask("44", "--no-book", "--deadline", "0.01")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["1212121"], "over"),
        (["12121217"], "after the game has ended"),
        (["4444444"], "full"),
        (["48"], "not a column"),
        ([], "MOVES or --file"),
        (["4", "--file", "x"], "MOVES or --file"),
        (["--file", "no-such-file"], "cannot be read"),
    ],
)
def test_a_senseless_question_gets_one_sentence(capsys, arguments, complaint):
    assert run(["analyse", *arguments]) == 2
    told = capsys.readouterr()
    assert complaint in told.err and len(told.err.strip().splitlines()) == 1 and told.out == ""
