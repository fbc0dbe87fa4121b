"""What a match costs beside the engines: time a step, and memory over many games.

    python benchmarks/arena.py [--games N] [--turns N] [--variant GAME] [--concurrency N] [--repeats N] [--json]

Two `builtin` engines play at one node a step. The wall time of a step has three parts: the engine's answer (from the
`go` that was written to the `bestmove` that was read), what this process computes (referee and client, in processor
time), and the rest, which is the reading of the position by the engine and waiting. Memory is that of this
process, sampled over the match; the growth is told for its second half, when everything that is made once is there.
Every figure is the median of the repeats.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from pathlib import Path

from tqdm import tqdm

from skyclaim_engine import GAMES, game
from skyclaim_engine.arena.engines import read_engines
from skyclaim_engine.arena.match import Plan, play_locally, tasks
from skyclaim_engine.arena.referee import Terms
from skyclaim_engine.arena.schedule import Schedule, encounters
from skyclaim_engine.arena.summary import Summary
from skyclaim_engine.options import complete

SAMPLES = 100


def resident() -> int:
    """Memory of this process in KiB."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


def measure(name: str, games: int, turns: int, concurrency: int) -> dict[str, float]:
    """The figures of one match."""
    rules = complete(game(name).options, {})
    engines = read_engines([["name=a"], ["name=b"]], [["cmd=builtin nodes=1"]])
    schedule = Schedule(encounters("roundrobin", 2, 2), 2, 1, max(1, games // 2))
    plan = Plan(name, rules, engines, schedule, terms=Terms(max_turns=turns))
    summary, memory = Summary(plan.header()), list[int]()
    steps, answering, wall, own = 0, 0.0, 0.0, 0.0
    begun = False
    for record in tqdm(play_locally(plan, tasks(plan, []), concurrency), total=schedule.games, disable=None):
        summary.add(record)
        if begun:  # the first game starts the engines
            steps += len(record["steps"])
            answering += sum(record["times"])
        else:
            begun, wall, own = True, time.perf_counter(), time.process_time()
        if summary.games % max(1, schedule.games // SAMPLES) == 0:
            memory.append(resident())
    wall, own = time.perf_counter() - wall, time.process_time() - own
    return {
        "games": summary.games,
        "steps": steps,
        "ms_a_step": 1000 * wall * concurrency / steps,
        "ms_answer": answering / steps,
        "ms_runner": 1000 * own / steps,
        "memory_mib": memory[-1] / 1024,
        "growth_kib": memory[-1] - memory[len(memory) // 2],
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variant", choices=GAMES, default="skyclaim")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--turns", type=int, default=100, help="the longest game")
    parser.add_argument("--concurrency", type=int, default=1)
    parser.add_argument("--repeats", type=int, default=1, help="matches to take the medians of")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    matches = [measure(args.variant, args.games, args.turns, args.concurrency) for _ in range(args.repeats)]
    figures = {name: statistics.median(match[name] for match in matches) for name in matches[0]}
    if args.json:
        print(json.dumps(figures))
    else:
        print(*(f"{name:12} {value:12.3f}" for name, value in figures.items()), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
