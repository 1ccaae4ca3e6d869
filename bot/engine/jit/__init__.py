"""The compiling decorator with its cache, and the bitboard helpers that the kernels of all rooms use."""
