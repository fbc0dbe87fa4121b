"""How far a search may trust the priors: whether the best action is among the most promising, and what is lost if not.

    python benchmarks/priors.py --positions 600

The best action is the one with the best mean evaluation right after it, over 32 samples of its chance, in positions of
games that one-step players play. What is lost is the difference of that mean to the best of the actions that were
looked at, in squares of land.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator

from tqdm import tqdm

from skyclaim_engine import Position, game
from skyclaim_engine.games.skyclaim.prior import promises
from skyclaim_engine.search.onestep import OneStep
from skyclaim_engine.search.stop import StopFlag

WIDTHS = (1, 2, 4, 6, 8, 12, 16, 24)
SAMPLES = 32


def actions(position: Position, samples: int, seed: int) -> dict[int, float]:
    """The actions, as numbers, and the mean evaluation right after each."""
    numbers = [number for step, number in position.steps().items() if not step.startswith(("fire", "turret"))]
    search = OneStep(position.observe(position.seat), position.seat, numbers, seed)
    search.run(samples, 1 << 40, 0.0, StopFlag())
    return {number: mean[0] for number, mean in zip(numbers, search.means(), strict=True) if mean}


def sampled(seed: int, every: int, turns: int, choose: Callable[[Position, int], int]) -> Iterator[Position]:
    """One in ``every`` of the positions of games of so many turns; ``choose`` gives a step of each, by a seed."""
    chance = random.Random(seed)
    while True:
        position = game("skyclaim").start(chance.getrandbits(64))
        while position.result is None and position.turn < turns:
            if chance.randrange(every) == 0:
                yield position.copy()
            position.apply(position.text(choose(position, chance.getrandbits(64))))


def quick(position: Position, seed: int) -> int:
    """The number of the action that is best right after it in two samples."""
    values = actions(position, 2, seed)
    return max(values, key=values.__getitem__)


def measure(count: int, seed: int) -> list[tuple[int, float, float]]:
    """For each of the WIDTHS (it, how often the best action is among so many, what is lost on average)."""
    found, lost = [0] * len(WIDTHS), [0.0] * len(WIDTHS)
    places = sampled(seed, 7, 300, quick)
    for number in tqdm(range(count), unit="position", disable=None):
        position = next(places)
        values = actions(position, SAMPLES, number)
        numbers = list(values)
        promise = dict(zip(numbers, promises(position.board, numbers), strict=True))
        numbers.sort(key=promise.__getitem__, reverse=True)
        best = max(values.values())
        for i, width in enumerate(WIDTHS):
            seen = max(values[number] for number in numbers[:width])
            found[i] += seen == best
            lost[i] += best - seen
    return [(width, found[i] / count, lost[i] / count) for i, width in enumerate(WIDTHS)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--positions", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    print("looked at  the best is there  lost")
    for width, share, loss in measure(args.positions, args.seed):
        print(f"{width:9d}  {100 * share:15.1f} %  {loss:.2f}")


if __name__ == "__main__":
    main()
