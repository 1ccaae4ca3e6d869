"""Commit the results of a whole run: ``python -m tests.lab.write_results FOLDER`` copies them to bot/lab/results.

The raw results are packed by xz; `bot experiment report --out bot/lab/results` reads them so. PNG files and the single
pages are left out, because the report holds them.
"""

from __future__ import annotations

import lzma
import shutil
import sys
from pathlib import Path

import bot.lab
from bot.lab.experiments.catalogue import EXPERIMENTS
from bot.lab.experiments.manifest import SUFFIX
from bot.lab.experiments.report import LEDGER, NAME
from bot.lab.experiments.store import PACKED

RESULTS = Path(bot.lab.__file__).parent / "results"


def write_results(source: Path, target: Path = RESULTS) -> None:
    """Copy the files of all experiments, the report and the ledger."""
    for name in EXPERIMENTS:
        for suffix in (".csv", ".svg", SUFFIX):
            shutil.copy(source / f"{name}{suffix}", target)
        raw = (source / f"{name}.jsonl").read_bytes()
        (target / f"{name}.jsonl{PACKED}").write_bytes(lzma.compress(raw, preset=9 | lzma.PRESET_EXTREME))
    for name in (NAME, LEDGER):
        shutil.copy(source / name, target)


if __name__ == "__main__":
    write_results(Path(sys.argv[1]))
