"""Halim et al.: a linear evaluation against a program of the web."""
