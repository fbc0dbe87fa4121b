"""How fast the search is on one core, where its time goes, and whether it answers in time.

    python -m benchmarks.search [--variant GAME] [--algorithm NAME ...] [--nodes N] [--positions N] [--json]
    python -m benchmarks.search --movetime 100 [--tries 1000] [--variant GAME] [--json]

The first form decides a step in fixed positions (those of `perft/`) with so many nodes, which are steps applied: nodes
and decided steps a second of processor time, and the shares of the rules (steps listed and applied, what is hidden
drawn), of the evaluation and of the priors. The rest is the search itself. For the shares the same is done once more on
a table with a watch on these functions; what the watch costs is measured and taken off, which leaves a percent or two
of doubt, and more in a game whose steps are quicker than the watch. All other functions of the table (whose turn it is,
the lead, copies) count as the search itself.

The second form asks an engine process `go movetime` again and again and tells how late the answers come, from the `go`
that was written to the `bestmove` that was read. On a machine that does other work it measures that work too.
"""

from __future__ import annotations

import argparse
import itertools
import json
import statistics
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from benchmarks.build import compiled
from skyclaim_engine import GAMES, Position, SkyclaimError, game
from skyclaim_engine.commands.arguments import number
from skyclaim_engine.commands.suites import SUITES, read_suite
from skyclaim_engine.protocol.client import Client, EngineError
from skyclaim_engine.protocol.session import VARIANT
from skyclaim_engine.search import Bot, Info, Limits, Settings, StopFlag
from skyclaim_engine.search.algorithms import ALGORITHMS, unfit

TABLE = Path(__file__).resolve().parent / "timed_table.pyx"
#: the suite whose positions are from the middle of games
MIDDLE = {"skyclaim": "middle.perft", "islands": "games.perft", "rockets": "middle.perft"}
PARTS = {"rules": ("legal", "apply", "imagine"), "evaluation": ("evaluate",), "priors": ("priors",)}
QUANTILES = (0.5, 0.9, 0.99, 0.999, 1.0)
#: measurements of the watch, of which the median is taken
COSTS = 9
MOST = 10**8
#: seconds that an answer may take before it counts as none
PATIENCE = 60.0


@dataclass(frozen=True)
class Work:
    """Decisions made: how many, with how many nodes, in seconds of processor and of wall time."""

    decisions: int
    nodes: int
    processor: float
    wall: float


def positions(variant: str) -> list[Position]:
    """The positions of the game's suite in which something is to be decided."""
    path = SUITES / variant / MIDDLE[variant]
    rows = (row.position for row in read_suite(path, game(variant), {}))
    return [position for position in rows if position.deciders and len(position.legal()) > 1]


def decide(places: Iterable[Position], algorithm: str, nodes: int) -> Work:
    """One step decided in each place, always with the same seed."""
    bot, total, count = Bot(Settings(seed=1, algorithm=algorithm)), 0, 0
    wall, processor = time.perf_counter(), time.process_time()
    for position in places:
        told: list[Info | str] = []
        bot.decide(position, Limits(nodes=nodes), StopFlag(), told.append)
        total += max((info.nodes for info in told if isinstance(info, Info)), default=0)
        count += 1
    return Work(count, total, time.process_time() - processor, time.perf_counter() - wall)


def shares(variant: str, places: Iterable[Position], algorithm: str, nodes: int) -> dict[str, float]:
    """The part of the time of each of PARTS, and of the search itself."""
    table, whose = compiled(TABLE), GAMES[variant]
    own = whose.table
    costs = [table.cost() for _ in range(COSTS)]
    seen, full = (statistics.median(column) for column in zip(*costs, strict=True))
    try:
        whose.table = table.watched(own)
        work = decide(places, algorithm, nodes)
        spent = table.spent()
    finally:
        whose.table = own
    whole = work.wall - full * sum(calls for _, calls in spent.values())
    found = {
        part: sum(spent[name][0] - seen * spent[name][1] for name in names) / whole for part, names in PARTS.items()
    }
    return {**found, "search": 1 - sum(found.values())}


