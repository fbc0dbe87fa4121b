"""Spaces by name and cell, and steps as text: the bijections, and nothing about rules.

A step's number has its kind in the top four bits and below them up to six numbers of ten bits, the first on top:
1 + cell for each space, or the seat for `aim`. So it means the same on every board, and numbers are in the order of the
paths.
"""

from __future__ import annotations

from ._core import NAMES, STEP_KINDS

CELL = {name: cell for cell, name in enumerate(NAMES)}
KIND = {kind: number for number, kind in enumerate(STEP_KINDS) if kind}
#: the most spaces that a flight or trace can have
MOST_SPACES = 6
#: written with one space, with a path, and the rest: `aim:P`, `drift:Q,R>Q,R`, `stay`
ONE_SPACE = {"tile", "rock", "rocket", "shield"}
PATHS = {"fly", "trace"}


class NotAStep(ValueError):
    """A text that is no step on any board; says why."""


def path_of(number: int) -> list[int]:
    """The cells of a step's number."""
    fields = (number >> shift & 1023 for shift in range(50, -1, -10))
    return [field - 1 for field in fields if field]


def kind_of(number: int) -> str:
    """The kind of a step's number, `fly`."""
    return STEP_KINDS[number >> 60]


def join(kind: str, cells: list[int]) -> int:
    """The number of a step of that kind with these cells (for `aim`, with a seat less one)."""
    return KIND[kind] << 60 | sum((cell + 1) << 50 - 10 * i for i, cell in enumerate(cells))


def step_text(number: int) -> str:
    """The text of a step's number (rules 2 to 5), `fly:0,1;1,1`."""
    kind, cells = kind_of(number), path_of(number)
    if kind == "stay":
        return kind
    if kind == "aim":
        return f"aim:{cells[0] + 1}"
    if kind == "drift":
        return f"drift:{NAMES[cells[0]]}>{NAMES[cells[1]] if len(cells) > 1 else '-'}"
    return f"{kind}:{';'.join(NAMES[cell] for cell in cells) or '-'}"


def step_number(text: str) -> int:
    """The number of a step's text, whether legal or not; raises NotAStep."""
    kind, colon, rest = text.partition(":")
    if kind not in KIND or bool(colon) == (kind == "stay"):
        raise NotAStep("is not a step: tile rock rocket shield fly aim trace drift with a colon and where, or stay")
    if kind == "stay":
        return join(kind, [])
    if kind == "aim":
        if rest not in tuple("123456"):
            raise NotAStep(f"'{rest}' is not a pilot 1..6")
        return join(kind, [int(rest) - 1])
    if kind == "drift":
        start, arrow, end = rest.partition(">")
        if not arrow or start == "-":
            raise NotAStep("is not a drift: Q,R>Q,R or Q,R>-")
        return join(kind, [cell_of(name) for name in (start, end) if name != "-"])
    if kind in ONE_SPACE:
        return join(kind, [cell_of(rest)])
    cells = [cell_of(name) for name in rest.split(";")] if rest != "-" else []
    if len(cells) > MOST_SPACES:
        raise NotAStep(f"has {len(cells)} spaces, more than any die allows")
    return join(kind, cells)


def cell_of(name: str) -> int:
    """The cell of a space's text; raises NotAStep."""
    if name not in CELL:
        raise NotAStep(f"'{name}' is not a place Q,R with both in -12..12")
    return CELL[name]
