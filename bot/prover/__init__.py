"""Searches for a strategy that `bot.proof` can check: the builder, the finder of diagrams and the shrinker."""
