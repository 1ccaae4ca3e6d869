"""The guided review as a reader meets it, the line behind a score, and the board alone."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.web.browser import LATE, OVER, discs, start, status, view

from playwright.sync_api import Page, Route, expect  # isort: skip

PHONE = {"viewport": {"width": 390, "height": 844}}
INSIGHT = {
    "kind": "missed block", "missed": False, "player": 2, "line": [6, 1], "cells": [], "pairs": [],
    "text": "O makes four.", "better": [3],
}  # fmt: skip


def reviewed(plies: int, **fields: Any) -> dict[str, Any]:
    """Return a review in which nothing is wrong, with these fields."""
    fine = {"kind": "best", "text": "best", "grave": False}
    lists = {"scores": [0] * (plies + 1), "moves": [fine] * plies, "insights": [None] * plies}
    return lists | {"moment": None, "doomed": None, "doomed_text": None} | fields


def with_mistake(plies: int, ply: int) -> dict[str, Any]:
    review = reviewed(plies)
    review["moves"] = [*review["moves"]]
    review["moves"][ply] = {"kind": "blunder", "text": "gave the draw away: now lost", "grave": True}
    review["insights"][ply] = INSIGHT
    return review


def answer(page: Page, path: str, reply: dict[str, Any]) -> list[Route]:
    """Let the page's server answer ``path`` so; return the requests as they come."""
    asked: list[Route] = []

    def fulfil(route: Route) -> None:
        asked.append(route)
        route.fulfill(json=reply)

    page.route(f"**/api/{path}", fulfil)
    return asked


@pytest.mark.parametrize("page", [PHONE], indirect=True)
def test_question_answer_and_next_are_in_view_on_a_phone(page: Page, url: str) -> None:
    answer(page, "review", with_mistake(15, 4))
    start(page, url, view="review", moves=OVER, human=0)
    expect(page.locator("#guide-head")).to_have_text("Mistake 1 of 1, your move 5")
    page.locator("#guide-show").click()
    expect(page.locator("#guide .kind")).to_have_text("missed block")
    bar = page.locator("#places").bounding_box()
    assert bar
    for part in ("#board", "#guide-head", "#guide .kind", "#guide .reason", "#guide-next"):
        box = page.locator(part).bounding_box()
        assert box and box["y"] >= 0 and box["y"] + box["height"] <= bar["y"], part


def test_a_position_that_is_not_solved_judges_no_move(page: Page, url: str) -> None:
    unknown = {"lower": -18, "upper": 18, "exact": None, "text": "open"}
    answer(page, "review", with_mistake(15, 4) | {"insights": [None] * 15})
    answer(page, "analysis", {"columns": [unknown] * 7, "best": [], "score": None, "text": None, "pv": []})
    start(page, url, view="review", moves=OVER, human=0)
    expect(status(page)).to_contain_text("find a better move")
    page.keyboard.press("1")
    expect(page.locator("#guide-text")).to_contain_text("no move can be judged")
    expect(page.locator("#guide-next")).to_have_count(0)


def test_that_every_move_lost_is_said_first_and_only_to_the_loser(page: Page, url: str) -> None:
    lost = with_mistake(15, 5) | {"doomed": 1, "doomed_text": "Every move of O lost from the start."}
    answer(page, "review", lost)
    start(page, url, view="review", moves=OVER, human=1)
    expect(page.locator("#doomed")).to_have_text("Every move of Red lost from the start.")
    start(page, url, view="review", moves=OVER[:-1], human=0)
    expect(page.locator("#guide-head")).to_have_text("Review")
    expect(page.locator("#doomed")).to_have_count(0)


def test_a_review_that_ran_out_of_time_says_so_and_is_made_again(page: Page, url: str) -> None:
    asked = answer(page, "review", reviewed(15, scores=[None] * 16, moves=[None] * 15))
    for number in (1, 2):
        start(page, url, view="review", moves=OVER, human=0)
        expect(page.locator("#guide-text")).to_contain_text("Not all moves could be checked in time.")
        assert len(asked) == number


def test_a_score_shows_the_line_behind_it_of_at_most_five_discs(page: Page, url: str) -> None:
    start(page, url, view="analysis", moves="44", patience=20)
    expect(page.locator("#board .ghost")).to_have_count(5)
    first = page.locator("#line").text_content()
    page.locator(".score").nth(0).click()
    expect(page.get_by_role("heading", name="Line of column 1")).to_be_visible()
    expect(page.locator("#line")).to_have_text(re.compile(r"^1 \d"))
    expect(page.locator("#board .ghost")).to_have_count(5)
    page.locator(".score").nth(0).click()
    expect(page.locator("#line")).to_have_text(str(first))


def test_the_slider_is_there_only_while_looking_back(page: Page, url: str) -> None:
    start(page, url, view="play", moves=LATE, human=0, agent="random")
    expect(page.locator("#slider")).to_be_hidden()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#slider")).to_be_visible()
    page.keyboard.press("End")
    expect(page.locator("#slider")).to_be_hidden()
    view(page, "review")
    expect(discs(page)).to_have_count(0)


@pytest.mark.parametrize("page", [{"viewport": {"width": 844, "height": 390}}], indirect=True)
def test_the_projector_shows_the_board_alone_and_larger(page: Page, url: str) -> None:
    start(page, url, view="watch", moves="44")
    page.keyboard.press("f")
    for hidden in ("header", "#tools", "#side > .card"):
        expect(page.locator(hidden).first).to_be_hidden()
    board = page.locator("#board").bounding_box()
    assert board and board["height"] >= 0.6 * 390 and board["y"] + board["height"] <= 390
    page.locator("#headline").click()
    expect(page.locator("header")).to_be_visible()
    page.keyboard.press("f")
    page.keyboard.press("Escape")
    expect(page.locator("header")).to_be_visible()
