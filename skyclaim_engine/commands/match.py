"""`skyclaim match`: engines against each other, with a ledger from which everything follows (docs/match.md)."""

from __future__ import annotations

import argparse
import contextlib
import functools
import json
import os
import secrets
import signal
import sys
from pathlib import Path

from ..arena import match, schedule
from ..arena.adjudicate import Rule
from ..arena.engines import read_engines
from ..arena.ledger import Ledger, is_begun, read_header
from ..arena.match import Plan
from ..arena.records import Record
from ..arena.referee import Terms
from ..arena.run import conduct
from ..arena.schedule import Schedule
from ..arena.sprt import Sprt
from ..arena.summary import Summary
from ..errors import SkyclaimError, quote
from ..games import GAMES
from ..games import game as find_game
from ..options import complete
from .arguments import number, option

#: blocks for each pair where the command line says neither how many nor when to stop, and a number without an end
BLOCKS, ENDLESS = 50, 10**6
#: a seed that is short to type again
SEED_BITS = 32
MOST = 10**9


def add_arguments(parser: argparse.ArgumentParser) -> None:
    who = parser.add_argument_group("engines")
    who.add_argument(
        "--engine", nargs="+", action="append", default=[], metavar="KEY=VALUE",
        help="one engine: name= cmd= (a command, builtin, tcp://HOST:PORT) dir= option.NAME= restart=on|off, and its "
        "limits tc=[TURNS/][MIN:]SEC[+INC] st=SEC nodes= depth= timemargin=MS",
    )  # fmt: skip
    who.add_argument("--each", nargs="+", action="append", default=[], metavar="KEY=VALUE", help="the same for all")
    what = parser.add_argument_group("what is played")
    what.add_argument("--variant", default="skyclaim", choices=GAMES, help="the game (default skyclaim)")
    what.add_argument("--option", action="append", type=option, default=[], metavar="NAME=VALUE", help="of the rules")
    what.add_argument("--schedule", default="roundrobin", choices=schedule.KINDS, help="who meets whom")
    what.add_argument("--seeds", type=number(1, MOST), default=1, metavar="N", help="of a gauntlet: the first N")
    length = what.add_mutually_exclusive_group()
    length.add_argument("--games", type=number(1, MOST), metavar="N", help="for each pair, in whole blocks")
    length.add_argument("--blocks", type=number(1, MOST), metavar="N", help=f"for each pair (default {BLOCKS})")
    what.add_argument("--seed", type=number(0, 2**64 - 1), metavar="N", help="of everything; printed if not given")
    what.add_argument("--openings", metavar="FILE", help="positions to start from, a line each, a block each in turn")
    what.add_argument("--random-plies", type=number(0, 10_000), default=0, metavar="N", help="random steps at first")
    what.add_argument("--max-turns", type=number(1, MOST), metavar="N", help="a longer game is a draw")
    what.add_argument(
        "--adjudicate", action="append", type=_rule, default=[], metavar="RULE",
        help="'lead=N turns=N' (of land or influence) or 'win=P turns=N' (all engines agree)",
    )  # fmt: skip
    what.add_argument(
        "--ceiling", type=number(1, 10**6), default=60, metavar="SEC", help="for a step without a limit of time"
    )
    what.add_argument("--sprt", nargs="*", metavar="KEY=VALUE", help="stop when decided: elo0 elo1 alpha beta model")
    how = parser.add_argument_group("how")
    how.add_argument("--concurrency", type=number(1, 1024), default=1, metavar="N", help="games at the same time")
    how.add_argument("--on-error", choices=("loss", "abort"), default="loss", help="what an engine's fault means")
    how.add_argument("--ledger", metavar="FILE", help="keep every game, as JSON lines; nothing is kept without")
    how.add_argument("--resume", action="store_true", help="go on with the ledger if it is there")
    how.add_argument("--every", type=number(1, MOST), metavar="N", help="a table on stderr after every N games")
    how.add_argument("--plot", metavar="FILE", help="Elo over games, and more, as png, svg or pdf (extra 'plot')")
    how.add_argument("--json", action="store_true", help="the report as one JSON object")


