"""Deliberately bad engines: each plays properly but for one fault, which begins at a certain `go`."""

from __future__ import annotations

import sys
from pathlib import Path

from .engine import KINDS

__all__ = ["KINDS", "double"]


def double(kind: str, at: int = 3) -> list[str]:
    """The command of the bad engine of that kind, whose fault begins at its ``at``-th `go`."""
    return [sys.executable, str(Path(__file__).with_name("engine.py")), kind, str(at)]
