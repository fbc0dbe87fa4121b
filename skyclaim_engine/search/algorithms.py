"""The algorithms of search, by name: each a generator that tells, again and again, which steps are best so far."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from ..game import Game, Position
from .expectimax import Expectimax, has_priors
from .onestep import OneStep
from .skill import mix
from .solver import Solver, is_solvable
from .stop import StopFlag

#: rounds of samples of the one-step search where no limit is given
OWN_ROUNDS = 16
#: nodes of an expectimax where no limit is given
OWN_NODES = 100_000
#: what a free step must gain, in units of the evaluation, to be worth what it costs: one-step search cannot see it
FREE_STEP_GAIN = 0.25
#: an expected result that no doubt is left about
SURE = 0.9999
#: the part of the nodes and of the time that is for what is certain, and the nodes where none are set
SOLVER_PART = 0.25
SOLVER_NODES = 10_000
#: what the solver says of a step (`Solver.verdicts`)
LOSS, OPEN, WIN_NEXT, WIN_LATER, WIN = range(-1, 4)
NO_LIMIT = (1 << 63) - 1
#: deeper than any search
NO_DEPTH = 256
#: how an expectimax looks. By plies below the root: how many of the most promising steps it looks at; by rounds: how
#: many root steps stay in the race, and how many turns beyond them it looks.
SHAPE = {
    "width": [8, 6, 5, 4],
    "rounds": [(1 << 20, 0), (30, 0), (16, 1), (6, 1)],
}


@dataclass(frozen=True)
class Budget:
    """What one search may use: ``nodes``, the time from ``begin`` to ``end`` (monotonic clock), at most ``depth``.

    ``own`` is the part of the algorithm's own measure that bounds it, 0 if something else does; ``endless`` says
    that nothing but ``stop`` does. ``knowledge`` is the skill whose evaluation is used. ``worlds`` are the positions
    that a belief supposes, as structs one after the other; with none, each sample imagines one.
    """

    begin: float
    end: float | None
    nodes: int | None
    depth: int
    own: float
    endless: bool
    threads: int
    knowledge: int
    stop: StopFlag
    worlds: bytes = b""

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


Think = Callable[[Position, int, list[int], int, Budget], Iterator[Ranking]]


@dataclass(frozen=True)
class Algorithm:
    """``think(view, seat, numbers, seed, budget)`` tells again and again how the steps ``numbers`` stand.

    ``one_step``: it sees no further than the step itself, so that a free step has its action still to come.
    """

    think: Think
    one_step: bool = False


def one_step(view: Position, seat: int, numbers: list[int], seed: int, budget: Budget) -> Iterator[Ranking]:
    """One-step lookahead in rounds, 1, 2, 4, … of them between two rankings."""
    search = OneStep(view, seat, numbers, seed, budget.knowledge, budget.worlds)
    nodes = NO_LIMIT if budget.nodes is None else budget.nodes
    left = max(1, int(OWN_ROUNDS * budget.own)) if budget.own else NO_LIMIT
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
    team = [
        Expectimax(view, seat, numbers, mix(seed, number), SHAPE, budget.knowledge, budget.worlds)
        for number in range(budget.threads)
    ]
    search = team[0]
    nodes = int(OWN_NODES * budget.own) if budget.own else NO_LIMIT if budget.nodes is None else budget.nodes
    rounds = [r for r in range(search.rounds) if search.depth(r) < budget.depth]
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


#: the least skill that looks for what is certain about the replies (docs/skill.md)
CERTAIN_FROM = 50


def certain_first(search: Think) -> Think:
    """The same search, but not of what is certain: a win is told at once, and a step that loses at once comes last."""

    def solve_and_search(view: Position, seat: int, numbers: list[int], seed: int, budget: Budget) -> Iterator[Ranking]:
        if budget.knowledge < CERTAIN_FROM:
            yield from search(view, seat, numbers, seed, budget)
            return
        solver = Solver(view, seat, numbers, mix(seed, SOLVER_NODES))
        nodes = SOLVER_NODES if budget.nodes is None else int(SOLVER_PART * budget.nodes)
        solver.run(nodes, budget.deadline(SOLVER_PART), budget.stop)
        verdicts = solver.verdicts()
        best = max(verdicts)
        kept = [i for i, verdict in enumerate(verdicts) if verdict == best]
        if best > OPEN:
            yield Ranking(3 if best == WIN_NEXT else 1, solver.nodes, tuple((i, 1.0, None) for i in kept))
            if not budget.endless:
                return
        if budget.nodes is not None:
            budget = replace(budget, nodes=budget.nodes - solver.nodes)
        lost = tuple((i, 0.0, None) for i, verdict in enumerate(verdicts) if verdict == LOSS < best)
        for ranking in search(view, seat, [numbers[i] for i in kept], seed, budget):
            steps = tuple((kept[i], 1.0 if best > OPEN else win, lead) for i, win, lead in ranking.steps)
            yield Ranking(ranking.depth, solver.nodes + ranking.nodes, steps + lost)

    return solve_and_search


#: the choice of the best one that fits the game
AUTO = "auto"
#: by name; the first that fits a game is used where none is asked for
ALGORITHMS = {"expectimax": Algorithm(expectimax), "onestep": Algorithm(one_step, one_step=True)}


def unfit(name: str, game: Game) -> str:
    """Why an algorithm does not play a game; empty if it does."""
    if name == "expectimax" and not has_priors(game.table):
        return f"expectimax does not play {game.info.name}, which has no quick guess of how promising a step is"
    return ""


def suitable(name: str, game: Game) -> str:
    """That name, or if it does not fit, that of the best algorithm that does."""
    if name == AUTO or unfit(name, game):
        return next(known for known in ALGORITHMS if not unfit(known, game))
    return name


def choose(name: str, game: Game) -> tuple[Algorithm, str]:
    """The algorithm of that name, or the best one for the game; and if the wish cannot be met, why.

    Where a game knows its decisive steps, what is certain comes first.
    """
    found = ALGORITHMS[suitable(name, game)]
    return replace(found, think=certain_first(found.think)) if is_solvable(game.table) else found, unfit(name, game)
