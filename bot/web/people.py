"""The page's routes for people who learn: levels."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from fastapi import FastAPI


def add_people(app: FastAPI) -> None:
    """Add the routes to ``app``."""

    @app.get("/api/levels")
    async def levels() -> dict[str, Any]:
        return levels_json()


def levels_json() -> dict[str, Any]:
    """Return the levels for people: ``default``, and ``levels`` with ``number``, ``name``, ``about`` and ``agent``.

    ``agent`` is the full name for `/api/move`: its ``agent`` is "level" and its ``depth`` the number.
    """
    from bot.levels.table import DEFAULT_LEVEL, LEVELS

    kept = ("number", "name", "about")
    levels = [{**{key: asdict(level)[key] for key in kept}, "agent": f"level:{level.number}"} for level in LEVELS]
    return {"default": DEFAULT_LEVEL, "levels": levels}
