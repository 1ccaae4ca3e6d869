"""The page: play, analyse, watch, replay, and two agents against each other, in a browser on this machine."""
