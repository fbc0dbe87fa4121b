"""The race of the root steps: its limits, its threads, what it refuses, and what it sees."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from skyclaim_engine import game
from skyclaim_engine.search import Bot, Info, Limits, Settings, StopFlag
from skyclaim_engine.search.algorithms import ALGORITHMS, AUTO, FEW_NODES, SHAPE, SHORT, Budget, choose
from skyclaim_engine.search.expectimax import Expectimax
from skyclaim_engine.search.settings import ENGINE_OPTIONS

SKYCLAIM = game("skyclaim")
PLENTY = 1 << 40
#: a board without a match
STARS = (
    "12345123451/34512345123/51234512345/23451234512/45123451234/12345123451/34512345123/51234512345/23451234512/"
    "45123451234/12345123451"
)


def race(seed: int, nodes: int, rounds: int) -> Expectimax:
    view = SKYCLAIM.start(6).observe(1)
    search = Expectimax(view, 1, list(view.steps().values()), seed, SHAPE)
    for r in range(rounds):
        search.begin(r)
        search.run(r, search.nodes + nodes, 0.0, StopFlag())
    return search


def told(settings: Settings, limits: Limits, name: str = "skyclaim") -> tuple[str | None, list[Info | str]]:
    lines: list[Info | str] = []
    settings = replace(settings, algorithm="expectimax")
    return Bot(settings).decide(game(name).start(6), limits, StopFlag(), lines.append), lines


def test_round_by_round_fewer_steps_stay() -> None:
    alive = [sum(mean is not None and mean[0] for mean in race(5, 2000, rounds).means()) for rounds in (1, 2, 3, 4)]
    assert alive == [len(SKYCLAIM.start(6).legal()), *(keep for keep, _ in SHAPE["rounds"][1:])]


def test_the_first_round_is_one_sample_of_each_step() -> None:
    search = race(5, PLENTY, 1)
    assert search.nodes >= len(SKYCLAIM.start(6).legal())
    assert all(mean is not None and 0 <= mean[1] <= 1 for mean in search.means())


def test_the_same_seed_gives_the_same_race_and_another_does_not() -> None:
    assert race(5, 900, 4).means() == race(5, 900, 4).means() != race(6, 900, 4).means()


def test_the_samples_of_a_helper_count() -> None:
    leader, helper = race(1, 400, 2), race(2, 400, 1)
    nodes, before = leader.nodes, leader.means()
    helper.follow(leader)
    assert helper.means() == [None] * len(before)
    helper.run(1, helper.nodes + 300, 0.0, StopFlag())
    more = helper.nodes
    leader.absorb(helper)
    assert leader.nodes == nodes + more
    assert helper.nodes == 0
    assert leader.means() != before


def test_a_stop_ends_it_at_once() -> None:
    flag = StopFlag()
    flag.set()
    view = SKYCLAIM.start(6).observe(1)
    search = Expectimax(view, 1, list(view.steps().values()), 1, SHAPE)
    search.run(0, PLENTY, 0.0, flag)
    assert search.nodes <= 2


def test_depth_is_kept() -> None:
    for depth in (1, 2):
        _, lines = told(Settings(seed=3), Limits(nodes=4000, depth=depth))
        assert max(line.depth for line in lines if isinstance(line, Info)) == depth


def test_a_round_that_has_not_seen_each_step_decides_nothing() -> None:
    search = race(5, 3000, 2)
    before = search.means()
    best = sorted((i for i, mean in enumerate(before) if mean), key=lambda i: -before[i][1])  # type: ignore[index]
    keep = [keep for keep, _ in SHAPE["rounds"]]
    for r in (2, 3):
        search.begin(r)
        search.run(r, search.nodes + 40, 0.0, StopFlag())  # the first steps in order only
        means = search.means()
        kept = {i for i, mean in enumerate(means) if mean and mean[0]}
        assert kept == set(best[: keep[r]])
        assert all(means[i] == before[i] for i in kept)


def test_what_is_too_little_for_the_usual_shape() -> None:
    def small(end: float | None, nodes: int | None) -> bool:
        return Budget(end, nodes, 99, 0.0, False, 1, 100, StopFlag()).small

    now = time.monotonic()
    assert [small(None, FEW_NODES - 1), small(now + SHORT, None), small(now + SHORT, FEW_NODES)] == [True] * 3
    assert [small(None, FEW_NODES), small(now + 60, None), small(None, None)] == [False] * 3
    assert told(Settings(seed=3), Limits(nodes=FEW_NODES - 1)) != told(Settings(seed=3), Limits(nodes=FEW_NODES))


def test_each_round_uses_its_part_of_what_is_left() -> None:
    _, lines = told(Settings(seed=3), Limits(nodes=9000))
    used = [line.nodes for line in lines if isinstance(line, Info)]
    assert len(used) == len(SHAPE["rounds"])
    for before, after, part in zip(used, used[1:], SHAPE["parts"][1:], strict=False):
        assert after - before == int(part * (9000 - before))


def test_two_threads_share_the_nodes() -> None:
    step, lines = told(Settings(seed=3, threads=2), Limits(nodes=4000))
    assert step in SKYCLAIM.start(6).legal()
    assert 3000 < max(line.nodes for line in lines if isinstance(line, Info)) <= 4000


def test_every_algorithm_is_an_option() -> None:
    option = next(option for option in ENGINE_OPTIONS if option.name == "Algorithm")
    assert option.choices == (AUTO, *ALGORITHMS)


@pytest.mark.parametrize(("name", "instead"), [("islands", "regrets"), ("rockets", "mcts")])
def test_a_game_that_it_cannot_play_is_refused_with_a_reason(name: str, instead: str) -> None:
    algorithm, reason = choose("expectimax", game(name))
    assert algorithm is ALGORITHMS[instead]
    assert name in reason
    assert choose(AUTO, game(name)) == (algorithm, "")
    step, lines = told(Settings(seed=3), Limits(nodes=500), name)
    assert step is not None
    assert reason in lines
    view = game(name).start(6).observe(1)
    with pytest.raises(ValueError, match=name):
        Expectimax(view, 1, [0], 1, SHAPE)


def by_depth(drones: str, step: str) -> list[float]:
    """The value of a step looked at 0 and 1 turns beyond."""
    line = f"{STARS} {drones} 11/11/11/11/11/11/11/11/11/11/11 S 0 - - 9 0000000000000007"
    view = SKYCLAIM.parse(line).observe(1)
    steps = view.steps()
    search = Expectimax(view, 1, list(steps.values()), 4, {**SHAPE, "rounds": [(1 << 20, 0), (1 << 20, 1)]})
    values = []
    for r in range(2):
        search.begin(r)
        search.run(r, search.nodes + 60_000, 0.0, StopFlag())
        mean = search.means()[list(steps).index(step)]
        assert mean is not None
        values.append(mean[1])
    return values


def test_it_looks_at_the_reply() -> None:
    """A siege that will stand beside the own Command in the next turn is seen with the reply, not before."""
    before, after = by_depth("Mf1,Sk5=1,xf3,mf11", "claim:k5")
    assert before > 0.1
    assert after == pytest.approx(3 * 1e-6 / 2, rel=1e-9)  # a loss, and a later one is less bad by so much a ply
