"""What stands where, as one side knows it, and what could happen there next: changed by events, for explanations."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, replace

from ..._board import KINDS, Board
from ...game import Event
from .picture import NAMES_OF_KINDS
from .squares import COLUMNS, NAMES

ASTEROID, DARK = 6, 7
OTHER = {"S": "N", "N": "S"}


@dataclass
class Drone:
    side: str
    kind: str
    power: int
    missiles: int


class Scene:
    """Drones, land, asteroids and stocks as the mover knows them; events change it. Squares are texts."""

    def __init__(self, view: Board) -> None:
        land = view.land
        self.drones = {
            NAMES[square]: Drone("SN"[side], KINDS[kind], power, missiles)
            for square, side, kind, power, _, missiles in view.drones
        }
        self.land = {NAMES[i]: "SN"[owner - 1] for i, owner in enumerate(land) if owner}
        self.rocks = {NAMES[i] for i, code in enumerate(view.stars) if code == ASTEROID}
        self.dark = {NAMES[i] for i, code in enumerate(view.stars) if code == DARK}
        self.stock = dict(zip("SN", view.stock, strict=True))
        self.radius = view.rules[3]

    def copy(self) -> Scene:
        other = copy(self)
        other.drones = {square: replace(drone) for square, drone in self.drones.items()}
        other.land, other.rocks, other.stock = dict(self.land), set(self.rocks), dict(self.stock)
        return other

    def play(self, event: Event, mover: str) -> None:
        kind = event["type"]
        if kind in ("move", "warp"):
            drone = self.drones.pop(event["from"])
            if event.get("how") not in ("stack", "bomb"):
                self.drones[event["to"]] = drone
        if kind == "warp":
            self.drones[event["to"]].power = event["power"]
        if kind in ("claim", "warp"):
            self.land.update(dict.fromkeys(event["taken"], mover))
        elif kind == "siege":
            self.land.pop(event["to"], None)
        elif kind == "turret":
            self.drones[event["square"]] = Drone(mover, "T", 1, 0)
        elif kind == "drone":
            self.drones[event["square"]] = Drone(event["side"], event["kind"], event["power"], event["missiles"])
        elif kind == "missile":
            self.drones[event["from"]].missiles -= 1
            if event["target"] == "drone":
                self.drones[event["to"]].power = event["power"]
            self.rocks.discard(event["to"])
        elif kind == "destroyed":
            # a taker is on the square already; then the one that went is not there any more
            if event["by"] not in ("take", "ram"):
                self.drones.pop(event["square"], None)
        elif kind == "load":
            self.drones[event["square"]].missiles = event["missiles"]
        elif kind == "stock":
            self.stock[event["side"]] = event["missiles"]

    def owned(self, side: str) -> int:
        return sum(owner == side for owner in self.land.values())

    def missiles(self, side: str) -> int:
        return int(self.stock[side]) + sum(drone.missiles for drone in self.drones.values() if drone.side == side)

    def command(self, side: str) -> str | None:
        return next((at for at, drone in self.drones.items() if drone.side == side and drone.kind == "M"), None)

    def claimable(self, square: str) -> int:
        """Open squares that a scout could claim from there."""
        block = [square, *beside(square)] if self.radius else [square]
        return sum(at not in self.land and at not in self.dark for at in block)

    def beside(self, square: str, side: str, kinds: str) -> list[str]:
        """Squares beside it where drones of the side and kinds stand."""
        return [at for at in beside(square) if at in self.drones and self._is(at, side, kinds)]

    def standing(self, square: str) -> str:
        """What the drone on a square is called; `drone` where none is known."""
        return NAMES_OF_KINDS[self.drones[square].kind] if square in self.drones else "drone"

    def _is(self, square: str, side: str, kinds: str) -> bool:
        return self.drones[square].side == side and self.drones[square].kind in kinds

    def threats(self, side: str) -> dict[str, str]:
        """Drones that the side could destroy in its next turn by landing, sweeping or a turret: square -> by what."""
        found: dict[str, str] = {}
        for square, drone in self.drones.items():
            if drone.side == side:
                targets = {"R": self._strikes, "G": self._sweeps, "T": self._shots}.get(drone.kind)
                for target in targets(square) if targets else ():
                    found.setdefault(target, f"the {NAMES_OF_KINDS[drone.kind]} on {square}")
        return found

    def _strikes(self, start: str) -> Iterator[str]:
        for dx, dy in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            at = _beyond(start, dx, dy)
            while at and at not in self.drones and at not in self.rocks and at not in self.dark:
                at = _beyond(at, dx, dy)
            if at in self.drones and self._is(at, OTHER[self.drones[start].side], "SGRHWB"):
                yield at

    def _sweeps(self, start: str) -> Iterator[str]:
        side = self.drones[start].side
        for at in beside(start):
            if self.land.get(at) == side and at not in self.drones and at not in self.rocks:
                yield from self.beside(at, OTHER[side], "SGHW")

    def _shots(self, start: str) -> Iterator[str]:
        """A turret takes one power: only the last one counts here."""
        side = self.drones[start].side
        yield from (at for at in self.beside(start, OTHER[side], "SGRHWXB") if self.drones[at].power == 1)

    def siege_wins(self, side: str) -> bool:
        """Whether the side has won by a siege drone (rules 7)."""
        command = self.command(OTHER[side])
        return bool(command and self.beside(command, side, "X") and not self.beside(command, OTHER[side], "G"))


def _beyond(square: str, dx: int, dy: int) -> str:
    """The square so many columns and rows on; empty off the board."""
    x, y = COLUMNS.index(square[0]) + dx, int(square[1:]) + dy
    return f"{COLUMNS[x]}{y}" if 0 <= x < 11 and 1 <= y <= 11 else ""


def beside(square: str) -> list[str]:
    """The up to eight squares beside it."""
    around = (_beyond(square, dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy)
    return [at for at in around if at]


def distance(one: str, other: str) -> int:
    return max(abs(COLUMNS.index(one[0]) - COLUMNS.index(other[0])), abs(int(one[1:]) - int(other[1:])))
