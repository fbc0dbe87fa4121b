"""The core's event numbers (`EventType` in `_board.pyx`) as the objects of docs/events.md."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..._board import KINDS, REASONS, STEP_KINDS
from .squares import NAMES_BY_PLACE as NAME

SIDES = "SN"
SHAPES = (
    None, "line of 4", "block", "line of 5", "hook", "line of 6", "corner", "T", "plus", "V", "long corner", "cross",
    "great cross", "great block",
)  # fmt: skip
PAYS = ("", "S", "G", "R", "R", "H", "B", "R", "H", "H", "X", "W", "WX", "WXH")
DESTROYERS = ("take", "missile", "turret", "sweep", "ram", "bomb", "surround", "asteroid", "warp")
TARGETS = ("drone", "asteroid", "star")


def result_text(winner: int | None, reason: str) -> str:
    """`S wins land`, `draw turns`."""
    return f"draw {reason}" if winner is None else f"{SIDES[winner]} wins {reason}"


def decode(numbers: Sequence[int]) -> list[dict[str, Any]]:
    """The events of one step, in order."""
    events, at = [], 0
    while at < len(numbers):
        kind, n = numbers[at], numbers[at + 1]
        name, read = READERS[kind]
        events.append({"type": name, **read(numbers[at + 2 : at + 2 + n])})
        at += 2 + n
    return events


def squares(places: Sequence[int]) -> list[str]:
    return [NAME[place] for place in places]


def colours(rides: int) -> list[int]:
    return [c for c in range(1, 6) if rides >> c - 1 & 1]


def from_to(v: Sequence[int]) -> dict[str, Any]:
    return {"from": NAME[v[0]], "to": NAME[v[1]]}


def missile(v: Sequence[int]) -> dict[str, Any]:
    event = {**from_to(v), "target": TARGETS[v[2]]}
    return {**event, "power": v[3]} if v[2] == 0 else event


def move(v: Sequence[int]) -> dict[str, Any]:
    return {**from_to(v), "kind": KINDS[v[2]], "how": STEP_KINDS[v[3]]}


def clear(v: Sequence[int]) -> dict[str, Any]:
    groups, at = [], 1
    while at < len(v):
        colour, row, pays, n = v[at : at + 4]
        groups.append({
            "squares": squares(v[at + 4 : at + 4 + n]),
            "colour": colour,
            "shape": SHAPES[row],
            "pays": list(PAYS[row]) if pays else [],
        })  # fmt: skip
        at += 4 + n
    return {"wave": v[0], "groups": groups}


def flow(v: Sequence[int]) -> dict[str, Any]:
    cut = 2 + 2 * v[1]
    return {
        "toward": SIDES[v[0]],
        "falls": [[NAME[v[i]], NAME[v[i + 1]]] for i in range(2, cut, 2)],
        "new": [[NAME[v[i]], v[i + 1]] for i in range(cut, len(v), 2)],
    }


def drone(v: Sequence[int]) -> dict[str, Any]:
    return {
        "square": NAME[v[0]], "side": SIDES[v[1]], "kind": KINDS[v[2]], "power": v[3], "colours": colours(v[4]),
        "missiles": v[5], "how": "stacked" if v[6] else "placed",
    }  # fmt: skip


def drift(v: Sequence[int]) -> dict[str, Any]:
    return from_to(v) if v[2] < 0 else {**from_to(v), "hit": NAME[v[2]], "power": v[3]}


def win(v: Sequence[int]) -> dict[str, Any]:
    winner = (v[0] & 3) - 1
    return {"result": result_text(None if winner == 2 else winner, REASONS[v[0] >> 2])}


#: by EventType
READERS: dict[int, tuple[str, Any]] = dict(
    enumerate(
        (
            ("swap", from_to),
            ("missile", missile),
            ("turret", lambda v: {"square": NAME[v[0]]}),
            ("move", move),
            ("claim", lambda v: {"square": NAME[v[0]], "taken": squares(v[1:])}),
            ("warp", lambda v: {**from_to(v), "taken": squares(v[3:]), "power": v[2]}),
            ("siege", from_to),
            ("pass", lambda v: {}),
            ("clear", clear),
            ("flow", flow),
            ("drone", drone),
            ("asteroid", lambda v: {"square": NAME[v[0]]}),
            ("destroyed", lambda v: {
                "square": NAME[v[0]], "side": SIDES[v[1]], "kind": KINDS[v[2]], "by": DESTROYERS[v[3]],
            }),
            ("blast", lambda v: {"square": NAME[v[0]], "squares": squares(v[1:])}),
            ("sweep", lambda v: {"square": NAME[v[0]], "squares": squares(v[1:])}),
            ("surround", lambda v: {"squares": squares(v)}),
            ("turret_shot", lambda v: {**from_to(v), "power": v[2]}),
            ("load", lambda v: {"square": NAME[v[0]], "missiles": v[1]}),
            ("stock", lambda v: {"side": SIDES[v[0]], "missiles": v[1]}),
            ("wreck", lambda v: {"square": NAME[v[0]], "countdown": v[1]}),
            ("collected", lambda v: {"square": NAME[v[0]], "side": SIDES[v[1]]}),
            ("drift", drift),
            ("turn", lambda v: {"turn": v[0], "side": SIDES[v[1]]}),
            ("win", win),
        ),
        start=1,
    )
)  # fmt: skip
