"""The papers' experiments run again, and one that none of them has: each a list of tasks and what to make of them."""
