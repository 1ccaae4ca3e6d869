"""Choosing a move within a limit and analysing positions: opening book, exact solver, iterative deepening."""
