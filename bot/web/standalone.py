"""A game with its analysis as one web page: a single file that needs no server, no network and no other file."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import posixpath
import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import resources
from urllib.parse import quote

from bot.engine.agent import StopFlag
from bot.game import Board, format_moves

POSITION_S = 2.0
"""Default search time for each position, seconds."""
NAMES = ("Yellow", "Red")
"""Names of the players where none are given."""

_STYLES = ("tokens.css", "style.css", "board.css", "panels.css")
_IMPORT = re.compile(r'(?m)^(import [^"]*?from ")(\.[^"]*)(?=";$)')
_COMMENT = re.compile(r"(?ms)^ *(?://[^\n]*|/\*\*(?!\n \* @license)(?:(?!\*/).)*\*/)\n")
_PLAIN = " !\"$&'()*+,-./:;=>?@[\\]^_`{|}~"
"""Punctuation that may stand in a data URL within a script element as it is, which keeps the page small."""


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A game that becomes a page. It holds no student's id: names are roles or agents."""

    columns: tuple[int, ...]
    """Moves, columns 0..6."""
    names: tuple[str, str] = NAMES
    """Who played first and second."""
    title: str = "Connect Four"
    start: int = 0
    """Plies that had been played elsewhere before these players began: they do not count for the accuracy."""


def web_page(
    game: SavedGame,
    *,
    position_s: float = POSITION_S,
    stop: StopFlag | None = None,
    progress: Callable[[int], None] = lambda _ply: None,
) -> str:
    """Return the page of a game, with the analysis of every position for up to ``position_s`` seconds each.

    The review gets as long as the positions. ``progress`` is called with the number of positions analysed. Raises
    BoardError at an illegal move.
    """
    from bot.web.analysis import analyse, review

    Board.from_moves(game.columns)
    positions = []
    for ply in range(len(game.columns) + 1):
        positions.append(analyse(game.columns[:ply], position_s, stop))
        progress(ply + 1)
    data = {
        "moves": format_moves(game.columns),
        "names": list(game.names),
        "start": game.start,
        "review": review(game.columns, position_s * len(positions), stop),
        "positions": positions,
    }
    style, scripts = "\n".join(map(_static, _STYLES)), dict[str, str]()
    _add_module("standalone.js", scripts)
    script = scripts.pop("standalone.js")
    # An import map is the platform's way to modules in one file. Browsers check an imported module by its scheme only,
    # so the policy allows data: URLs; the page escapes all that it is given and cannot send anything anywhere.
    urls = {name: f"data:text/javascript,{quote(one, safe=_PLAIN)}" for name, one in scripts.items()}
    modules = json.dumps({"imports": urls})
    return _static("standalone.html").format(
        policy=(
            f"default-src 'none'; style-src '{_digest(style)}'; base-uri 'none'; "
            f"script-src '{_digest(script)}' '{_digest(modules)}' data:"
        ),
        title=html.escape(game.title),
        style=style,
        modules=modules,
        # Within a script element, only "<" could end the data early.
        data=json.dumps(data, separators=(",", ":"), ensure_ascii=True).replace("<", "\\u003c"),
        script=script,
    )


def _add_module(name: str, found: dict[str, str]) -> None:
    """Add to ``found`` a module without comments, and all that it imports, by name.

    It imports by these names in place of paths, for a data URL has no folder.
    """

    def named(one: re.Match[str]) -> str:
        imported = posixpath.normpath(posixpath.join(posixpath.dirname(name), one[2]))
        if imported not in found:
            _add_module(imported, found)
        return one[1] + imported

    found[name] = ""  # modules may import each other
    found[name] = _IMPORT.sub(named, _COMMENT.sub("", _static(name)))


def _static(name: str) -> str:
    return resources.files("bot.web").joinpath("static").joinpath(name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    """Return the hash by which a content security policy allows an element's ``text``."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
