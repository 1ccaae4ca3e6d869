"""Learning: a coach, levels of strength, and puzzles."""
