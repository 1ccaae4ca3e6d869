"""`bot analyse`: its words, its JSON, its files and its errors."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bot.cli.analyse import _as_json, _Request
from bot.cli.app import app, run
from bot.engine.analysis import Analysis, Analyst
from bot.engine.score import Solved
from bot.game import Board
from tests.processes import python_json, running_bot

LATE = "3117537462422444124527"  # 22 plies


def ask(*arguments: str, stdin: str | None = None) -> str:
    answer = CliRunner().invoke(app, ["analyse", *arguments], input=stdin)
    assert answer.exit_code == 0, answer.output
    return answer.stdout


def test_json_holds_what_is_promised() -> None:
    answer = json.loads(ask(LATE, "--json", "--no-book"))
    assert answer["moves"] == LATE
    assert len(answer["scores"]) == 7 and answer["scores"][3] is None, "column 4 is full"
    known = [score for score in answer["scores"] if score is not None]
    assert answer["score"] == max(known) and answer["exact"] is True
    assert answer["best"] == [column for column, score in enumerate(answer["scores"], 1) if score == max(known)]
    assert answer["outcome"] == ("win" if max(known) > 0 else "loss" if max(known) < 0 else "draw")
    assert answer["pv"][0] in answer["best"] and answer["nodes"] > 0 and answer["seconds"] > 0


def test_letters_and_digits_mean_the_same() -> None:
    letters = "".join("abcdefg"[int(digit) - 1] for digit in LATE)
    first, second = (json.loads(ask(moves, "--json", "--no-book")) for moves in (LATE, letters))
    assert {**first, "seconds": 0} == {**second, "seconds": 0}


def test_words_show_board_columns_and_line() -> None:
    text = ask(LATE, "--no-book")
    assert "1 2 3 4 5 6 7" in text and "X to move loses in 9 moves." in text
    assert "  4 full" in text and "best: " in text and "line: " in text and "nodes" in text
    assert sum(line.startswith("* ") for line in text.splitlines()) >= 1


BAD = [LATE + " 5 anything", "", LATE + "5", "1212121", "  ", "44x", "44444444", LATE + "\t"]


def batch(tmp_path: Path, *options: str) -> Result:
    file = tmp_path / "positions.txt"
    file.write_text("\n".join(BAD) + "\n")
    return CliRunner().invoke(app, ["analyse", "--file", str(file), "--score-only", *options])


def test_a_file_is_answered_line_by_line_and_bad_lines_are_reported(tmp_path: Path) -> None:
    done = batch(tmp_path, "--json")
    assert done.exit_code == 2
    answer = [json.loads(line) for line in done.stdout.splitlines()]
    assert ["error" in entry for entry in answer] == [False, False, True, True, True, False]
    assert [entry.get("line") for entry in answer] == [None, None, 4, 6, 7, None]
    single = json.loads(ask(LATE, "--json"))
    assert answer[0]["score"] == answer[5]["score"] == single["score"]
    assert answer[0]["scores"] is None and answer[0]["pv"] is None
    assert "over" in answer[2]["error"] and "column" in answer[3]["error"]


def test_bad_lines_go_to_stderr_with_their_numbers(tmp_path: Path) -> None:
    done = batch(tmp_path)
    assert done.exit_code == 2
    assert done.stdout.splitlines() == [f"{LATE} -2", f"{LATE}5 +10", f"{LATE} -2"]
    note, *complaints = done.stderr.splitlines()
    assert note.startswith("Note: ") and note.endswith(":1: what follows the first blank of a line is ignored.")
    places = [line.split(":")[1] for line in complaints]
    assert places == ["4", "6", "7"]


def test_a_file_may_begin_with_a_byte_order_mark_and_its_letters_become_digits(tmp_path: Path) -> None:
    file = tmp_path / "positions.txt"
    letters = "".join("abcdefg"[int(digit) - 1] for digit in LATE)
    file.write_text(f"{letters}\n", encoding="utf-8-sig")
    assert ask("--file", str(file), "--score-only").splitlines() == [f"{LATE} -2"]


def test_a_batch_streams() -> None:
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


def test_only_outcomes() -> None:
    weak, exact = (json.loads(ask(LATE, "--json", "--no-book", *more)) for more in (["--weak"], []))
    assert weak["outcome"] == exact["outcome"]
    assert weak["outcomes"] == exact["outcomes"]


def test_what_is_not_proven_in_time_is_told_as_bounds() -> None:
    answer = json.loads(ask("44", "--json", "--no-book", "--deadline", "0.01"))
    assert answer["exact"] is False and answer["score"] is None
    assert answer["bounds"][0] < answer["bounds"][1]
    assert "some scores are known by bounds only" in ask("44", "--no-book", "--deadline", "0.01")


def test_interrupted_columns_are_known_by_bounds_and_said_to_be() -> None:
    board = Board.from_moves("44")
    columns = (Solved(-3, 1),) * 7
    analysis = Analysis(board, Solved(1, 1), columns, nodes=10, seconds=0.1)
    text = _Request(Analyst(None), False, False, None, False)._ending(analysis, (), interrupted=True)
    assert text.endswith("Interrupted: some scores are known by bounds only and the best line is incomplete.")
    answer = _as_json(analysis, (), "44")
    assert answer["column_bounds"] == [[-3, 1]] * 7 and answer["scores"] == [None] * 7


def test_what_the_time_limit_cut_off_is_said() -> None:
    text = ask("1", "--deadline", "0")
    assert "The time limit ended the search: the best line is incomplete." in text
    assert "The time limit" not in ask(LATE)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["1212121"], "over in this position: X has won"),
        (["71212121"], "over in this position: O has won"),
        (["12121217"], "after the game has ended"),
        (["4444444"], "full"),
        (["48"], "not a column"),
        ([], "MOVES or --file"),
        (["4", "--file", "-"], "MOVES or --file"),
    ],
)
def test_a_senseless_question_gets_one_sentence(
    capsys: pytest.CaptureFixture[str], arguments: list[str], complaint: str
) -> None:
    assert run(["analyse", *arguments]) == 2
    answer = capsys.readouterr()
    assert complaint in answer.err and len(answer.err.strip().splitlines()) == 1 and answer.out == ""


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        ("analyse 4444444", "Column 4 is full"),
        ("analyse 44 --file -", "MOVES or --file"),
        ("analyse --file no-such-file --no-book", "No such file or directory"),
        ("move perfekt 44", "Did you mean perfect"),
        ("move perfect 4444444", "Column 4 is full"),
        ("move tommy-ab:4 1212121", "over"),
    ],
)
def test_a_mistake_is_reported_before_the_engine_is_loaded(
    command: str, complaint: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.cli.progress.loading_engine", lambda: pytest.fail("the engine is loaded"))
    assert run(command.split()) == 2
    assert complaint in capsys.readouterr().err


HEAVY = """
import json, sys
from bot.cli.app import run
code = run({arguments!r})
print(json.dumps([code, sorted({{"numba", "numpy"}} & set(sys.modules))]))
"""


@pytest.mark.parametrize(
    "arguments",
    [["move", "perfect", "4453"], ["analyse", "4453", "--score-only"], ["analyse", "--file", "no-such-file"]],
    ids=" ".join,
)
def test_what_stands_in_the_book_needs_neither_numba_nor_numpy(arguments: list[str]) -> None:
    code, loaded = python_json(HEAVY.format(arguments=arguments))
    assert code == (2 if "--file" in arguments else 0) and loaded == []


def test_the_scores_come_before_the_solver_is_loaded(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    printed: list[str] = []
    load = Analyst.warm_up

    def loading(analyst: Analyst) -> None:
        printed.append(capsys.readouterr().out)
        load(analyst)

    monkeypatch.setattr(Analyst, "warm_up", loading)
    assert run(["analyse", "4453"]) == 0
    (scores,) = printed
    assert scores.rstrip().endswith("best: 3 6 7") and "line:" not in scores
    assert capsys.readouterr().out.startswith("line: ")


@pytest.mark.skipif(os.name != "posix", reason="sends SIGINT")
def test_an_interrupt_without_a_time_limit_blames_none() -> None:
    """The bounds under way were those of the last search, and the sentence spoke of a limit that nobody had set."""
    with running_bot("analyse", "", "--no-book", stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        shown = next(line for line in process.stderr if line.startswith("Solving"))
        process.send_signal(signal.SIGINT)
        text, _ = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Not solved: the score lies between " in text and "limit" not in text
    assert re.match(r"Solving: score -\d+\.\.\+\d+ so far", shown)


def test_comments_of_a_file_are_skipped_and_a_long_bad_line_is_shortened(tmp_path: Path) -> None:
    file = tmp_path / "positions.txt"
    file.write_text(f"# {LATE}\n#{LATE}\n{LATE}\n{'9' * 100_000}\n{'8' * 60}\n")
    answer = CliRunner().invoke(app, ["analyse", "--file", str(file), "--score-only"])
    assert answer.exit_code == 2 and answer.stdout.startswith(LATE) and answer.stdout.count("\n") == 1
    first, second = answer.stderr.splitlines()
    assert f"{file}:4: {'9' * 60}: '9' at place 1" in first
    assert f"{file}:5: {'8' * 60}: '8' at place 1" in second
