"""A source's file: what is wrong in it is reported with the file and the key."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bot.errors import UsageError
from bot.lab.experiments.compare import judge
from bot.lab.experiments.frame import frame_of
from bot.lab.experiments.paper import all_runs, papers, read_paper
from bot.lab.experiments.plan import rows_of, tasks_of
from tests.lab.experiments.sources import SOURCE, Sources

WRONG = [
    ("[run.games]", "[run.games]\ncolour = 1", r"run.games.colour: Extra inputs are not permitted"),
    ("title = 'Games'", "", r"run.games.title: Field required"),
    ("source = 'Toy'", "", r"source: Field required"),
    ("above = 0", "over = 0", r"says.0.over: Extra inputs are not permitted"),
    ("above = 0", "", r"says.0: .*the statement toy-wins needs one of equal, above"),
    ("above = 0", "above = 0\nbelow = 1", r"says.0: .*the statement toy-wins needs one of"),
    ("above = 0", "equal = [1]\nmargin = 2", r"says.0: .*the statement toy-wins has a margin without why"),
    ("values = ['X.won']", "values = 'X.won'", r"says.0.values: Input should be a valid list"),
    ("source = 'Toy'", "source = Toy", r"cannot be read: .*line 1"),
]


@pytest.mark.parametrize(("right", "wrong", "message"), WRONG)
def test_a_mistake_is_reported_with_file_and_key(tmp_path: Path, right: str, wrong: str, message: str) -> None:
    assert right in SOURCE
    path = tmp_path / "toy.toml"
    path.write_text(SOURCE.replace(right, wrong), encoding="utf-8")
    with pytest.raises(UsageError, match=rf"toy\.toml:? {message}"):
        read_paper(path)


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ("run = 'games'", "run = 'game'", r"toy.toml: 'toy-wins' names 'game', which does not exist"),
        ("[table.games]", "[table.other]", r"toy.toml: 'Table' names 'other', which does not exist"),
        ("above = 0", "above = 0\nwhere = { depth = 3 }", r"toy.toml: 'toy-wins' names 'depth', which does not exist"),
        ("above = 0", "above = 0\nreadings = ['ties']", r"toy.toml: 'toy-wins' names 'ties', which does not exist"),
        ("above = 0", "above = 0\nunit = 'opening'", r"toy.toml: 'toy-wins' names 'opening', which does not exist"),
        ("quick =", "judged = 'nothing'\nquick =", r"toy.toml: 'Games' names 'nothing', which does not exist"),
        ("id = 'toy-table'", "id = 'toy-wins'", r"toy.toml: there is another statement 'toy-wins'"),
        ("table = 'games'", "table = 'gams'", r"toy.toml: 'toy-table' names 'gams', which does not exist"),
    ],
)
def test_a_name_that_does_not_exist_is_reported(sources: Sources, right: str, wrong: str, message: str) -> None:
    sources("toy", SOURCE.replace(right, wrong))
    with pytest.raises(UsageError, match=message):
        papers()


def test_two_sources_cannot_have_one_name(sources: Sources) -> None:
    sources("tommy", SOURCE)
    with pytest.raises(UsageError, match="two sources called tommy"):
        papers()


def test_a_file_that_is_no_text_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "toy.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match=r"toy\.toml cannot be read"):
        read_paper(path)


def test_a_source_without_a_program_of_its_own_is_one_file(sources: Sources) -> None:
    sources("toy", SOURCE)
    assert list(papers())[-1] == "toy" and "games" in all_runs()


def test_the_sources_of_the_package_are_right() -> None:
    assert {"edap01", "joint", "tommy"} <= papers().keys()
    ids = [statement.id for paper in papers().values() for statement in paper.says]
    assert len(ids) == len(set(ids))
    places = [
        statement for paper in papers().values() for statement in paper.says if not (statement.at and statement.text)
    ]
    assert not places, "a statement has its place in the source"


def test_no_two_sources_share_a_run(sources: Callable[..., None]) -> None:
    """The names of runs are unique: results lie in one folder."""
    names = [name for paper in papers().values() for name in paper.run]
    assert len(names) == len(set(names))
    sources("toy", SOURCE.replace("games", "tommy-orders"))
    with pytest.raises(UsageError, match=r"toy.toml: there is another run 'tommy-orders'"):
        papers()


def test_an_expression_without_meaning_is_reported_with_file_and_statement(sources: Sources) -> None:
    sources("toy", SOURCE.replace("values = ['X.won']", "values = ['X.victories']"))
    run = all_runs()["games"]
    rows = list(rows_of(run, quick=True))
    with pytest.raises(UsageError, match=r"toy.toml: toy-wins: 'X.victories' cannot be computed: X has no victories"):
        judge([papers()["toy"]], {"games": frame_of(rows, [{"X.won": 1}] * len(rows))})


def test_an_agent_with_an_unknown_label_is_reported(sources: Sources) -> None:
    sources("toy", SOURCE.replace("depth1", "depth{depth}"))
    with pytest.raises(UsageError, match="Games: no label of the grid is called 'depth'"):
        tasks_of("games", all_runs()["games"], quick=True, seed=0)
