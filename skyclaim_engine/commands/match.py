"""`skyclaim match`: engines against each other, with a ledger from which everything follows (docs/match.md)."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from pathlib import Path

from ..arena import schedule
from ..arena.adjudicate import Rule
from ..arena.engines import read_engines
from ..arena.ledger import read_games
from ..arena.match import Plan
from ..arena.records import Record
from ..arena.referee import Terms
from ..arena.schedule import Schedule
from ..arena.sprt import Sprt
from ..errors import SkyclaimError, quote
from ..games import GAMES
from ..games import game as find_game
from ..options import complete
from . import arena
from .arguments import file, number, option

#: blocks for each pair where the command line says neither how many nor when to stop, and a number without an end
BLOCKS, ENDLESS = 50, 10**6


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
    what.add_argument("--seeds", type=number(1, arena.MOST), default=1, metavar="N", help="of a gauntlet: the first N")
    length = what.add_mutually_exclusive_group()
    length.add_argument("--games", type=number(1, arena.MOST), metavar="N", help="for each pair, in whole blocks")
    length.add_argument("--blocks", type=number(1, arena.MOST), metavar="N", help=f"for each pair (default {BLOCKS})")
    what.add_argument("--seed", type=number(0, 2**64 - 1), metavar="N", help="of everything; printed if not given")
    what.add_argument(
        "--openings", type=file, metavar="FILE", help="positions to start from, a line each, a block each in turn"
    )
    what.add_argument("--random-plies", type=number(0, 10_000), default=0, metavar="N", help="random steps at first")
    what.add_argument("--max-turns", type=number(1, arena.MOST), metavar="N", help="a longer game is a draw")
    what.add_argument(
        "--adjudicate", action="append", type=_rule, default=[], metavar="RULE",
        help="'lead=N turns=N' (of land or influence) or 'win=P turns=N' (all engines agree)",
    )  # fmt: skip
    what.add_argument(
        "--ceiling", type=number(1, 10**6), default=60, metavar="SEC", help="for a step without a limit of time"
    )
    what.add_argument("--sprt", nargs="*", metavar="KEY=VALUE", help="stop when decided: elo0 elo1 alpha beta model")
    arena.add_arguments(parser, "Elo over games, and more")


def _rule(text: str) -> Rule:
    try:
        return Rule.parse(text)
    except SkyclaimError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def run(args: argparse.Namespace) -> int:
    """Play the match; 0 when it was played, 1 if a fault aborted it, 130 after Ctrl-C, when it can be resumed."""
    try:
        plan, sprt = read_plan(args)
    except SkyclaimError as error:
        print(f"skyclaim match: {error}; see 'skyclaim match --help'", file=sys.stderr)
        return 2
    if args.games and args.games % plan.schedule.seats:
        arena.tell(f"games are played in whole blocks: {plan.schedule.rounds * plan.schedule.seats} for each pair")
    header = {**plan.header(), "sprt": str(sprt) if sprt else None}
    _draw(args.plot, header, ())  # now, so that what is wrong with it is told before the games
    kept = list[Record]()
    keep = kept.append if args.plot and not args.ledger else lambda record: None
    summary, ending = arena.carry_out(plan, header, args, keep)
    print(json.dumps(summary.json(), allow_nan=False) if args.json else summary.text())
    _draw(args.plot, header, read_games(args.ledger) if args.ledger else kept)
    return arena.STATUS[ending]


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
    blocks = args.blocks or (ENDLESS if sprt else BLOCKS)
    rounds = schedule.rounds_for_games(args.games, seats) if args.games else blocks
    timetable = Schedule(meetings, seats, arena.seed(args), rounds)
    terms = Terms(args.max_turns, tuple(args.adjudicate), float(args.ceiling))
    openings = _openings(args.openings) if args.openings else ()
    return Plan(args.variant, rules, engines, timetable, args.schedule, openings, args.random_plies, terms), sprt


def _openings(path: str) -> tuple[str, ...]:
    """The position lines of a file; empty lines and those that begin with # are left out."""
    try:
        lines = [line.strip() for line in Path(path).read_text("utf-8-sig").splitlines()]
    except UnicodeDecodeError:
        raise SkyclaimError(f"openings {quote(path)}: it is not a text in UTF-8") from None
    found = tuple(line for line in lines if line and not line.startswith("#"))
    if not found:
        raise SkyclaimError(f"openings {quote(path)}: there is no position in it")
    return found


def _draw(path: str | None, header: Record, records: Iterable[Record]) -> None:
    if path:
        from ..arena.plot import plot_match

        plot_match(path, header, records)
