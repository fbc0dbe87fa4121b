"""The algorithms of search, by name: each a generator that tells, again and again, which steps are best so far."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from ..game import Game, Position
from .expectimax import Expectimax, has_priors
from .joint import Joint
from .mcts import Mcts
from .onestep import OneStep
from .skill import mix
from .solver import Solver, is_solvable
from .stop import StopFlag

#: rounds of samples of the one-step search where no limit is given
OWN_ROUNDS = 16
#: nodes of an expectimax, a tree or a regret matching where no limit is given
OWN_NODES = 100_000
#: nodes of a tree or a regret matching until it first tells how it stands; then twice as many, and so on
FIRST_NODES = 1000
#: the part of its nodes or time that regret matching uses to screen the steps
SCREENING = 0.3
#: what a free step must gain, in units of the evaluation, to be worth what it costs: one-step search cannot see it
FREE_STEP_GAIN = 0.25
#: an expected result that no doubt is left about
SURE = 0.9999
#: the part of the nodes and of the time that is for what is certain, and the nodes where none are set
SOLVER_PART = 0.25
SOLVER_NODES = 10_000
#: what the solver says of a step (`Solver.verdicts`)
LOSS, OPEN, WIN_NEXT, WIN_LATER, WIN = range(-1, 4)
#: more than any search uses, with room for what is added to it
NO_LIMIT = 1 << 60
#: deeper than any search
NO_DEPTH = 256
#: as many steps as there are
ALL = 1 << 20
#: how an expectimax looks. By plies below the root: how many of the most promising steps it looks at; by rounds: how
#: many root steps stay in the race, how many turns beyond them it looks, and what part it uses of the nodes or the time
#: that are left (the first is one sample of each step).
SHAPE: dict[str, list[Any]] = {
    "width": [6, 4, 3, 2],
    "rounds": [(ALL, 0), (30, 0), (16, 2), (6, 3)],
    "parts": [1.0, 0.1, 0.5, 1.0],
}
#: the same with fewer nodes, or less time in seconds, than these: else a deep round would not see each of its steps
FEW_NODES, SHORT = 3000, 0.008
SMALL_SHAPE: dict[str, list[Any]] = {**SHAPE, "width": [4, 3, 2, 2], "rounds": [(ALL, 0), (30, 0), (6, 2), (3, 3)]}


@dataclass(frozen=True)
class Budget:
    """What one search may use: ``nodes``, the time until ``end`` (monotonic clock), at most ``depth``.

    ``own`` is the part of the algorithm's own measure that bounds it, 0 if something else does; ``endless`` says
    that nothing but ``stop`` does. ``knowledge`` is the skill whose evaluation is used, ``hash_mib`` what the trees of
    all threads may fill. ``worlds`` are the positions that a belief supposes, as structs one after the other; with
    none, each sample imagines one. ``vain`` are steps that have led nowhere: they are searched
    only where all others are certainly worse.
    """

    end: float | None
    nodes: int | None
    depth: int
    own: float
    endless: bool
    threads: int
    knowledge: int
    stop: StopFlag
    worlds: bytes = b""
    vain: frozenset[int] = frozenset()
    hash_mib: int = 16

    @property
    def own_nodes(self) -> int:
        """The nodes that bound it, of its own or as a limit says."""
        return int(OWN_NODES * self.own) if self.own else NO_LIMIT if self.nodes is None else self.nodes

    def deadline(self, part: float = 1.0) -> float:
        """When so large a part of the time that is left is over; 0 where no time is set."""
        now = time.monotonic()
        return 0.0 if self.end is None else now + part * (self.end - now)

    @property
    def small(self) -> bool:
        """Whether it is too small for the usual shape of an expectimax."""
        return self.own_nodes < FEW_NODES or (self.end is not None and self.end - time.monotonic() < SHORT)

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
    shape = SMALL_SHAPE if budget.small else SHAPE
    shape = {**shape, "rounds": [(keep, min(depth, budget.depth - 1)) for keep, depth in shape["rounds"]]}
    team = [
        Expectimax(view, seat, numbers, mix(seed, number), shape, budget.knowledge, budget.worlds)
        for number in range(budget.threads)
    ]
    search = team[0]
    nodes, rounds = OWN_NODES if budget.endless else budget.own_nodes, search.rounds
    for r, part in enumerate(shape["parts"]):
        search.begin(r)
        _run_round(team, r, int(part * (nodes - search.nodes)), budget.deadline(part), budget.stop)
        yield _rank_race(search, r)
        if budget.over(search.nodes):
            return
    while budget.endless:
        _run_round(team, rounds - 1, search.nodes, 0.0, budget.stop)
        yield _rank_race(search, rounds - 1)
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
    each = nodes // len(team)
    _together(
        partial(leader.run, r, leader.nodes + each, deadline, stop),
        *(partial(helper.run, r, each, deadline, stop) for helper in helpers),
    )
    for helper in helpers:
        leader.absorb(helper)


def _together(first: Callable[[], None], *others: Callable[[], None]) -> None:
    """Call all of them at the same time, each in a thread, the first one in this."""
    threads = [threading.Thread(target=other, daemon=True) for other in others]
    for thread in threads:
        thread.start()
    first()
    for thread in threads:
        thread.join()


def _rank_race(search: Expectimax, r: int) -> Ranking:
    means = [(i, mean) for i, mean in enumerate(search.means()) if mean is not None]
    means.sort(key=lambda entry: (not entry[1][0], -entry[1][1]))
    return Ranking(search.depth(r) + 1, search.nodes, tuple((i, win, lead) for i, (_, win, lead) in means))


def mcts(view: Position, seat: int, numbers: list[int], seed: int, budget: Budget) -> Iterator[Ranking]:
    """A tree for each thread, all over the same steps; how often and how well a step did is counted in all of them."""
    memory = (budget.hash_mib << 20) // budget.threads
    team = [
        Mcts(view, seat, numbers, mix(seed, number), budget.depth, memory, budget.knowledge, budget.worlds)
        for number in range(budget.threads)
    ]
    for nodes in _doubling(FIRST_NODES, budget.own_nodes):
        _together(*(partial(tree.run, nodes // len(team), budget.deadline(), budget.stop) for tree in team))
        used = sum(tree.nodes for tree in team)
        yield _rank_trees(team, used)
        if budget.over(used):
            return


def _doubling(first: int, last: int) -> Iterator[int]:
    while first < last:
        yield first
        first *= 2
    yield last


def _rank_trees(team: list[Mcts], nodes: int) -> Ranking:
    """What wins for certain, then what was looked at most."""
    found = []
    for i, seen in enumerate(zip(*(tree.roots_seen() for tree in team), strict=True)):
        visits = sum(part[0] for part in seen)
        if visits:
            win = sum(part[1] for part in seen) / visits
            lead = None if seen[0][2] is None else sum(part[2] or 0.0 for part in seen) / visits
            found.append((i, visits, win, lead))
    found.sort(key=lambda step: (step[2] if step[2] > SURE else 0, step[1], step[2]), reverse=True)
    depth = max(1, max(tree.depth for tree in team))
    return Ranking(depth, nodes, tuple((i, win, lead) for i, _, win, lead in found))


def regrets(view: Position, seat: int, numbers: list[int], seed: int, budget: Budget) -> Iterator[Ranking]:
    """The best steps against nothing, then regret matching among them; each thread has luck of its own."""
    team = [Joint(view, seat, numbers, mix(seed, number), budget.knowledge) for number in range(budget.threads)]
    leader, *helpers = team
    total = budget.own_nodes
    nodes = max(min(total, len(numbers)), int(SCREENING * total)) if total < NO_LIMIT else NO_LIMIT
    leader.screen(nodes, budget.deadline(SCREENING), budget.stop)
    screened = [(i, mean) for i, mean in enumerate(leader.screened()) if mean is not None]
    screened.sort(key=lambda step: -step[1])
    yield Ranking(1, leader.nodes, tuple((i, win, None) for i, win in screened))
    if budget.over(leader.nodes):
        return
    for helper in helpers:
        helper.follow(leader)
    begun = leader.nodes
    for nodes in _doubling(FIRST_NODES, total - begun):
        each = nodes // len(team)
        _together(
            partial(leader.run, begun + each, budget.deadline(), budget.stop),
            *(partial(helper.run, each, budget.deadline(), budget.stop) for helper in helpers),
        )
        used = sum(search.nodes for search in team)
        yield _rank_regrets(team, numbers, screened, used)
        if budget.over(used):
            return


def _rank_regrets(team: list[Joint], numbers: list[int], screened: list[tuple[int, float]], nodes: int) -> Ranking:
    """By the chance in the average strategy; then what it leaves out, as it was screened."""
    rounds = sum(search.iterations for search in team)
    if not rounds:
        return Ranking(1, nodes, tuple((i, win, None) for i, win in screened))
    tables = [search.played() for search in team]
    place = {number: i for i, number in enumerate(numbers)}
    kept = []
    for number in tables[0]:
        weight, value = (sum(table[number][which] for table in tables) for which in (0, 1))
        kept.append((weight, value / rounds, place[number]))
    kept.sort(reverse=True)
    left = [(i, win) for i, win in screened if numbers[i] not in tables[0]]
    return Ranking(1, nodes, (*((i, win, None) for _, win, i in kept), *((i, win, None) for i, win in left)))


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
        kept = [i for i in kept if numbers[i] not in budget.vain] or kept
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
ALGORITHMS = {
    "expectimax": Algorithm(expectimax),
    "mcts": Algorithm(mcts),
    "regrets": Algorithm(regrets),
    "onestep": Algorithm(one_step, one_step=True),
}


def unfit(name: str, game: Game) -> str:
    """Why an algorithm does not play a game; empty if it does."""
    if name == "expectimax" and not has_priors(game.table):
        return f"expectimax does not play {game.info.name}, which has no quick guess of how promising a step is"
    if name == "mcts" and game.info.simultaneous:
        return f"mcts does not play {game.info.name}, where all seats decide at once"
    if name == "regrets" and not game.info.simultaneous:
        return f"regrets does not play {game.info.name}, where one seat decides at a time"
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
