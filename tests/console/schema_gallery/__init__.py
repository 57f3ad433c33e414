"""Schemas of every kind, each with values that fit it and values that do not."""
