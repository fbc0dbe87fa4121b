"""Islands on paper: the map of each number of seats, the orders and the numbers as text.

Plain data and text only. The rules that act on them are in ``islands.py``; the
sections named here are those of ``docs/rules/islands.md``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

# ---------------------------------------------------------------- hexagons (rules 1)

PORTS = range(6)
EAST, NORTH_EAST, NORTH_WEST, WEST, SOUTH_WEST, SOUTH_EAST = PORTS
DIRECTIONS = {
    EAST: (1, 0),
    NORTH_EAST: (1, -1),
    NORTH_WEST: (0, -1),
    WEST: (-1, 0),
    SOUTH_WEST: (-1, 1),
    SOUTH_EAST: (0, 1),
}


def facing(port: int) -> int:
    """The port of the neighbour that faces this port (rules 1)."""
    return (port + 3) % 6


def spiral(rings: int) -> list[tuple[int, int]]:
    """The hexagons (q, r) by island number, the centre and so many rings (rules 1)."""
    hexagons = [(0, 0)]
    for ring in range(1, rings + 1):
        q, r = ring, 0
        for direction in (NORTH_WEST, WEST, SOUTH_WEST, SOUTH_EAST, EAST, NORTH_EAST):
            for _ in range(ring):
                hexagons.append((q, r))
                q, r = q + DIRECTIONS[direction][0], r + DIRECTIONS[direction][1]
    return hexagons


def ring_of(q: int, r: int) -> int:
    """The distance of a hexagon from the centre (rules 1)."""
    return max(abs(q), abs(r), abs(q + r))


def left_by_60_degrees(q: int, r: int) -> tuple[int, int]:
    """The hexagon after a turn of 60 degrees to the left about the centre (rules 1)."""
    return q + r, -q


# ---------------------------------------------------------------- rulings

# [J1] The seat counts; [J2] the structures of each ring, repeating around it;
# [J3] with 2 and 6 seats the centre is open sky.
OPEN_SKY = "-"
STRUCTURES = {
    2: (OPEN_SKY, "GBF", "HGBPFP"),
    3: ("B", "GB", "HGBF"),
    6: (OPEN_SKY, "G", "PB", "HFG"),
}
# The hub of a centre that is an island.
CENTRE_HUB = frozenset({0, 2, 4})
# The 20 sets of three ports, in lexicographic order.
HUBS = [frozenset(ports) for ports in combinations(PORTS, 3)]


class Chart:
    """What never changes on the map of a number of seats (rules 1)."""

    def __init__(self, seats: int):
        self.seats = seats
        hexagons = spiral(len(STRUCTURES[seats]) - 1)
        #: by island number; the open sky is no island
        self.structure: dict[int, str] = {}
        #: home number s is on island homes[s]
        self.homes: dict[int, int] = {}
        places = dict.fromkeys(range(len(STRUCTURES[seats])), 0)
        for number, (q, r) in enumerate(hexagons):
            ring = ring_of(q, r)
            pattern = STRUCTURES[seats][ring]
            structure = pattern[places[ring] % len(pattern)]
            places[ring] += 1
            if structure == "H":
                self.homes[len(self.homes) + 1] = number
                structure += str(len(self.homes))
            if structure != OPEN_SKY:
                self.structure[number] = structure
        self.islands = sorted(self.structure)
        self.size = len(hexagons)
        self.hexagon = {number: hexagons[number] for number in self.islands}
        at = {self.hexagon[number]: number for number in self.islands}
        #: the neighbouring islands by port
        self.beside: dict[int, dict[int, int]] = {number: {} for number in self.islands}
        for number in self.islands:
            q, r = self.hexagon[number]
            for port, (dq, dr) in DIRECTIONS.items():
                if (q + dq, r + dr) in at:
                    self.beside[number][port] = at[q + dq, r + dr]
        #: where a turn of the map, by 360 degrees divided by the seats, brings an island
        self.turned: dict[int, int] = {}
        for number in self.islands:
            hexagon = self.hexagon[number]
            for _ in range(6 // seats):
                hexagon = left_by_60_degrees(*hexagon)
            self.turned[number] = at[hexagon]

    def turned_port(self, port: int) -> int:
        """Where a turn of the map brings a port (rules 1)."""
        return (port + 6 // self.seats) % 6

    def turned_seat(self, seat: int) -> int:
        """Where a turn of the map brings a seat; 0, neutral, stays (rules 1)."""
        return seat and seat % self.seats + 1

    def distance(self, a: int, b: int) -> int:
        """The number of hexagons from one island to another (rules 4.2)."""
        (qa, ra), (qb, rb) = self.hexagon[a], self.hexagon[b]
        return ring_of(qa - qb, ra - rb)

    def in_view(self, seat: int) -> list[int]:
        """The islands by their numbers on the map turned so that the seat's home is home 1 (rules 4.5)."""
        seen_as = {}
        for number in self.islands:
            turned, at = seat, number
            while turned != 1:
                turned, at = self.turned_seat(turned), self.turned[at]
            seen_as[number] = at
        return sorted(self.islands, key=lambda number: seen_as[number])


