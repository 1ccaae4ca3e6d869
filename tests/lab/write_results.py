"""Commit the results of a whole run: ``python -m tests.lab.write_results FOLDER`` copies them to bot/lab/results.

The raw results are packed by xz; `bot experiment report --out bot/lab/results` reads them so. PNG files and the single
pages are left out, because the report holds them.

Without FOLDER, the committed results are recorded as those of today's sources. This is for a change that moves or
renames code and leaves every move as it was: `bot experiment rerun MANIFEST --sample 20` shows whether it does. Write
the report anew afterwards.
"""

from __future__ import annotations

import json
import lzma
import shutil
import sys
from pathlib import Path

from bot.lab.experiments.catalogue import EXPERIMENTS
from bot.lab.experiments.manifest import SUFFIX, read_manifest, write_manifest
from bot.lab.experiments.report import LEDGER, NAME
from bot.lab.experiments.store import PACKED, fingerprint

import bot.lab

RESULTS = Path(bot.lab.__file__).parent / "results"


def write_results(source: Path, target: Path = RESULTS) -> None:
    """Copy the files of all experiments, the report and the ledger."""
    for name in EXPERIMENTS:
        for suffix in (".csv", ".svg", SUFFIX):
            shutil.copy(source / f"{name}{suffix}", target)
        _pack((source / f"{name}.jsonl").read_bytes(), target / f"{name}.jsonl{PACKED}")
    for name in (NAME, LEDGER):
        shutil.copy(source / name, target)


def adopt_sources(folder: Path = RESULTS) -> None:
    """Write the fingerprints of today's sources into the manifests and the raw results."""
    for name, experiment in EXPERIMENTS.items():
        sources = fingerprint(experiment)
        write_manifest(folder, {**read_manifest(folder / f"{name}{SUFFIX}"), "fingerprint": sources})
        packed = folder / f"{name}.jsonl{PACKED}"
        header, _, lines = lzma.decompress(packed.read_bytes()).partition(b"\n")
        _pack(json.dumps({**json.loads(header), "fingerprint": sources}).encode() + b"\n" + lines, packed)


def _pack(raw: bytes, path: Path) -> None:
    path.write_bytes(lzma.compress(raw, preset=9 | lzma.PRESET_EXTREME))


if __name__ == "__main__":
    if sys.argv[1:]:
        write_results(Path(sys.argv[1]))
    else:
        adopt_sources()
