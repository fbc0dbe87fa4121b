"""Positions taken apart and put together again with drones elsewhere, so that there is something to find in them."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from skyclaim_engine import game
from skyclaim_engine.errors import RulesError
from skyclaim_engine.games.skyclaim.position import SkyclaimPosition
from skyclaim_engine.games.skyclaim.squares import NAMES

from .proof import ASTEROID, KINDS, distance

SKYCLAIM = game("skyclaim")


class Scene:
    """A position taken apart, to be put together again with drones elsewhere."""

    def __init__(self, position: SkyclaimPosition, rng: Random) -> None:
        self.rng, self.mover = rng, position.seat - 1
        self.fields = position.line().split()
        self.drones = {drone[0]: drone for drone in position.board.drones}
        self.stars = position.board.stars
        self.land = bytearray(position.board.land)

    def row(self, square: int) -> int:
        """The row of a square, 0 to 10, as the mover sees it."""
        return square // 11 if self.mover == 0 else 10 - square // 11

    def enemies(self, but: str) -> list[int]:
        """The squares of the other side's drones, those of some kinds left out."""
        return [i for i, drone in self.drones.items() if drone[1] != self.mover and KINDS[drone[2]] not in but]

    def command(self, side: int) -> int:
        return next(square for square, drone in self.drones.items() if drone[1] == side and KINDS[drone[2]] == "M")

    def put(self, square: int, side: int, kind: str, power: int = 1, missiles: int = 0) -> None:
        """A drone on the square, instead of any other but a Command."""
        if self.stars[square] != ASTEROID and KINDS[self.drones.get(square, (0, 0, 0))[2]] != "M":
            rides = 31 if kind == "H" else 1 << self.stars[square] - 1 if kind in "SWB" else 0
            self.drones[square] = (square, side, KINDS.index(kind), power, rides, missiles)

    def drop(self, square: int) -> None:
        """Nothing on the square, a Command apart."""
        if KINDS[self.drones.get(square, (0, 0, 0))[2]] != "M":
            self.drones.pop(square, None)

    def move_command(self, side: int, square: int) -> None:
        self.drop(square)
        if square not in self.drones and self.stars[square] != ASTEROID:
            old = self.drones.pop(self.command(side))
            self.drones[square] = (square, *old[1:])

    def near(self, square: int, least: int, most: int) -> int:
        """A square so far from another."""
        return self.rng.choice([i for i in range(121) if least <= distance(i, square) <= most])

    def quiet(self) -> None:
        """What is left to gain is what drones do to drones.

        There are no claims, jumps and missiles, and not more than ten drones. All squares up to the seam are land of
        the other side, but for a few that are not side by side, and all beyond are the mover's: no swap pays it.
        """
        for i in range(121):
            row = self.row(i)
            self.land[i] = 1 + self.mover if row > 5 else 0 if row == 0 and i % 2 else 2 - self.mover
        for side in (0, 1):
            self.disarm(side)
        for square, drone in list(self.drones.items()):
            if KINDS[drone[2]] in "SW":
                self.drop(square)
        while len(self.drones) > 10:
            self.drop(self.rng.choice(list(self.drones)))

    def disarm(self, side: int) -> None:
        """No missile is loaded on the side's drones."""
        for square, drone in list(self.drones.items()):
            if drone[1] == side and KINDS[drone[2]] != "M":
                self.drones[square] = (*drone[:5], 0)

    def position(self) -> SkyclaimPosition | None:
        """What came of it; None if it is no position of a game that goes on."""
        words = []
        for square, side, kind, power, rides, missiles in sorted(self.drones.values()):
            letter = KINDS[kind] if side == 0 else KINDS[kind].lower()
            colours = "".join(str(i + 1) for i in range(5) if rides >> i & 1)
            words.append(
                f"{letter}{NAMES[square]}"
                + (f"*{power}" if power > 1 else "")
                + (f"={colours}" if colours else "")
                + (f"!{missiles}" if missiles else "")
            )
        self.fields[1] = ",".join(words)
        rows = ["".join("1SN"[owner] for owner in self.land[start : start + 11]) for start in range(110, -1, -11)]
        self.fields[2] = "/".join(re.sub("1+", lambda run: str(len(run[0])), row) for row in rows)
        try:
            position = SKYCLAIM.parse(" ".join(self.fields))
        except RulesError:
            return None
        assert isinstance(position, SkyclaimPosition)
        return position if position.result is None else None


