"""The rules of play by a diagram, compiled."""
