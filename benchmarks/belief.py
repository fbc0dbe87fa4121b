"""How much of the dark a belief supposes rightly, over the decisions of games between two bots.

    python benchmarks/belief.py --games 8

Counted over all positions that each belief supposes from turn 7 on: how many of the dark squares that belong to the
other side are supposed to, how many of those that are supposed to do, and how often its Command stands where it is
supposed while it is not seen.
"""

from __future__ import annotations

import argparse
import struct
from dataclasses import dataclass

from tqdm import tqdm

from skyclaim_engine import Position, game
from skyclaim_engine.search import Bot, Limits, Settings, StopFlag
from skyclaim_engine.search.belief import Belief

#: where the sets of squares begin in the struct of `_board.pxd`, and what they are
SETS = {
    "low": 0, "middle": 24, "high": 48, "land": 72, "drones": 168,
    "kind0": 216, "kind1": 240, "kind2": 264, "kind3": 288,
}  # fmt: skip
BOARD = frozenset(16 * column + row for column in range(11) for row in range(11))
NODES, TURNS = 300, 120


def places(world: bytes, name: str, side: int = 0) -> frozenset[int]:
    """One of the sets of a struct, as 16 * column + row; of ``side`` (0, 1) where there is one for each."""
    words = struct.unpack_from("<3Q", world, SETS[name] + 24 * side)
    return frozenset(p for p in BOARD if words[p >> 6] >> (p & 63) & 1)


def command(world: bytes, side: int) -> frozenset[int]:
    """Where the side's Command stands, if it is seen."""
    return places(world, "drones", side) & places(world, "kind3") - places(world, "kind0")


@dataclass
class Count:
    """Sums over supposed positions: squares of dark land, and those in which the Command is hidden."""

    right: int = 0
    supposed: int = 0
    true: int = 0
    hidden: int = 0
    found: int = 0

    def add(self, belief: Belief, view: Position, position: Position) -> None:
        """Compare what is supposed with the truth."""
        seen, truth, foe = view.raw(), position.raw(), 2 - position.seat
        known = places(seen, "land", foe)
        land = places(truth, "land", foe) - known
        hidden = not command(seen, foe)
        worlds, size = belief.worlds, len(seen)
        for at in range(0, len(worlds), size):
            world = worlds[at : at + size]
            supposed = places(world, "land", foe) - known
            self.right += len(supposed & land)
            self.supposed += len(supposed)
            self.true += len(land)
            self.hidden += hidden
            self.found += hidden and command(world, foe) == command(truth, foe)


def measure(games: int, seed: int, turns: int = TURNS) -> Count:
    """Play so many games in the dark."""
    count = Count()
    for number in tqdm(range(games), unit="game", disable=None):
        position = game("skyclaim").start(seed + number, {"Fog": "dark"})
        bots = [Bot(Settings(seed=number)) for _ in range(2)]
        beliefs = [Belief(position.game.table, seat, number) for seat in (1, 2)]
        while position.result is None and position.turn < turns:
            seat = position.seat
            view, belief = position.observe(seat), beliefs[seat - 1]
            belief.see(view)
            if position.turn > 6:
                count.add(belief, view, position)
            step = bots[seat - 1].decide(position, Limits(nodes=NODES), StopFlag(), lambda told: None)
            belief.played(position.number(step, seat))
            position.apply(step)
    return count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    count = measure(args.games, args.seed)
    print(f"of the other side's dark land, supposed to be   {100 * count.right / count.true:5.1f} %")
    print(f"of what is supposed to be its land, truly so    {100 * count.right / count.supposed:5.1f} %")
    print(f"its Command, while hidden, where it is supposed {100 * count.found / max(count.hidden, 1):5.1f} %")


if __name__ == "__main__":
    main()
