"""Skyclaim's cascades: waves of matches, what their groups pay, and the flow (rules 4).

The sections named here are those of ``docs/rules/skyclaim.md``; the events those of
``docs/events.md``.
"""

from __future__ import annotations

from .skyclaim_notation import (
    ASTEROID,
    COLOURS,
    EMPTY,
    SIZE,
    STOCK_LIMIT,
    Drone,
    in_own_half,
    in_view,
    is_red,
    name,
    other,
    square_at,
    view,
)
from .skyclaim_position import MAX_POWER, Position, rides_when_new
from .skyclaim_shapes import (
    ROW_NAMES,
    ROW_PAYS,
    ROW_WANTS_RED,
    ROWS_PAYING_A_MISSILE_AT_NINE,
    ROWS_PAYING_AN_ASTEROID_AT_NINE,
    groups_of,
    matched_squares,
    row_of,
)

DRONE_LIMIT = 9
# [J10] A resolution stops after this many waves.
MAX_WAVES = 100


class Cascade(Position):
    """A position whose stars can be cleared, paid and made to flow, for the side to move."""

    # ------------------------------------------------------------ what is told of a step

    def note(self, fact: str) -> None:
        """Count a fact."""
        self.facts[fact] += 1

    def event(self, kind: str, fields: dict | None = None) -> None:
        """Add an event (docs/events.md)."""
        self.events.append({"type": kind, **(fields or {})})

    def drone_event(self, square: int, how: str) -> None:
        """The drone as it stands now (docs/events.md, drone)."""
        drone = self.drones[square]
        self.event(
            "drone",
            {
                "square": name(square),
                "side": drone.side,
                "kind": drone.kind,
                "power": drone.power,
                "colours": sorted(drone.rides),
                "missiles": drone.missiles,
                "how": how,
            },
        )

    # ------------------------------------------------------------ stock and wrecks (rules 2, 4)

    def add_to_stock(self, side: str, missiles: int) -> None:
        """A Command's stock changes; at most 99, and none where it is gone (rules 2)."""
        command = self.command_square(side)
        if command is None:
            return
        before = self.drones[command].missiles
        after = min(STOCK_LIMIT, before + missiles)
        if after != before + missiles:
            self.note("saturated")
        if after != before:
            self.drones[command].missiles = after
            self.event("stock", {"side": side, "missiles": after})

    def collect(self, square: int, by: str) -> None:
        """The mover collects a wreck, if there is one (rules 4, 5)."""
        if square not in self.wrecks:
            return
        self.note(f"wreck collected by {by}")
        del self.wrecks[square]
        self.event("collected", {"square": name(square), "side": self.side})
        self.add_to_stock(self.side, 1)

    # ------------------------------------------------------------ resolving (rules 4)

    def resolve(self, swapped=frozenset()) -> None:
        """Waves of matches until there are none (rules 4, resolving)."""
        for wave in range(1, MAX_WAVES + 1):
            matched = matched_squares(self.stars)
            squares = set().union(*matched.values())
            if not squares:
                return
            self.cleared += sum(in_own_half(self.side, i) for i in squares)
            groups = self.groups_in_order(matched)
            self.event(
                "clear",
                {
                    "wave": wave,
                    "groups": [self.group_fields(colour, group) for colour, group in groups],
                },
            )
            for colour, group in groups:
                self.pay(colour, group, squares, swapped if wave == 1 else frozenset())
            for i in squares:
                self.stars[i] = EMPTY
            self.flow()

    def groups_in_order(self, matched: dict) -> list[tuple[int, set[int]]]:
        """The groups in the order of paying: by colour, then the lowest square (rules 4)."""
        ordered = []
        for colour in COLOURS:
            groups = groups_of(matched[colour])
            groups.sort(key=lambda group: min(view(self.side, i) for i in group))
            ordered += [(colour, group) for group in groups]
        return ordered

    def group_fields(self, colour: int, group: set[int]) -> dict:
        """A group in a clear event (docs/events.md, clear)."""
        row = row_of(group)
        pays = ROW_PAYS[row] if row is not None and self.why_unpaid(group) is None else []
        return {
            "squares": [name(i) for i in in_view(self.side, group)],
            "colour": colour,
            "shape": ROW_NAMES.get(row),
            "pays": list(pays),
        }

    def why_unpaid(self, group: set[int]) -> str | None:
        """Why a group pays nothing because of where it lies, or None (rules 4)."""
        if not any(in_own_half(self.side, i) for i in group):
            return "not in the own half"
        if all(self.land[i] == other(self.side) for i in group):
            return "all on the other side's land"
        return None

    def pay(self, colour: int, group: set[int], matched: set[int], swapped) -> None:
        """What one group pays (rules 4, paying)."""
        row = row_of(group)
        if row is None:
            self.note("no pay: no row")
            return
        why = self.why_unpaid(group)
        if why is not None:
            self.note(f"no pay: {why}")
            return
        self.note(f"row {row}")
        part = in_view(self.side, [i for i in group if in_own_half(self.side, i)])
        for kind in ROW_PAYS[row]:
            at_nine = self.drone_count(self.side) >= DRONE_LIMIT
            free = self.free_place(row, kind, part, swapped)
            stack = self.stack_place(part)
            if free is not None and (kind == "B" or not at_nine):
                outcome = "placed"
                if free in swapped:
                    self.note("placed on a star of the swap")
                self.place(free, kind, colour)
            elif stack is not None:
                outcome = "stacked"
                self.drones[stack].power += 1
                self.drones[stack].rides |= rides_when_new(kind, colour)
                self.drone_event(stack, "stacked")
            elif at_nine and row in ROWS_PAYING_A_MISSILE_AT_NINE:
                outcome = "missile"
                self.add_to_stock(self.side, 1)
            elif at_nine and row in ROWS_PAYING_AN_ASTEROID_AT_NINE:
                outcome = "asteroid" if self.drop_asteroid(matched) else "nothing"
            else:
                outcome = "nothing"
            self.note(f"row {row} at nine: {outcome}" if at_nine else f"below nine: {outcome}")

    def free_place(self, row: int, kind: str, part: list[int], swapped) -> int | None:
        """[J9] The free place that a new drone takes, or None (rules 4, a free place)."""

        def order(square: int):
            wrong_colour = kind == "R" and is_red(square) != ROW_WANTS_RED[row]
            return (wrong_colour, square not in swapped, view(self.side, square))

        free = [i for i in part if i not in self.drones]
        return min(free, key=order) if free else None

    def stack_place(self, part: list[int]) -> int | None:
        """The own drone that is stacked upon, or None (rules 4, a stack)."""
        for square in part:
            drone = self.drone_at(square)
            own = drone is not None and drone.side == self.side
            if own and drone.kind not in "MT" and drone.power < MAX_POWER:
                return square
        return None

    def place(self, square: int, kind: str, colour: int) -> None:
        """A new drone (rules 4, a free place)."""
        self.drones[square] = Drone(self.side, kind, 1, rides_when_new(kind, colour))
        self.drone_event(square, "placed")
        self.collect(square, "a new drone")

    def drop_asteroid(self, matched: set[int]) -> bool:
        """A star on the other side's land becomes an asteroid, if there is one (rules 4)."""
        places = in_view(
            self.side,
            [
                i
                for i in self.owned(other(self.side))
                if self.is_star(i) and i not in matched and i not in self.drones and i not in self.wrecks
            ],
        )
        if not places:
            return False
        square = places[self.draw(len(places))]
        self.stars[square] = ASTEROID
        self.event("asteroid", {"square": name(square)})
        return True

    # ------------------------------------------------------------ flow (rules 4)

    def flow(self) -> None:
        """[J11] The stars close up toward the mover's back row; new ones come in (rules 4)."""
        falls, new = [], []
        for x in range(SIZE):
            squares = [view(self.side, square_at(x, y)) for y in range(SIZE)]
            for segment in self.segments(squares):
                standing = [i for i in segment if self.stars[i] != EMPTY]
                colours = [self.stars[i] for i in standing]
                for start, target, colour in zip(standing, segment, colours, strict=False):
                    self.stars[target] = colour
                    if start != target:
                        falls.append([name(start), name(target)])
                for target in segment[len(standing) :]:
                    self.stars[target] = 1 + self.draw(5)
                    new.append([name(target), self.stars[target]])
        self.event("flow", {"toward": self.side, "falls": falls, "new": new})

    def segments(self, squares: list[int]) -> list[list[int]]:
        """A column split by its asteroids, from the back row outward (rules 4, flow)."""
        segments = [[]]
        for square in squares:
            if self.stars[square] == ASTEROID:
                segments.append([])
            else:
                segments[-1].append(square)
        return segments