def attack(scene: Scene, side: int, siege: tuple[int, int], guard: float, missiles: int) -> None:
    """The side's siege comes near the other Command, which may have a shield; a scout with missiles may be there."""
    home = scene.command(1 - side)
    scene.disarm(side)
    for square in range(121):
        if distance(square, home) <= 1 and scene.rng.random() < 0.4:
            scene.drop(square)
    scene.put(scene.near(home, *siege), side, "X", scene.rng.choice((1, 1, 1, 2)))
    if scene.rng.random() < guard:
        scene.put(scene.near(home, 1, 1), 1 - side, "G")
    if missiles:
        scene.put(scene.near(home, 1, 3), side, "S", missiles=missiles)


def siege(scene: Scene) -> None:
    attack(scene, scene.mover, (2, 2), 0.2, 0)


def missile_win(scene: Scene) -> None:
    attack(scene, scene.mover, (1, 2), 0.8, 1)


def land(scene: Scene) -> None:
    """The mover lacks a few squares of land, and a scout or a warp drone of its is anywhere."""
    short, me = scene.rng.randrange(2, 10), scene.mover
    order = scene.rng.sample(range(121), 121)
    order.sort(key=lambda i: scene.row(i) + 4 * scene.rng.random())
    for square in order:
        if scene.land.count(1 + me) < 69 - short:
            scene.land[square] = scene.land[square] or 1 + me
    free = [i for i in range(121) if not scene.land[i]]
    scene.put(scene.near(scene.rng.choice(free), 0, 1), me, scene.rng.choice("SSW"))
    scene.disarm(me)


def asteroid(scene: Scene) -> None:
    """A drone of power 2 between an asteroid and the enemy Command."""
    down = 11 if scene.mover == 0 else -11
    rocks = [i for i in range(121) if scene.stars[i] == ASTEROID and 0 <= i - 2 * down < 121]
    if rocks:
        rock = scene.rng.choice(rocks)
        scene.disarm(scene.mover)
        scene.move_command(1 - scene.mover, rock - 2 * down)
        scene.put(rock - down, scene.rng.randrange(2), "R", scene.rng.choice((2, 3)))
        scene.fields[4] = str(scene.rng.randrange(3, 6))


def next_turn(scene: Scene) -> None:
    attack(scene, scene.mover, (2, 3), 0.3, 0)
    if scene.rng.random() < 0.6:
        scene.put(scene.near(scene.command(1 - scene.mover), 2, 3), scene.mover, "X")
    scene.disarm(1 - scene.mover)


def defence(scene: Scene) -> None:
    attack(scene, 1 - scene.mover, (2, 2), 0.2, scene.rng.choice((0, 0, 0, 0, 1)))
    if scene.rng.random() < 0.5:
        scene.disarm(scene.mover)


def save_siege(scene: Scene) -> None:
    """A turret or a bomb near a siege."""
    sieges = [square for square, drone in scene.drones.items() if drone[1] == scene.mover and KINDS[drone[2]] == "X"]
    square = scene.rng.choice(sieges) if sieges else scene.rng.randrange(121)
    scene.quiet()
    scene.put(square, scene.mover, "X", scene.rng.choice((1, 2, 2)))
    scene.put(scene.near(square, 1, 3), 1 - scene.mover, scene.rng.choice("TB"))


def take(scene: Scene) -> None:
    """A raider of power 1 on a diagonal of an enemy drone."""
    scene.quiet()
    targets = scene.enemies("MTX")
    if targets:
        target, step = scene.rng.choice(targets), scene.rng.randrange(1, 4)
        column, row = target % 11 + scene.rng.choice((-step, step)), target // 11 + scene.rng.choice((-step, step))
        if 0 <= column < 11 and 0 <= row < 11:
            scene.put(target, 1 - scene.mover, scene.rng.choice("GRHB"), scene.rng.choice((1, 2, 3)))
            scene.put(11 * row + column, scene.mover, "R")


def missile(scene: Scene) -> None:
    """One loaded scout or hunter near an enemy drone."""
    scene.quiet()
    targets = scene.enemies("MT")
    if targets:
        scene.put(scene.near(scene.rng.choice(targets), 1, 3), scene.mover, "H", missiles=1)


SCENES: dict[str, Callable[[Scene], None]] = {
    "siege": siege,
    "land": land,
    "asteroid": asteroid,
    "missile-win": missile_win,
    "next": next_turn,
    "defence": defence,
    "take": take,
    "save-siege": save_siege,
    "missile": missile,
}
