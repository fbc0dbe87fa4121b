"""The tree: its limits, its memory, what it refuses, what it may not know, and what it sees."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from skyclaim_engine import game
from skyclaim_engine.game import Position
from skyclaim_engine.search import Bot, Info, Limits, Settings, StopFlag
from skyclaim_engine.search.algorithms import ALGORITHMS, NO_DEPTH, choose
from skyclaim_engine.search.mcts import Mcts

PLENTY = 1 << 40
MIB = 1 << 20
TABLES = [("skyclaim", {}), ("skyclaim", {"Fog": "dark"}), ("rockets", {"Pilots": 2}), ("rockets", {"Pilots": 5})]


def tree(position: Position, seed: int = 5, *, depth: int = NO_DEPTH, memory: int = MIB) -> Mcts:
    view = position.observe(position.seat)
    return Mcts(view, position.seat, list(view.steps().values()), seed, depth, memory)


def decide(position: Position, settings: Settings, limits: Limits) -> tuple[str, list[Info]]:
    told: list[Info | str] = []
    settings = replace(settings, algorithm="mcts")
    step = Bot(settings).decide(position, limits, StopFlag(), told.append)
    assert step is not None
    return step, [line for line in told if isinstance(line, Info)]


def walk(name: str, options: dict[str, object], seed: int, steps: int) -> Position:
    """A position after some random steps."""
    position = game(name).start(seed, options)
    rng = random.Random(seed)
    for _ in range(steps):
        after = position.copy()
        after.apply(rng.choice(position.legal()))
        if after.result:
            return position
        position = after
    return position


@pytest.mark.parametrize(("name", "options"), TABLES)
def test_answers_are_legal_and_limits_exact(name: str, options: dict[str, object]) -> None:
    for seed in range(6):
        position = walk(name, options, seed, 12 * seed)
        for nodes in (1, 10, 97, 1500):
            step, told = decide(position, Settings(seed=seed + 1, multipv=3), Limits(nodes=nodes))
            assert step in position.legal()
            assert told[-1].nodes == nodes or (told[-1].nodes < nodes and told[-1].win == 1)  # what is certain
            assert 0 <= told[-1].win <= 1


@pytest.mark.parametrize(("name", "options"), TABLES)
def test_the_same_seed_gives_the_same_answer_and_another_does_not(name: str, options: dict[str, object]) -> None:
    position = walk(name, options, 3, 50)

    def told(seed: int) -> list[tuple[int, float, tuple[str, ...]]]:
        lines = decide(position, Settings(seed=seed, multipv=5), Limits(nodes=3000))[1]
        return [(line.nodes, line.win, line.pv) for line in lines]

    assert told(7) == told(7) != told(8)


def test_each_step_is_looked_at_before_the_tree_grows() -> None:
    position = walk("rockets", {}, 3, 50)
    search = tree(position)
    search.run(len(position.legal()), 0.0, StopFlag())
    assert [visits for visits, _, _ in search.roots_seen()] == [1] * len(position.legal())
    search.run(5000, 0.0, StopFlag())
    assert search.nodes == 5000
    visits = [visits for visits, _, _ in search.roots_seen()]
    assert sum(visits) > 100
    assert max(visits) > 2 * min(visits)


def test_a_full_memory_ends_growth_not_the_search() -> None:
    position = walk("rockets", {}, 3, 50)
    small, large = tree(position, memory=0), tree(position, memory=4 * MIB)
    for search in (small, large):
        search.run(20_000, 0.0, StopFlag())
        assert search.nodes == 20_000
    assert small.depth == 1
    assert large.depth > 3


def test_depth_is_kept() -> None:
    position = walk("rockets", {}, 3, 50)
    for depth in (1, 2, 3):
        assert decide(position, Settings(seed=3), Limits(nodes=4000, depth=depth))[1][-1].depth == depth


def test_two_threads_share_the_nodes() -> None:
    position = walk("rockets", {"Pilots": 4}, 3, 70)
    step, told = decide(position, Settings(seed=3, threads=2), Limits(nodes=4000))
    assert step in position.legal()
    assert 3000 < told[-1].nodes <= 4000


def test_a_stop_ends_it_at_once() -> None:
    flag = StopFlag()
    flag.set()
    search = tree(walk("rockets", {}, 3, 50))
    search.run(PLENTY, 0.0, flag)
    assert search.nodes == 0


def test_where_all_decide_at_once_it_is_refused() -> None:
    view = game("islands").start(3).observe(1)
    _, reason = choose("mcts", view.game)
    assert "at once" in reason
    assert choose("mcts", game("rockets")) == (ALGORITHMS["mcts"], "")
    with pytest.raises(ValueError, match="at once"):
        Mcts(view, 1, [0], 1, 9, MIB)


def test_a_win_in_one_is_taken_at_once() -> None:
    line = game("skyclaim").start(2).line().replace("Xg1,", "").replace("xe11,", "Xd10,")
    step, told = decide(game("skyclaim").parse(line), Settings(seed=1), Limits(nodes=2000))
    assert step in ("move:d10e10", "move:d10e11")
    assert told[-1].win == pytest.approx(1, abs=1e-3)


def winning_traces(position: Position) -> list[str]:
    wins = []
    for step in position.legal():
        after = position.copy()
        after.apply(step)
        if step.startswith("trace") and after.result and after.result.scores[position.seat - 1] == 1:
            wins.append(step)
    return wins


@pytest.mark.parametrize("pilots", [2, 3])
def test_wins_in_one_of_rockets_are_taken(pilots: int) -> None:
    """Wherever random play comes to a trace that wins, it is played."""
    found = 0
    for seed in range(40):
        position = game("rockets").start(seed, {"Pilots": pilots})
        rng = random.Random(seed)
        while not position.result:
            wins = winning_traces(position)
            if wins:
                found += 1
                assert decide(position, Settings(seed=seed + 1), Limits(nodes=600))[0] in wins
            position.apply(rng.choice(position.legal()))
    assert found > 5


def test_the_order_of_the_stack_does_not_matter() -> None:
    words = game("rockets").start(5, {"Wormholes": True, "AsteroidBelt": True}).line().split()
    laid, stack = words[2].split("+")
    answers = []
    for seed in range(4):
        mixed = "".join(random.Random(seed).sample(stack, len(stack)))
        position = game("rockets").parse(" ".join([*words[:2], f"{laid}+{mixed}", *words[3:7], f"{seed:016x}"]))
        step, told = decide(position, Settings(seed=9), Limits(nodes=2000))
        answers.append((step, told[-1].win))
    assert len(set(answers)) == 1


def test_dark_squares_do_not_matter() -> None:
    position = walk("skyclaim", {"Fog": "dark"}, 4, 20)
    views = (position, position.observe(position.seat))
    assert len({decide(view, Settings(seed=9), Limits(nodes=1500))[0] for view in views}) == 1
