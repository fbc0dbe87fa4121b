"""The bot: decides for a seat what to play, by its skill, within its limits, from what the seat may know."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable

from ..game import Position
from . import clock
from .algorithms import Budget, choose
from .onestep import candidates, known_from, random_step
from .settings import Info, Limits, Settings
from .skill import Level, mix, random_seed
from .stop import StopFlag

Report = Callable[["Info | str"], None]

#: sets of orders that are drawn and compared where all seats decide at once
CANDIDATES = 300


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
        """The best of the steps by the algorithm that is set, told as it gets better."""
        begin = time.monotonic()
        allowance = clock.allowance(limits, seat, self.settings.move_overhead)
        end = None if allowance is None else begin + allowance / 1000
        own = not (limits.infinite or limits.movetime or limits.nodes)
        budget = Budget(begin, end, limits.nodes, limits.depth, own, limits.infinite, self.settings.threads, stop)
        search, refusal = choose(self.settings.algorithm, view.game)
        if refusal:
            report(refusal)
        steps = list(numbers)
        best = 0
        for ranking in search(view, seat, list(numbers.values()), mix(self.seed, view.key), budget):
            elapsed = int(1000 * (time.monotonic() - begin))
            for place, (i, win, lead) in enumerate(ranking.steps[: self.settings.multipv], 1):
                report(Info(ranking.depth, ranking.depth, ranking.nodes, elapsed, win, lead, place, (steps[i],)))
            if ranking.steps:
                best = ranking.steps[0][0]
        return steps[best]
