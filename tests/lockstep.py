"""The fast core and the slow model side by side: after every step they must agree on everything.

``Pair`` holds both at one position and compares them, ``walk`` leads a pair through a game, ``walk_all`` through every
series of steps; a difference is a ``Mismatch`` whose text has the position, the steps and what both say. Which games
are walked is in ``tests/lockstep_games.py``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from copy import copy
from random import Random
from typing import Any

from skyclaim_engine.game import Event, Position
from skyclaim_engine.games import GAMES
from tests.reference.skyclaim import Model

GAME = GAMES["skyclaim"]
SIDES = "SN"
#: a style of play: which of the legal steps of a pair comes next
Choose = Callable[["Pair", list[str], Random], str]


class Mismatch(AssertionError):
    """Core and model differ; the text says where and how."""


class Pair:
    """The fast core and the slow model at the same position."""

    def __init__(self, line: str, options: Mapping[str, Any], facts: Counter[str] | None = None) -> None:
        self.options = dict(options)
        self.core: Position = GAME.parse(line, self.options)
        self.model = Model.parse(line, self.options, facts=facts)
        self.path: list[str] = []
        self.start = line

    def check(self, what: str, core: object, model: object) -> None:
        """Raise Mismatch unless both say the same."""
        if core != model:
            raise Mismatch(
                f"{what} differ\noptions: {self.options}\n"
                f"start:   {self.start}\nsteps:   {' '.join(self.path) or '-'}\n"
                f"core:    {self.core.line()}\nmodel:   {self.model.line()}\n"
                f"core says:  {core}\nmodel says: {model}\n{first_difference(core, model)}"
            )

    def compare(self) -> list[str]:
        """Compare line, result, legal steps and both observations here; the legal steps."""
        core, model = self.core, self.model
        self.check("positions", core.line(), model.line())
        self.check("faults of the struct", core.board.faults(), [])
        result = model.result()
        self.check("results", core.result and core.result.lines, result and (f"result {result}",))
        self.check("sides to move", core.seat, 0 if result else SIDES.index(model.side) + 1)
        legal = core.legal()
        self.check("legal steps", legal, [] if result else model.legal())
        self.check("positions read back", GAME.parse(core.line(), self.options), core)
        for seat, side in enumerate(SIDES, 1):
            seen = core.observe(seat)
            self.check(f"observations of {side}", seen.line(), model.observe(side).line())
            self.check(f"faults of the observation of {side}", seen.board.faults(), [])
            if core.seat == seat:
                self.check("legal steps of position and observation", seen.legal(), legal)
                read = GAME.parse(seen.line(), self.options, observation=True)
                self.check("observations read back", read, seen)
        return legal

    def after(self, step: str) -> Pair:
        """Both after a legal step, as a pair of its own; this one stays."""
        twin = copy(self)
        twin.model, twin.path = self.model.copy(), list(self.path)
        twin.apply(step)
        return twin

    def apply(self, step: str) -> list[Event]:
        """Play a legal step on both and compare what happened; the position after it is not compared."""
        parent = self.core
        before, key = parent.line(), parent.key
        self.core = parent.copy()
        self.path.append(step)
        events = self.core.apply(step)
        self.check("events", events, self.model.apply_unchecked(step))
        self.check("the position before the step and what it was", (parent.line(), parent.key), (before, key))
        return events


def first_difference(core: object, model: object) -> str:
    """Where two lists or texts part, for long ones."""
    if isinstance(core, str) and isinstance(model, str):
        core, model = core.split(" "), model.split(" ")
    if not isinstance(core, list) or not isinstance(model, list):
        return ""
    for number, (one, other) in enumerate(zip(core, model, strict=False)):
        if one != other:
            return f"first at {number}: core {one}, model {other}"
    return f"the core has {len(core)} entries, the model {len(model)}"


def walk_all(pair: Pair, depth: int) -> int:
    """Compare here and after every series of up to ``depth`` legal steps; how many positions that were."""
    legal = pair.compare()
    return 1 + sum(walk_all(pair.after(step), depth - 1) for step in legal if depth)


def walk(line: str, options: Mapping[str, Any], choose: Choose, rng: Random, most: int, facts: Counter[str]) -> int:
    """Play from ``line`` up to ``most`` steps, comparing all along; how many steps were played."""
    pair = Pair(line, options, facts)
    legal = pair.compare()
    while legal and len(pair.path) < most:
        pair.apply(choose(pair, legal, rng))
        legal = pair.compare()
    return len(pair.path)
