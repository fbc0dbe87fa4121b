"""Positions made for what random games seldom show: each shape of the table, each case of drift, each way to win, …

A scene sets one thing up, with the rest left to chance, and is then played a few steps in a fitting style. Squares are
thought of in the view of the side to move: column 0 is at its left, row 0 its back row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random

from tests.lockstep import Choose, Pair
from tests.positions import Options, fresh_board, put, random_drone, random_land, random_light, settle, start_land
from tests.reference.skyclaim import Model
from tests.reference.skyclaim_notation import ASTEROID, BESIDE, OPEN, SQUARES, name, other, view
from tests.styles import by_kind

QUIET = by_kind({"move": 1, "claim": 1, "siege": 1})


@dataclass
class Scene:
    """A position and how it goes on."""

    model: Model
    choose: Choose
    steps: int = 2


#: from a random source and options to a scene
Maker = Callable[[Random, Options], Scene]


class Stage:
    """A settled board with both Commands in corners, on which a scene is built in the mover's view."""

    def __init__(self, rng: Random, options: Options, colours: tuple[int, ...] = (1, 2, 3, 4, 5)) -> None:
        self.rng = rng
        self.me = rng.choice("SN")
        self.you = other(self.me)
        self.model = fresh_board(rng, options, self.me)
        settle(self.model, rng, colours)
        self.command(self.me, rng.choice((0, 10)), 0)
        self.command(self.you, rng.choice((0, 10)), 10)

    def at(self, x: int, y: int) -> int:
        """The square of a column and row in the mover's view."""
        return view(self.me, 11 * y + x)

    def command(self, side: str, x: int, y: int, missiles: int = 0) -> None:
        """Put a side's Command there, away from where it was."""
        square = self.model.command_square(side)
        if square is not None:
            del self.model.drones[square]
        put(self.model, self.at(x, y), side, "M", missiles=missiles)

    def stock(self, side: str, missiles: int) -> None:
        self.model.drones[self.model.command_square(side)].missiles = missiles

    def drone(self, x: int, y: int, side: str, kind: str, power: int = 1, rides: str = "", missiles: int = 0) -> None:
        put(self.model, self.at(x, y), side, kind, power, rides, missiles)

    def own(self, side: str, squares: Iterable[int]) -> None:
        """Give land to a side."""
        for square in squares:
            self.model.land[square] = side

    def others(self, side: str, number: int, keep_off: Iterable[int] = ()) -> None:
        """Random drones of a side until it has so many (turrets not counted), none on the squares kept free."""
        free = [i for i in SQUARES if i not in self.model.drones and self.model.stars[i] != ASTEROID]
        free = [i for i in free if i not in set(keep_off)]
        self.rng.shuffle(free)
        while self.model.drone_count(side) < number:
            self.model.drones[free.pop()] = random_drone(self.rng, side)

    def scene(self, choose: Choose, steps: int = 2) -> Scene:
        random_light(self.model, self.rng)
        return Scene(self.model, choose, steps)


# ---------------------------------------------------------------- shapes and what they pay (rules 4)

#: for each row of the table some groups of which it is the last that they contain
SHAPES: dict[int, list[list[tuple[int, int]]]] = {
    1: [[(x, 0) for x in range(4)], [(x, x) for x in range(4)]],
    2: [[(0, 0), (1, 0), (0, 1), (1, 1)]],
    3: [[(x, 0) for x in range(5)], [(x, x) for x in range(5)]],
    4: [[(0, 0), (1, 0), (2, 0), (0, 1)], [(x, 0) for x in range(4)] + [(0, 1)]],
    5: [[(x, 0) for x in range(6)], [(x, x) for x in range(6)]],
    6: [[(0, 0), (1, 0), (2, 0), (0, 1), (0, 2)]],
    7: [[(0, 0), (1, 0), (2, 0), (1, 1), (1, 2)], [(0, 0), (1, 0), (2, 0), (3, 0), (1, 1), (1, 2)]],
    8: [[(1, 1), (0, 1), (2, 1), (1, 0), (1, 2)], [(1, 1), (0, 0), (2, 0), (0, 2), (2, 2)]],
    9: [[(0, 0), (1, 1), (2, 2), (-1, 1), (-2, 2)]],
    10: [[(0, 0), (1, 0), (2, 0), (3, 0), (0, 1), (0, 2)]],
    11: [
        [(x, 0) for x in range(7)],
        [(x, x) for x in range(7)],
        [(0, 0), (1, 0), (2, 0), (3, 0), (0, 1), (0, 2), (0, 3)],
        [(x, 0) for x in range(5)] + [(2, 1), (2, 2)],
    ],
    12: [[(x, 0) for x in range(5)] + [(1, 1), (1, 2), (1, -1)], [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)]],
    13: [[(x, y) for x in range(3) for y in range(3)]],
}
PLANTED = 5
LAND_BEFORE = ("start", "theirs", "none")


