"""Choosing a move within a limit: book, exact solver, iterative-deepening search."""
