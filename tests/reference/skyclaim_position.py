"""A Skyclaim position: its text, what is seen of it, its legal steps and its result.

``skyclaim.py`` adds what a step does. The sections named here are those of
``docs/rules/skyclaim.md``.
"""

from __future__ import annotations

from collections import Counter

from .skyclaim_notation import (
    ASTEROID,
    BESIDE,
    COLOURS,
    DARK,
    DIAGONAL,
    EMPTY,
    OPEN,
    OPTION_DEFAULTS,
    SIDES,
    SQUARES,
    Drone,
    distance,
    format_drone,
    format_list,
    format_lit,
    format_rows,
    format_rows_counted,
    format_stream,
    in_own_half,
    in_view,
    name,
    next_in_stream,
    other,
    parse_drone,
    parse_list,
    parse_lit,
    parse_rows,
    parse_stars,
    parse_stream,
    square_from,
    square_named,
    view,
)
from .skyclaim_shapes import is_matched

# ---------------------------------------------------------------- rulings

# [J5] South's drones and land at the start; North's are the half turn of them.
START_DRONES = (("M", "f1", 1), ("S", "e1", 1), ("X", "g1", 1), ("G", "f3", 2))
START_LAND = ("e1", "f1", "g1", "e2", "f2", "g2", "e3", "f3", "g3")
# [J6] Asteroids a side where nothing else is asked for.
DEFAULT_ASTEROIDS = 6
# [J13] What a turret costs; it is a free step, before the action.
TURRET_COST = 10
# [J14] Only these kinds use their ride colours.
RIDERS = "SHWB"

MAX_POWER = 3
MISSILE_RANGE = 3
SIEGE_RANGE = 3
RANGE_WITH_FOG = 5
WARP_RADIUS = 1

# Missiles that a kind can hold; the others hold none (rules 2).
HOLD = {"S": 1, "H": 2}


def rides_when_new(kind: str, colour: int) -> set[int]:
    """[J4] The ride colours of a new drone; a raider's red or white is not stored (rules 2)."""
    if kind == "H":
        return set(COLOURS)
    return {colour} if kind in "SWB" else set()


