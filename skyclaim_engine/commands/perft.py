"""`skyclaim perft`: count from a position, or check the suites of counts in `perft/`."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path

from tqdm import tqdm

from ..errors import LimitError, SkyclaimError, quote
from ..game import Position
from ..games import GAMES
from ..games import game as find_game
from ..perft import divide, perft
from .arguments import number, option
from .suites import SUITES, Row, read_suite


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", nargs="*", help="suites, or one position's line (default: every suite of the game)")
    parser.add_argument("--game", default="skyclaim", help=f"one of {', '.join(GAMES)} (default skyclaim)")
    parser.add_argument("--option", action="append", type=option, default=[], metavar="NAME=VALUE", help="of the rules")
    parser.add_argument("--depth", type=number(0, 100), default=0, help="the depth; of a suite, the greatest to check")
    parser.add_argument("--divide", action="store_true", help="the count below each step")
    parser.add_argument("--threads", type=number(0, 256), default=1)
    parser.add_argument("--max-nodes", type=number(0, 10**18), help="skip what would play more steps than this")
    parser.add_argument("--against", choices=["reference"], help="compare with the slow model, step by step")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(args: argparse.Namespace) -> int:
    game = find_game(args.game)
    options: dict[str, object] = dict(args.option)
    paths = [Path(word) for word in args.what] or sorted((SUITES / args.game).glob("*.perft"))
    if not paths:
        raise SkyclaimError(f"there are no suites in {SUITES / args.game}; name a suite or a position")
    # os.path, since a line may be too long for a file's name, of which Path.is_file complains
    if args.what and not all(os.path.isfile(path) for path in paths):
        if len(args.what) == 1 and " " not in args.what[0]:
            raise SkyclaimError(f"{quote(args.what[0])} is neither a suite nor a position's line")
        position = game.parse(" ".join(args.what), options)
        return count(position, args)
    rows = [row for path in paths for row in read_suite(path, game, options)]
    if not any(row.counts for row in rows):
        raise SkyclaimError(f"there is no count in {', '.join(str(path) for path in paths)}")
    return check(rows, args)


def count(position: Position, args: argparse.Namespace) -> int:
    """One position: its divide or its counts for each depth."""
    if position.stream is None:
        raise SkyclaimError("RNG '-': perft plays with the position's own stream, so it must be known")
    if args.against:
        from .perft_compare import first_difference

        return first_difference(position, max(1, args.depth))
    for depth in [args.depth] if args.depth else (1, 2, 3):
        begin = time.perf_counter()
        parts = divide(position, depth, threads=args.threads, max_nodes=args.max_nodes)
        total, seconds = sum(parts.values()), time.perf_counter() - begin
        if args.json:
            report = {"depth": depth, "nodes": total, "seconds": round(seconds, 3)}
            print(json.dumps({**report, "divide": parts} if args.divide else report))
            continue
        if args.divide:
            print(*(f"{step}: {n}" for step, n in parts.items()), sep="\n")
        print(f"perft {depth} = {total}")
        print(f"{seconds:.3f} s, {total / max(seconds, 1e-9):,.0f} a second", file=sys.stderr)
    return 0


def check(rows: list[Row], args: argparse.Namespace) -> int:
    """Every count of the rows, up to the depth and the node limit; 1 at the first that differs."""
    work = [(row, *count) for row in rows for count in row.counts.items() if within(count[0], args.depth)]
    agreed = skipped = 0
    for row, what, expected in tqdm(work, unit="count", disable=None, file=sys.stderr):
        try:
            found = count_of(row.position, what, args)
        except LimitError:
            skipped += 1
            continue
        if found != expected:
            tell_mismatch(row, what, expected, found)
            return 1
        if args.against:
            from .perft_compare import first_difference

            if first_difference(row.position, min(int(what[1:]), 2), quiet=True):
                return 1
        agreed += 1
    if args.json:
        print(json.dumps({"agreed": agreed, "skipped": skipped}))
    else:
        print(f"{agreed} counts agree" + (f"; {skipped} over the limit of nodes" if skipped else ""))
    return 0


def within(what: str, depth: int) -> bool:
    """Whether a count is to be checked where counts up to ``depth`` are (0: all)."""
    return not depth or what[0] == "O" or int(what[1:]) <= depth


def count_of(position: Position, what: str, args: argparse.Namespace) -> int:
    if what[0] == "O":
        return position.orders(int(what[1:]))  # type: ignore[attr-defined, no-any-return]
    return perft(position, int(what[1:]), threads=args.threads, max_nodes=args.max_nodes)


def tell_mismatch(row: Row, what: str, expected: int, found: int) -> None:
    """The position, both numbers, the divide, and where core and slow model first differ."""
    print(f"{row.where}: {what} expected {expected}, found {found}", row.position.line(), sep="\n")
    if row.position.game.info.simultaneous:
        return
    depth = int(what[1:])
    print(*(f"{step}: {n}" for step, n in divide(row.position, depth).items()), sep="\n")
    from .perft_compare import first_difference

    first_difference(row.position, depth)