def turned(rng: Random, shape: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The shape in one of its eight rotations and reflections, with its lowest column and row 0."""
    if rng.random() < 0.5:
        shape = [(y, x) for x, y in shape]
    right, up = rng.choice((1, -1)), rng.choice((1, -1))
    shape = [(right * x, up * y) for x, y in shape]
    left, low = min(x for x, _ in shape), min(y for _, y in shape)
    return [(x - left, y - low) for x, y in shape]


def shape_scene(row: int, at_nine: bool, occupied: str) -> Maker:
    """A group of a row stands matched, all or part of it in the own half, and the next swap clears it.

    ``occupied`` says what stands on it: `free` nothing, `own` a drone that can be stacked upon, `full` on every square
    something that cannot be.
    """

    def make(rng: Random, options: Options) -> Scene:
        stage = Stage(rng, options, (1, 2, 3, 4))
        model = stage.model
        stage.command(stage.me, rng.choice((0, 10)), rng.choice((0, 10)))
        shape = turned(rng, rng.choice(SHAPES[row]))
        wide, high = max(x for x, _ in shape) + 1, max(y for _, y in shape) + 1
        left, low = rng.randint(0, 11 - wide), rng.randint(0, min(4, 11 - high))
        squares = [stage.at(left + x, low + y) for x, y in shape]
        land = rng.choice(LAND_BEFORE) if occupied == "free" else rng.choice(("start", "none"))
        if land == "start":
            start_land(model)
        elif land == "theirs":
            stage.own(stage.you, squares if rng.random() < 0.5 else squares[1:])
        for square in squares:
            model.stars[square] = PLANTED
            if square in model.drones:
                model.drones.pop(square)
        for side in "SN":
            if model.command_square(side) is None:
                free = next(i for i in SQUARES if i not in squares and i not in model.drones)
                put(model, free, side, "M")
        if occupied == "full":
            for square in squares:
                put(model, square, *rng.choice(((stage.me, "T"), (stage.you, "T"), (stage.you, "H"))))
        elif occupied == "own":
            put(model, rng.choice(squares[:2]), stage.me, rng.choice("SGRHWXB"), rng.choice((1, 2)))
        if model.options["Salvage"] and occupied == "free" and rng.random() < 0.5:
            model.wrecks.update({square: rng.randint(1, 10) for square in squares[:3]})
        stage.others(stage.me, rng.choice((9, 10, 12)) if at_nine else 2, squares)
        stage.stock(stage.me, rng.choice((0, 9, 98, 99)))
        return stage.scene(by_kind({"swap": 1}))

    return make


# ---------------------------------------------------------------- drift (rules 8)

#: what stands below an asteroid, from there on toward the mover's back row, the edge included
DRIFTS = (
    ("edge",), ("rock",), ("rock", "edge"), ("rock", "M"), ("star",), ("star",), ("M",), ("enemy M",), ("T",), ("1",),
    ("1",), ("2", "edge"), ("3", "rock"), ("3", "rock", "edge"), ("2", "rock", "enemy M"), ("2", "star"), ("3", "star"),
    ("2", "T"), ("2", "1"), ("3", "3"), ("2", "M"), ("3", "enemy M"), ("wreck",), ("2", "wreck"),
)  # fmt: skip


def drift_scene(rng: Random, options: Options) -> Scene:
    """So much has been cleared that the asteroids drift after the next action; many things are in their way."""
    stage = Stage(rng, options)
    random_land(stage.model, rng)
    stage.model.cleared = rng.choice((8, 9, 30))
    for x in range(11):
        plant_drift(stage, x, rng.choice(DRIFTS))
    stage.others(stage.me, stage.model.drone_count(stage.me) + 2)
    return stage.scene(QUIET, 1)


def plant_drift(stage: Stage, x: int, below: tuple[str, ...]) -> None:
    """An asteroid in a column and what is below it."""
    rng, model = stage.rng, stage.model
    y = len(below) - 1 if below[-1] == "edge" else rng.randint(len(below), 10)
    model.stars[stage.at(x, y)] = ASTEROID
    model.drones.pop(stage.at(x, y), None)
    for side in "SN":
        if model.command_square(side) is None:
            free = [i for i in SQUARES if model.stars[i] != ASTEROID and i not in model.drones]
            put(model, rng.choice(free), side, "M")
    for what in below:
        y -= 1
        side = rng.choice("SN")
        if what in ("M", "enemy M"):
            stage.command(stage.me if what == "M" else stage.you, x, y)
        elif what == "T":
            stage.drone(x, y, side, "T")
        elif what in "123":
            stage.drone(x, y, side, rng.choice("SGRHWXB"), int(what))
        elif what == "rock" and stage.at(x, y) not in model.drones:
            model.stars[stage.at(x, y)] = ASTEROID
        elif what == "wreck" and model.options["Salvage"] and stage.at(x, y) not in model.drones:
            model.wrecks[stage.at(x, y)] = rng.randint(1, 10)


# ---------------------------------------------------------------- drones against drones (rules 5, 6)


def middle(stage: Stage) -> int:
    """A square with eight beside it, away from the Commands."""
    return stage.at(stage.rng.randint(2, 8), stage.rng.randint(2, 8))


def ring(stage: Stage, square: int) -> list[int]:
    """The squares beside it, in a random order."""
    return stage.rng.sample(BESIDE[square], len(BESIDE[square]))


def surround_scene(rng: Random, options: Options) -> Scene:
    """A siege with four enemies beside it, or two sieges of both sides that stand beside each other so."""
    stage = Stage(rng, options)
    square = middle(stage)
    side = rng.choice("SN")
    put(stage.model, square, side, "X", rng.randint(1, 3))
    around = ring(stage, square)
    for beside in around[:4]:
        put(stage.model, beside, other(side), rng.choice("SGRHWBX"), rng.randint(1, 3))
    if rng.random() < 0.5:
        second = around[0]
        put(stage.model, second, other(side), "X")
        for beside in [i for i in BESIDE[second] if i not in stage.model.drones][:3]:
            put(stage.model, beside, side, rng.choice("SGRHWB"))
    return stage.scene(QUIET)


def turret_scene(rng: Random, options: Options) -> Scene:
    """Turrets of the other side, and of this one, with drones beside them, sieges among those."""
    stage = Stage(rng, options)
    for side in (stage.you, stage.you, stage.me):
        square = middle(stage)
        put(stage.model, square, side, "T")
        for beside in ring(stage, square)[: rng.randint(1, 4)]:
            put(stage.model, beside, other(side), rng.choice("XXSGRHWB"), rng.randint(1, 3))
    stage.stock(stage.you, rng.choice((0, 98, 99)))
    return stage.scene(QUIET)


def bomb_scene(rng: Random, options: Options) -> Scene:
    """A bomb beside a crowd of both sides, turrets and Commands in it."""
    stage = Stage(rng, options)
    square = middle(stage)
    around = ring(stage, square)
    put(stage.model, square, stage.me, "B", rng.randint(1, 3), "12345")
    for beside in around[:5]:
        side = rng.choice("SN")
        put(stage.model, beside, side, rng.choice("TTSGRHWXB"), rng.randint(1, 3))
        if stage.model.drones[beside].kind == "T":
            stage.model.drones[beside].power = 1
    put(stage.model, around[5], stage.you, rng.choice("TSGRHWXB"))
    x = rng.choice(around[6:])
    stage.model.drones.pop(stage.model.command_square(stage.me))
    put(stage.model, x, stage.me, "M", missiles=rng.choice((0, 97)))
    return stage.scene(by_kind({"bomb": 1}))


def take_scene(rng: Random, options: Options) -> Scene:
    """Raiders, sieges and loaded scouts with what they can take, ram and shoot close by."""
    stage = Stage(rng, options)
    for _ in range(3):
        square = middle(stage)
        put(stage.model, square, stage.me, rng.choice("RRXXSH"), rng.randint(1, 3))
        if stage.model.drones[square].kind in "SH":
            stage.model.drones[square].missiles = 1
        for beside in ring(stage, square)[:3]:
            put(stage.model, beside, stage.you, rng.choice("TTSGRHWXB"))
    stage.stock(stage.me, rng.choice((0, 9, 99)))
    if stage.model.options["Salvage"]:
        free = [i for i in SQUARES if i not in stage.model.drones]
        stage.model.wrecks.update({i: rng.choice((1, 2, 10)) for i in rng.sample(free, 40)})
    return stage.scene(by_kind({"take": 4, "ram": 4, "fire": 2, "move": 1}), 3)


def shoot_scene(rng: Random, options: Options) -> Scene:
    """Loaded scouts and hunters with drones, asteroids and wrecks to shoot at."""
    stage = Stage(rng, options)
    square = middle(stage)
    put(stage.model, square, stage.me, "H", 1, "12345", 2)
    around = ring(stage, square)
    put(stage.model, around[0], stage.me, "S", 1, "1", 1)
    for beside in around[1:3]:
        put(stage.model, beside, stage.you, rng.choice("SGRHWXB"), rng.randint(1, 2))
    stage.model.stars[around[3]] = ASTEROID
    if stage.model.options["Salvage"]:
        stage.model.wrecks.update({i: rng.randint(1, 10) for i in around[4:]})
    told = [f"fire:{name(square)}{name(i)}" for i in around[1:] if rng.random() < 0.7]

    def choose(pair: Pair, legal: list[str], rng: Random) -> str:
        return rng.choice([step for step in legal if step in told] or legal)

    return stage.scene(choose, 4)


def sweep_scene(rng: Random, options: Options) -> Scene:
    """A shield on or beside own land with enemies around, and a drone that may stack upon it."""
    stage = Stage(rng, options)
    square = middle(stage)
    around = ring(stage, square)
    stage.own(stage.me, [square, *around])
    put(stage.model, square, stage.me, "G", rng.randint(1, 2))
    for beside in around[:4]:
        put(stage.model, beside, stage.you, rng.choice("SHWGRBXT"))
    put(stage.model, around[4], stage.me, rng.choice("SGHWXB"))
    word, start, end = rng.choice((("stack", around[4], square), ("move", square, None)))

    def choose(pair: Pair, legal: list[str], rng: Random) -> str:
        told = f"{word}:{name(start)}{name(end) if end is not None else ''}"
        return rng.choice([step for step in legal if step.startswith(told)] or legal)

    return stage.scene(choose, 1)


def load_scene(rng: Random, options: Options) -> Scene:
    """Loaded and empty scouts and hunters around the Commands, whose stocks are from nothing to full."""
    stage = Stage(rng, options)
    for side, y in ((stage.me, 2), (stage.you, 8)):
        stage.command(side, rng.randint(1, 9), y, rng.choice((0, 1, 2, 11, 98, 99)))
        for beside in ring(stage, stage.model.command_square(side))[:4]:
            kind = rng.choice("SH")
            put(stage.model, beside, side, kind, 1, "12345", rng.randint(0, 1 if kind == "S" else 2))
    return stage.scene(by_kind({"stack": 3, "move": 2, "fire": 1}), 4)


def claim_scene(rng: Random, options: Options) -> Scene:
    """Scouts and warp drones with open land, own land, the other's and asteroids around."""
    stage = Stage(rng, options)
    for i in SQUARES:
        if i not in stage.model.drones and rng.random() < 0.2:
            stage.model.stars[i] = ASTEROID
        stage.model.land[i] = rng.choice((OPEN, OPEN, "S", "N"))
    for kind in "SWSW":
        stage.drone(rng.randint(1, 9), rng.randint(1, 9), stage.me, kind, rng.randint(1, 3))
    if stage.model.options["Salvage"]:
        free = [i for i in SQUARES if i not in stage.model.drones and stage.model.is_star(i)]
        stage.model.wrecks.update({i: rng.choice((1, 2, 10)) for i in rng.sample(free, len(free) // 2)})
    return stage.scene(by_kind({"claim": 1, "warp": 2}), 3)


def pass_scene(rng: Random, options: Options) -> Scene:
    """Nothing can move: a board of asteroids with some lonely drones on stars."""
    stage = Stage(rng, options)
    model = stage.model
    model.stars = [ASTEROID] * len(SQUARES)
    for square in model.drones:
        model.stars[square] = rng.randint(1, 5)
    for x, y in rng.sample([(x, y) for x in (2, 5, 8) for y in (2, 5, 8)], 4):
        side = rng.choice("SN")
        model.stars[stage.at(x, y)] = rng.randint(1, 5)
        kind = rng.choice("SGRHBX")
        stage.drone(x, y, side, kind, missiles=rng.randint(0, 1) if kind in "SH" else 0)
        stage.own(side, [stage.at(x, y), *BESIDE[stage.at(x, y)]])
    return stage.scene(by_kind({"pass": 9, "fire": 1}), 6)


# ---------------------------------------------------------------- one step from the end (rules 7)


def land_scene(rng: Random, options: Options) -> Scene:
    """One claim from the land that wins."""
    stage = Stage(rng, options)
    wanted = stage.model.options["LandToWin"] - 1
    squares = [i for i in SQUARES if i not in BESIDE[stage.at(5, 8)]][: wanted + 20]
    stage.own(stage.me, rng.sample(squares, wanted))
    stage.drone(5, 8, stage.me, rng.choice("SW"))
    stage.model.land[stage.at(5, 8)] = OPEN
    return stage.scene(by_kind({"claim": 1, "warp": 1}))


def siege_scene(rng: Random, options: Options) -> Scene:
    """A siege comes to the other Command, or a shield leaves the own one, or a Command goes to a siege."""
    stage = Stage(rng, options)
    way = rng.choice(("come", "leave", "go"))
    stage.command(stage.you, 5, 8)
    if way == "come":
        stage.drone(rng.randint(3, 7), 6, stage.me, "X", rng.randint(1, 3))
    elif way == "leave":
        stage.command(stage.me, 5, 4)
        stage.drone(rng.randint(4, 6), 3, stage.me, "G")
        stage.drone(rng.randint(4, 6), 5, stage.you, "X")
    else:
        stage.command(stage.me, 5, 4)
        stage.drone(rng.randint(4, 6), 6, stage.you, "X")

    def near_the_end(pair, legal, rng):
        """A step after which the game is over, where one of some is."""
        for step in rng.sample(legal, len(legal)):
            after = pair.core.copy()
            after.apply(step)
            if after.result is not None:
                return step
        return rng.choice(legal)

    return stage.scene(near_the_end)


def limit_scene(rng: Random, options: Options) -> Scene:
    """The last turn, with more land here, there, or as much."""
    stage = Stage(rng, options)
    stage.model.turn = stage.model.options["TurnLimit"]
    mine, yours = rng.choice(((5, 4), (4, 5), (7, 7)))
    stage.own(stage.me, [stage.at(x, 3) for x in range(mine)])
    stage.own(stage.you, [stage.at(x, 8) for x in range(yours)])
    return stage.scene(by_kind({"swap": 1, "move": 1}))


SCENES: dict[str, Maker] = {
    **{
        f"row {row}, {'nine' if at_nine else 'few'}, {occupied}": shape_scene(row, at_nine, occupied)
        for row in SHAPES
        for at_nine in (False, True)
        for occupied in ("free", "own", "full")
    },
    "drift": drift_scene,
    "surround": surround_scene,
    "turret": turret_scene,
    "bomb": bomb_scene,
    "take": take_scene,
    "shoot": shoot_scene,
    "sweep": sweep_scene,
    "load": load_scene,
    "claim": claim_scene,
    "pass": pass_scene,
    "land": land_scene,
    "siege": siege_scene,
    "limit": limit_scene,
}
