"""A strategy that can be checked and played without search: its file, its checker and its player."""
