"""The laboratory's compiled kernels: windows, evaluations and searches on bitboards. Numba only."""
