"""A publication's file: what is wrong in it is reported with the file and the key."""

from __future__ import annotations

import pytest

from bot.errors import UsageError
from bot.lab.experiments.compare import judge
from bot.lab.experiments.frame import frame_of
from bot.lab.experiments.paper import RunPlan, find_run, papers
from bot.lab.experiments.plan import agents_of, tasks_of
from tests.lab.sources import SOURCE, Write

WRONG = [
    ("[run.games]", "[run.games]\ncolour = 1", "run.games.colour: Extra inputs are not permitted"),
    ("title = 'Games'", "", "run.games.title: Field required"),
    ("source = 'Toy'", "", "source: Field required"),
    ("source = 'Toy'", "source = Toy", "cannot be read: .*line 1"),
    ("above = 0", "over = 0", "says.0.over: Extra inputs are not permitted"),
    ("above = 0", "", "says.0: .*the statement toy-wins needs one of equal, above"),
    ("above = 0", "above = 0\nbelow = 1", "says.0: .*the statement toy-wins needs one of"),
    ("above = 0", "above = 0\nuntestable = 'no'", "says.0: .*the statement toy-wins needs one of"),
    ("above = 0", "equal = [1]\nmargin = 2", "says.0: .*the statement toy-wins has a margin without why"),
    ("values = ['X.won']", "values = 'X.won'", "says.0.values: Input should be a valid list"),
    ("run = 'games'", "run = 'game'", "'toy-wins' names 'game', which does not exist"),
    ("table = 'games'", "table = 'gams'", "'toy-table' names 'gams', which does not exist"),
    ("[table.games]", "[table.other]", "'Table' names 'other', which does not exist"),
    ('rows = ["first"]', 'rows = ["last"]', "'Table' names 'last', which does not exist"),
    ("quick =", "judged = 'nothing'\nquick =", "'Games' names 'nothing', which does not exist"),
    ("quick = { game", "quick = { gams", "'Games' names 'gams', which does not exist"),
    ("id = 'toy-table'", "id = 'toy-wins'", "there is another statement 'toy-wins'"),
    ("run.games", "run.tommy-orders", "there is another run 'tommy-orders'"),
    *(
        ("above = 0", key, "'toy-wins' names 'depth', which does not exist")
        for key in (
            "above = 0\nwhere = { depth = 3 }",
            "above = 0\nreadings = ['depth']",
            "above = 0\nunit = 'depth'",
            "above = 0\neach = 'depth'",
            "rises = 'depth'",
            "likely = 'depth'",
        )
    ),
]
"""What is right, what is wrong in its place, and the message."""


@pytest.mark.parametrize(("right", "wrong", "message"), WRONG)
def test_a_mistake_is_reported_with_file_and_key(right: str, wrong: str, message: str, sources: Write) -> None:
    assert right in SOURCE
    sources("toy.toml", SOURCE.replace(right, wrong))
    with pytest.raises(UsageError, match=rf"toy\.toml:? {message}"):
        papers()


def test_a_file_that_is_no_text_and_a_name_that_is_taken_are_reported(sources: Write) -> None:
    sources("toy.toml", "").write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match=r"toy\.toml cannot be read"):
        papers()
    sources("tommy.toml", SOURCE)
    with pytest.raises(UsageError, match="two sources called tommy"):
        papers()


def test_an_expression_or_an_agent_without_meaning_is_reported_where_it_is_used(sources: Write) -> None:
    sources("toy.toml", SOURCE.replace("'X.won'", "'X.victories'").replace("depth1", "depth{depth}"))
    with pytest.raises(UsageError, match=r"toy.toml: toy-wins: 'X.victories' cannot be computed: X has no victories"):
        judge([papers()["toy"]], {"games": frame_of([{}], [{"X.won": 1}])})
    with pytest.raises(UsageError, match="Games: no label of the grid is called 'depth'"):
        tasks_of("games", find_run("games"), quick=True, seed=0)
    with pytest.raises(UsageError, match="no player is called 'Y'"):
        agents_of(RunPlan(title="", players={"X": "random", "O": "random"}), {"first": "Y"})
    with pytest.raises(UsageError, match="There is no experiment 'game'"):
        find_run("game")


def test_a_statement_on_our_games_and_on_the_printed_table_is_two(sources: Write) -> None:
    sources("toy.toml", SOURCE + "printed = 'both'\n")
    _, ours, printed = papers()["toy"].says
    assert (ours.id, ours.printed, printed.id, printed.printed) == ("toy-table", False, "toy-table-printed", True)
