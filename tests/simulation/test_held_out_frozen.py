"""The held-out opponents are frozen: policy constants are not tuned on them, and they do not follow the policy."""

from __future__ import annotations

import hashlib
from pathlib import Path

import bot.simulation

FROZEN = {
    "opponents/held_out.py": "aec4c6ad2ca939b8fcc65257b197839f8e43ee737c1a8c61dfd24b21c4dfed8c",
    "kernels/held_out.py": "34e977d7bb6a00d0897c367343fc3b703a2a9624325579cced6758c3420d181c",
    "kernels/held_out_rules.py": "42d7cbed5022928889c521638ae338cc1b25ea3ec8d451396e2459cd811d2125",
}


def test_the_held_out_opponents_are_frozen() -> None:
    """A change here makes figures on held-out bots incomparable with all earlier ones."""
    folder = Path(bot.simulation.__file__).parent
    assert {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in FROZEN} == FROZEN
