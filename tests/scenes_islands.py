"""Made positions of Islands, each with a round and what must occur in it; random play seldom comes to these.

With 3 seats home 7 of seat 1 is joined to 1, that to the centre 0, and this to 3 and 5 before the homes 11 and 15.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from tests.reference.islands import Model
from tests.reference.islands_map import CHARTS, PORTS, Chart, facing
from tests.reference.islands_position import NEUTRAL, Island

#: whose island it is, and the squads there
Held = dict[int, tuple[int, int]]

#: the bridges from every home to the centre, 3 seats
CROSS = ((7, 1), (1, 0), (11, 3), (3, 0), (15, 5), (5, 0))
#: the homes by themselves
HOMES: Held = {7: (1, 0), 11: (2, 0), 15: (3, 0)}
#: the rounds after which something of its own happens
GENERATORS, FACTORIES, LAST = 4, 8, 12


@dataclass
class Scene:
    """A position, the joint steps of its rounds, and the facts that they must bring about."""

    held: Held
    orders: tuple[str, ...]
    facts: tuple[str, ...]
    seats: int = 3
    round: int = 2
    energy: int = 12
    bridges: tuple[tuple[int, int], ...] = CROSS
    influence: dict[int, Fraction] = field(default_factory=dict)

    def model(self) -> Model:
        """The position; what is not said is neutral, empty, 0 or without a bridge, if that can be."""
        model = Model(self.seats)
        model.round, model.stream = self.round, 7
        hubs = hubs_with(model.chart, self.bridges)
        for number, structure in model.chart.structure.items():
            owner, squads = self.held.get(number, (NEUTRAL, 0))
            model.islands[number] = Island(structure, owner, hubs[number], squads)
        for seat in model.all_seats():
            model.energy[seat] = self.energy
            model.influence[seat] = self.influence.get(seat, Fraction(0))
        return model

    def joint(self) -> str:
        """The joint step; seats that are not spoken of give no orders."""
        sets = (*self.orders, *("-" for _ in range(self.seats - len(self.orders))))
        return " | ".join(f"{seat}:{orders}" for seat, orders in enumerate(sets, 1))


def hubs_with(chart: Chart, bridges: tuple[tuple[int, int], ...]) -> dict[int, frozenset[int]]:
    """Hubs with these bridges; their other ports make as few more as can be."""
    hubs: dict[int, set[int]] = {number: set() for number in chart.islands}
    for one, other in bridges:
        port = next(port for port, number in chart.beside[one].items() if number == other)
        hubs[one].add(port)
        hubs[other].add(facing(port))
    for number, ports in hubs.items():

        def joins(port: int, number: int = number) -> bool:
            other = chart.beside[number].get(port)
            return other is not None and facing(port) in hubs[other]

        for port in sorted(set(PORTS) - ports, key=lambda port: (joins(port), port)):
            if len(ports) < 3:
                ports.add(port)
    return {number: frozenset(ports) for number, ports in hubs.items()}


def meeting(one: int, two: int, three: int) -> tuple[Held, tuple[str, ...]]:
    """Squads of all seats beside the centre, and their marches there."""
    ways = ((1, 1, one), (2, 3, two), (3, 5, three))
    held = {**HOMES, **{island: (seat, squads) for seat, island, squads in ways}}
    return held, tuple(f"march:{island}>0*{squads}" if squads else "-" for _, island, squads in ways)


def centre(own: int, two: int, three: int, beside: int = 0) -> Held:
    """Seat 1 holds the centre with a chain to its home, the others' squads are beside it."""
    return {**HOMES, 0: (1, own), 1: (1, beside), 3: (2, two), 5: (3, three)}


def end_of(seats: int, squads: dict[int, int], more: Held | None = None, **influence: Fraction) -> Scene:
    """A last round in which nobody does anything; squads at home by seat, what else is held, influence as ``s1``."""
    homes = CHARTS[seats].homes
    held = {homes[seat]: (seat, squads.get(seat, 0)) for seat in homes}
    points = {int(name[1:]): number for name, number in influence.items()}
    return Scene({**held, **(more or {})}, (), (), seats, LAST, bridges=(), influence=points)


def with_facts(scene: Scene, *facts: str) -> Scene:
    """The scene, and what must occur."""
    scene.facts = facts
    return scene


TIED = "battle: all wiped, two strongest alike"
TOGETHER = "battle: all wiped by the others together"
NO_LOSS = "battle won at no loss"
FORT = "battle: fortification wins and takes off the loss"
FORT_FALLS = "battle: fortified side wiped"
#: a chain of islands of seat 1 through the centre to the home of seat 2
CHAIN: Held = {7: (1, 1), 1: (1, 0), 0: (1, 0), 3: (1, 0), 15: (3, 0)}
TURNED_OFF = ((1, 0), (3, 0), (5, 0))

