"""What a search loses by what it cuts off: its choices at so many nodes, valued by a deep search that cuts off little.

    python benchmarks/regret.py --positions 200 --nodes 4000 12000 40000

The deep search keeps 40 steps until it has looked one turn beyond them, and 20 to the end, three turns beyond; it has
widths of its own (`WIDTHS`), or with `--narrow` those of the search. What is lost is the chance to win, by the deep
search, of its own best step less that of the step chosen, 0 to 1; one that was not among its 20 is valued as the worst
of them. It tells what is cut off too early or seen too rarely, and nothing of what the evaluation does not know.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from tqdm import tqdm

from benchmarks.priors import sampled
from skyclaim_engine import Position
from skyclaim_engine.search.algorithms import ALL, NO_DEPTH, SHAPE, Budget, expectimax
from skyclaim_engine.search.expectimax import Expectimax
from skyclaim_engine.search.skill import EXPERT
from skyclaim_engine.search.stop import StopFlag

ROUNDS = [(ALL, 0), (ALL, 0), (40, 1), (20, 3)]
WIDTHS = [9, 6, 5, 4]
#: what each of its rounds may use, of as many nodes as its last one; the first is one sample of each step
PARTS = (1.0, 0.005, 0.1, 1.0)
#: nodes a step in the games that the positions are from, one in how many of their positions is taken, and for how long
PLAYED = 2500
EVERY = 25
TURNS = 200


def chosen(position: Position, nodes: int, seed: int) -> int:
    """The number of the step that the search plays with so many nodes."""
    numbers = list(position.steps().values())
    budget = Budget(None, nodes, NO_DEPTH, 0.0, False, 1, EXPERT, StopFlag())
    *_, last = expectimax(position.observe(position.seat), position.seat, numbers, seed, budget)
    return numbers[last.steps[0][0]]


def valued(position: Position, nodes: int, widths: list[int], seed: int) -> dict[int, float]:
    """By number, the steps that a deep search keeps to its end and their chances to win."""
    numbers = list(position.steps().values())
    shape = {"width": widths, "rounds": ROUNDS}
    search = Expectimax(position.observe(position.seat), position.seat, numbers, seed, shape)
    for r, part in enumerate(PARTS):
        search.begin(r)
        search.run(r, search.nodes + int(part * nodes), 0.0, StopFlag())
    return {number: mean[1] for number, mean in zip(numbers, search.means(), strict=True) if mean and mean[0]}


def measure(
    count: int, budgets: Sequence[int], seed: int, deep: int = 500_000, widths: list[int] = WIDTHS
) -> list[tuple[int, float, float]]:
    """For each budget (nodes, how often the choice is the deep search's own, what is lost on average)."""
    same, lost = [0] * len(budgets), [0.0] * len(budgets)
    places = sampled(seed, EVERY, TURNS, lambda position, luck: chosen(position, PLAYED, luck))
    for number in tqdm(range(count), unit="position", disable=None):
        position = next(places)
        values = valued(position, deep, widths, number + 1)
        best = max(values.values())
        for i, nodes in enumerate(budgets):
            value = values.get(chosen(position, nodes, 7919 * number), min(values.values()))
            same[i] += value == best
            lost[i] += best - value
    return [(nodes, same[i] / count, lost[i] / count) for i, nodes in enumerate(budgets)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--nodes", type=int, nargs="+", default=[4000, 12_000, 40_000])
    parser.add_argument("--deep", type=int, default=500_000, help="nodes of the deep search")
    parser.add_argument("--narrow", action="store_true", help="with the widths of the search itself")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    widths = SHAPE["width"] if args.narrow else WIDTHS
    print("  nodes  the same choice  lost")
    for nodes, share, loss in measure(args.positions, args.nodes, args.seed, args.deep, widths):
        print(f"{nodes:7d}  {100 * share:13.1f} %  {loss:.4f}")


if __name__ == "__main__":
    main()
