"""The ledger: what the sources state, as data, and the verdict that the results give on each statement."""
