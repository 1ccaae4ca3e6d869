"""Compiled opponents. They share no rule, evaluation or search with the engine."""
