"""An Islands position: its text, its start, what is seen of it, its legal orders and its result.

``islands.py`` adds what a round does. The sections named here are those of
``docs/rules/islands.md``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from .islands_map import (
    CENTRE_HUB,
    CHARTS,
    HUBS,
    NO_ORDERS,
    OPEN_SKY,
    Order,
    facing,
    format_influence,
    format_number,
    format_orders,
    format_stream,
    join_joint,
    parse_influence,
    parse_number,
    parse_orders,
    parse_stream,
    split_joint,
)
from .skyclaim_notation import next_in_stream

NEUTRAL = 0
LAST_ROUND = 12
MOST_ORDERS = 3
MOST_SCANS = 1
MOST_SQUADS = 20
MOST_ENERGY = 12
INCOME = 3
RECRUIT_COST, FIELD_RECRUIT_COST = 2, 3
COST = {"march": 0, "rotate": 1, "fortify": 1, "scan": 1}
SCAN_RADIUS = 2
# [J7] What a contingent loses in strength when it is cut off.
CUT_OFF_LOSS = 1
# [J4] Squads at each home at the start.
SQUADS_AT_START = 5
# [J10] What counts as an objective.
OBJECTIVES = "BFG"


@dataclass
class Island:
    """One island; ``squads`` is None where they are hidden (rules 1, 6)."""

    structure: str
    owner: int
    ports: frozenset[int]
    squads: int | None

    def text(self) -> str:
        """Such as ``H1.1.024.5`` (rules 7)."""
        ports = "".join(str(port) for port in sorted(self.ports))
        return f"{self.structure}.{self.owner}.{ports}.{format_number(self.squads)}"


def parse_island(text: str, hidden: bool) -> Island:
    """The island of one entry of the ISLANDS field (rules 7)."""
    structure, owner, ports, squads = text.split(".")
    island = Island(structure, parse_number(owner) or 0, frozenset(map(int, ports)), parse_number(squads, hidden))
    if island.ports not in HUBS or island.text() != text:
        raise ValueError(f"no island {text!r}")
    if island.owner == NEUTRAL and island.squads:
        raise ValueError(f"squads on a neutral island: {text!r}")
    return island


@dataclass
class Contingent:
    """Squads of one side that stayed on an island, or that came from one other island (rules 4.7)."""

    seat: int
    squads: int
    cut_off: bool
    stayed: bool

    def strength(self) -> int:
        """[J7] Its squads, less 1 if it was cut off, and not below 0 (rules 4.7)."""
        return max(0, self.squads - (CUT_OFF_LOSS if self.cut_off else 0))


class Position:
    """One position; ``observation`` where it is a seat's view of one."""

    def __init__(self, seats: int, options: dict | None = None, facts: Counter | None = None):
        self.seats = seats
        self.options = dict(options or {})
        self.facts: Counter = Counter() if facts is None else facts
        self.observation = False
        self.chart = CHARTS[seats]
        self.round = 1
        self.islands: dict[int, Island] = {}
        self.energy: dict[int, int | None] = dict.fromkeys(self.all_seats(), 0)
        self.influence: dict[int, Fraction] = dict.fromkeys(self.all_seats(), Fraction(0))
        self.scans: dict[int, int] = {}
        self.stream: int | None = None

    def all_seats(self) -> range:
        """The seats 1..n."""
        return range(1, self.seats + 1)

    def note(self, fact: str) -> None:
        """Count that something occurred."""
        self.facts[fact] += 1

    # ------------------------------------------------------------ text (rules 7)

    @classmethod
    def parse(cls, line: str, options: dict | None = None, observation: bool = False, facts=None):
        """The position of a line; ValueError where it is no such line (rules 7)."""
        seats, round_, islands, energy, influence, scans, stream = line.split(" ")
        if seats not in ("2", "3", "6"):
            raise ValueError(f"no number of seats {seats!r}")
        self = cls(int(seats), options, facts)
        self.observation = observation
        self.round = parse_number(round_) or 0
        if not 1 <= self.round <= LAST_ROUND + 1:
            raise ValueError(f"no round {round_!r}")
        entries = islands.split(",")
        if len(entries) != self.chart.size:
            raise ValueError(f"not {self.chart.size} islands")
        for number, text in enumerate(entries):
            if text != OPEN_SKY:
                self.islands[number] = parse_island(text, hidden=observation)
        if {number: island.structure for number, island in self.islands.items()} != self.chart.structure:
            raise ValueError("structures that the table does not have")
        if any(island.owner > self.seats for island in self.islands.values()):
            raise ValueError("an owner without a seat")
        stores = [parse_number(text, hidden=observation) for text in energy.split(",")]
        self.energy = dict(zip(self.all_seats(), stores, strict=True))
        if any(store is not None and store > MOST_ENERGY for store in stores):
            raise ValueError(f"too much energy: {energy!r}")
        self.influence = dict(zip(self.all_seats(), map(parse_influence, influence.split(",")), strict=True))
        for text in scans.split(",") if scans != "-" else []:
            seat, _, number = text.partition("@")
            if int(seat) not in self.all_seats() or int(number) not in self.islands:
                raise ValueError(f"no scan {text!r}")
            self.scans[int(seat)] = int(number)
        self.stream = parse_stream(stream)
        if self.line() != line:
            raise ValueError(f"not the canonical text: {line!r}")
        return self

    def line(self) -> str:
        """The canonical text (rules 7)."""
        numbers = range(self.chart.size)
        return " ".join(
            (
                str(self.seats),
                str(self.round),
                ",".join(self.islands[i].text() if i in self.islands else OPEN_SKY for i in numbers),
                ",".join(format_number(self.energy[seat]) for seat in self.all_seats()),
                ",".join(format_influence(self.influence[seat]) for seat in self.all_seats()),
                ",".join(f"{seat}@{self.scans[seat]}" for seat in sorted(self.scans)) or "-",
                format_stream(self.stream),
            )
        )

    def copy(self):
        """A position of its own; only the facts are shared."""
        twin = type(self)(self.seats, self.options, self.facts)
        twin.observation = self.observation
        twin.round = self.round
        twin.islands = {number: replace(island) for number, island in self.islands.items()}
        twin.energy = dict(self.energy)
        twin.influence = dict(self.influence)
        twin.scans = dict(self.scans)
        twin.stream = self.stream
        return twin

    # ------------------------------------------------------------ the turn of the map (rules 1)

    def turned(self):
        """The position turned left by 360 degrees divided by the seats, seat s become s + 1, same stream (rules 1)."""
        twin, chart = self.copy(), self.chart
        for number, island in self.islands.items():
            there = twin.islands[chart.turned[number]]
            there.owner = chart.turned_seat(island.owner)
            there.ports = frozenset(chart.turned_port(port) for port in island.ports)
            there.squads = island.squads
        twin.energy = {chart.turned_seat(seat): self.energy[seat] for seat in self.all_seats()}
        twin.influence = {chart.turned_seat(seat): self.influence[seat] for seat in self.all_seats()}
        twin.scans = {chart.turned_seat(seat): chart.turned[number] for seat, number in self.scans.items()}
        return twin

    def turned_orders(self, text: str) -> str:
        """A seat's order set as the next seat gives it on the turned map (rules 1)."""
        turned = self.chart.turned
        orders = [replace(o, island=turned[o.island], to=turned.get(o.to, o.to)) for o in parse_orders(text)]
        return format_orders(orders)

    def turned_joint(self, text: str) -> str:
        """A joint step as it is written on the turned map (rules 1)."""
        sets = [self.turned_orders(orders) for orders in split_joint(text)]
        return join_joint([sets[-1], *sets[:-1]])

    # ------------------------------------------------------------ start (rules 1)

    @classmethod
    def start(cls, seed: int, seats: int, options: dict | None = None, facts=None):
        """The start position of a seed (rules 1)."""
        self = cls(seats, options, facts)
        self.stream = seed
        for number, structure in self.chart.structure.items():
            self.islands[number] = Island(structure, NEUTRAL, CENTRE_HUB, 0)
        self.draw_hubs()
        while not self.is_fit_to_play():
            self.note(f"hubs drawn again, {seats} seats")
            self.draw_hubs()
        for seat, number in self.chart.homes.items():
            self.islands[number].owner = seat
            self.islands[number].squads = SQUADS_AT_START
        self.pay_income()
        return self

    def draw(self, n: int) -> int:
        """A number 0..n-1 from the position's own stream (rules 1)."""
        self.stream, number = next_in_stream(self.stream)
        return ((number >> 32) * n) >> 32

    def draw_hubs(self) -> None:
        """A hub for every island but the centre, the same for all that a turn brings together (rules 1)."""
        without = [number for number in self.chart.islands if number != 0]
        while without:
            number, ports = without[0], HUBS[self.draw(len(HUBS))]
            while number in without:
                self.islands[number].ports = ports
                without.remove(number)
                number = self.chart.turned[number]
                ports = frozenset(self.chart.turned_port(port) for port in ports)

    def is_fit_to_play(self) -> bool:
        """[J13] Every home has a bridge, and every island can be reached from every home (rules 1)."""
        for home in self.chart.homes.values():
            if not self.bridges(home):
                self.note("drawn hubs: a home without a bridge")
                return False
            reached, edge = {home}, [home]
            while edge:
                for port, number in self.chart.beside[edge.pop()].items():
                    if number not in reached and facing(port) in self.islands[number].ports:
                        reached.add(number)
                        edge.append(number)
            if reached != set(self.islands):
                self.note("drawn hubs: an island out of reach")
                return False
        return True

    # ------------------------------------------------------------ bridges, supply (rules 1, 3)

    def bridges(self, number: int) -> set[int]:
        """The islands that an open bridge joins to this one (rules 1)."""
        return {
            other
            for port, other in self.chart.beside[number].items()
            if port in self.islands[number].ports and facing(port) in self.islands[other].ports
        }

    def is_at_own_home(self, seat: int, number: int) -> bool:
        """[J5] Home number s, owned by seat s; another seat's home is like any island (rules 2)."""
        return number == self.chart.homes[seat] and self.islands[number].owner == seat

    def supplied(self, seat: int) -> set[int]:
        """The islands that are supplied for a seat (rules 3)."""
        home = self.chart.homes[seat]
        if self.islands[home].owner != seat:
            return set()
        reached, edge = {home}, [home]
        while edge:
            for number in self.bridges(edge.pop()):
                if number not in reached and self.islands[number].owner == seat:
                    reached.add(number)
                    edge.append(number)
        return reached

    def owned(self, seat: int, structures: str = "HFGBP") -> list[int]:
        """The islands of a seat, of these structures."""
        return [i for i, island in self.islands.items() if island.owner == seat and island.structure[0] in structures]

    def stands_on(self, seat: int) -> list[int]:
        """The islands where squads of a seat stand."""
        return [number for number in self.owned(seat) if self.islands[number].squads]

    def squads_in_all(self, seat: int) -> int:
        """How many squads a seat has."""
        return sum(self.islands[number].squads or 0 for number in self.owned(seat))

    def pay_income(self) -> None:
        """Each seat gets 3 and 1 for each supplied generator, up to a full store (rules 4.9)."""
        for seat in self.all_seats():
            generators = [i for i in self.supplied(seat) if self.islands[i].structure == "G"]
            store = (self.energy[seat] or 0) + INCOME + len(generators)
            if generators:
                self.note("income of generators")
            if store > MOST_ENERGY:
                self.note("store full")
            self.energy[seat] = min(store, MOST_ENERGY)

    # ------------------------------------------------------------ what a seat sees (rules 6)

    def observe(self, seat: int):
        """What a seat sees; [J11] squads, [J12] the others' energy are hidden (rules 6)."""
        if self.observation:
            raise ValueError("an observation of an observation")
        twin = self.copy()
        twin.observation = True
        by_bridge = {other for number in self.stands_on(seat) for other in self.bridges(number)}
        by_scan = set()
        if seat in self.scans:
            scanned = self.scans[seat]
            by_scan = {i for i in self.islands if self.chart.distance(i, scanned) <= SCAN_RADIUS}
        for number, island in twin.islands.items():
            if island.owner == seat:
                continue
            if number in by_bridge:
                self.note("seen over a bridge")
            elif number in by_scan:
                self.note("seen by a scan")
            else:
                self.note("hidden squads" if island.squads else "hidden, though there are none")
                island.squads = None
        twin.energy = {other: store if other == seat else None for other, store in self.energy.items()}
        twin.scans = {other: number for other, number in self.scans.items() if other == seat}
        twin.stream = None
        return twin

    # ------------------------------------------------------------ legal orders (rules 2)

    def is_over(self) -> bool:
        """Whether round 12 was played (rules 4.9)."""
        return self.round > LAST_ROUND

    def cost(self, seat: int, order: Order) -> int:
        """What an order costs (rules 2)."""
        if order.kind != "recruit":
            return COST[order.kind]
        cheap = self.is_at_own_home(seat, order.island) or self.islands[order.island].structure == "F"
        return RECRUIT_COST if cheap else FIELD_RECRUIT_COST

    def single_orders(self, seat: int) -> list[Order]:
        """The orders that are legal alone, sorted as text; none where the game is over (rules 2)."""
        if self.is_over():
            return []
        if self.energy[seat] is None:
            raise ValueError(f"the observation is not of seat {seat}")
        orders = self.marches(seat) + self.recruits(seat) + self.rotations(seat)
        supplied, standing = self.supplied(seat), self.stands_on(seat)
        orders += [Order("fortify", number) for number in standing if number in supplied]
        # [J6] A scan needs squads on the island.
        orders += [Order("scan", number) for number in standing]
        return sorted((order for order in orders if self.go_together(seat, [order])), key=Order.text)

    def marches(self, seat: int) -> list[Order]:
        """Every number of squads to every neighbouring island, bridge or not (rules 2, march)."""
        return [
            Order("march", number, to, squads)
            for number in self.stands_on(seat)
            for to in self.chart.beside[number].values()
            for squads in range(1, (self.islands[number].squads or 0) + 1)
        ]

    def recruits(self, seat: int) -> list[Order]:
        """At the own home and factories, or where squads stand, but on a beacon (rules 2, recruit)."""
        orders: list[Order] = []
        if self.squads_in_all(seat) >= MOST_SQUADS:
            return orders
        for number in self.supplied(seat):
            island = self.islands[number]
            home_or_factory = self.is_at_own_home(seat, number) or island.structure == "F"
            if home_or_factory or (island.structure != "B" and island.squads):
                orders.append(Order("recruit", number))
        return orders

    def rotations(self, seat: int) -> list[Order]:
        """Own hubs, and neutral ones a bridge away from squads (rules 2, rotate)."""
        hubs = set(self.owned(seat))
        for number in self.stands_on(seat):
            hubs |= {i for i in self.bridges(number) if self.islands[i].owner == NEUTRAL and not self.islands[i].squads}
        return [Order("rotate", number, sign=sign) for number in hubs for sign in "+-"]

    def go_together(self, seat: int, orders: list[Order]) -> bool:
        """Whether orders that are each legal can be given in one round (rules 2)."""
        if len(orders) > MOST_ORDERS or len(set(orders)) < len(orders):
            return False
        if sum(self.cost(seat, order) for order in orders) > (self.energy[seat] or 0):
            return False
        if sum(order.kind == "scan" for order in orders) > MOST_SCANS:
            return False
        works = [order.island for order in orders if order.kind in ("recruit", "rotate", "fortify")]
        if len(set(works)) < len(works):
            return False
        marches = [order for order in orders if order.kind == "march"]
        ways = {(march.island, march.to) for march in marches}
        if len(ways) < len(marches):
            return False
        for start in {march.island for march in marches}:
            if sum(march.squads for march in marches if march.island == start) > (self.islands[start].squads or 0):
                return False
        return True

    def orders(self, seat: int) -> list[str]:
        """The legal single orders as ``ORDER/COST``, sorted (rules 2)."""
        return sorted(f"{order.text()}/{self.cost(seat, order)}" for order in self.single_orders(seat))

    def legal_sets(self, seat: int) -> Iterator[str]:
        """All legal order sets as canonical text, in the order of the text (rules 2, 8)."""
        if not self.is_over():
            yield NO_ORDERS
            yield from self.sets_with([], self.single_orders(seat), seat)

    def sets_with(self, chosen: list[Order], later: list[Order], seat: int) -> Iterator[str]:
        """The legal sets of the chosen orders and at least one of the later ones (rules 2)."""
        for place, order in enumerate(later):
            together = [*chosen, order]
            if self.go_together(seat, together):
                yield format_orders(together)
                yield from self.sets_with(together, later[place + 1 :], seat)

    def count(self, seat: int) -> int:
        """The number of legal order sets (rules 8)."""
        return sum(1 for _ in self.legal_sets(seat))

    def is_legal(self, seat: int, text: str) -> bool:
        """Whether a text, its orders in any order, is a legal order set (rules 2)."""
        try:
            orders = parse_orders(text)
        except ValueError:
            return False
        single = self.single_orders(seat)
        return not self.is_over() and all(o in single for o in orders) and self.go_together(seat, orders)

    # ------------------------------------------------------------ result (rules 5)

    def objectives(self, seat: int) -> int:
        """How many objectives a seat owns, supplied or not (rules 5)."""
        return len(self.owned(seat, OBJECTIVES))

    def winners(self) -> tuple[list[int], str]:
        """The seats that win once the game is over, and what decided (rules 5)."""
        left = list(self.all_seats())
        for decider, measure in (
            ("influence", lambda seat: self.influence[seat]),
            ("objectives", self.objectives),
            ("squads", self.squads_in_all),
        ):
            most = max(measure(seat) for seat in left)
            left = [seat for seat in left if measure(seat) == most]
            if len(left) == 1:
                return left, decider
        return left, f"shared by {len(left)}"

    def shares(self) -> list[Fraction] | None:
        """The result of each seat, or None; an observation is of a game that goes on (rules 5)."""
        if self.observation or not self.is_over():
            return None
        winners, _ = self.winners()
        return [Fraction(seat in winners, len(winners)) for seat in self.all_seats()]

    def result(self) -> str | None:
        """The line ``result 1:1/2 2:1/2 3:0``, or None (rules 5)."""
        shares = self.shares()
        if shares is None:
            return None
        return " ".join(["result", *(f"{seat}:{share}" for seat, share in enumerate(shares, 1))])
