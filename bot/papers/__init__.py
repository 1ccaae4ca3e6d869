"""Five publications on programs for Connect Four, one folder each, and what their studies share."""
