"""Builds the strategy that `bot.proof` checks and plays: finder of diagrams, builder, shrinker, record."""
