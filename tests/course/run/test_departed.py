"""Kills before and after a request is sent: the journal shows which, and the hypotheses are weighted accordingly."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import SecretStr

from bot.agents.catalogue import make_agent
from bot.course.client.http import CourseClient
from bot.course.journal.reader import journals
from bot.course.protocol import NEW_GAME, MoveReply
from bot.course.server.embedded import embedded_server
from bot.course.session.events import Chosen, Counted, Delivery, Failed, Record, Replied, Sent, Started, Waited
from bot.course.session.fold import Fold
from tests.course.run.course import PATIENT, play

OPENED = (
    Started(0.0),
    Counted(0.0, None, "http 404"),
    Chosen(0.0, NEW_GAME, 1),
    Sent(0.0, 1),
    Replied(0.0, MoveReply(True, botmove=-1, result=0.0, state=((0,) * 7,) * 6), 1),
    Chosen(0.0, 3, 1),
)
SENT = Sent(0.0, 1)
LOST = Failed(0.0, Delivery.UNKNOWN, "The connection broke.", kind="reset", delivered=0.3, game=1)


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        pytest.param((), {0: 0.98, 2: 0.02}, id="without a mark it was hardly sent"),
        pytest.param((SENT,), {0: 0.15, 2: 0.85}, id="with one it was probably processed"),
        pytest.param((SENT, LOST), {0: 0.7, 2: 0.3}, id="what was seen to fail keeps its probability"),
    ],
)
def test_weights_after_a_kill(records: tuple[Record, ...], expected: dict[int, float]) -> None:
    """Column 4 was chosen on the empty board; the weights are by the ply of the server's board."""
    fold = Fold()
    problems = [text for record in (*OPENED, *records, Started(0.0, game=1)) for text in fold.take(record)]
    assert [text for text in problems if "'note'" not in text] == []
    plies: dict[int, float] = {}
    for hypothesis in fold.session.belief:
        ply = hypothesis.playing.board.ply
        plies[ply] = plies.get(ply, 0.0) + hypothesis.weight
    assert plies == pytest.approx(expected)


def test_every_move_of_a_real_run_is_marked_once_before_its_reply(tmp_path: Path) -> None:
    with embedded_server(make_agent("random", seed=1), api_key="key") as url:
        client = CourseClient(url, ["ab1234cd-s"], SecretStr("key"), timeouts=PATIENT)
        play(client, tmp_path, server=url, url=url, who=("ab1234cd-s",), limit_s=60.0)
    (journal,) = journals(tmp_path)
    kept = (Chosen, Sent, Replied, Waited)
    kinds = [type(record) for _line, record in journal.records if isinstance(record, kept)]
    asked = kinds.count(Chosen)
    assert asked > 4
    assert kinds == [Chosen, Sent, Replied] * asked
