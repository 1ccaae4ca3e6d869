"""What the laboratory's documents show: tables are right."""

from __future__ import annotations

from bot.agents.family import paper_families
from tests.gauntlet.write_readme import DOCUMENTS, PACKAGE, rewritten


def test_the_generated_tables_are_up_to_date_and_every_option_is_explained():
    assert PACKAGE / "agents" / "README.md" in DOCUMENTS
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        assert rewritten(text) == text, f"{document}: run python -m tests.gauntlet.write_readme"
    assert all(option.about for family in paper_families() for option in family.options.values())
