"""The algorithms of search, by name: each a generator that tells, again and again, which steps are best so far."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..game import Game, Position
from .expectimax import Expectimax, has_priors
from .onestep import OneStep
from .skill import mix
from .stop import StopFlag

#: rounds of samples of the one-step search where no limit is given
OWN_ROUNDS = 16
#: nodes of an expectimax where no limit is given
OWN_NODES = 100_000
#: what a free step must gain, in units of the evaluation, to be worth what it costs: one-step search cannot see it
FREE_STEP_GAIN = 0.25
#: an expected result that no doubt is left about
SURE = 0.9999
NO_LIMIT = (1 << 63) - 1
#: how an expectimax looks. By plies below the root: how many of the most promising steps it looks at; by rounds: how
#: many root steps stay in the race, and how many turns beyond them it looks.
SHAPE = {
    "width": [8, 6, 5, 4],
    "rounds": [(1 << 20, 0), (30, 0), (16, 1), (6, 1)],
}


@dataclass(frozen=True)
class Budget:
    """What one search may use: ``nodes``, the time from ``begin`` to ``end`` (monotonic clock), at most ``depth``.

    ``own`` says that the algorithm's own measure bounds it, ``endless`` that nothing but ``stop`` does.
    """

    begin: float
    end: float | None
    nodes: int | None
    depth: int | None
    own: bool
    endless: bool
    threads: int
    stop: StopFlag

    def deadline(self, share: float = 1.0) -> float:
        """When so large a share of the time is over; 0 where no time is set."""
        return 0.0 if self.end is None else self.begin + share * (self.end - self.begin)

    def over(self, nodes: int) -> bool:
        """Whether the search has to end, having used so many nodes."""
        late = self.end is not None and time.monotonic() >= self.end
        return late or self.stop.is_set() or (self.nodes is not None and nodes >= self.nodes)


@dataclass(frozen=True)
class Ranking:
    """How it stands: the steps looked at as (index, win, lead), best first, after so many nodes at such a depth."""

    depth: int
    nodes: int
    steps: tuple[tuple[int, float, float | None], ...]


Algorithm = Callable[[Position, int, list[int], int, Budget], Iterator[Ranking]]


def one_step(view: Position, seat: int, numbers: list[int], seed: int, budget: Budget) -> Iterator[Ranking]:
    """One-step lookahead in rounds, 1, 2, 4, … of them between two rankings."""
    search = OneStep(view, seat, numbers, seed)
    nodes = NO_LIMIT if budget.nodes is None else budget.nodes
    left = OWN_ROUNDS if budget.own else NO_LIMIT
    batch = 1
    while left > 0:
        going = search.run(min(batch, left), nodes, budget.deadline(), budget.stop)
        left -= batch
        batch *= 2
        yield _rank_one_step(search)
        if not going:
            return


def _rank_one_step(search: OneStep) -> Ranking:
    worth_it = search.standing() + FREE_STEP_GAIN
    means = search.means()

    def rank(i: int) -> tuple[int, float]:
        # an action that wins; a free step that gains enough, since an action follows it anyway; actions; the rest
        mean = means[i]
        assert mean is not None
        value, win, _ = mean
        if search.free_steps[i]:
            return (1 if value > worth_it else 3), -value
        return (0 if win > SURE else 2), -value

    order = sorted((i for i, mean in enumerate(means) if mean is not None), key=rank)
    return Ranking(1, search.nodes, tuple((i, mean[1], mean[2]) for i in order if (mean := means[i]) is not None))


def expectimax(view: Position, seat: int, numbers: list[int], seed: int, budget: Budget) -> Iterator[Ranking]:
    """A race in rounds that go deeper while fewer steps stay; the last round goes on while there is budget.

    With more threads each has samples of its own of the same steps, which are put together after each round.
    """
    team = [Expectimax(view, seat, numbers, mix(seed, number), SHAPE) for number in range(budget.threads)]
    search = team[0]
    nodes = OWN_NODES if budget.own else NO_LIMIT if budget.nodes is None else budget.nodes
    rounds = [r for r in range(search.rounds) if budget.depth is None or search.depth(r) < max(budget.depth, 1)]
    for place, r in enumerate(rounds):
        left = len(rounds) - place
        limit = OWN_NODES // len(rounds) if budget.endless else (nodes - search.nodes) // left if r else nodes
        search.begin(r)
        _run_round(team, r, limit, budget.deadline((place + 1) / len(rounds)), budget.stop)
        yield _rank_race(search, r)
        if budget.over(search.nodes):
            return
    while budget.endless:
        _run_round(team, rounds[-1], search.nodes, 0.0, budget.stop)
        yield _rank_race(search, rounds[-1])
        if budget.over(search.nodes):
            return


def _run_round(team: list[Expectimax], r: int, nodes: int, deadline: float, stop: StopFlag) -> None:
    """A round that has begun, or more of it, by all threads together; its result is with the first of the ``team``."""
    leader, *helpers = team
    if not helpers:
        leader.run(r, leader.nodes + nodes, deadline, stop)
        return
    for helper in helpers:
        helper.follow(leader)
    threads = [
        threading.Thread(target=helper.run, args=(r, nodes // len(team), deadline, stop), daemon=True)
        for helper in helpers
    ]
    for thread in threads:
        thread.start()
    leader.run(r, leader.nodes + nodes // len(team), deadline, stop)
    for thread in threads:
        thread.join()
    for helper in helpers:
        leader.absorb(helper)


def _rank_race(search: Expectimax, r: int) -> Ranking:
    means = [(i, mean) for i, mean in enumerate(search.means()) if mean is not None]
    means.sort(key=lambda entry: (not entry[1][0], -entry[1][1]))
    return Ranking(search.depth(r) + 1, search.nodes, tuple((i, win, lead) for i, (_, win, lead) in means))


#: the choice of the best one that fits the game
AUTO = "auto"
#: by name; the first that fits a game is used where none is asked for
ALGORITHMS: dict[str, Algorithm] = {"onestep": one_step, "expectimax": expectimax}


def unfit(name: str, game: Game) -> str:
    """Why an algorithm does not play a game; empty if it does."""
    if name == "expectimax" and not has_priors(game.table):
        return f"expectimax does not play {game.info.name}, which has no quick guess of how promising a step is"
    return ""


def choose(name: str, game: Game) -> tuple[Algorithm, str]:
    """The algorithm of that name, or the best one for the game; and if the wish cannot be met, why."""
    reason = unfit(name, game)
    if name == AUTO or reason:
        name = next(known for known in ALGORITHMS if not unfit(known, game))
    return ALGORITHMS[name], reason
