"""`skyclaim check-engine`: say, item by item, what an engine does wrong with the protocol."""

from __future__ import annotations

import argparse
import dataclasses
import json
from collections import Counter
from contextlib import closing

from ..arena.check import CHECKS, FAIL, OK, SKIP, examine
from ..arena.engines import BUILTIN, OWN
from ..errors import quote
from ..games import GAMES
from ..games import game as find_game

#: the longest that one answer may be waited for, in seconds
LONGEST = 3600.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "engine", metavar="CMD", help="the engine's command line, in quotes, builtin, or tcp://HOST:PORT"
    )
    parser.add_argument(
        "--game", action="append", metavar="GAME", help=f"only these of {', '.join(GAMES)} (may be given again)"
    )
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="CHECK",
        choices=[check.name for check in CHECKS],
        help="only this check and those that it needs (may be given again)",
    )
    parser.add_argument(
        "--timeout", type=_seconds, default=10.0, metavar="SECONDS", help="for each answer (default 10)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(args: argparse.Namespace) -> int:
    """Go through all checks; 1 if one of them failed."""
    chosen = {name: find_game(name) for name in args.game or GAMES}
    counts: Counter[str] = Counter()
    width = max(len(check.name) for check in CHECKS)
    command = OWN if args.engine == BUILTIN else args.engine
    with closing(examine(command, timeout=args.timeout, games=chosen, only=args.only)) as outcomes:
        for outcome in outcomes:
            counts[outcome.verdict] += 1
            text = json.dumps(dataclasses.asdict(outcome), ensure_ascii=False)
            print(text if args.json else f"{outcome.verdict:4}  {outcome.check:{width}}  {outcome.text}", flush=True)
    if args.json:
        print(json.dumps({"ok": counts[OK], "failed": counts[FAIL], "skipped": counts[SKIP]}))
    else:
        print(f"{counts[OK]} ok, {counts[FAIL]} failed, {counts[SKIP]} skipped")
    return 1 if counts[FAIL] else 0


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0.0 < seconds <= LONGEST:
        raise argparse.ArgumentTypeError(f"{quote(text)} is not a number of seconds up to {LONGEST:.0f}")
    return seconds
