"""Learns the weights of an evaluation from games of quick players (docs/tuning.md)."""
