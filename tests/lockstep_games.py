"""The games that core and model walk in lock step: each is a number, the same one on every machine.

``play`` walks one of them, ``play_all`` many of them in several processes.
"""

from __future__ import annotations

import multiprocessing
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from random import Random

from tests.lockstep import Mismatch, walk
from tests.positions import OPTION_SETS, Options, crowded_going_on, set_up
from tests.scenes import SCENES
from tests.styles import STYLES

#: a random game's number, or a scene's name and number
Job = int | tuple[str, int]
Facts = Counter[str]

#: how many processes walk; one process walks in the test's own
PROCESSES = "SKYCLAIM_PROCESSES"
#: one game in so many is played to its end
WHOLE = 27


def options_of(number: int, rng: Random) -> Options:
    """Every way of fog, salvage and claim radius in turn, the numbers at random."""
    ways = OPTION_SETS[number % len(OPTION_SETS)]
    numbers = {"LandToWin": rng.choice((60, 69, 69, 100)), "TurnLimit": rng.choice((1, 10, 30, 400, 400, 10_000))}
    return {**ways, **numbers}


def play(job: Job) -> tuple[int, Facts]:
    """Walk one game or scene; the number of steps, and what occurred. Whatever goes wrong, a Mismatch names it."""
    facts: Facts = Counter()
    rng = Random(f"{job}")
    try:
        if isinstance(job, tuple):
            options = options_of(job[1] + rng.randrange(12), rng)
            scene = SCENES[job[0]](rng, options)
            return walk(scene.model.line(), options, scene.choose, rng, scene.steps, facts), facts
        style = list(STYLES)[job // len(OPTION_SETS) % len(STYLES)]
        options = options_of(job, rng)
        make, most = (set_up, rng.choice((40, 80, 120))) if rng.random() < 0.6 else (crowded_going_on, 24)
        if job % WHOLE == 0:
            make, most = set_up, 400
        facts[f"game of {style}"] += 1
        facts[f"game with {ways_of(options)}"] += 1
        return walk(make(rng, options).line(), options, STYLES[style], rng, most, facts), facts
    except Exception as error:
        raise Mismatch(f"{job!r}: {type(error).__name__}: {error}") from error


def ways_of(options: Options) -> str:
    """The options whose every combination is walked."""
    return f"fog {options['Fog']}, salvage {options['Salvage']}, radius {options['ClaimRadius']}"


def processes() -> int:
    """How many to use here: one a processor, or only the test's own where a pool cannot have locks (no /dev/shm)."""
    try:
        multiprocessing.get_context("spawn").Lock()
    except (OSError, ImportError):
        return 1
    return int(os.environ.get(PROCESSES, len(os.sched_getaffinity(0))))


def play_all(jobs: Iterable[Job]) -> Iterator[tuple[int, Facts]]:
    """Walk all jobs; yields each one's steps and facts as it ends. The first mismatch ends it."""
    if processes() == 1:
        yield from map(play, jobs)
        return
    with ProcessPoolExecutor(processes(), multiprocessing.get_context("spawn")) as pool:
        try:
            for done in as_completed([pool.submit(play, job) for job in jobs]):
                yield done.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
