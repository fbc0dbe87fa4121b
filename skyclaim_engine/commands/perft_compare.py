"""Perft with the slow model beside it: walks both to the first position where they differ.

Where all seats decide at once the joint steps are too many for that: there the orders of every seat are compared, and
one round for each of them, given alone while the other seats give none.

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
    if position.game.info.simultaneous:
        depth = min(depth, 1)
    nodes = [0]
    path: list[str] = []
    found = _walk(position, slow_model(position), depth, path, nodes)
    if found is None:
        if not quiet:
            print(f"the fast core and the slow model agree on {nodes[0]} positions, {depth} deep{_what(position)}")
        return 0
    print(f"after {' '.join(path) or 'no step'}:", found, sep="\n")
    return 1


def _what(position: Position) -> str:
    """What was compared, where it is not all that can be played."""
    return " (each order alone, not every joint step)" if position.game.info.simultaneous else ""


def _walk(fast: Position, slow: Any, depth: int, path: list[str], nodes: list[int]) -> str | None:
    """What differs first, in words; ``path`` then holds the steps that lead there."""
    nodes[0] += 1
    if fast.line() != slow.line():
        return f"core  {fast.line()}\nmodel {slow.line()}"
    joint = fast.game.info.simultaneous
    found = _orders_differ(fast, slow) if joint else _steps_differ(fast, fast.legal(), slow.legal())
    if found is not None or not depth:
        return found
    for step in _alone(fast) if joint else fast.legal():
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


def _steps_differ(fast: Position, steps: list[str], others: list[str], whose: str = "") -> str | None:
    """What only one of both allows, in words."""
    if steps == others:
        return None
    only_fast = " ".join(sorted(set(steps) - set(others))) or "nothing"
    only_slow = " ".join(sorted(set(others) - set(steps))) or "nothing"
    return f"{fast.line()}\n{whose}legal for the core alone: {only_fast}\n{whose}legal for the model alone: {only_slow}"


def _orders_differ(fast: Position, slow: Any) -> str | None:
    """What differs in the single orders of any seat and their costs, in words."""
    for seat in fast.deciders:
        found = _steps_differ(fast, fast.legal(seat), slow.orders(seat), f"of seat {seat} ")
        if found is not None:
            return found
    return None


def _alone(fast: Position) -> list[str]:
    """The joint steps in which at most one seat gives an order, and that one order."""
    given = [{seat: order.partition("/")[0]} for seat in fast.deciders for order in fast.legal(seat)]
    return [fast.joint(sets) for sets in ({}, *given)] if fast.deciders else []
