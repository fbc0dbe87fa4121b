"""The bot: decides for a seat what to play, by its skill, within its limits, from what the seat may know."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator

from ..facts import Choice, Facts, Role
from ..game import Position
from . import clock, inquiry
from .algorithms import ALGORITHMS, AUTO, NO_DEPTH, Algorithm, Budget, choose, suitable
from .belief import Belief
from .onestep import candidates, known_from, random_step
from .settings import Info, Limits, Settings
from .skill import EXPERT, Level, mix, plan_of, random_seed
from .stop import StopFlag
from .tried import Tried

Report = Callable[["Info | str"], None]

#: sets of orders that are drawn and compared where all seats decide at once
CANDIDATES = 300
#: seconds that a search has at least, however long it took to catch up with what was seen in the dark
LEAST = 0.001
#: what a hint may use where no limit is given
HINT_NODES = 20_000
#: the algorithm that is asked about single steps, where it fits: it sees the reply
EXPLAINS = "expectimax"
#: milliseconds kept back for an explanation, where the time is limited, and how many of them go by before it is put
#: into words
TELLING, ASKING = 20, 8


class Bot:
    """Plays one seat at a time.

    Between decisions it keeps its seed, what each seat supposes about the hidden, and what it has tried.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self._own_seed = secrets.randbits(63)
        self._beliefs: dict[int, Belief] = {}
        self._game: tuple[str, int] | None = None  # what the beliefs are about, and made with which seed
        self._tried = Tried()

    def new_game(self) -> None:
        """Forget the game that was; without a fixed seed, choose another."""
        self._own_seed = secrets.randbits(63)
        self._beliefs.clear()
        self._tried.clear()

    @property
    def seed(self) -> int:
        return self.settings.seed or self._own_seed

    @property
    def level(self) -> Level:
        if self.settings.limit_strength:
            return Level.of_rating(self.settings.elo)
        return Level.of_skill(self.settings.skill)

    def see(self, position: Position) -> None:
        """Take in what the seat to move can see of ``position``, whether or not it will be asked here."""
        if position.seat:
            self._remember(position.observe(position.seat), position.seat)

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
        # what is seen now counts later, whatever is played
        self._remember(view, seat)
        if level.plays_best(self.seed, view.turn, seat):
            known = {step: n for step, n in steps.items() if known_from(view.game.table, n) <= level.knowledge}
            step = self._best(view, seat, known or steps, "played", level.knowledge, limits, stop, report)
        else:
            step = self._random(view, seat, steps, limits, report)
        number = steps[step] if step in steps else view.number(step, seat)  # a random set of orders may not be drawn
        self._tried.played(view, seat, number)
        if seat in self._beliefs:
            self._beliefs[seat].played(number)
        return step

    def _random(self, view: Position, seat: int, steps: dict[str, int], limits: Limits, report: Report) -> str:
        """A step of a random turn."""
        seed = random_seed(self.seed, view.turn, seat, view.key)
        step = view.text(random_step(view, seat, seed))
        if limits.searchmoves and step not in steps:
            step = list(steps)[seed % len(steps)]
        report(view.explain(step, lambda *_: Facts("random")) if self.settings.explain else "this turn is a random one")
        return step

    def hint(self, position: Position, limits: Limits, stop: StopFlag, report: Report) -> str | None:
        """The best step to show to a person (Skyclaim: a swap) by the full search, whatever the skill, and why.

        None where there is none.
        """
        seat = position.seat
        view = position.observe(seat) if seat else position
        steps = {step: n for step, n in self._choices(view, seat, ()).items() if view.is_hint(step)}
        if limits == Limits():
            limits = Limits(nodes=HINT_NODES)
        return self._best(view, seat, steps, "hint", EXPERT, limits, stop, report) if steps else None

    def explain(self, position: Position, step: str) -> str:
        """What a legal step does, how it compares and what could be done about it; raises IllegalStep.

        A small search of its own, at full skill, from what the seat that makes the step can see.
        """
        search = ALGORITHMS[suitable(EXPLAINS, position.game)]

        def ask(view: Position, seat: int, number: int) -> Facts:
            numbers = self._choices(view, seat, ())
            return inquiry.of_a_question(view, seat, number, numbers, search, self._luck(view))

        return position.explain(step, ask)

    def _luck(self, view: Position) -> int:
        """The seed of what an explanation draws."""
        return mix(self.seed, view.key, 3)

    def _remember(self, view: Position, seat: int) -> Belief | None:
        """The belief of ``seat``, which has seen this after all that it saw before; None where there is none."""
        if not self.settings.belief:
            self._beliefs.clear()  # what is not followed does not go on
        if not self.settings.belief or not view.game.info.hidden:
            return None
        game = (view.game.info.name, self.seed)
        if game != self._game:
            self._game = game
            self._beliefs.clear()
        belief = self._beliefs.get(seat)
        if belief is None:
            belief = self._beliefs[seat] = Belief(view.game.table, seat, self.seed)
        belief.see(view)
        return belief

    def _worlds(self, view: Position, seat: int) -> bytes:
        """The positions that ``seat`` supposes now; empty for none."""
        belief = self._remember(view, seat)
        return belief.worlds if belief else b""

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
        self,
        view: Position,
        seat: int,
        numbers: dict[str, int],
        role: Role,
        knowledge: int,
        limits: Limits,
        stop: StopFlag,
        report: Report,
    ) -> str:
        """The best of the steps, and if it is wanted the explanation, for which some of the time is kept back."""
        told = self.settings.explain or role == "hint"
        overhead = self.settings.move_overhead + (TELLING if told else 0)
        ranked: list[Choice] = []
        for choices in self._rankings(view, seat, numbers, knowledge, overhead, limits, stop, report):
            ranked = choices
        step = ranked[0].step if ranked else next(iter(numbers))
        if told:
            search, _ = self._search(view, knowledge)
            timed = clock.allowance(limits, seat, overhead) is not None
            end = time.monotonic() + ASKING / 1000

            def late() -> bool:
                return (timed or stop.is_set()) and time.monotonic() >= end

            facts = inquiry.of_a_choice(
                view, seat, step, ranked, numbers, role, knowledge, search, self._luck(view), late
            )
            report(view.explain(step, lambda *_: facts))
        return step

    def _search(self, view: Position, knowledge: int) -> tuple[Algorithm, str]:
        """The algorithm that is set, or that of the skill; and why it is not the one that is set, if so."""
        set_by_hand = self.settings.algorithm
        return choose(plan_of(view.game.plans, knowledge).algorithm if set_by_hand == AUTO else set_by_hand, view.game)

    def _rankings(
        self,
        view: Position,
        seat: int,
        numbers: dict[str, int],
        knowledge: int,
        overhead: int,
        limits: Limits,
        stop: StopFlag,
        report: Report,
    ) -> Iterator[list[Choice]]:
        """The steps, best first, as a skill of ``knowledge`` sees it, as it gets better; told too."""
        begin = time.monotonic()
        worlds = self._worlds(view, seat)
        plan = plan_of(view.game.plans, knowledge)
        allowance = clock.allowance(limits, seat, overhead)
        budget = Budget(
            end=None if allowance is None else max(begin + plan.share * allowance / 1000, time.monotonic() + LEAST),
            # whatever the share is, each step is looked at once
            nodes=limits.nodes and max(int(plan.share * limits.nodes), min(limits.nodes, len(numbers))),
            depth=min(limits.depth or NO_DEPTH, plan.depth or NO_DEPTH),
            own=0.0 if limits.infinite or limits.movetime or limits.nodes else plan.share,
            endless=limits.infinite,
            threads=self.settings.threads,
            knowledge=knowledge,
            stop=stop,
            worlds=worlds,
            vain=self._tried.in_vain(view, seat, numbers.values()),
            hash_mib=self.settings.hash_mib,
        )
        search, refusal = self._search(view, knowledge)
        if refusal:
            report(refusal)
        steps = list(numbers)
        for ranking in search.think(view, seat, list(numbers.values()), mix(self.seed, view.key), budget):
            elapsed = int(1000 * (time.monotonic() - begin))
            choices = [Choice(steps[i], win, lead) for i, win, lead in ranking.steps]
            for place, (step, win, lead) in enumerate(choices[: self.settings.multipv], 1):
                report(Info(ranking.depth, ranking.depth, ranking.nodes, elapsed, win, lead, place, (step,)))
            if choices:
                yield choices