def _rule(text: str) -> Rule:
    try:
        return Rule.parse(text)
    except SkyclaimError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def run(args: argparse.Namespace) -> int:
    """Play the match; 0 when it was played, 1 if a fault aborted it, 130 after Ctrl-C, when it can be resumed."""
    for number_of_signal in (signal.SIGTERM, signal.SIGHUP):  # what ends a job of a cluster, or a session
        signal.signal(number_of_signal, signal.default_int_handler)
    try:
        plan, sprt = read_plan(args)
    except SkyclaimError as error:
        print(f"skyclaim match: {error}; see 'skyclaim match --help'", file=sys.stderr)
        return 2
    if args.concurrency > (cores := os.cpu_count() or 1):
        _tell(f"{args.concurrency} games at the same time on {cores} processors: clocks will be unfair")
    if args.games and args.games % plan.schedule.seats:
        _tell(f"games are played in whole blocks: {plan.schedule.rounds * plan.schedule.seats} for each pair")
    if args.seed is None:
        _tell(f"seed {plan.schedule.seed}")
    match.check(plan)
    header = {**plan.header(), "sprt": str(sprt) if sprt else None}
    with Ledger(args.ledger, header, args.resume) if args.ledger else contextlib.nullcontext() as ledger:
        return play(plan, header, ledger, args)


def read_plan(args: argparse.Namespace) -> tuple[Plan, Sprt | None]:
    """What the command line asks for; raises SkyclaimError."""
    engines = read_engines(args.engine, args.each)
    rules = complete(find_game(args.variant).options, dict(args.option))
    seats = find_game(args.variant).start(1, rules).seats
    meetings = schedule.encounters(args.schedule, len(engines), seats, args.seeds)
    sprt = None if args.sprt is None else Sprt.parse(" ".join(args.sprt))
    if sprt and len(meetings) > 1:
        raise SkyclaimError(f"sprt {quote(str(sprt))} is for two engines, not {len(engines)}")
    if any(rule.kind == "lead" for rule in args.adjudicate) and find_game(args.variant).start(1, rules).tally is None:
        raise SkyclaimError(f"adjudicate 'lead': there is nothing in {args.variant} that a side leads by")
    if args.resume and not args.ledger:
        raise SkyclaimError("--resume needs a --ledger to go on with")
    blocks = args.blocks or (ENDLESS if sprt else BLOCKS)
    rounds = schedule.rounds_for_games(args.games, seats) if args.games else blocks
    timetable = Schedule(meetings, seats, _seed(args), rounds)
    terms = Terms(args.max_turns, tuple(args.adjudicate), float(args.ceiling))
    openings = _openings(args.openings) if args.openings else ()
    return Plan(args.variant, rules, engines, timetable, args.schedule, openings, args.random_plies, terms), sprt


def _seed(args: argparse.Namespace) -> int:
    """The seed that was given, or that of the match that is resumed, or a new one."""
    if args.seed is not None:
        return int(args.seed)
    if args.resume and is_begun(args.ledger):
        return int(read_header(args.ledger)["seed"])
    return secrets.randbits(SEED_BITS)


def _openings(path: str) -> tuple[str, ...]:
    """The position lines of a file; empty lines and those that begin with # are left out."""
    lines = (line.strip() for line in Path(path).read_text("utf-8").splitlines())
    found = tuple(line for line in lines if line and not line.startswith("#"))
    if not found:
        raise SkyclaimError(f"openings {quote(path)}: there is no position in it")
    return found


def play(plan: Plan, header: Record, ledger: Ledger | None, args: argparse.Namespace) -> int:
    """Play what the ledger does not have yet, and report."""
    for note in ledger.notes if ledger else ():
        _tell(note)
    summary, kept = Summary(header), list[Record]()
    _draw(args.plot, header, ledger, kept)  # now, so that what is wrong with it is told before the games
    ending = conduct(
        plan,
        functools.partial(match.play_locally, concurrency=args.concurrency),
        summary,
        ledger,
        abort_on_fault=args.on_error == "abort",
        every=args.every,
        keep=kept.append if args.plot and not ledger else lambda record: None,
    )
    print(json.dumps(summary.json(), allow_nan=False) if args.json else summary.text())
    _draw(args.plot, header, ledger, kept)
    return {"played": 0, "aborted": 1, "interrupted": 130}[ending]


def _draw(path: str | None, header: Record, ledger: Ledger | None, kept: list[Record]) -> None:
    if path:
        from ..arena.plot import plot_match

        plot_match(path, header, ledger.games() if ledger else kept)


def _tell(sentence: str) -> None:
    print(f"skyclaim: {sentence}", file=sys.stderr)