def speed(args: argparse.Namespace) -> list[dict[str, object]]:
    """A row for each algorithm that plays the game."""
    rows: list[dict[str, object]] = []
    places = positions(args.variant)[: args.positions]
    for name in args.algorithm or ALGORITHMS:
        if reason := unfit(name, game(args.variant)):
            print(reason, file=sys.stderr)
            continue
        work = decide(watch(places, name), name, args.nodes)
        rows.append(
            {
                "algorithm": name, "decisions": work.decisions, "nodes": work.nodes,
                "nodes_per_second": work.nodes / work.processor,
                "decisions_per_second": work.decisions / work.processor,
                "shares": shares(args.variant, watch(places, f"{name}, shares"), name, args.nodes),
            }
        )  # fmt: skip
    return rows


def answers(args: argparse.Namespace) -> Iterator[float]:
    """Milliseconds of each answer to `go movetime`."""
    places = itertools.cycle(positions(args.variant))
    with Client([sys.executable, "-m", "skyclaim_engine"]) as client:
        client.uci(PATIENCE)
        client.ask(f"setoption name {VARIANT} value {args.variant}", PATIENCE)
        for position in itertools.islice(places, args.tries):
            for option in position.game.options:
                value = position.options[option.name]
                word = str(value).lower() if option.kind == "check" else value
                client.send(f"setoption name {option.name} value {word}", PATIENCE)
            client.ask(f"position obs {position.observe(position.seat).line()}", PATIENCE)
            yield 1000 * client.go(f"movetime {args.movetime}", PATIENCE + args.movetime / 1000).seconds


def punctuality(args: argparse.Namespace) -> dict[str, object]:
    """How late the answers came; Ctrl-C ends it with those that there are."""
    found = list[float]()
    try:
        for ms in tqdm(answers(args), total=args.tries, desc="go movetime", disable=None):
            found.append(ms)
    except KeyboardInterrupt:
        pass
    found.sort()
    quantiles = {f"{q:g}": found[min(len(found) - 1, int(q * len(found)))] for q in QUANTILES} if found else {}
    return {"movetime": args.movetime, "tries": len(found), "quantiles": quantiles}


def watch(places: list[Position], what: str) -> Iterable[Position]:
    return tqdm(places, desc=what, disable=None)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.search", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--variant", choices=GAMES, default="skyclaim")
    parser.add_argument("--algorithm", nargs="+", choices=ALGORITHMS, metavar="NAME", help="default: all that fit")
    parser.add_argument("--nodes", type=number(1, MOST), default=50_000, help="a decision (%(default)s)")
    parser.add_argument("--positions", type=number(1, MOST), help="use so many; default: all")
    parser.add_argument("--movetime", type=number(1, MOST), metavar="MS", help="measure the time of answers instead")
    parser.add_argument("--tries", type=number(1, MOST), default=1000, help="answers to measure (%(default)s)")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(argv)
    try:
        figures = punctuality(args) if args.movetime else speed(args)
    except KeyboardInterrupt:
        return 130
    except (EngineError, SkyclaimError) as error:
        print(f"search: {error}", file=sys.stderr)
        return 1
    print(json.dumps(figures, indent=1) if args.json else "\n".join(lines(figures)))
    return 0


def lines(figures: dict[str, object] | list[dict[str, object]]) -> Iterator[str]:
    """The figures for a person."""
    if isinstance(figures, dict):
        yield f"go movetime {figures['movetime']}, {figures['tries']} answers: part of them, and within how many ms"
        yield from (f"{float(q):8.1%} {ms:8.1f}" for q, ms in figures["quantiles"].items())  # type: ignore[attr-defined]
        return
    yield f"{'algorithm':<12}{'nodes/s':>12}{'steps/s':>9}" + "".join(f"{part:>12}" for part in (*PARTS, "search"))
    for row in figures:
        parts = "".join(f"{part:>12.1%}" for part in row["shares"].values())  # type: ignore[attr-defined]
        yield f"{row['algorithm']:<12}{row['nodes_per_second']:>12,.0f}{row['decisions_per_second']:>9.1f}{parts}"


if __name__ == "__main__":
    sys.exit(main())
