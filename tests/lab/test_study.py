"""A study's file: where it is found, what its functions get, and what is wrong with a file that is no study."""

from __future__ import annotations

import pytest

from bot.errors import UsageError
from bot.lab.replication.study import STUDIES, find_study, studies
from tests.lab.sources import TOY

HEAD = """from bot.lab.arena.tasks import PlannedGame
from bot.lab.replication.study import Study
study = Study(__name__, "", "", "")
@study.run
"""


@pytest.mark.usefixtures("toy")
def test_a_function_gets_what_its_parameters_name():
    known = {"quick": True, "seed": 3, "games": "rows"}
    assert find_study("toy").call(lambda games, seed: (games, seed), known) == ("rows", 3)
    with pytest.raises(UsageError, match=r"The study toy: <lambda> asks for gamez\.") as error:
        find_study("toy").call(lambda gamez: gamez, known)
    assert error.value.hint == "It can have: quick, seed, games."


def test_studies_of_the_own_folder_stand_after_those_of_the_package(toy):
    toy("another_study.py", TOY)
    toy("toy.py", "this is a program, not a study")
    package = sorted(path.stem for path in STUDIES.glob("[!_]*.py"))
    assert [*studies()] == [*package, "another", "toy"]
    with pytest.raises(UsageError, match="There is no study called 'toys'") as error:
        find_study("toys")
    assert error.value.hint.endswith("another, toy, or all.")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("bad_study.py", "1 / 0", "cannot be loaded: ZeroDivisionError"),
        ("bad_study.py", "def", "cannot be loaded: SyntaxError"),
        ("bad_study.py", "study = 3", "has no study, or another one has its name"),
        ("bad_study.py", "from bot.lab.studies.tommy import study", "has no study, or another one has its name"),
        ("tommy_study.py", HEAD + "def one(): ...", "has no study, or another one has its name"),
        ("bad_study.py", HEAD + "def one(): ...\n@study.statement\ndef one(): ...", "two things are called one"),
        ("bad_study.py", HEAD + "def seed(): ...", "two things are called seed"),
    ],
)
def test_a_file_that_is_no_study_is_named_with_the_next_step(name, text, message, sources):
    path = sources(name, text)
    with pytest.raises(UsageError, match=message) as error:
        studies()
    assert str(path) in error.value.message and error.value.hint


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("pass", "games of the study bad gives nothing."),
        ("yield from ()", "games of the study bad gives nothing."),
        ("yield 1 / 0", "games of the study bad failed in line 6: ZeroDivisionError: division by zero."),
        ("yield PlannedGame({'X': 'random'})", "games of the study bad failed in line 6: ValueError: a game has two"),
    ],
)
def test_an_error_of_an_author_is_named_with_its_function_and_line(body, message, sources):
    path = sources("bad_study.py", f"{HEAD}def games():\n    {body}\n")
    study = find_study("bad")
    with pytest.raises(UsageError) as error:
        study.call(study.runs["games"], {})
    assert error.value.message.startswith(message)
    assert error.value.hint in (f"Correct {path}.", "A run yields tasks, any other function returns something.")
