"""Islands: fast core and slow model in lock step through random games and made scenes, of all seat counts and styles.

After every round they must agree on line, result, every seat's orders, sets and observation, and on the events; and all
that the rules can bring about must have occurred, or the test says little.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import chain
from random import Random

import pytest

from skyclaim_engine.cli import main
from skyclaim_engine.errors import IllegalStep
from skyclaim_engine.games.islands.position import GAME, IslandsPosition
from tests.lockstep import Mismatch
from tests.lockstep_games import Facts
from tests.lockstep_other import Job, Two, soak, walked
from tests.reference.islands import FACTS, Model
from tests.reference.islands_map import CHARTS, HUBS, Order, format_orders, join_joint, split_joint
from tests.reference.islands_position import MOST_SQUADS
from tests.scenes_islands import SCENES

SEATS = tuple(CHARTS)
#: with at most so many single orders all sets are compared, as texts or by their number
FEW, SOME = 22, 32
#: once in so many positions, more sets are counted
SELDOM, MANY = 40, 60
#: order sets, legal ones and others, whose legality is compared for each seat and round
TRIED = 6


class Pair(Two):
    """Core and model at the same position of Islands."""

    core: IslandsPosition

    def __init__(self, model: Model) -> None:
        super().__init__(GAME.parse(model.line()), model)

    def compare(self, rng: Random) -> None:
        """Compare all that both can say here."""
        core, model = self.core, self.model
        self.check("positions", core.line(), model.line())
        self.check("faults of the struct", core.board.faults(), [])
        self.check("positions read back", GAME.parse(core.line()), core)
        self.check("models read back", Model.parse(model.line()).line(), model.line())
        result = model.result()
        self.check("results", core.result and core.result.lines, result and (result,))
        self.check("deciders", core.deciders, () if result else tuple(model.all_seats()))
        for seat in model.all_seats():
            self.compare_orders(seat, rng)
            self.compare_observation(seat)

    def compare_orders(self, seat: int, rng: Random) -> None:
        """Single orders with their costs, whether sets are legal, and where they are few all sets."""
        core, model = self.core, self.model
        single = core.legal(seat)
        self.check(f"orders of seat {seat}", single, model.orders(seat))
        if len(single) <= FEW:
            self.check(f"order sets of seat {seat}", core.order_sets(seat), sorted(model.legal_sets(seat)))
        if len(single) <= (MANY if rng.randrange(SELDOM) == 0 else SOME):
            self.check(f"numbers of order sets of seat {seat}", core.orders(seat), model.count(seat))
        orders = model.single_orders(seat)
        for _ in range(TRIED if orders else 0):
            chosen = [rng.choice(orders) for _ in range(rng.choice((2, 3, 3, 4)))]
            text = " ".join(order.text() for order in chosen)
            legal = model.go_together(seat, chosen)
            self.check(f"{text!r} of seat {seat}", self.canonical(text, seat), format_orders(chosen) if legal else None)

    def canonical(self, text: str, seat: int) -> str | None:
        """An order set as the core writes it, None for one that is not legal."""
        try:
            return self.core.text(self.core.number(text, seat))
        except IllegalStep:
            return None

    def compare_observation(self, seat: int) -> None:
        """What a seat sees, and that this is enough to know its orders."""
        seen, other = self.core.observe(seat), self.model.observe(seat)
        self.check(f"observations of seat {seat}", seen.line(), other.line())
        self.check(f"faults of the observation of seat {seat}", seen.board.faults(), [])
        self.check(f"orders seen by seat {seat}", seen.legal(seat), self.core.legal(seat))
        if self.core.result is None:
            self.check("observations read back", GAME.parse(seen.line(), observation=True), seen)
            self.check("numbers of sets seen", seen.orders(seat), self.core.orders(seat))

    def play(self, joint: str) -> None:
        """A round on both."""
        self.apply(joint, self.model.apply_unchecked)


# ---------------------------------------------------------------- styles: how a seat chooses its orders


def together(model: Model, seat: int, orders: list[Order]) -> str:
    """As many of the orders, in this order, as go together."""
    chosen: list[Order] = []
    for order in orders:
        if model.go_together(seat, [*chosen, order]):
            chosen.append(order)
    return format_orders(chosen)


def sampled(pair: Pair, seat: int, rng: Random) -> str:
    """As the core draws it."""
    return pair.core.sample(seat, rng.getrandbits(64))[0]


def any_kind(pair: Pair, seat: int, rng: Random) -> str:
    """Every kind of order as often as the others."""
    single = pair.model.single_orders(seat)
    kinds = sorted({order.kind for order in single})
    picked = [rng.choice(kinds) for _ in range(rng.choice((0, 1, 2, 3, 3, 3)) if kinds else 0)]
    return together(pair.model, seat, [rng.choice([o for o in single if o.kind == kind]) for kind in picked])


def bold(pair: Pair, seat: int, rng: Random) -> str:
    """All squads over open bridges to where others are, or to their homes; then what else there is."""
    model = pair.model
    single = model.single_orders(seat)
    rng.shuffle(single)

    def worth(order: Order) -> tuple[bool, int]:
        is_open = order.kind == "march" and order.to in model.bridges(order.island)
        return is_open and model.islands[order.to].owner != seat, order.squads

    return together(model, seat, sorted(single, key=worth, reverse=True)[: rng.choice((1, 2, 3, 5))])


def busy(pair: Pair, seat: int, rng: Random) -> str:
    """Rotations, recruits and fortifications before marches."""
    single = pair.model.single_orders(seat)
    rng.shuffle(single)
    return together(pair.model, seat, sorted(single, key=lambda order: order.kind == "march"))


def still(pair: Pair, seat: int, rng: Random) -> str:
    """Hardly ever anything."""
    return any_kind(pair, seat, rng) if rng.random() < 0.1 else "-"


STYLES: dict[str, Callable[[Pair, int, Random], str]] = {
    "sampled": sampled,
    "any kind": any_kind,
    "bold": bold,
    "busy": busy,
    "still": still,
}
#: random games in a plain run: each style with each number of seats and each kind of start
GAMES = 4 * len(STYLES) * len(SEATS) * 2
WANTED = (
    *FACTS,
    *(f"game of {style}" for style in STYLES),
    *(f"game with {seats} seats, {start}" for seats in SEATS for start in ("set up", "strewn")),
)


# ---------------------------------------------------------------- games


def set_up(rng: Random, seats: int, facts: Facts) -> Model:
    """A start from a seed; ``test_starts`` sees that the core makes it alike."""
    return Model.start(rng.getrandbits(64), seats, facts=facts)


def strewn(rng: Random, seats: int, facts: Facts) -> Model:
    """A board that no game would reach: owners and squads strewn, homes too, any round."""
    model = Model.start(rng.getrandbits(64), seats, facts=facts)
    dense, homes = rng.random() < 0.5, rng.random() < 0.6
    owned, empty = (0.9, 0.2) if dense else (0.6, rng.choice((0.2, 0.5, 0.7)))
    left = dict.fromkeys(model.all_seats(), MOST_SQUADS)
    for number in rng.sample(sorted(model.islands), len(model.islands)):
        island = model.islands[number]
        island.owner, island.squads = rng.choice(model.all_seats()) if rng.random() < owned else 0, 0
        if homes and number in model.chart.homes.values():
            island.owner = int(island.structure[1])
        if dense:
            island.ports = rng.choice((frozenset({0, 2, 4}), frozenset({1, 3, 5}), *HUBS[:2]))
        if island.owner and rng.random() >= empty:
            island.squads = min(left[island.owner], rng.choice((1, 1, 1, 2, 3, 9)))
            left[island.owner] -= island.squads
    model.round = rng.choice((1, 3, 4, 7, 8, 10, 11, 12, 12))
    for seat in model.all_seats():
        model.energy[seat] = rng.randint(0, 12)
    return model


def shuffled(joint: str, rng: Random) -> str:
    """The joint step with each seat's orders in any order."""
    sets = [orders.split(" ") for orders in split_joint(joint)]
    return join_joint([" ".join(rng.sample(orders, len(orders))) for orders in sets])


