"""All claims, and the order of their sources."""

from __future__ import annotations

from bot.lab.experiments.ledger import edap01, halim, kang, tommy, van_der_schee

CLAIMS = (*tommy.CLAIMS, *van_der_schee.CLAIMS, *halim.CLAIMS, *kang.CLAIMS, *edap01.CLAIMS)
SOURCES = tuple(dict.fromkeys(claim.source for claim in CLAIMS))
