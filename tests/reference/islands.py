"""The model of Islands: every round played the slow, obvious way, with its events.

``Model`` is written from ``docs/rules/islands.md`` and ``docs/events-islands.md`` alone; the
sections named here are those of the rules. ``Model.facts`` counts what occurred, by the names of ``FACTS``.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from .islands_facts import FACTS, Noted
from .islands_map import Order, join_joint, parse_orders, split_joint
from .islands_position import MOST_SQUADS, Contingent

__all__ = ["FACTS", "Model"]

RECRUITED = 2
FORTIFICATION = 2
BEACON_SUPPLIED, BEACON_CUT_OFF, BEACON_IN_THE_SURGE = 2, 1, 1
SURGE_ROUNDS = (10, 11, 12)
# Round: the structure, whether it has to be supplied, the points.
CONTESTS = {4: ("G", True, 3), 8: ("F", True, 3), 12: ("B", False, 4)}
CONTEST_NAMES = {"G": "generators", "F": "factories", "B": "beacons"}


def in_json(points: Fraction) -> int | float:
    """Points as a number that may end in .5 (docs/events-islands.md)."""
    return int(points) if points.denominator == 1 else float(points)


class Model(Noted):
    """An Islands position that plays rounds; ``facts`` is shared by its copies."""

    # ------------------------------------------------------------ playing (rules 4)

    def apply(self, joint: str) -> list[dict]:
        """Play a joint step in place; its events. ValueError where it is not legal (rules 2, 7)."""
        if self.observation:
            raise ValueError("an observation plays no rounds")
        sets = split_joint(joint)
        if len(sets) != self.seats:
            raise ValueError(f"not {self.seats} parts: {joint!r}")
        for seat, text in enumerate(sets, 1):
            if not self.is_legal(seat, text):
                raise ValueError(f"illegal orders of seat {seat}: {text!r}")
        return self.apply_unchecked(joint)

    def apply_unchecked(self, joint: str) -> list[dict]:
        """Play a joint step that is known to be legal (rules 4)."""
        self.events: list[dict] = []
        orders = {seat: parse_orders(text) for seat, text in enumerate(split_joint(joint), 1)}
        for seat in self.all_seats():
            self.note_orders(seat, orders[seat])
        bridges_at_planning = {number: self.bridges(number) for number in self.islands}
        self.pay(orders)
        self.scan(orders)
        self.rotate(orders)
        self.tell_bridges(bridges_at_planning)
        cut_off = self.check_supply()
        fortified, recruited = self.recruit_and_fortify(orders)
        contingents = self.march(orders, cut_off, bridges_at_planning)
        for number, there in contingents.items():
            if number in recruited and len({c.seat for c in there}) > 1:
                self.note("battle: recruits fight")
            self.settle(number, there, fortified.get(number))
        influence_before = dict(self.influence)
        self.pay_influence()
        self.hold_contest()
        self.tell_influence(influence_before)
        self.round += 1
        if self.is_over():
            self.note(f"end: {self.winners()[1]}")
            self.event("win", result=self.result().removeprefix("result "))
        else:
            energy_before = dict(self.energy)
            self.pay_income()
            self.tell_income(energy_before)
            self.event("round", round=self.round)
        return self.events

    def event(self, type_: str, **fields) -> None:
        """Tell that something happened (docs/events-islands.md)."""
        self.events.append({"type": type_, **fields})

    def perft(self, depth: int) -> int:
        """The number of series of joint steps of this length (rules 8)."""
        if depth == 0:
            return 1
        total = 0
        for sets in product(*(list(self.legal_sets(seat)) for seat in self.all_seats())):
            after = self.copy()
            after.apply_unchecked(join_joint(list(sets)))
            total += after.perft(depth - 1)
        return total

    # ------------------------------------------------------------ before the marches (rules 4.1 - 4.5)

    def pay(self, orders: dict[int, list[Order]]) -> None:
        """The costs are taken from the stores (rules 4.1)."""
        for seat in self.all_seats():
            cost = sum(self.cost(seat, order) for order in orders[seat])
            self.energy[seat] -= cost
            texts = sorted(order.text() for order in orders[seat])
            self.event("orders", seat=seat, orders=texts, cost=cost, energy=self.energy[seat])

    def scan(self, orders: dict[int, list[Order]]) -> None:
        """The scans are noted for the next round's planning (rules 4.2)."""
        self.scans = {seat: o.island for seat in self.all_seats() for o in orders[seat] if o.kind == "scan"}
        for seat, number in self.scans.items():
            self.event("scan", seat=seat, island=number)

    def rotate(self, orders: dict[int, list[Order]]) -> None:
        """On each hub the steps add up, then it turns by the sum (rules 4.3)."""
        for number, island in self.islands.items():
            left, right = Order("rotate", number, sign="+"), Order("rotate", number, sign="-")
            seats_left = [seat for seat in self.all_seats() if left in orders[seat]]
            seats_right = [seat for seat in self.all_seats() if right in orders[seat]]
            if not seats_left and not seats_right:
                continue
            steps = len(seats_left) - len(seats_right)
            seats = sorted(seats_left + seats_right)
            if len(seats) > 1:
                self.note("rotations add up" if steps else "rotations cancel")
            island.ports = frozenset((port + steps) % 6 for port in island.ports)
            self.event("rotate", island=number, by=steps, ports=sorted(island.ports), seats=seats)

    def tell_bridges(self, before: dict[int, set[int]]) -> None:
        """The bridges that opened or closed (docs/events-islands.md)."""
        for number in self.chart.islands:
            changed = self.bridges(number) ^ before[number]
            for other in sorted(changed):
                if number < other:
                    self.event("bridge", islands=[number, other], open=other in self.bridges(number))

    def check_supply(self) -> set[int]:
        """The islands whose squads are cut off for this round (rules 4.4)."""
        cut_off = set()
        for seat in self.all_seats():
            supplied = self.supplied(seat)
            islands = sorted(number for number in self.stands_on(seat) if number not in supplied)
            if islands:
                self.note("cut off: no chain to the home" if supplied else "cut off: home lost")
                self.event("cut_off", seat=seat, islands=islands)
                cut_off |= set(islands)
        return cut_off

    def recruit_and_fortify(self, orders: dict[int, list[Order]]) -> tuple[dict[int, int], set[int]]:
        """The seats by island that they fortified, and the islands with recruits (rules 4.5)."""
        fortified, recruited = {}, set()
        for seat in self.all_seats():
            supplied = self.supplied(seat)
            for number in self.chart.in_view(seat):
                for order in orders[seat]:
                    if order.island != number or order.kind not in ("recruit", "fortify"):
                        continue
                    if number not in supplied:
                        self.note(f"{order.kind} refunded: cut off")
                        self.fail(seat, order, "supply", self.cost(seat, order))
                    elif order.kind == "fortify":
                        self.event("fortify", seat=seat, island=number)
                        fortified[number] = seat
                    elif self.recruit(seat, order):
                        recruited.add(number)
        return fortified, recruited

    def recruit(self, seat: int, order: Order) -> bool:
        """Two squads, but no more than make 20 in all; False and refunded if there are 20 (rules 4.5)."""
        added = min(RECRUITED, MOST_SQUADS - self.squads_in_all(seat))
        if added <= 0:
            self.note("recruit refunded: 20 squads")
            self.fail(seat, order, "limit", self.cost(seat, order))
            return False
        self.note(f"recruit adds {added}")
        island = self.islands[order.island]
        island.squads += added
        self.event("recruit", seat=seat, island=order.island, added=added, squads=island.squads)
        return True

    def fail(self, seat: int, order: Order, reason: str, refund: int) -> None:
        """An order fails, and its cost may be refunded (rules 4.5, 4.6)."""
        self.energy[seat] += refund
        fields = {"reason": reason, "refund": refund, "energy": self.energy[seat]}
        self.event("failed", seat=seat, order=order.text(), **fields)

    # ------------------------------------------------------------ marches (rules 4.6)

    def march(
        self, orders: dict[int, list[Order]], cut_off: set[int], bridges_at_planning: dict[int, set[int]]
    ) -> dict[int, list[Contingent]]:
        """All marches at once; the contingents that are then on each island (rules 4.6, 4.7)."""
        contingents: dict[int, list[Contingent]] = {number: [] for number in self.islands}
        staying = {number: island.squads for number, island in self.islands.items()}
        ways = []
        for seat in self.all_seats():
            for order in self.marches_in_order(orders[seat]):
                was_open = order.to in bridges_at_planning[order.island]
                if order.to not in self.bridges(order.island):
                    self.note(f"march fails: {'bridge just closed' if was_open else 'never a bridge'}")
                    self.fail(seat, order, "bridge", refund=0)
                    continue
                self.note(f"march over {'an open bridge' if was_open else 'a bridge that just opened'}")
                if order.island in cut_off:
                    self.note("march of cut off squads")
                ways.append((seat, order.island, order.to))
                staying[order.island] -= order.squads
                came = Contingent(seat, order.squads, cut_off=order.island in cut_off, stayed=False)
                contingents[order.to].append(came)
                fields = {"from": order.island, "to": order.to, "squads": order.squads}
                self.event("march", seat=seat, **fields)
        for seat, start, to in ways:
            for other, back, goal in ways:
                if (back, goal) == (to, start) and start < to:
                    self.note("own marches pass" if other == seat else "armies pass")
        for number, squads in staying.items():
            if squads:
                owner = self.islands[number].owner
                contingents[number].insert(0, Contingent(owner, squads, cut_off=number in cut_off, stayed=True))
        return contingents

    def marches_in_order(self, orders: list[Order]) -> list[Order]:
        """The marches by the island that they leave, then by direction (docs/events-islands.md)."""
        marches = []
        for number in self.chart.islands:
            for to in self.chart.beside[number].values():
                marches += [o for o in orders if (o.kind, o.island, o.to) == ("march", number, to)]
        return marches

    # ------------------------------------------------------------ battles and captures (rules 4.7)

    def settle(self, number: int, there: list[Contingent], fortified_by: int | None) -> None:
        """Battle where there are two sides or more, then capture by the one that is left (rules 4.7)."""
        island = self.islands[number]
        if fortified_by is not None and not any(c.stayed for c in there):
            self.note("fortified, but all squads march off")
        sides = sorted({c.seat for c in there})
        if len(sides) > 1:
            left = self.battle(number, there, fortified_by)
        else:
            left = {seat: sum(c.squads for c in there) for seat in sides}
        if not left:
            if len(sides) > 1:
                self.note("emptied island keeps its owner" if island.owner else "emptied island stays neutral")
            elif island.squads:
                self.note("island left without squads keeps its owner")
            island.squads = 0
            return
        ((seat, squads),) = left.items()
        if seat != island.owner:
            self.note_capture(seat, number, after_a_battle=len(sides) > 1)
            self.event("capture", island=number, seat=seat, **{"from": island.owner})
        island.owner, island.squads = seat, squads

    def battle(self, number: int, there: list[Contingent], fortified_by: int | None) -> dict[int, int]:
        """The side that is left with its squads, or nobody (rules 4.7)."""
        squads, strength = {}, {}
        for seat in sorted({c.seat for c in there}):
            squads[seat] = sum(c.squads for c in there if c.seat == seat)
            strength[seat] = sum(c.strength() for c in there if c.seat == seat)
        helped = None
        if any(c.stayed and c.seat == fortified_by for c in there):
            helped = fortified_by
            strength[helped] += FORTIFICATION
        strongest = max(strength, key=lambda seat: strength[seat])
        others = sum(strength[seat] for seat in strength if seat != strongest)
        self.note_battle(there, strength, helped)
        left = {}
        if strength[strongest] > others:
            loss = others
            if strongest == helped:
                # [J8] The fortification goes first.
                loss = max(0, others - FORTIFICATION)
            self.note_won(strongest, there, others, loss, helped)
            left[strongest] = max(1, squads[strongest] - loss)
        else:
            self.note_wiped(strength, helped)
        sides = [
            {"seat": seat, "squads": squads[seat], "strength": strength[seat], "fortified": seat == helped}
            for seat in squads
        ]
        winner = {"winner": strongest, "left": left[strongest]} if left else {"winner": 0, "left": 0}
        self.event("battle", island=number, sides=sides, **winner)
        return left

    # ------------------------------------------------------------ influence (rules 4.8)

    def pay_influence(self) -> None:
        """Each beacon pays its owner (rules 4.8)."""
        for seat in self.all_seats():
            supplied = self.supplied(seat)
            for number in self.owned(seat, "B"):
                surge = self.round in SURGE_ROUNDS
                kind = "supplied" if number in supplied else "cut off"
                self.note(f"{kind} beacon pays{' in the surge' if surge else ''}")
                points = BEACON_SUPPLIED if number in supplied else BEACON_CUT_OFF
                points += BEACON_IN_THE_SURGE if surge else 0
                self.influence[seat] += points
                self.event("beacon", island=number, seat=seat, points=points)

    def hold_contest(self) -> None:
        """After rounds 4, 8 and 12, the most of a structure (rules 4.8)."""
        if self.round not in CONTESTS:
            return
        structure, has_to_be_supplied, points = CONTESTS[self.round]
        holdings = {}
        for seat in self.all_seats():
            counted = set(self.owned(seat, structure))
            if has_to_be_supplied:
                counted &= self.supplied(seat)
            holdings[seat] = len(counted)
        most = max(holdings.values())
        # [J9] Where nobody has any, nobody gets anything.
        winners = [seat for seat in holdings if holdings[seat] == most > 0]
        how = {0: "nobody", 1: "won", 2: "tie of 2"}.get(len(winners), "tie of 3 or more")
        self.note(f"contest for {structure}: {how}")
        share = {0: Fraction(0), 1: Fraction(points)}.get(len(winners), Fraction(points, 2))
        for seat in winners:
            self.influence[seat] += share
        counts = [holdings[seat] for seat in self.all_seats()]
        fields = {"counts": counts, "seats": winners, "points": in_json(share)}
        self.event("contest", objective=CONTEST_NAMES[structure], **fields)

    # ------------------------------------------------------------ what each seat got (rules 4.8, 4.9)

    def tell_influence(self, before: dict[int, Fraction]) -> None:
        """The influence of the seats that got any in this round (docs/events-islands.md)."""
        for seat in self.all_seats():
            points = self.influence[seat] - before[seat]
            if points:
                self.event("influence", seat=seat, points=in_json(points), influence=in_json(self.influence[seat]))

    def tell_income(self, before: dict[int, int]) -> None:
        """What each seat's store gained (docs/events-islands.md)."""
        for seat in self.all_seats():
            self.event("income", seat=seat, added=self.energy[seat] - before[seat], energy=self.energy[seat])