def play_game(number: int) -> tuple[int, Facts]:
    """A random game to its end, compared after every round."""
    facts, rng = Counter[str](), Random(f"islands {number}")
    seats, style = SEATS[number % len(SEATS)], list(STYLES)[number // len(SEATS) % len(STYLES)]
    is_start = number // len(SEATS) // len(STYLES) % 2 == 0
    model = (set_up if is_start else strewn)(rng, seats, facts)
    facts[f"game of {style}"] += 1
    facts[f"game with {seats} seats, {'set up' if is_start else 'strewn'}"] += 1
    pair = Pair(model)
    pair.compare(rng)
    while not pair.model.is_over():
        sets = [STYLES[style](pair, seat, rng) for seat in pair.model.all_seats()]
        pair.play(shuffled(join_joint(sets), rng))
        pair.compare(rng)
    return len(pair.path), facts


def play_scene(name: str, turns: int) -> tuple[int, Facts]:
    """A scene on the map turned so many times; what it is there for must occur."""
    scene, rng = SCENES[name], Random(f"{name} {turns}")
    model, joint = scene.model(), scene.joint()
    for _ in range(turns):
        model, joint = model.turned(), model.turned_joint(joint)
    model = Model.parse(model.line())
    pair = Pair(model)
    pair.compare(rng)
    pair.check("the model's own check of the step", [seat_illegal(model, joint)], [None])
    pair.play(shuffled(joint, rng))
    pair.compare(rng)
    pair.check("facts of the scene", [fact for fact in scene.facts if not model.facts[fact]], [])
    return 1, model.facts


def seat_illegal(model: Model, joint: str) -> str | None:
    """The first order set of a joint step that is not legal."""
    sets = enumerate(split_joint(joint), 1)
    return next((f"{seat}:{orders}" for seat, orders in sets if not model.is_legal(seat, orders)), None)


def play(job: Job) -> tuple[int, Facts]:
    """A game by its number, or a scene by its name and how often the map is turned."""
    return play_scene(*job) if isinstance(job, tuple) else play_game(job)


def scenes() -> list[Job]:
    """Every scene for every seat."""
    return list(chain.from_iterable([(name, turn) for turn in range(SCENES[name].seats)] for name in SCENES))


@pytest.mark.timeout(3600)  # less than a minute, but much longer with the sanitizers of the debug build
def test_games_and_scenes() -> None:
    assert GAMES >= 100
    rounds, facts = walked([*range(GAMES), *scenes()], play)
    assert [fact for fact in WANTED if not facts[fact]] == []
    assert [fact for fact in facts if fact not in WANTED] == []
    assert sum(facts[f"game of {style}"] for style in STYLES) == GAMES
    assert rounds > 6 * GAMES


@pytest.mark.soak
@pytest.mark.timeout(0)
def test_games_and_scenes_at_length(capfd: pytest.CaptureFixture[str]) -> None:
    soak(scenes(), play, WANTED, capfd)


@pytest.mark.parametrize("seats", SEATS)
def test_starts(seats: int) -> None:
    for seed in (*range(60), 2**64 - 1):
        assert GAME.start(seed, {"Seats": seats}).line() == Model.start(seed, seats).line()


def test_a_game_is_the_same_each_time() -> None:
    assert play(4) == play(4)


def test_a_difference_is_told_with_position_and_steps() -> None:
    pair = Pair(Model.start(1, 2))
    pair.play("1:march:7>8*2 | 2:-")
    pair.compare(Random(1))
    pair.model.energy[2] -= 1
    with pytest.raises(Mismatch, match="positions differ") as found:
        pair.compare(Random(1))
    for part in (pair.core.line(), pair.model.line(), pair.start, "1:march:7>8*2 | 2:-", "core says", "model says"):
        assert part in str(found.value)


def test_perft_against_the_model(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The joint steps are too many, so that orders are played alone; where they differ, that is told."""
    line = Model.start(1, 2).line()
    command = ["perft", line, "--game", "islands", "--depth", "2", "--against", "reference"]
    assert main(command) == 0
    assert "1 deep (each order alone, not every joint step)" in capsys.readouterr().out
    orders = Model.orders
    monkeypatch.setattr(Model, "orders", lambda model, seat: orders(model, seat)[seat - 1 :])
    assert main(command) == 1
    told = capsys.readouterr().out
    assert f"of seat 2 legal for the core alone: {orders(Model.parse(line), 2)[0]}" in told
    assert "of seat 2 legal for the model alone: nothing" in told
