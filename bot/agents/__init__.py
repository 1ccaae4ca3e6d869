"""Everything that can choose a move besides the engine, and the one list of it."""
