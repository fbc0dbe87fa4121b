"""`skyclaim bench`: one fixed piece of work, its speed, and the signature of all that was decided on the way.

The bot plays the first steps of games with fixed seeds, options and nodes. The signature folds every position that
arises, so any change of the rules, the evaluation or the search shows in it; it is the same on every run and machine.
"""

from __future__ import annotations

import argparse
import json
import time
from typing import NamedTuple

from ..games import GAMES
from ..search import Bot, Info, Limits, Settings, StopFlag
from ..search.skill import mix

SEED = 1


class Played(NamedTuple):
    """So many steps (or joint steps) of a game under each set of options, so many nodes a decision."""

    steps: int
    nodes: int
    options: tuple[dict[str, object], ...]


GAMES_PLAYED = {
    "skyclaim": Played(
        16,
        4000,
        (
            {},
            {"AsteroidsSouth": 0, "AsteroidsNorth": 0},
            {"Salvage": True, "AsteroidsSouth": 14, "AsteroidsNorth": 2},
            {"Fog": "seam"},
            {"Fog": "dark", "Salvage": True},
            {"ClaimRadius": 0, "LandToWin": 60},
        ),
    ),
    "islands": Played(8, 1000, ({"Seats": "2"}, {"Seats": "3"}, {"Seats": "6"})),
    "rockets": Played(
        80,
        400,
        ({}, {"Pilots": 4, "Shields": 2, "AsteroidBelt": True}, {"Pilots": 6, "Wormholes": True, "UpToRoll": True}),
    ),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(args: argparse.Namespace) -> int:
    begin = time.perf_counter()
    nodes, signature = work()
    seconds = time.perf_counter() - begin
    speed = round(nodes / seconds)
    if args.json:
        print(json.dumps({"nodes": nodes, "seconds": round(seconds, 3), "nps": speed, "signature": signature}))
    else:
        print(f"nodes      {nodes}", f"time       {seconds:.2f} s", f"nodes/s    {speed}", sep="\n")
        print(f"signature  {signature}")
    return 0


def work() -> tuple[int, str]:
    """All the nodes searched, and the signature as 16 hexadecimal digits."""
    nodes, signature = 0, 0
    for name, played in GAMES_PLAYED.items():
        for number, options in enumerate(played.options):
            position = GAMES[name].start(SEED + number, options)
            bot = Bot(Settings(seed=SEED + number))
            for _ in range(played.steps):
                if position.result is not None:
                    break
                chosen: dict[int, str] = {}
                for seat in position.deciders:
                    told: list[Info | str] = []
                    step = bot.decide(position.observe(seat), Limits(nodes=played.nodes), StopFlag(), told.append)
                    assert step is not None, "who has to decide can"
                    chosen[seat] = step
                    nodes += max((info.nodes for info in told if isinstance(info, Info)), default=0)
                position.apply(position.joint(chosen))
                signature = mix(signature, position.key, position.stream or 0)
    return nodes, f"{signature:016x}"
