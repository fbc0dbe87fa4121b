"""Whether the evaluation's expected results come true: over the games of a ledger, what was expected and what happened.

    skyclaim match --engine "name=a cmd=builtin" --engine "name=b cmd=builtin" --each nodes=1000 --games 200 \
        --seed 1 --ledger games.jsonl
    python benchmarks/calibration.py games.jsonl

Prints a table by tenths of the expectation, and the spread (squares of land that make a win e times as likely as a
loss) that would fit best: the largest likelihood of the results, each turn of each game once.
"""

from __future__ import annotations

import argparse
import math

import numpy as np
from tqdm import tqdm

from skyclaim_engine.arena.ledger import read_games, read_header
from skyclaim_engine.arena.records import replay
from skyclaim_engine.errors import SkyclaimError
from skyclaim_engine.games.skyclaim.table import SPREAD


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("ledger")
    args = parser.parse_args()
    try:
        report(args.ledger)
    except (SkyclaimError, OSError) as error:
        parser.error(str(error))


def report(ledger: str) -> None:
    """The table; raises SkyclaimError or OSError for what is no ledger of a game of Skyclaim."""
    header = read_header(ledger)
    values, results = [], []
    for record in tqdm(list(read_games(ledger)), unit="game", disable=None):
        turn = 0
        for moment in replay(record, header):
            seat = moment.position.seat
            if seat and moment.position.turn != turn:
                turn = moment.position.turn
                values.append(dict(moment.position.evaluate())["sum"])
                results.append(record["result"][seat - 1])
    value, result = np.array(values), np.array(results)
    print(f"{len(value)} turns; the spread in use is {SPREAD:g}, the best one {best_spread(value, result):.1f}")
    expected = 1 / (1 + np.exp(-value / SPREAD))
    print("expected  turns  came true")
    for tenth in range(10):
        inside = (expected * 10 // 1).clip(0, 9) == tenth
        if inside.any():
            print(f"{tenth / 10:.1f}-{(tenth + 1) / 10:.1f} {inside.sum():9d}  {result[inside].mean():.3f}")


def best_spread(value: np.ndarray, result: np.ndarray) -> float:
    """The spread with the largest likelihood, by golden section over its logarithm."""

    def loss(log_spread: float) -> float:
        z = value / math.exp(log_spread)
        return float(np.mean(np.logaddexp(0, z) - result * z))

    low, high = math.log(1), math.log(200)
    ratio = (math.sqrt(5) - 1) / 2
    while high - low > 1e-3:
        a, b = high - ratio * (high - low), low + ratio * (high - low)
        low, high = (low, b) if loss(a) < loss(b) else (a, high)
    return math.exp((low + high) / 2)


if __name__ == "__main__":
    main()
