"""`skyclaim tune`: learn the weights of an evaluation from games (docs/tuning.md)."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from ..errors import SkyclaimError, quote
from ..game import Game
from ..games import GAMES
from ..games import game as find_game
from ..tune.run import Tuning
from ..weights import read
from . import match
from .arena import Interrupt, on_signals
from .arguments import file, number

PAIRS = 6000
GAMES_OF_THE_CHECK = 400
NODES_OF_THE_CHECK = 2000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", type=file, required=True, metavar="FILE", help="the weights, and what --resume needs")
    parser.add_argument("--variant", default="skyclaim", choices=GAMES, help="the game (default skyclaim)")
    parser.add_argument("--begin", metavar="FILE", help="the weights to start from (default: those in use)")
    parser.add_argument(
        "--pairs", type=number(1, 10**7), default=PAIRS, metavar="N",
        help=f"pairs of games to learn from (default {PAIRS})",
    )  # fmt: skip
    parser.add_argument("--seed", type=number(0, 2**64 - 1), default=1, metavar="N", help="of everything (default 1)")
    parser.add_argument(
        "--concurrency", type=number(1, 1024), default=os.cpu_count() or 1, metavar="N",
        help="pairs at the same time; the result depends on it, too (default: one for each processor)",
    )  # fmt: skip
    parser.add_argument("--resume", action="store_true", help="go on with the file if it is there")
    parser.add_argument(
        "--games", type=number(0, 10**6), default=GAMES_OF_THE_CHECK, metavar="N",
        help=f"of the closing match against the weights in use, by SPRT; 0 for none (default {GAMES_OF_THE_CHECK})",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="the report of the closing match as one JSON object")


def run(args: argparse.Namespace) -> int:
    """Tune, then let the result play against the weights in use; 130 after Ctrl-C, when it can be resumed."""
    path = Path(args.out)
    game = find_game(args.variant)
    begin = _begin(game, args.begin) if args.begin else dict(game.weights)
    tuning = Tuning.begin(game, begin, args.seed, args.pairs, args.concurrency)
    if path.exists():
        if not args.resume:
            raise SkyclaimError(f"{path} is there already; --resume goes on with it")
        tuning.load(path)
    before = dict(game.weights)
    on_signals(Interrupt())
    try:
        game.use(begin)  # a name that means nothing is told before any game
        tuning.play(path)
    finally:
        game.use(before)
    print(f"skyclaim: {tuning.spsa.done} pairs, the weights are in {path}", file=sys.stderr)
    return _check(args, path) if args.games else 0


def _begin(game: Game, path: str) -> dict[str, float]:
    """The weights of a file, which has to be for this game."""
    name, weights = read(path)
    if name != game.info.name:
        raise SkyclaimError(f"{path}: it is for {quote(name)}, not for {quote(game.info.name)}")
    return weights


def _check(args: argparse.Namespace, path: Path) -> int:
    """A match as of `skyclaim match`, which it is."""
    words = [
        "--engine", "name=tuned", "cmd=builtin", f"option.Weights={path.resolve()}", "--engine", "name=present",
        "cmd=builtin", "--each", f"nodes={NODES_OF_THE_CHECK}", "--games", str(args.games), "--sprt", "elo0=0",
        "elo1=10", "--seed", str(args.seed), "--variant", args.variant, "--concurrency", str(args.concurrency),
    ]  # fmt: skip
    parser = argparse.ArgumentParser()
    match.add_arguments(parser)
    return match.run(parser.parse_args(words + ["--json"] * args.json))
