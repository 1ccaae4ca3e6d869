"""Numba kernels of the builder and of the fast checker."""
