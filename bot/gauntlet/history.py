"""The versions of an agent and the lost games of the newest one, as the page shows them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bot.gauntlet.losses import Loss, lost_before, plainest
from bot.gauntlet.run import FOLDER, file_name, reports_in
from bot.gauntlet.store import load


def history(logs: Path, name: str) -> dict[str, Any]:
    """Return what the gauntlets of the agent called ``name`` found; nothing is in the lists where there was none."""
    reports = reports_in(load(logs / FOLDER / f"{file_name(name)}.jsonl", {"gauntlet": name}))
    newest = reports[-1] if reports else {"losses": [], "groups": []}
    versions = []
    for report in reports:
        versions.append({key: report[key] for key in ("version", "made", "passes")})
    shown = {"findings": newest.get("findings", []), "groups": newest["groups"]}  # earlier editions kept no findings
    return {"agent": name, "versions": versions, **shown, "losses": [_shown(loss) for loss in newest["losses"]]}


def _shown(loss: Loss) -> Loss:
    """Return a loss at its plainest mistake, with where exact play had lost before."""
    at = plainest(loss)
    return loss | at | {"text": f"{at['text']} {lost_before(loss)}".strip()}
