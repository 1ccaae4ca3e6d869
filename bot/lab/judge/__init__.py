"""The judge: how often an agent keeps what a position is worth, on a fixed set of solved positions."""
