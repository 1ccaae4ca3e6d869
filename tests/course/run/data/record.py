"""Records the games in this folder from the embedded course server: `python tests/course/run/data/record.py`.

Each file holds the exchanges of one game in order: endpoint, form (without the key) and the answer as it was on the
wire. Two files are not the embedded server's, because it never answers so: `html_page` and `rejected_form`'s id.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from bot.course.server.app import create_app
from bot.course.server.referee import Dialect, Referee, Starter
from bot.course.server.store import Store
from bot.engine.simple import Scripted
from bot.game import Board, format_moves

FOLDER = Path(__file__).parent
KEY = "recording"


def drawn_game() -> list[int]:
    """Return a drawn game of random moves, found by trying."""
    for seed in range(100_000):
        chance, board, moves = random.Random(seed), Board(), []
        while not board.is_over:
            moves.append(chance.choice(board.legal_columns()))
            board = board.play(moves[-1])
        if not board.has_winner:
            return moves
    raise AssertionError("no drawn game among 100,000")


def record(
    name: str,
    ours: list[int],
    theirs: str,
    starter: Starter = "student",
    dialect: Dialect = "current",
    **form: Any,
) -> None:
    store = Store()
    referee = Referee(store, Scripted(theirs), starter=starter, dialect=dialect)
    server = TestClient(create_app(referee, dialect=dialect, api_key=KEY), base_url="http://127.0.0.1:8000")
    exchanges = []
    for endpoint, move in [("stats", None), ("move", -1), *(("move", column) for column in ours), ("stats", None)]:
        fields = {"stil_id": ["aa", "bb"], **({} if move is None else {"move": move}), **form}
        answer = server.post(f"/{endpoint}", data={"api_key": KEY, **fields})
        fields.pop("api_key", None)
        exchanges.append(
            {
                "endpoint": endpoint,
                "form": fields,
                "status": answer.status_code,
                "content_type": answer.headers["content-type"],
                "body": answer.text,
            }
        )
    write(name, exchanges)


def write(name: str, exchanges: list[dict[str, Any]]) -> None:
    (FOLDER / f"{name}.json").write_text(json.dumps(exchanges, indent=1) + "\n")


def main() -> None:
    draw = drawn_game()
    record("we_win_first", [3, 3, 3, 3], "1117")
    record("we_win_second", [3, 3, 3, 3], "11137", "bot")
    record("we_lose", [2, 3, 2, 3], "1111")
    record("draw_first", draw[0::2], format_moves(draw[1::2]))
    record("draw_second", draw[1::2], format_moves(draw[0::2]), "bot")
    record("illegal_move", [0, 0, 0, 0], "111")
    record("january_2021", [3, 3, 3, 3], "1117", dialect="jan21")
    record("wrong_key", [3], "1", api_key="another")
    record("rejected_form", [3], "1", stil_id=["not an id"])
    page = {"status": 200, "content_type": "text/html", "body": "<html><body>Maintenance</body></html>"}
    write("html_page", [{"endpoint": "stats", "form": {"stil_id": ["aa", "bb"]}, **page}])


if __name__ == "__main__":
    main()
