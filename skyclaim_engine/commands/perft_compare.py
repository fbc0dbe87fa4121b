"""Perft with the slow model beside it: walks both to the first position where they differ.

The slow models live in `tests/reference/` of the source tree, since only tests need them.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

from ..errors import SkyclaimError
from ..game import Position

ROOT = Path(__file__).resolve().parents[2]


def slow_model(position: Position) -> Any:
    """The model of the position's game, at this position; raises SkyclaimError where there is none."""
    name = position.game.info.name
    if not (ROOT / "tests" / "reference" / f"{name}.py").is_file():
        raise SkyclaimError("the slow model is in tests/reference of the source tree, which is not here")
    if str(ROOT) not in sys.path:
        sys.path.append(str(ROOT))
    module = importlib.import_module(f"tests.reference.{name}")
    return module.Model.parse(position.line(), dict(position.options))


def first_difference(position: Position, depth: int, quiet: bool = False) -> int:
    """1 and a report of the first difference within ``depth`` steps; else 0 and, unless ``quiet``, a word of it."""
    nodes = [0]
    path: list[str] = []
    found = _walk(position, slow_model(position), depth, path, nodes)
    if found is None:
        if not quiet:
            print(f"the fast core and the slow model agree on {nodes[0]} positions, {depth} deep")
        return 0
    print(f"after {' '.join(path) or 'no step'}:", found, sep="\n")
    return 1


def _walk(fast: Position, slow: Any, depth: int, path: list[str], nodes: list[int]) -> str | None:
    """What differs first, in words; ``path`` then holds the steps that lead there."""
    nodes[0] += 1
    if fast.line() != slow.line():
        return f"core  {fast.line()}\nmodel {slow.line()}"
    steps, others = fast.legal(), slow.legal()
    if steps != others:
        only_fast = " ".join(sorted(set(steps) - set(others))) or "nothing"
        only_slow = " ".join(sorted(set(others) - set(steps))) or "nothing"
        return f"{fast.line()}\nlegal for the core alone: {only_fast}\nlegal for the model alone: {only_slow}"
    if not depth:
        return None
    for step in steps:
        after, slow_after = fast.copy(), slow.copy()
        events, slow_events = after.apply(step), slow_after.apply(step)
        path.append(step)
        if events != slow_events:
            return f"from {fast.line()}\ncore's events  {events}\nmodel's events {slow_events}"
        found = _walk(after, slow_after, depth - 1, path, nodes)
        if found is not None:
            return found
        path.pop()
    return None
