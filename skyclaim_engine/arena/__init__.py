"""Engines against each other: matches, their ledger, and what follows from it."""