class Position:
    """One position with the options of its game; ``observation`` where a side's view of it."""

    def __init__(self, options: dict | None = None, facts: Counter | None = None):
        self.options = {**OPTION_DEFAULTS, **(options or {})}
        self.observation = False
        self.stars: list = [EMPTY] * len(SQUARES)
        self.drones: dict[int, Drone] = {}
        self.land: list[str] = [OPEN] * len(SQUARES)
        self.wrecks: dict[int, int] = {}
        self.lit: dict[str, set[int]] = {"S": set(), "N": set()}
        self.side = "S"
        self.cleared = 0
        self.turn = 1
        self.stream: int | None = None
        self.facts = Counter() if facts is None else facts
        self.events: list[dict] = []

    # ------------------------------------------------------------ text (rules 11)

    @classmethod
    def parse(cls, line: str, options: dict | None = None, observation: bool = False, facts=None):
        """The position of a line; ValueError where it is no such line (rules 11)."""
        stars, drones, land, side, cleared, wrecks, lit, turn, stream = line.split(" ")
        self = cls(options, facts)
        self.observation = observation
        self.stars = parse_stars(stars)
        self.drones = dict(parse_drone(text) for text in parse_list(drones))
        self.land = parse_rows(land, "SN" + OPEN + DARK)
        if side not in SIDES:
            raise ValueError(f"no side {side!r}")
        self.side = side
        self.cleared = int(cleared)
        for text in parse_list(wrecks):
            square, _, countdown = text.partition(":")
            self.wrecks[square_named(square)] = int(countdown)
        if lit == "-" or not self.has_fog():
            self.lit = {s: self.owned(s) for s in SIDES}
        else:
            self.lit = parse_lit(lit)
        self.turn = int(turn)
        self.stream = parse_stream(stream)
        return self

    def line(self) -> str:
        """The canonical text (rules 11)."""
        return " ".join(
            (
                format_rows(self.stars),
                format_list([format_drone(i, self.drones[i]) for i in sorted(self.drones)]),
                format_rows_counted(self.land),
                self.side,
                str(self.cleared),
                format_list([f"{name(i)}:{self.wrecks[i]}" for i in sorted(self.wrecks)]),
                format_lit(self.lit) if self.has_fog() else "-",
                str(self.turn),
                format_stream(self.stream),
            )
        )

    def copy(self):
        """A position of its own; only the facts are shared."""
        twin = type(self)(self.options, self.facts)
        twin.observation = self.observation
        twin.stars = list(self.stars)
        twin.drones = {square: drone.copy() for square, drone in self.drones.items()}
        twin.land = list(self.land)
        twin.wrecks = dict(self.wrecks)
        twin.lit = {side: set(self.lit[side]) for side in SIDES}
        twin.side = self.side
        twin.cleared = self.cleared
        twin.turn = self.turn
        twin.stream = self.stream
        return twin

    def half_turn(self):
        """The position turned by 180 degrees with the sides exchanged, same stream (rules 12)."""
        twin = self.copy()
        exchanged = {"S": "N", "N": "S"}
        twin.stars = self.stars[::-1]
        twin.drones = {120 - square: drone.copy() for square, drone in self.drones.items()}
        for drone in twin.drones.values():
            drone.side = other(drone.side)
        twin.land = [exchanged.get(owner, owner) for owner in self.land[::-1]]
        twin.wrecks = {120 - square: countdown for square, countdown in self.wrecks.items()}
        twin.lit = {side: {120 - i for i in self.lit[other(side)]} for side in SIDES}
        twin.side = other(self.side)
        return twin

    # ------------------------------------------------------------ start (rules 3)

    def draw(self, n: int) -> int:
        """A number 0..n-1 from the position's own stream (rules 3)."""
        self.stream, number = next_in_stream(self.stream)
        return ((number >> 32) * n) >> 32

    @classmethod
    def start(
        cls,
        seed: int,
        south: int = DEFAULT_ASTEROIDS,
        north: int = DEFAULT_ASTEROIDS,
        options: dict | None = None,
        facts=None,
    ):
        """The start position of a seed and the asteroid counts of the sides (rules 3)."""
        self = cls(options, facts)
        self.stream = seed
        for text in START_LAND:
            for side in SIDES:
                self.land[view(side, square_named(text))] = side
        for side, count in (("S", south), ("N", north)):
            self.lit[side] = self.owned(side)
            free = [i for i in SQUARES if in_own_half(side, i) and self.land[i] != side]
            free = in_view(side, free)
            for _ in range(count):
                self.stars[free.pop(self.draw(len(free)))] = ASTEROID
        while not self.fill_with_stars():
            self.stars = [star if star == ASTEROID else EMPTY for star in self.stars]
        for kind, text, power in START_DRONES:
            for side in SIDES:
                square = view(side, square_named(text))
                self.drones[square] = Drone(side, kind, power)
                if kind == "S":
                    self.drones[square].rides = {self.stars[square]}
                    self.drones[square].missiles = HOLD["S"]
        return self

    def fill_with_stars(self) -> bool:
        """Fill the empty squares without a match; False where it does not work out (rules 3)."""
        for square in SQUARES:
            if self.stars[square] == ASTEROID:
                continue
            k = self.draw(5)
            for j in range(5):
                self.stars[square] = 1 + (k + j) % 5
                if not is_matched(self.stars, square):
                    break
            else:
                return False
        return True

    # ------------------------------------------------------------ what stands where (rules 2)

    def drone_at(self, square: int) -> Drone | None:
        """The drone or turret on a square, or None."""
        return self.drones.get(square)

    def is_star(self, square: int) -> bool:
        """Whether the square holds a star."""
        return self.stars[square] in COLOURS

    def owned(self, side: str) -> set[int]:
        """The squares of a side's land."""
        return {i for i in SQUARES if self.land[i] == side}

    def command_square(self, side: str) -> int | None:
        """Where a side's Command is, or None where it is gone (or not seen)."""
        for square, drone in self.drones.items():
            if drone.side == side and drone.kind == "M":
                return square
        return None

    def drone_count(self, side: str) -> int:
        """Every drone of the side, Command included, turrets not (rules 2)."""
        return sum(drone.side == side and drone.kind != "T" for drone in self.drones.values())

    # ------------------------------------------------------------ fog (rules 9)

    def has_fog(self) -> bool:
        """Whether the game is played in fog (rules 9)."""
        return self.options["Fog"] != "off"

    def seen(self, side: str) -> set[int]:
        """The squares that a side sees (rules 9)."""
        if not self.has_fog():
            return set(SQUARES)
        seen = self.lit[side] | self.owned(side)
        for square, drone in self.drones.items():
            if drone.side == side:
                seen.add(square)
                if drone.kind != "G":
                    seen.update(BESIDE[square])
        if self.options["Fog"] == "seam":
            seen |= {i for i in SQUARES if in_own_half(side, i)}
        return seen

    def observe(self, side: str):
        """What a side sees of the position (rules 9, 11)."""
        seen = self.seen(side)
        view_of_it = self.copy()
        view_of_it.observation = True
        view_of_it.stream = None
        for square in SQUARES:
            if square not in seen:
                view_of_it.stars[square] = DARK
                view_of_it.land[square] = DARK
                view_of_it.drones.pop(square, None)
                view_of_it.wrecks.pop(square, None)
        view_of_it.lit[other(side)] = set()
        return view_of_it

    # ------------------------------------------------------------ winning (rules 7)

    def win_of(self, side: str) -> str | None:
        """Why a side has won, or None (rules 7)."""
        if len(self.owned(side)) >= self.options["LandToWin"]:
            return f"{side} wins land"
        target = self.command_square(other(side))
        if target is None:
            return f"{side} wins asteroid"
        guards = [self.drones[i] for i in BESIDE[target] if i in self.drones]
        besieged = any(d.side == side and d.kind == "X" for d in guards)
        shielded = any(d.side == other(side) and d.kind == "G" for d in guards)
        return f"{side} wins siege" if besieged and not shielded else None

    def win_found(self) -> str | None:
        """The win check: the mover first, then the other side (rules 7)."""
        return self.win_of(self.side) or self.win_of(other(self.side))

    def result_at_the_turn_limit(self) -> str | None:
        """[J21] The result where the turn is over the limit: more land wins (rules 6)."""
        if self.turn <= self.options["TurnLimit"]:
            return None
        south, north = len(self.owned("S")), len(self.owned("N"))
        if south == north:
            return "draw turns"
        return "S wins turns" if south > north else "N wins turns"

    def result(self) -> str | None:
        """The result, or None; an observation is of a game that goes on (rules 9, 12)."""
        if self.observation:
            return None
        return self.win_found() or self.result_at_the_turn_limit()

    # ------------------------------------------------------------ legal steps (rules 5)

    def legal(self) -> list[str]:
        """The legal steps, sorted as text; none where the game is over (rules 5, 12)."""
        if self.result() is not None:
            return []
        seen = {i for i in self.seen(self.side) if self.stars[i] != DARK}
        free_steps = self.legal_fires(seen) + self.legal_turrets()
        actions = self.legal_swaps(seen) + self.legal_moves(seen) + self.legal_claims()
        actions += self.legal_warps(seen) + self.legal_sieges(seen)
        if not actions:
            actions = ["pass"]
        return sorted(set(free_steps + actions))

    def own_drones(self, kinds: str) -> list[int]:
        """The squares of the mover's drones of these kinds."""
        return [i for i, d in self.drones.items() if d.side == self.side and d.kind in kinds]

    def legal_fires(self, seen: set[int]) -> list[str]:
        """[J12] Missiles of loaded scouts and hunters (rules 5, fire)."""
        steps = []
        reach = RANGE_WITH_FOG if self.has_fog() else MISSILE_RANGE
        for square in self.own_drones("SH"):
            if self.drones[square].missiles == 0:
                continue
            for target in seen:
                if target == square or distance(square, target) > reach:
                    continue
                drone = self.drone_at(target)
                if drone is None or (drone.side != self.side and drone.kind not in "MT"):
                    steps.append(f"fire:{name(square)}{name(target)}")
        return steps

    def legal_turrets(self) -> list[str]:
        """Turrets for ten missiles of the stock (rules 5, turret)."""
        command = self.command_square(self.side)
        if command is None or self.drones[command].missiles < TURRET_COST:
            return []
        return [
            f"turret:{name(i)}"
            for i in self.owned(self.side)
            if self.is_star(i) and i not in self.drones and i not in self.wrecks
        ]

    def legal_swaps(self, seen: set[int]) -> list[str]:
        """Swaps that make a match, with fog a match that the mover sees (rules 5, swap)."""
        steps = []
        stars = [self.stars[i] if i in seen else DARK for i in SQUARES]
        for a in SQUARES:
            for b in (square_from(a, 1, 0), square_from(a, 0, 1)):
                if b is None or stars[a] not in COLOURS or stars[b] not in COLOURS:
                    continue
                if other(self.side) in (self.land[a], self.land[b]):
                    continue
                stars[a], stars[b] = stars[b], stars[a]
                if is_matched(stars, a) or is_matched(stars, b):
                    steps.append(f"swap:{name(a)}{name(b)}")
                stars[a], stars[b] = stars[b], stars[a]
        return steps

    def legal_moves(self, seen: set[int]) -> list[str]:
        """Moves, takes, stacks, bombs and rams, and nothing else (rules 5, moving)."""
        steps = []
        for square in self.own_drones("MGXSHWBR"):
            kind = self.drones[square].kind
            if kind in RIDERS:
                targets = self.ride_targets(square, seen)
            elif kind == "R":
                targets = self.slide_targets(square, seen)
            else:
                targets = {i for i in BESIDE[square] if self.can_enter(i, seen)}
            for target in targets - {square}:
                word = self.landing(square, target)
                if word is not None:
                    steps.append(f"{word}:{name(square)}{name(target)}")
        return steps

    def can_enter(self, square: int, seen: set[int]) -> bool:
        """[J23] A drone steps onto seen stars only; what stands there is judged apart (rules 5, 9)."""
        return square in seen and self.is_star(square)

    def ride_targets(self, start: int, seen: set[int]) -> set[int]:
        """Where S, H, W, B come: free steps, at most one paid step between (rules 5, moving)."""
        rides = self.drones[start].rides
        reached = {(start, 0)}
        edge = [(start, 0)]
        while edge:
            square, paid = edge.pop()
            if square != start and square in self.drones:
                continue
            for target in BESIDE[square]:
                if not self.can_enter(target, seen):
                    continue
                cost = paid if self.stars[target] in rides else paid + 1
                if cost <= 1 and (target, cost) not in reached:
                    reached.add((target, cost))
                    edge.append((target, cost))
        return {square for square, _ in reached}

    def slide_targets(self, start: int, seen: set[int]) -> set[int]:
        """Where R comes: along a diagonal up to the first drone (rules 5, moving)."""
        targets = set()
        for dx, dy in DIAGONAL:
            at = square_from(start, dx, dy)
            while at is not None and self.can_enter(at, seen):
                targets.add(at)
                if at in self.drones:
                    break
                at = square_from(at, dx, dy)
        return targets

    def landing(self, start: int, target: int) -> str | None:
        """The step that a drone makes on the square where it ends, or None (rules 5)."""
        kind = self.drones[start].kind
        standing = self.drone_at(target)
        if standing is None:
            return "move"
        if standing.side == self.side:
            can_stack = kind != "M" and standing.kind not in "MT" and standing.power < MAX_POWER
            return "stack" if can_stack else None
        if kind == "R" and standing.kind not in "XMT":
            return "take"
        if kind == "B" and standing.kind != "M":
            return "bomb"
        if kind == "X" and standing.kind == "T":
            return "ram"
        return None

    def open_around(self, square: int, radius: int) -> list[int]:
        """The open squares in a block, in the mover's view order (rules 5, claim, warp)."""
        block = [i for i in SQUARES if distance(square, i) <= radius]
        return in_view(self.side, [i for i in block if self.land[i] == OPEN])

    def claim_radius(self) -> int:
        """[J16] The block of a claim is that of the start, or one square (rules 5, claim)."""
        return self.options["ClaimRadius"]

    def legal_claims(self) -> list[str]:
        """Claims of scouts with an open square in the block (rules 5, claim)."""
        return [f"claim:{name(i)}" for i in self.own_drones("S") if self.open_around(i, self.claim_radius())]

    def legal_warps(self, seen: set[int]) -> list[str]:
        """Jumps of warp drones (rules 5, warp)."""
        return [
            f"warp:{name(square)}{name(target)}"
            for square in self.own_drones("W")
            for target in seen
            if self.is_star(target) and target not in self.drones and self.land[target] != other(self.side)
        ]

    def legal_sieges(self, seen: set[int]) -> list[str]:
        """Sieges at enemy land (rules 5, siege)."""
        reach = RANGE_WITH_FOG if self.has_fog() else SIEGE_RANGE
        return [
            f"siege:{name(square)}{name(target)}"
            for square in self.own_drones("X")
            for target in seen
            if self.land[target] == other(self.side) and target != square and distance(square, target) <= reach
        ]
