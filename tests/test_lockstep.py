"""Fast core and slow model in lock step through random games and made scenes, of all options and styles.

They must agree on lines, results, legal steps, observations of both sides and events, after every step; and all that
the rules can bring about must have occurred, or the test says little.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterable
from random import Random

import pytest
from tqdm import tqdm

from skyclaim_engine.perft import perft
from tests.lockstep import GAME, Mismatch, Pair, walk_all
from tests.lockstep_games import Facts, Job, play, play_all, ways_of
from tests.positions import OPTION_SETS
from tests.reference.skyclaim import FACTS
from tests.scenes import SCENES
from tests.styles import STYLES

#: random games in a plain run: each style with each option set, twice
GAMES = 2 * len(STYLES) * len(OPTION_SETS)
#: the soak test's first game and number of games; a mismatch names its game, so that it can be walked alone
SOAK_FIRST, SOAK_GAMES = "SKYCLAIM_LOCKSTEP_FIRST", "SKYCLAIM_LOCKSTEP_GAMES"


def scenes(rounds: int, first: int = 0) -> list[Job]:
    """Every scene some times; those of the shapes are many by themselves."""
    return [
        (name, number)
        for name in SCENES
        for number in range(first, first + (rounds if name.startswith("row") else 6 * rounds))
    ]


def walked(jobs: Iterable[Job]) -> tuple[int, Facts]:
    """The steps and facts of all jobs."""
    total, facts = 0, Counter[str]()
    for steps, found in play_all(jobs):
        total += steps
        facts.update(found)
    return total, facts


def missing(facts: Facts) -> list[str]:
    """What should have occurred and did not."""
    wanted = [*FACTS, *(f"game of {style}" for style in STYLES), *(f"game with {ways_of(o)}" for o in OPTION_SETS)]
    return [fact for fact in wanted if not facts[fact]]


@pytest.mark.timeout(3600)  # a minute or two, but much longer with the sanitizers of the debug build
def test_games_and_scenes() -> None:
    assert GAMES >= 200
    steps, facts = walked([*range(GAMES), *scenes(6)])
    assert missing(facts) == []
    assert sum(count for fact, count in facts.items() if fact.startswith("game of")) == GAMES
    assert steps > 10_000


@pytest.mark.soak
@pytest.mark.timeout(0)
def test_games_and_scenes_at_length(capfd: pytest.CaptureFixture[str]) -> None:
    first, number = int(os.environ.get(SOAK_FIRST, 0)), int(os.environ.get(SOAK_GAMES, 20_000))
    jobs: list[Job] = [*range(first, first + number), *(scenes(60, 6) if number >= 1000 else [])]
    facts = Counter[str]()
    with capfd.disabled():
        for _, found in tqdm(play_all(jobs), "lock step", len(jobs), unit="game", file=sys.stderr):
            facts.update(found)
    assert number < 1000 or missing(facts) == []


@pytest.mark.parametrize(("number", "depth"), [(1, 1), (3, 1), (8, 2), (11, 2)])
def test_every_series_of_steps(number: int, depth: int) -> None:
    """Of boards where little can be done, so that there are few."""
    rng = Random(number)
    model = SCENES["pass"](rng, OPTION_SETS[number]).model
    pair = Pair(model.line(), OPTION_SETS[number])
    counts = [perft(pair.core, ply) for ply in range(depth + 1)]
    assert walk_all(pair, depth) == sum(counts) > 1
    assert pair.path == []


def test_a_game_is_the_same_each_time() -> None:
    assert play(5) == play(5)
    assert play(("siege", 1)) == play(("siege", 1))


def test_a_difference_is_told_with_position_and_steps() -> None:
    pair = Pair(GAME.start(1).line(), {})
    step = pair.compare()[0]
    pair.apply(step)
    pair.compare()
    pair.model.turn += 1
    with pytest.raises(Mismatch, match="positions differ") as found:
        pair.compare()
    for part in (pair.core.line(), pair.model.line(), pair.start, step, "core says", "model says"):
        assert part in str(found.value)


def test_differing_events_and_steps_are_told() -> None:
    pair = Pair(GAME.start(1).line(), {})
    swap = next(step for step in pair.compare() if step.startswith("swap"))
    pair.model.stream ^= 1 << 40
    with pytest.raises(Mismatch, match="events differ"):
        pair.apply(swap)
    pair = Pair(GAME.start(1).line(), {})
    pair.model.options["ClaimRadius"] = 0
    pair.model.land[pair.model.command_square("S") - 1] = "S"
    pair.model.legal = lambda: [swap]
    with pytest.raises(Mismatch, match="legal steps differ"):
        pair.compare()