CHARTS = {seats: Chart(seats) for seats in STRUCTURES}


# ---------------------------------------------------------------- orders (rules 2)

ORDER_FORMS = {
    "march": re.compile(r"march:(?P<island>\d+)>(?P<to>\d+)\*(?P<squads>\d+)"),
    "recruit": re.compile(r"recruit:(?P<island>\d+)"),
    "rotate": re.compile(r"rotate:(?P<island>\d+)(?P<sign>[+-])"),
    "fortify": re.compile(r"fortify:(?P<island>\d+)"),
    "scan": re.compile(r"scan:(?P<island>\d+)"),
}
NO_ORDERS = "-"


@dataclass(frozen=True)
class Order:
    """One order; ``to`` and ``squads`` are those of a march, ``sign`` that of a rotation (rules 2)."""

    kind: str
    island: int
    to: int = -1
    squads: int = 0
    sign: str = ""

    def text(self) -> str:
        """The order as it is written (rules 2)."""
        march = f">{self.to}*{self.squads}" if self.kind == "march" else ""
        return f"{self.kind}:{self.island}{march}{self.sign}"


def parse_order(text: str) -> Order:
    """The order with this text; ValueError where there is none (rules 2)."""
    kind = text.partition(":")[0]
    found = ORDER_FORMS[kind].fullmatch(text) if kind in ORDER_FORMS else None
    if found is None:
        raise ValueError(f"no order {text!r}")
    order = Order(kind, **{name: part if name == "sign" else int(part) for name, part in found.groupdict().items()})
    if order.text() != text:
        raise ValueError(f"no order {text!r}")
    return order


def parse_orders(text: str) -> list[Order]:
    """The orders of a set, written in any order (rules 2)."""
    return [] if text == NO_ORDERS else [parse_order(word) for word in text.split(" ")]


def format_orders(orders: list[Order]) -> str:
    """The canonical text of a set (rules 2)."""
    return " ".join(sorted(order.text() for order in orders)) or NO_ORDERS


def split_joint(text: str) -> list[str]:
    """The order sets of a joint step, by seat; ValueError where it is none (rules 7)."""
    sets = []
    for seat, part in enumerate(text.split(" | "), 1):
        number, colon, orders = part.partition(":")
        if number != str(seat) or not colon:
            raise ValueError(f"no part of seat {seat}: {part!r}")
        sets.append(orders)
    return sets


def join_joint(sets: list[str]) -> str:
    """The text of a joint step (rules 7)."""
    return " | ".join(f"{seat}:{orders}" for seat, orders in enumerate(sets, 1))


# ---------------------------------------------------------------- numbers (rules 7)

HIDDEN = "?"


def parse_number(text: str, hidden: bool = False) -> int | None:
    """A number from 0, or None for one that is hidden, where that may be (rules 7)."""
    if hidden and text == HIDDEN:
        return None
    if not re.fullmatch(r"0|[1-9][0-9]*", text):
        raise ValueError(f"no number {text!r}")
    return int(text)


def format_number(number: int | None) -> str:
    """A number, or ``?`` for a hidden one (rules 7)."""
    return HIDDEN if number is None else str(number)


def parse_influence(text: str) -> Fraction:
    """Influence, in halves (rules 7)."""
    whole, point, half = text.partition(".")
    if point and half != "5":
        raise ValueError(f"no influence {text!r}")
    return Fraction(parse_number(whole) or 0) + (Fraction(1, 2) if point else 0)


def format_influence(influence: Fraction) -> str:
    """Influence, halves as ``.5`` (rules 7)."""
    return f"{influence // 1}.5" if influence % 1 else f"{influence // 1}"


def parse_stream(text: str) -> int | None:
    """The RNG field (rules 7)."""
    if text == "-":
        return None
    if not re.fullmatch(r"[0-9a-f]{16}", text):
        raise ValueError(f"no stream {text!r}")
    return int(text, 16)


def format_stream(state: int | None) -> str:
    """The RNG field (rules 7)."""
    return "-" if state is None else f"{state:016x}"
