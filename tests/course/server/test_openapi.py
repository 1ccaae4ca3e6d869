"""The server against its own OpenAPI description: schemathesis sends what it allows and what it forbids."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import negative_data_rejection

from bot.agents.catalogue import make_agent
from bot.course.server.app import create_app
from bot.course.server.embedded import serving
from bot.course.server.referee import Referee
from bot.course.server.store import Store

KEY = "nyckel"
referee = Referee(Store(), make_agent("random", seed=1))
app = create_app(referee, api_key=KEY)
schema = schemathesis.openapi.from_dict(app.openapi())


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving(app) as url:
        yield url


@schema.parametrize()
@settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
def test_the_server_keeps_to_its_description(case: schemathesis.Case[Any], url: str) -> None:
    if isinstance(case.body, dict) and case.body.get("api_key"):
        case.body["api_key"] = KEY  # a game is reached with the right key only
    # On a form, one id is a list of one id: schemathesis takes that for bad data. What must be refused is in test_app.
    case.call_and_validate(base_url=url, excluded_checks=[negative_data_rejection])
