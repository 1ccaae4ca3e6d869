"""Write Kaggle's ConnectX submission: an archive of `kaggle_main.py`, the engine and its book."""

from __future__ import annotations

import tarfile
from pathlib import Path

_PARTS = ("__init__.py", "errors.py", "LICENSE", "adapters", "engine", "game")
"""What the agent needs of this package."""


def write_submission(out: Path) -> None:
    """Write the archive: main.py at its top, as Kaggle asks for, and the package beside it. Raises OSError."""
    package = Path(__file__).parents[1]
    with tarfile.open(out, "w:gz") as archive:
        archive.add(package / "adapters" / "kaggle_main.py", "main.py", filter=_kept)
        for part in _PARTS:
            archive.add(package / part, f"bot/{part}", filter=_kept)


def _kept(entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """Return an entry without its owner's name; None for what no game needs."""
    entry.uname = entry.gname = ""
    return None if entry.name.endswith(("__pycache__", ".md")) else entry
