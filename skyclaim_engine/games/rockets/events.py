"""The core's event numbers as the dicts of docs/events-rockets.md."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ._core import ENDINGS, NAMES

KINDS = ("", "space", "wormhole", "asteroid")
AWARDS = ("damage", "kills", "peace", "pain")


def digits(pilots: Sequence[int]) -> str:
    """`13`, or `-` for nobody."""
    return "".join(map(str, pilots)) or "-"


def result_text(winners: Sequence[int], how: str) -> str:
    """`13 rounds`."""
    return f"{digits(winners)} {how}"


def awards_text(awards: Sequence[Sequence[int]]) -> str:
    """`damage=1 kills=- peace=23 pain=13`."""
    return " ".join(f"{name}={digits(pilots)}" for name, pilots in zip(AWARDS, awards, strict=True))


def decode(numbers: Sequence[int]) -> list[dict[str, Any]]:
    """The events of one step, in order."""
    events, at = [], 0
    while at < len(numbers):
        kind, n = numbers[at], numbers[at + 1]
        name, read = READERS[kind]
        events.append({"type": name, **read(numbers[at + 2 : at + 2 + n])})
        at += 2 + n
    return events


def spaces(cells: Sequence[int]) -> list[str]:
    return [NAMES[cell] for cell in cells]


def seats(pilots: int) -> list[int]:
    """A set of pilots, a bit each."""
    return [i + 1 for i in range(6) if pilots >> i & 1]


def pilot_tile(v: Sequence[int]) -> dict[str, Any]:
    return {"pilot": v[0], "tile": NAMES[v[1]]}


def die(v: Sequence[int]) -> dict[str, Any]:
    return {"pilot": v[0], "die": "red" if v[1] else "white", "value": v[2]}


def point_blank(v: Sequence[int]) -> dict[str, Any]:
    distance = v[2] if v[2] >= 0 else None
    return {"pilot": v[0], "target": v[1], "distance": distance, "reached": bool(v[3])}


def win(v: Sequence[int]) -> dict[str, Any]:
    winners, how = seats(v[0]), ENDINGS[v[1]]
    awards = dict(zip(AWARDS, map(seats, v[2:]), strict=True))
    return {"winners": winners, "how": how, "result": result_text(winners, how), "awards": awards}


#: by EventType
READERS: dict[int, tuple[str, Any]] = dict(
    enumerate(
        (
            ("tile", lambda v: {**pilot_tile(v), "kind": KINDS[v[2]]}),
            ("token", pilot_tile),
            ("rocket", pilot_tile),
            ("shield", lambda v: {"pilot": v[0], "owner": v[1], "tile": NAMES[v[2]]}),
            ("fly", lambda v: {"pilot": v[0], "from": NAMES[v[1]], "path": spaces(v[2:])}),
            ("aim", lambda v: {"pilot": v[0], "target": v[1]}),
            ("trace", lambda v: {"pilot": v[0], "from": NAMES[v[1]], "path": spaces(v[3:]), "burst": bool(v[2])}),
            ("drift", lambda v: {"pilot": v[0], "from": NAMES[v[1]], "to": NAMES[v[2]]}),
            ("removed", pilot_tile),
            ("stay", lambda v: {"pilot": v[0]}),
            ("left_out", lambda v: {"tokens": v[0]}),
            ("drawn", lambda v: {"pilot": v[0], "kind": KINDS[v[1]]}),
            ("placing", lambda v: {"order": list(v)}),
            ("pickup", lambda v: {"pilot": v[0], "owner": v[1], "tile": NAMES[v[2]], "shields": v[3]}),
            ("die", die),
            ("point_blank", point_blank),
            ("hit", lambda v: {"by": v[0], "pilot": v[1], "tile": NAMES[v[2]]}),
            ("gives", lambda v: {"pilot": v[0], "to": v[1], "shields": v[2], "held": v[3]}),
            ("destroyed", lambda v: {"pilot": v[0], "by": v[1], "tile": NAMES[v[2]]}),
            ("round", lambda v: {"round": v[0], "order": list(v[1:])}),
            ("turn", lambda v: {"round": v[0], "pilot": v[1]}),
            ("win", win),
        ),
        start=1,
    )
)  # fmt: skip
