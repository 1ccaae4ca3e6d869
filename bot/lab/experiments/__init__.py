"""The papers' experiments, and one of this project: each a list of tasks and the tables and plots of their results."""
