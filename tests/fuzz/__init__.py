"""Mutated lines, and what must hold for each of them."""
