"""What the commands that play matches have in common: where games are played, what is kept, how it ends."""

from __future__ import annotations

import argparse
import contextlib
import functools
import math
import os
import secrets
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

from ..arena import cluster, match
from ..arena.ledger import Ledger, is_begun, read_header
from ..arena.match import Plan
from ..arena.records import Record
from ..arena.run import Ending, Runner, conduct
from ..arena.summary import Summary
from ..errors import SkyclaimError
from .arguments import file, number

#: a seed that is short to type again
SEED_BITS = 32
MOST = 10**9
#: seconds that the end of a match may take before it can be interrupted, too
PATIENCE = 5.0
STATUS: dict[Ending, int] = {"played": 0, "aborted": 1, "interrupted": 130}


def add_arguments(parser: argparse.ArgumentParser, drawing: str) -> None:
    """How a match is played, and what becomes of it; ``drawing`` says what the plot shows."""
    how = parser.add_argument_group("how")
    where = how.add_mutually_exclusive_group()
    where.add_argument("--concurrency", type=number(1, 1024), default=1, metavar="N", help="games at the same time")
    where.add_argument(
        "--workers", type=number(1, 1024), metavar="N", help="in N Dask workers on this machine (extra 'cluster')"
    )
    where.add_argument(
        "--cluster", type=_address, metavar="tcp://HOST:PORT", help="on a Dask cluster (docs/cluster.md)"
    )
    how.add_argument("--on-error", choices=("loss", "abort"), default="loss", help="what an engine's fault means")
    how.add_argument(
        "--ledger", type=file, metavar="FILE", help="keep every game, as JSON lines; nothing is kept without"
    )
    how.add_argument("--resume", action="store_true", help="go on with the ledger if it is there")
    how.add_argument("--every", type=number(1, MOST), metavar="N", help="a table on stderr after every N games")
    how.add_argument("--plot", type=file, metavar="FILE", help=f"{drawing}, as png, svg or pdf (extra 'plot')")
    how.add_argument("--json", action="store_true", help="the report as one JSON object")


def _address(text: str) -> str:
    try:
        return cluster.check_address(text)
    except SkyclaimError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def seed(args: argparse.Namespace) -> int:
    """The seed that was given, or that of the match that is resumed, or a new one; raises SkyclaimError."""
    if args.resume and not args.ledger:
        raise SkyclaimError("--resume needs a --ledger to go on with")
    if args.seed is not None:
        return int(args.seed)
    if args.resume and is_begun(args.ledger):
        return int(read_header(args.ledger)["seed"])
    return secrets.randbits(SEED_BITS)


def carry_out(
    plan: Plan, header: Record, args: argparse.Namespace, keep: Callable[[Record], object] = lambda record: None
) -> tuple[Summary, Ending]:
    """Play the match, or the rest of it; ``keep`` gets each game of this run.

    Raises SkyclaimError for an engine that cannot play, or a ledger that is another match's.
    """
    on_signals(Interrupt())
    runner = _runner(args)
    if args.concurrency > (cores := os.cpu_count() or 1):
        tell(f"{args.concurrency} games at the same time on {cores} processors: clocks will be unfair")
    if args.seed is None:
        tell(f"seed {plan.schedule.seed}")
    match.check(plan)
    summary = Summary(header)
    with Ledger(args.ledger, header, args.resume) if args.ledger else contextlib.nullcontext() as ledger:
        for note in ledger.notes if ledger else ():
            tell(note)
        abort = args.on_error == "abort"
        ending = conduct(plan, runner, summary, ledger, abort_on_fault=abort, every=args.every, keep=keep)
    if ending == "interrupted":
        on_signals(signal.SIG_IGN)  # nothing is left to end but the report
    return summary, ending


class Interrupt:
    """Interrupts; what an impatient person sends after it would only disturb the end of the match, and does nothing."""

    def __init__(self) -> None:
        self._heard = -math.inf

    def __call__(self, number: int, frame: object) -> None:
        if (now := time.monotonic()) - self._heard > PATIENCE:
            self._heard = now
            raise KeyboardInterrupt


def on_signals(handler: Callable[[int, Any], Any] | signal.Handlers) -> None:
    """What Ctrl-C does, and what ends a job of a cluster or a session; none that was ignored before, as by nohup."""
    for number_of_signal in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number_of_signal) is not signal.SIG_IGN:
            signal.signal(number_of_signal, handler)


def _runner(args: argparse.Namespace) -> Runner:
    if args.workers or args.cluster:
        cluster.need_dask()
    if args.workers:
        return functools.partial(cluster.play_on_workers, workers=args.workers)
    if args.cluster:
        return functools.partial(cluster.play_on_cluster, address=args.cluster)
    return functools.partial(match.play_locally, concurrency=args.concurrency)


def tell(sentence: str) -> None:
    """Say something on stderr."""
    print(f"skyclaim: {sentence}", file=sys.stderr)
