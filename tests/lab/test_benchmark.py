"""The benchmark's files are the judge's positions, and its scorer gives the judge's numbers."""

from __future__ import annotations

import hashlib
import json
import os
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bot import __version__
from bot.lab.benchmark.score import read_answers, results
from bot.lab.exact import solved_scores
from bot.lab.judge import mistakes
from bot.lab.judge.accuracy import PHASES, accuracy
from bot.lab.judge.answers import Answer
from bot.lab.positions import ScoredPosition, digest, read_positions
from tests.lab.public_set import VERSION, draw_positions, export

ROOM = Path(__file__).parents[2] / "bot" / "lab" / "benchmark"
README = (ROOM / "README.md").read_text(encoding="utf-8")
POSITIONS = [json.loads(line) for line in (ROOM / "positions-1.jsonl").read_text(encoding="utf-8").splitlines()]


def written(answers: Sequence[Answer]) -> str:
    """Return answers as a program outside the package writes them, column 0 where it has none."""
    columns = [0 if answer.column is None else answer.column + 1 for answer in answers]
    return "\n".join(["id,column", *(f"{number},{column}" for number, column in enumerate(columns, start=1))])


def test_the_files_hold_the_judges_positions_byte_by_byte_and_a_version_never_changes(tmp_path):
    """What the files say of each position was compared with the judge's scores and a minimax at commit 2d4e2a94."""
    export(tmp_path, VERSION, read_positions())
    for name in ("positions-1.jsonl", "positions-1.csv"):
        content = (ROOM / name).read_bytes()
        assert (tmp_path / name).read_bytes() == content
        assert hashlib.sha256(content).hexdigest()[:16] in README
    assert [sum(row[part] for row in POSITIONS) for part in ("decisive", "hard")] == [1159, 53]


def test_the_held_out_positions_of_the_readme_are_drawn_and_solved_again():
    drawn = draw_positions(200, 2)
    assert drawn[:36] == draw_positions(36, 2), "a larger set begins with the smaller one"
    assert digest(ScoredPosition(columns, solved_scores(columns)) for columns in drawn) in README


def test_the_scorer_gives_the_numbers_of_the_judge():
    positions, chance = read_positions(), random.Random(1)
    answers = [Answer(chance.choice(position.board.legal_columns()), 0) for position in positions]
    answers[8::9] = [Answer(None, 0)] * 222
    judge, found = accuracy("by chance", positions, answers), results(POSITIONS, read_answers(written(answers))[0])
    parts = ("outcome kept", "outcome kept, decisive", "outcome kept, hard", "score kept")
    for part, estimate in zip(parts, (judge.outcome, judge.decisive, judge.hard, judge.score), strict=True):
        assert (sum(found[part]) / len(found[part]), len(found[part])) == (estimate.value, estimate.size)
        assert 0.1 < estimate.value < 0.9
    assert found["legal column"].count(False) == judge.failures == 222
    phases = [found[f"outcome kept, plies {first}-{last}"] for first, last in PHASES.values()]
    assert [len(phase) for phase in phases] == [estimate.size for estimate in judge.regret.values()]
    assert sum(map(sum, phases)) == sum(found["outcome kept"])


def test_a_missing_an_illegal_and_a_full_column_count_as_the_worst():
    full = next(row for row in POSITIONS if None in row["scores"] and row["decisive"])
    for column in ("", "0", "8", "-1", "4.5", "x", str(full["scores"].index(None) + 1)):
        for line in (f"{full['id']},{column}", f'{{"id": {full["id"]}, "column": {column or "null"}}}', "id,column"):
            found = results([full], read_answers(line)[0])
            assert (found["legal column"], found["outcome kept"], found["score kept"]) == ([False], [False], [False])
    best = full["scores"].index(full["best"]) + 1
    answers, passed_over = read_answers(f'id,column\n{{"id": {full["id"]}, "column": {best}}}')
    assert all(map(all, results([full], answers).values())) and passed_over == ["id,column"]


def scored(folder: Path, answers: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Score answers as a user without the package does."""
    (folder / "answers.csv").write_text(answers, encoding="utf-8")
    command = [sys.executable, "-I", "-S", str(ROOM / "score.py"), str(ROOM / "positions-1.jsonl"), "answers.csv"]
    return subprocess.run(command, cwd=folder, stderr=subprocess.PIPE, text=True, check=False, **options)


def test_the_scorer_runs_without_the_package_and_says_what_it_could_not_read(tmp_path):
    complete = written([Answer(None, 0)] * 2000)
    done = scored(tmp_path, complete, stdout=subprocess.PIPE)
    assert len(done.stdout.splitlines()) == 8 and " of 53\n" in done.stdout and done.stderr == ""
    shorter = scored(tmp_path, complete.replace("\n2,", "\n2;"), stdout=subprocess.PIPE)
    assert shorter.stderr == "1999 of 2000 answers read; first line passed over: id,column\n"
    assert (shorter.returncode, shorter.stdout) == (0, done.stdout)
    none = scored(tmp_path, complete.replace(",", ";"), stdout=subprocess.PIPE)
    assert none.stderr == "0 of 2000 answers read; first line passed over: id;column\n"
    assert (none.returncode, none.stdout) == (2, "")


def test_a_reader_that_closes_early_is_no_error_of_the_scorer(tmp_path):
    reader, writer = os.pipe()
    os.close(reader)
    done = scored(tmp_path, written([Answer(None, 0)] * 2000), stdout=writer)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_worst_answers_are_lost_wins_then_other_lost_outcomes_then_points():
    scores = (3, 1, 0, 1, -1, 3, None)
    positions = [ScoredPosition((3, 3), scores)] * 6
    listed = mistakes.worst(positions, [Answer(column, 0) for column in (0, 1, 2, 4, 6, None)], 5)
    assert [(each.id, each.column) for each in listed] == [(4, 5), (5, 7), (6, None), (3, 3), (2, 2)]
    assert mistakes.table({"mine": listed})[3] == ["mine", "6", "44", "none", "1 6", "3 1 0 1 -1 3 -"]
    assert len(mistakes.worst(positions, [Answer(4, 0)] * 6, 2)) == 2


def test_the_citation_names_the_version():
    text = (ROOM.parents[1] / "CITATION.cff").read_text(encoding="utf-8")
    assert text.startswith("cff-version: 1.2.0\n") and f"\nversion: {__version__}\n" in text
