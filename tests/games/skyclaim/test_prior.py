"""A promise is what the evaluation changes by, as far as that can be told before a step is tried."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from skyclaim_engine import game
from skyclaim_engine.game import Position
from skyclaim_engine.games.skyclaim import evaluate
from skyclaim_engine.games.skyclaim.prior import promises
from skyclaim_engine.search.onestep import OneStep
from skyclaim_engine.search.stop import StopFlag
from tests import half_turn

SKYCLAIM = game("skyclaim")
#: kinds of steps that bring no stars down
QUIET = ("move", "take", "stack", "bomb", "claim", "warp", "siege", "ram")


@pytest.fixture(autouse=True)
def own_weights() -> Iterator[None]:
    yield
    SKYCLAIM.use(None)


def played(seed: int, games: int, **options: object) -> Iterator[Position]:
    """Positions of games at random, in which claims, sieges and takes are liked."""
    chance = random.Random(seed)
    for _ in range(games):
        position = SKYCLAIM.start(chance.getrandbits(32), options)
        while position.result is None and position.turn < 90:
            steps = position.legal()
            liked = [step for step in steps if step.startswith(("claim", "siege", "take", "warp"))]
            position.apply(chance.choice(liked if liked and chance.random() < 0.5 else steps))
            if position.result is None and chance.random() < 0.2:
                yield position.copy()


def scattered(seed: int, games: int, owners: str, **options: object) -> Iterator[Position]:
    """Such positions with one of the ``owners`` on each square, and drones of other kinds."""
    chance = random.Random(seed)
    rules = {"LandToWin": 100, **options}
    for position in played(seed, games, **rules):
        words = position.line().split(" ")
        rows = ("".join(chance.choice(owners) for _ in range(11)) for _ in range(11))
        words[2] = "/".join(re.sub(r"\.+", lambda run: str(len(run[0])), row) for row in rows)
        drones = []
        for entry in words[1].split(","):
            letter = entry[0]
            if letter in "GRXgrx":  # those without colours and missiles
                letter = chance.choice("GRX" if letter.isupper() else "grx")
            elif letter in "SWBswb" and "!" not in entry:
                letter = chance.choice("SWB" if letter.isupper() else "swb")
            drones.append(letter + entry[1:])
        words[1] = ",".join(drones)
        changed = SKYCLAIM.parse(" ".join(words), rules)
        if changed.result is None:
            yield changed


def promised(position: Position, knowledge: int = 100) -> dict[str, float]:
    steps = position.steps()
    found = promises(position.board, list(steps.values()), knowledge)
    return dict(zip(steps, found, strict=True))


def change(position: Position, step: str) -> float:
    """How the evaluation of the mover changes; of what counts the same for who moves and who waits."""
    mover, after = position.seat - 1, position.copy()
    after.apply(step)
    return evaluate.value(after.board, mover) - evaluate.value(position.board, mover)


def compare(position: Position, weights: dict[str, float], kinds: tuple[str, ...], but: set[str]) -> set[str]:
    """Check all steps of these kinds, but where such events come; the kinds of those that change the evaluation."""
    found = set()
    SKYCLAIM.use(weights)
    for step, promise in promised(position).items():
        if step.startswith(kinds):
            after = position.copy()
            events = {event["type"] for event in after.apply(step)}
            if after.result is None and not but & events:
                assert promise == pytest.approx(change(position, step), abs=1e-4), (position.line(), step)
                found |= {step.partition(":")[0]} if promise else set()
    SKYCLAIM.use(None)
    return found


@pytest.mark.parametrize("weight", ["land", "late", "abroad"])
@pytest.mark.parametrize("radius", [0, 1])
def test_land_is_promised_as_it_changes(weight: str, radius: int) -> None:
    seen: set[str] = set()
    for position in scattered(1, 6, "SN" * 10 + ".", ClaimRadius=radius):
        seen |= compare(position, {weight: 1.5}, QUIET, set())
    assert seen >= {"warp", "siege"}


KINDS = ("scouts", "shields", "raiders", "hunters", "warps", "sieges", "bombs", "power", "loaded")
#: what comes of other things than the step itself
BESIDES = {"sweep", "surround", "load", "turret_shot", "drift"}


@pytest.mark.parametrize("weight", KINDS)
def test_drones_are_promised_as_they_change(weight: str) -> None:
    seen: set[str] = set()
    for position in scattered(2, 15, "SN...."):
        seen |= compare(position, {weight: 2.0}, ("take", "stack", "bomb", "warp"), BESIDES)
    assert len(seen) > 1


@pytest.mark.parametrize("radius", [0, 1])
def test_claims_are_promised_as_they_change(radius: int) -> None:
    seen: set[str] = set()
    for position in scattered(3, 8, "SN....", ClaimRadius=radius):
        seen |= compare(position, {"claim": 2.0, "claims": 0.5}, ("claim", "siege", "move"), BESIDES | {"destroyed"})
    assert seen == {"claim", "siege", "move"}


def test_the_half_turn_promises_the_same() -> None:
    for position in played(4, 3, Salvage=True):
        turned = SKYCLAIM.parse(half_turn.line(position.line()), {"Salvage": True})
        other = promised(turned)
        for step, promise in promised(position).items():
            assert other[half_turn.step(step)] == pytest.approx(promise, abs=1e-4)


def test_what_is_best_right_after_a_step_is_mostly_among_the_eight_most_promising() -> None:
    found = total = 0
    for number, position in enumerate(played(5, 4)):
        steps = position.steps()
        search = OneStep(position, position.seat, list(steps.values()), number)
        search.run(16, 1 << 40, 0.0, StopFlag())
        actions = [i for i, step in enumerate(steps) if not step.startswith(("fire", "turret"))]
        promise, means = promises(position.board, list(steps.values())), search.means()
        best = max(actions, key=lambda i: means[i][0])
        found += best in sorted(actions, key=lambda i: -promise[i])[:8]
        total += 1
    assert total > 50
    assert found > 0.7 * total


def test_what_a_skill_does_not_know_is_not_promised() -> None:
    position = SKYCLAIM.start(1)
    claims = [promised(position, knowledge)["claim:e1"] for knowledge in (0, 10, 20)]
    assert claims[:2] == [0, 0]
    assert claims[2] > 0
    with pytest.raises(ValueError, match="knowledge 5"):
        promises(position.board, [], 5)
