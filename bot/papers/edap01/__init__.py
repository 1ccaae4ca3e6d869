"""The EDAP01 report of 2021: a student's agent."""
