"""The core's event numbers (`EventType` in `_core.pyx`) as the objects of docs/events-islands.md."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .orders import order_text

FAILURES = ("supply", "limit", "bridge")
OBJECTIVES = ("generators", "factories", "beacons")


def decode(numbers: Sequence[int], seats: int) -> list[dict[str, Any]]:
    """The events of one round, in order."""
    events, at = [], 0
    while at < len(numbers):
        kind, n = numbers[at], numbers[at + 1]
        name, read = READERS[kind]
        events.append({"type": name, **read(numbers[at + 2 : at + 2 + n], seats)})
        at += 2 + n
    return events


def result_text(shares: Sequence[float]) -> str:
    """`1:1/2 2:1/2 3:0`."""
    return " ".join(f"{seat}:{share_text(share)}" for seat, share in enumerate(shares, 1))


def share_text(share: float) -> str:
    return "0" if share == 0 else "1" if share == 1 else f"1/{round(1 / share)}"


def points(halves: int) -> int | float:
    """Influence as a number: whole, or with a half."""
    return halves / 2 if halves & 1 else halves // 2


def orders(v: Sequence[int], seats: int) -> dict[str, Any]:
    texts = sorted(order_text(order, seats) for order in v[3:])
    return {"seat": v[0], "orders": texts, "cost": v[1], "energy": v[2]}


def rotate(v: Sequence[int], seats: int) -> dict[str, Any]:
    return {"island": v[0], "by": v[1], "ports": [port for port in range(6) if v[2] >> port & 1], "seats": list(v[3:])}


def failed(v: Sequence[int], seats: int) -> dict[str, Any]:
    return {
        "seat": v[0], "order": order_text(v[1], seats), "reason": FAILURES[v[2]], "refund": v[3], "energy": v[4],
    }  # fmt: skip


def battle(v: Sequence[int], seats: int) -> dict[str, Any]:
    sides = [
        {"seat": v[i], "squads": v[i + 1], "strength": v[i + 2], "fortified": bool(v[i + 3])}
        for i in range(3, len(v), 4)
    ]
    return {"island": v[0], "sides": sides, "winner": v[1], "left": v[2]}


def contest(v: Sequence[int], seats: int) -> dict[str, Any]:
    cut = 3 + v[2]
    return {"objective": OBJECTIVES[v[0]], "counts": list(v[cut:]), "seats": list(v[3:cut]), "points": points(v[1])}


def win(v: Sequence[int], seats: int) -> dict[str, Any]:
    return {"result": result_text([1 / among if among else 0.0 for among in v])}


def named(*names: str) -> Any:
    """A reader of numbers that are the fields themselves."""
    return lambda v, seats: dict(zip(names, v, strict=True))


#: by EventType
READERS: dict[int, tuple[str, Any]] = dict(
    enumerate(
        (
            ("orders", orders),
            ("scan", named("seat", "island")),
            ("rotate", rotate),
            ("bridge", lambda v, seats: {"islands": list(v[:2]), "open": bool(v[2])}),
            ("cut_off", lambda v, seats: {"seat": v[0], "islands": list(v[1:])}),
            ("recruit", named("seat", "island", "added", "squads")),
            ("fortify", named("seat", "island")),
            ("failed", failed),
            ("march", named("seat", "from", "to", "squads")),
            ("battle", battle),
            ("capture", named("island", "seat", "from")),
            ("beacon", named("island", "seat", "points")),
            ("contest", contest),
            ("influence", lambda v, seats: {"seat": v[0], "points": points(v[1]), "influence": points(v[2])}),
            ("income", named("seat", "added", "energy")),
            ("round", named("round")),
            ("win", win),
        ),
        start=1,
    )
)
