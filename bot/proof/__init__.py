"""A strategy that can be checked and played without search: its file, its two checkers and its player."""
