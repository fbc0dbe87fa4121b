"""Slow, obvious models of the rules, written apart from the engine that they check."""
