"""The page's README names every file and route there is."""

from __future__ import annotations

import re
from pathlib import Path

from fastapi.routing import APIRoute

from bot.web.app import create_app

ROOM = Path(__file__).parents[2] / "bot" / "web"
README = (ROOM / "README.md").read_text(encoding="utf-8")


def test_every_module_and_script_is_named() -> None:
    files = [path.name for path in (*ROOM.glob("*.py"), *ROOM.glob("static/*.js")) if path.name != "__init__.py"]
    assert [name for name in files if f"`{name}`" not in README] == []
    assert [name for name in re.findall(r"`([a-z]\w+\.(?:py|js))`", README) if name not in files] == []


def test_every_route_is_in_the_table(tmp_path: Path) -> None:
    routes = [route for route in create_app(tmp_path).routes if isinstance(route, APIRoute) and "/api/" in route.path]
    interface = {
        f"{method} {route.path}".replace("{name}", "NAME") for route in routes for method in route.methods or ()
    }
    assert set(re.findall(r"`((?:GET|POST) /api/\S+)`", README)) == interface
