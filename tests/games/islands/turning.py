"""The map turned by 360°/n with the seats renamed (rules 1): lines, orders and joint steps as texts.

Written from the rules alone, with nothing of the package.
"""

from __future__ import annotations

import re

#: ring of an island's number, and its place in the ring
RINGS = [(0, 0), *((ring, place) for ring in (1, 2, 3) for place in range(6 * ring))]
NUMBERS = {where: number for number, where in enumerate(RINGS)}


def island(number: int, seats: int) -> int:
    """Where an island comes to lie."""
    ring, place = RINGS[number]
    return NUMBERS[ring, (place + 6 // seats * ring) % (6 * ring) if ring else 0]


def seat(number: int, seats: int) -> int:
    """Seat s becomes seat s + 1."""
    return number % seats + 1 if number else 0


def ports(text: str, seats: int) -> str:
    return "".join(sorted(str((int(port) + 6 // seats) % 6) for port in text))


def by_seat(parts: list[str]) -> list[str]:
    return [parts[-1], *parts[:-1]]


def line(text: str) -> str:
    """A position's line, turned."""
    count, number, islands, energy, influence, scans, stream = text.split()
    seats = int(count)
    turned = islands.split(",")
    for place, word in enumerate(islands.split(",")):
        if word != "-":
            structure, owner, hub, squads = word.split(".")
            if structure[0] == "H":
                structure = f"H{seat(int(structure[1:]), seats)}"
            word = f"{structure}.{seat(int(owner), seats)}.{ports(hub, seats)}.{squads}"
        turned[island(place, seats)] = word
    if scans != "-":
        pairs = (word.split("@") for word in scans.split(","))
        found = sorted((seat(int(who), seats), island(int(where), seats)) for who, where in pairs)
        scans = ",".join(f"{who}@{where}" for who, where in found)
    energy, influence = (",".join(by_seat(field.split(","))) for field in (energy, influence))
    return " ".join((count, number, ",".join(turned), energy, influence, scans, stream))


def orders(text: str, seats: int) -> str:
    """An order set, turned."""
    if text == "-":
        return text
    turned = []
    for word in text.split():
        kind, rest = word.split(":")
        squads = re.search(r"\*\d+$|[+-]$", rest)
        tail = squads[0] if squads else ""
        islands = rest.removesuffix(tail).split(">")
        turned.append(f"{kind}:{'>'.join(str(island(int(n), seats)) for n in islands)}{tail}")
    return " ".join(sorted(turned))


def step(text: str) -> str:
    """A joint step, turned."""
    parts = [part.partition(":")[2] for part in text.split(" | ")]
    sets = by_seat([orders(part, len(parts)) for part in parts])
    return " | ".join(f"{number}:{part}" for number, part in enumerate(sets, 1))
