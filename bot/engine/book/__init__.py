"""The opening book: exact scores of the first plies, its builder and its check."""