SCENES: dict[str, Scene] = {
    "three meet, the strongest is left": Scene(
        *meeting(6, 2, 2), ("battle of 3 or more sides", "battle of sides none of which stood there")
    ),
    "three meet, the others are as strong": Scene(*meeting(4, 2, 2), (TOGETHER, "emptied island stays neutral")),
    "three meet, the others are stronger": Scene(*meeting(3, 2, 2), (TOGETHER,)),
    "three meet, two alike": Scene(*meeting(3, 3, 1), (TIED,)),
    "three meet, all alike": Scene(*meeting(1, 1, 1), (TIED,)),
    "strength 0 against 0": Scene(*meeting(1, 1, 0), ("battle: all wiped at strength 0",), bridges=TURNED_OFF),
    "strength 1 against 0": Scene(*meeting(2, 1, 0), (NO_LOSS, "battle: side of strength 0"), bridges=TURNED_OFF),
    "strength 1 against 0 and 0": Scene(*meeting(2, 1, 1), (NO_LOSS,), bridges=TURNED_OFF),
    "fortified, 2 off 3": Scene(centre(2, 3, 0), ("fortify:0", "march:3>0*3"), (FORT,)),
    "fortified, 2 off 2": Scene(centre(1, 2, 0), ("fortify:0", "march:3>0*2"), (FORT, NO_LOSS)),
    "fortified, 2 off 1": Scene(
        centre(1, 1, 0), ("fortify:0", "march:3>0*1"), (FORT, "battle: fortification takes off less than 2", NO_LOSS)
    ),
    "fortified, the others are as strong": Scene(
        centre(1, 2, 1),
        ("fortify:0", "march:3>0*2", "march:5>0*1"),
        (FORT_FALLS, TOGETHER, "emptied island keeps its owner"),
    ),
    "fortified, one is as strong": Scene(centre(1, 3, 0), ("fortify:0", "march:3>0*3"), (FORT_FALLS, TIED)),
    "fortified, one is stronger": Scene(
        centre(1, 9, 0), ("fortify:0", "march:3>0*9"), (FORT_FALLS, "battle won by a side that came")
    ),
    "fortified, two come": Scene(centre(5, 2, 2), ("fortify:0", "march:3>0*2", "march:5>0*2"), (FORT,)),
    "fortified, with help": Scene(
        centre(1, 7, 0, 4),
        ("fortify:0 march:1>0*4", "march:3>0*7"),
        (FORT_FALLS, "battle: side of several contingents"),
    ),
    "fortified and left": Scene(
        centre(2, 2, 0), ("fortify:0 march:0>1*2", "march:3>0*2"), ("fortified, but all squads march off",)
    ),
    "fortified, the march fails": Scene(
        centre(2, 3, 0), ("fortify:0 march:0>2*2", "march:3>0*3"), ("march fails: never a bridge", FORT)
    ),
    "armies pass": Scene(centre(2, 3, 0), ("march:0>3*2", "march:3>0*3"), ("armies pass",)),
    "own marches pass": Scene(centre(2, 0, 0, 3), ("march:0>1*2 march:1>0*3",), ("own marches pass",)),
    "recruit at another's home": Scene(
        {**CHAIN, 11: (1, 2)}, ("recruit:11",), ("recruit at another seat's home", "recruit adds 2")
    ),
    "recruits up to 20": Scene(
        {**HOMES, 1: (1, 9), 7: (1, 9), 0: (1, 1)},
        ("recruit:1 recruit:7",),
        ("recruit adds 1", "recruit refunded: 20 squads"),
    ),
    "recruit, fortify and 18 squads": Scene(
        {**HOMES, 1: (1, 9), 7: (1, 8), 0: (1, 1)}, ("recruit:1 recruit:7 fortify:0",), ("recruit refunded: 20 squads",)
    ),
    "recruits fight": Scene(
        {**HOMES, 1: (1, 1), 0: (2, 3)}, ("recruit:1 march:1>0*1", "march:0>1*3"), ("battle: recruits fight",)
    ),
    "own hub turned": Scene(centre(0, 1, 1), ("rotate:0+",), ("rotate + of an own hub",)),
    "rotations of neutral hubs add up": Scene(
        meeting(1, 1, 1)[0], ("rotate:0+", "rotate:0+"), ("rotations add up", "rotate + of a neutral hub")
    ),
    "rotations of neutral hubs cancel": Scene(
        meeting(1, 1, 1)[0], ("rotate:0+", "rotate:0-"), ("rotations cancel", "rotate - of a neutral hub")
    ),
    "rotations of three": Scene(meeting(1, 1, 1)[0], ("rotate:0+", "rotate:0-", "rotate:0-"), ("rotations add up",)),
    "rotations of three to one side": Scene(
        meeting(1, 1, 1)[0], ("rotate:0+", "rotate:0+", "rotate:0+"), ("rotations add up",)
    ),
    "home lost": Scene({**HOMES, 7: (2, 1), 10: (1, 3)}, (), ("cut off: home lost",)),
    "home lost, and marches": Scene(
        {**HOMES, 7: (2, 1), 1: (1, 3)}, ("march:1>0*2",), ("cut off: home lost", "march of cut off squads")
    ),
    "own home taken back": Scene(
        {**HOMES, 7: (2, 0), 1: (1, 3)},
        ("march:1>7*3",),
        ("capture of the own home", "capture of an island of another seat without a battle"),
    ),
    "own home taken back in a battle": Scene(
        {**HOMES, 7: (2, 1), 1: (1, 3)},
        ("march:1>7*3",),
        ("capture of the own home", "capture of an island of another seat after a battle"),
    ),
    "another's home taken": Scene(
        {**HOMES, 1: (2, 3)}, ("-", "march:1>7*3"), ("capture of another seat's home", "march of cut off squads")
    ),
    "homes changed": Scene(
        {**HOMES, 1: (2, 3), 3: (1, 2)}, ("march:3>11*2", "march:1>7*3"), ("capture of another seat's home",)
    ),
    "two cut off contingents": Scene(
        {**HOMES, 0: (1, 3), 1: (1, 3), 3: (2, 4)},
        ("march:1>0*3", "march:3>0*4"),
        ("battle: two cut off contingents of a side",),
        bridges=TURNED_OFF,
    ),
    "contest of generators, three tie": Scene(
        centre(1, 0, 0), (), ("contest for G: tie of 3 or more",), round=GENERATORS
    ),
    "contest of generators, two tie": Scene(
        {**HOMES, 1: (1, 0), 3: (2, 0)}, (), ("contest for G: tie of 2",), round=GENERATORS
    ),
    "contest of generators alone": Scene({**HOMES, 1: (1, 0)}, (), ("contest for G: won",), round=GENERATORS),
    "contest of generators not supplied": Scene(
        {**HOMES, 1: (1, 0)}, (), ("contest for G: nobody",), round=GENERATORS, bridges=()
    ),
    "contest of factories for nobody": Scene(HOMES, (), ("contest for F: nobody",), round=FACTORIES),
    "contest of beacons for nobody": Scene(HOMES, (), ("contest for B: nobody",), round=LAST),
    "contest of beacons, three tie": Scene(
        {**HOMES, 2: (1, 0), 4: (2, 0), 6: (3, 0)},
        (),
        ("contest for B: tie of 3 or more", "cut off beacon pays in the surge"),
        round=LAST,
    ),
    "a full store": Scene({**HOMES, 1: (1, 0)}, (), ("store full", "income of generators"), energy=11),
    "end by influence": with_facts(end_of(3, {1: 2, 2: 2, 3: 2}, s2=Fraction(1, 2)), "end: influence"),
    "end by objectives": with_facts(end_of(3, {1: 2, 2: 2, 3: 2}, {1: (3, 0)}), "end: objectives"),
    "end by squads": with_facts(end_of(3, {1: 2, 2: 3, 3: 2}), "end: squads"),
    "end by squads among two": with_facts(end_of(3, {1: 2, 2: 3, 3: 9}, s1=Fraction(1), s2=Fraction(1)), "end: squads"),
    **{
        f"end of {seats} shared by {winners}": with_facts(
            end_of(seats, dict.fromkeys(range(1, winners + 1), 2)), f"end: shared by {winners}"
        )
        for seats in CHARTS
        for winners in range(2, seats + 1)
    },
}


def chain_scenes() -> dict[str, Scene]:
    """A hub in a seat's chain turned either way, while squads beyond it recruit, fortify and march."""
    held = {**HOMES, 7: (1, 2), 1: (1, 2), 0: (1, 1), 3: (2, 2)}
    return {
        f"{order}, and {turn}": Scene(held, (f"{order} {turn}", "march:3>0*2"), ())
        for order in ("recruit:1", "fortify:1", "march:1>0*2", "march:7>1*2", "fortify:0", "march:0>3*1")
        for turn in (f"rotate:{hub}{sign}" for hub in (7, 1, 0) for sign in "+-")
        if order.split(":")[1] != turn[7:-1]  # an island is not turned and worked on at once
    }


SCENES |= chain_scenes()
