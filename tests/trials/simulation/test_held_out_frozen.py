"""The held-out opponents are frozen: policy constants are not tuned on them, and they do not follow the policy."""

from __future__ import annotations

import hashlib
from pathlib import Path

import bot.trials.simulation

FROZEN = {
    "opponents/held_out.py": "8bdcaf6b3151187de58243091c2ede689ceefe3807eac9da0b966f16c56fc066",
    "kernels/held_out.py": "64bf0b589c6ce2397c78254eefb3d14fd011b861a5a42b2c12c0d227e08af37c",
    "kernels/held_out_rules.py": "d175aec73f082b4d5096060cb8b398e7a702841a58b4b5e5db2a07968f5c5d87",
}


def digest(path: Path) -> str:
    """Return the SHA-256 of a module without its imports from this package, which may move."""
    lines = path.read_bytes().splitlines(keepends=True)
    return hashlib.sha256(b"".join(line for line in lines if not line.startswith(b"from bot."))).hexdigest()


def test_the_held_out_opponents_are_frozen() -> None:
    """A change here makes figures on held-out bots incomparable with all earlier ones."""
    folder = Path(bot.trials.simulation.__file__).parent
    assert {name: digest(folder / name) for name in FROZEN} == FROZEN
