"""The half turn of a board with the sides exchanged, made on texts alone.

The rules know no difference between a position and its half turn (rules 1, J1, and 12), so whatever holds for one holds
for the other: lines, steps, results and events are turned here without the engine's help.
"""

from __future__ import annotations

import re
from typing import Any

COLUMNS = "abcdefghijk"
SQUARE = re.compile(r"([a-k])(1[01]|[1-9])")
EXCHANGED = str.maketrans("SN", "NS")


def square(name: str) -> str:
    """The square opposite: `a1` for `k11`."""
    found = SQUARE.fullmatch(name)
    assert found, name
    return f"{COLUMNS[10 - COLUMNS.index(found[1])]}{12 - int(found[2])}"


def index(name: str) -> int:
    """11 * row + column, the order of the drones in a line."""
    return 11 * (int(name[1:]) - 1) + COLUMNS.index(name[0])


def step(text: str) -> str:
    """The same step on the turned board; a swap names its lower square first."""
    kind, colon, squares = text.partition(":")
    turned = [square(found[0]) for found in SQUARE.finditer(squares)]
    if kind == "swap":
        turned.sort(key=index)
    return kind + colon + "".join(turned)


def result(text: str | None) -> str | None:
    """`N wins land` for `S wins land`; a draw stays one."""
    return text if text is None or text.startswith("draw") else text.translate(EXCHANGED)


def line(text: str) -> str:
    """The line of the turned position, same stream; of an observation too."""
    stars, drones, land, side, cleared, wrecks, lit, turn, stream = text.split(" ")
    return " ".join((
        stars[::-1],
        entries(drones, turned_drone),
        rows(land),
        side.translate(EXCHANGED),
        cleared,
        entries(wrecks, turned_wreck),
        lit if lit == "-" else rows(lit),
        turn,
        stream,
    ))  # fmt: skip


def entries(text: str, turned: Any) -> str:
    """A list with each entry turned, again by square index."""
    if text == "-":
        return text
    return ",".join(sorted(map(turned, text.split(",")), key=lambda entry: index(SQUARE.search(entry)[0])))


def turned_drone(text: str) -> str:
    found = SQUARE.match(text, 1)
    return text[0].swapcase() + square(found[0]) + text[found.end() :]


def turned_wreck(text: str) -> str:
    name, colon, countdown = text.partition(":")
    return square(name) + colon + countdown


def rows(text: str) -> str:
    """Rows of letters and counts, turned: a count is as long from the other end."""
    return "/".join("".join(re.findall(r"\d+|\D", row)[::-1]) for row in text.split("/")[::-1]).translate(EXCHANGED)


def event(fields: dict[str, Any]) -> dict[str, Any]:
    """An event of docs/events.md on the turned board. Lists of squares are in the mover's view and keep their order."""
    turned = {key: value(key, content) for key, content in fields.items()}
    if fields["type"] == "swap":
        turned["from"], turned["to"] = turned["to"], turned["from"]
    return turned


def value(key: str, content: Any) -> Any:
    """One field of an event."""
    if key in ("square", "from", "to", "hit"):
        return square(content)
    if key in ("squares", "taken"):
        return [square(name) for name in content]
    if key == "falls":
        return [[square(start), square(end)] for start, end in content]
    if key == "new":
        return [[square(name), colour] for name, colour in content]
    if key == "groups":
        return [{name: value(name, part) for name, part in group.items()} for group in content]
    if key in ("side", "toward"):
        return content.translate(EXCHANGED)
    return result(content) if key == "result" else content
