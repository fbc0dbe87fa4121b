"""What the lock steps of Islands and Rockets share: the check of one thing said twice, and games walked by number.

What is compared is in ``tests/test_lockstep_islands.py`` and ``tests/test_lockstep_rockets.py``, the positions made for
what chance does not bring about are in ``tests/scenes_islands.py`` and ``tests/scenes_rockets.py``.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Any

import pytest
from tqdm import tqdm

from skyclaim_engine.game import Position
from tests.lockstep import Mismatch, first_difference
from tests.lockstep_games import Facts, processes

#: a random game's number, or a scene's name and number
Job = int | tuple[str, int]
#: plays one job; the number of steps, and what occurred
Play = Callable[[Job], tuple[int, Facts]]

#: the soak tests' first game and number of games; a mismatch names its game, so that it can be walked alone
SOAK_FIRST, SOAK_GAMES = "SKYCLAIM_LOCKSTEP_FIRST", "SKYCLAIM_LOCKSTEP_GAMES"


class Two:
    """The fast core and the slow model at the same position, and the way that led there."""

    def __init__(self, core: Position, model: Any) -> None:
        self.core, self.model = core, model
        self.start = core.line()
        self.path: list[str] = []

    def check(self, what: str, core: object, model: object) -> None:
        """Raise Mismatch unless both say the same."""
        if core != model:
            raise Mismatch(
                f"{what} differ\nstart: {self.start}\nsteps: {' ; '.join(self.path) or '-'}\n"
                f"core:  {self.core.line()}\nmodel: {self.model.line()}\n"
                f"core says:  {core}\nmodel says: {model}\n{first_difference(core, model)}"
            )

    def apply(self, step: str, play: Callable[[str], list[dict]]) -> None:
        """Play a step on both, on the model by ``play``; events must be alike and the position before left alone."""
        parent, before = self.core, (self.core.line(), self.core.key)
        self.core = parent.copy()
        self.path.append(step)
        self.check("events", self.core.apply(step), play(step))
        self.check("the position before the step and what it was", (parent.line(), parent.key), before)


def named(job: Job, play: Play) -> tuple[int, Facts]:
    """Play a job; whatever goes wrong, a Mismatch names it."""
    try:
        return play(job)
    except Exception as error:
        raise Mismatch(f"{job!r}: {type(error).__name__}: {error}") from error


def play_all(jobs: Iterable[Job], play: Play) -> Iterator[tuple[int, Facts]]:
    """Walk all jobs in several processes; yields each one's steps and facts. The first mismatch ends it."""
    if processes() == 1:
        yield from (named(job, play) for job in jobs)
        return
    with ProcessPoolExecutor(processes(), multiprocessing.get_context("spawn")) as pool:
        try:
            for done in as_completed([pool.submit(named, job, play) for job in jobs]):
                yield done.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def walked(jobs: Iterable[Job], play: Play) -> tuple[int, Facts]:
    """The steps and facts of all jobs."""
    total, facts = 0, Counter[str]()
    for steps, found in play_all(jobs, play):
        total += steps
        facts.update(found)
    return total, facts


def soak(scenes: Sequence[Job], play: Play, wanted: Iterable[str], capfd: pytest.CaptureFixture[str]) -> None:
    """The games that the environment asks for, 2,000 unless it says otherwise, and the scenes if they are many."""
    first, number = int(os.environ.get(SOAK_FIRST, 0)), int(os.environ.get(SOAK_GAMES, 2_000))
    jobs: list[Job] = [*range(first, first + number), *(scenes if number >= 1_000 else ())]
    facts = Counter[str]()
    with capfd.disabled():
        for _, found in tqdm(play_all(jobs, play), "lock step", len(jobs), unit="game", file=sys.stderr):
            facts.update(found)
    assert number < 1_000 or [fact for fact in wanted if not facts[fact]] == []
