"""How fast the engine is: the exact solver beside another one, and the engine's move times."""
