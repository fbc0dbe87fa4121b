"""Full strength against peers at equal thinking time on one core.

    python -m benchmarks.strength [--peer NAME ...] [--games N] [--seed N] [--ms N] [--times X] [--json]

Each peer plays pairs of games on the same start with sides exchanged, and the two games meet the same chance as long as
they play the same. The baselines (greedy, halving, expectimax) have ten times our time. Ctrl-C prints what there is.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence

from tqdm import tqdm

from skyclaim_engine.commands.arguments import number
from skyclaim_engine.errors import SkyclaimError, quote
from skyclaim_engine.protocol.client import EngineError

from .match import HEADER, Match, play_match
from .peers import DEFAULT, PEERS, FullStrength

MOST = 10**6


def main(argv: Sequence[str] | None = None) -> int:
    what = "peers:\n" + "\n".join(f"  {name:<11} {text}" for name, (_, text) in PEERS.items())
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.strength", description=__doc__, epilog=what,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument(
        "--peer", nargs="+", choices=PEERS, default=DEFAULT, metavar="NAME", help="default: all but self"
    )
    parser.add_argument(
        "--games", type=number(1, MOST), default=200, help="with each peer, rounded up to pairs (%(default)s)"
    )
    parser.add_argument("--seed", type=number(0, 2**64 - 1), default=1)
    parser.add_argument("--ms", type=number(1, MOST), default=100, help="milliseconds a step (%(default)s)")
    parser.add_argument("--times", type=times, help="the peer's time as so many times ours, instead of its own")
    parser.add_argument("--json", action="store_true", help="one JSON list")
    args = parser.parse_args(argv)
    matches: list[Match] = []
    status = 0
    if not args.json:
        print(f"full strength at {args.ms} ms a step", HEADER, sep="\n", flush=True)
    try:
        for name in args.peer:
            matches.append(Match(name))
            play(matches[-1], args)
    except KeyboardInterrupt:
        status = 130
    except (EngineError, SkyclaimError) as error:
        print(f"strength: {args.peer[len(matches) - 1]}: {error}", file=sys.stderr)
        status = 1
    if args.json:
        print(json.dumps([match.figures() for match in matches if match.scores], indent=1))
    return status


def play(match: Match, args: argparse.Namespace) -> None:
    """A whole match, its row printed even if it is ended early."""
    try:
        peer = PEERS[match.peer][0]()
    except ImportError as error:
        print(f"{match.peer}: left out, {error} (pip install skyclaim-engine[bench])", file=sys.stderr)
        return
    if args.times:
        peer.times = args.times
    games = play_match(match, FullStrength(), peer, args.games, args.seed, args.ms)
    try:
        for _ in tqdm(games, total=args.games + args.games % 2, desc=match.peer, unit="game", disable=None):
            pass
    finally:
        peer.close()
        if match.scores and not args.json:
            print(match.line(), flush=True)


def times(text: str) -> float:
    """Reads so many times; argparse says what is wrong with it."""
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if not 0 < found <= MOST:
        raise argparse.ArgumentTypeError(f"{quote(text)} is not a number above 0, at most {MOST}")
    return found


if __name__ == "__main__":
    sys.exit(main())
