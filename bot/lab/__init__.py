"""The laboratory: one module per source, its experiments, its opponents."""
