"""Numba kernels and nothing else; their thin typed wrappers live one floor up."""
