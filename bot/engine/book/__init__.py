"""The opening book: exact scores of the first plies, and its builder."""
