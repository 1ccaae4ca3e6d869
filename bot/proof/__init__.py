"""A strategy that can be checked and played without search: its file, its checkers, its builder, its player."""
