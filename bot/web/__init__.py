"""The page of `bot web`: play, analyse, watch, replay, and matches between agents, in a browser on this machine."""
