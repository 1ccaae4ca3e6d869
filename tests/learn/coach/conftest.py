"""The analyst that the coach's tests share."""

from __future__ import annotations

import pytest

from bot.engine.analysis import Analyst
from bot.engine.perfect import shipped_book


@pytest.fixture(scope="module")
def analyst() -> Analyst:
    made = Analyst(shipped_book())
    made.warm_up()
    return made
