"""The bot: decides for a seat what to play, by its skill, within its limits, from what the seat may know."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable

from ..game import Position
from . import clock
from .onestep import OneStep, candidates, known_from, random_step
from .settings import Info, Limits, Settings
from .skill import Level, mix, random_seed
from .stop import StopFlag

Report = Callable[["Info | str"], None]

#: rounds of samples where no limit is given
OWN_ROUNDS = 16
#: sets of orders that are drawn and compared where all seats decide at once
CANDIDATES = 300
#: what a free step must gain, in units of the evaluation, to be worth its missile
FREE_STEP_GAIN = 0.25
#: an expected result that no doubt is left about
SURE = 0.9999
NO_LIMIT = (1 << 63) - 1


class Bot:
    """Plays one seat at a time; what it keeps between decisions is only its seed."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self._own_seed = secrets.randbits(63)

    def new_game(self) -> None:
        """Forget the game that was; without a fixed seed, choose another."""
        self._own_seed = secrets.randbits(63)

    @property
    def seed(self) -> int:
        return self.settings.seed or self._own_seed

    @property
    def level(self) -> Level:
        if self.settings.limit_strength:
            return Level.of_rating(self.settings.elo)
        return Level.of_skill(self.settings.skill)

    def decide(self, position: Position, limits: Limits, stop: StopFlag, report: Report) -> str | None:
        """The step for the seat to move, None when the game is over.

        ``report`` is called from here with Info lines and texts. Only what the seat can see of ``position`` is used.
        """
        seat = position.seat
        view = position.observe(seat) if seat else position
        steps = self._choices(view, seat, limits.searchmoves)
        if not steps:
            return None
        level = self.level
        if level.plays_best(self.seed, view.turn, seat):
            known = {step: n for step, n in steps.items() if known_from(view.game.table, n) <= level.knowledge}
            step = self._best(view, seat, known or steps, limits, stop, report)
        else:
            seed = random_seed(self.seed, view.turn, seat, view.key)
            step = view.text(random_step(view, seat, seed))
            if limits.searchmoves and step not in steps:
                step = list(steps)[seed % len(steps)]
            report("this turn is a random one")
        if self.settings.explain:
            report(view.explain(step))
        return step

    def hint(self, position: Position, limits: Limits, stop: StopFlag, report: Report) -> str | None:
        """The best step to show to a person (Skyclaim: a swap), whatever the skill; None where there is none."""
        seat = position.seat
        view = position.observe(seat) if seat else position
        steps = {step: n for step, n in self._choices(view, seat, ()).items() if view.is_hint(step)}
        return self._best(view, seat, steps, limits, stop, report) if steps else None

    def _choices(self, view: Position, seat: int, searchmoves: tuple[str, ...]) -> dict[str, int]:
        """The steps to choose among, with their numbers: all legal ones, or a sample where they are sets of orders."""
        if not seat:
            return {}
        if view.game.info.simultaneous:
            if searchmoves:
                return {step: view.number(step, seat) for step in searchmoves}
            drawn = candidates(view, seat, mix(self.seed, view.key, 2), CANDIDATES)
            return {view.text(number): number for number in drawn}
        steps = view.steps()
        return {step: number for step, number in steps.items() if not searchmoves or step in searchmoves}

    def _best(
        self, view: Position, seat: int, numbers: dict[str, int], limits: Limits, stop: StopFlag, report: Report
    ) -> str:
        """One-step lookahead in rounds, 1, 2, 4, … of them between two reports."""
        begin = time.monotonic()
        allowance = clock.allowance(limits, seat, self.settings.move_overhead)
        deadline = begin + allowance / 1000 if allowance is not None else 0.0
        nodes = limits.nodes if limits.nodes is not None else NO_LIMIT
        own_budget = not (limits.infinite or limits.movetime or limits.nodes)
        left = OWN_ROUNDS if own_budget else NO_LIMIT
        steps = list(numbers)
        search = OneStep(view, seat, list(numbers.values()), mix(self.seed, view.key))
        batch = 1
        while left > 0:
            going = search.run(min(batch, left), nodes, deadline, stop)
            left -= batch
            batch *= 2
            order = self._report(search, steps, begin, report)
            if not going:
                break
        return steps[order[0]]

    def _report(self, search: OneStep, steps: list[str], begin: float, report: Report) -> list[int]:
        """Tell the best steps so far; returns the steps' indices, best first."""
        means = search.means()
        worth_it = search.standing() + FREE_STEP_GAIN
        elapsed = int(1000 * (time.monotonic() - begin))

        def rank(i: int) -> tuple[int, float]:
            # an action that wins; a free step that gains enough, since an action follows it anyway; actions; the rest
            mean = means[i]
            if mean is None:
                return 4, 0.0
            value, win, _ = mean
            if search.free_steps[i]:
                return (1 if value > worth_it else 3), -value
            return (0 if win > SURE else 2), -value

        order = sorted(range(len(steps)), key=rank)
        for place, i in enumerate(order[: self.settings.multipv], 1):
            mean = means[i]
            if mean is not None:
                report(Info(1, 1, search.nodes, elapsed, mean[1], mean[2], place, (steps[i],)))
        return order
