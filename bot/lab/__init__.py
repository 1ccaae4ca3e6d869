"""The laboratory: the published programs rebuilt as agents, matches between agents, and the papers' experiments."""
