"""The page of `bot web`: play, puzzles, study and games, in a browser on this machine."""
