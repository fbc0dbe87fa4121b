"""`skyclaim ladder`: the skills of an engine against each other, rated beside what is declared (docs/skill.md)."""

from __future__ import annotations

import argparse
import json
import sys

from ..arena import ladder
from ..arena.all_play import Ratings
from ..arena.ladder import Ladder
from ..arena.match import Plan
from ..arena.referee import Terms
from ..arena.schedule import Schedule, rounds_for_games
from ..errors import SkyclaimError
from ..games import GAMES
from ..games import game as find_game
from ..options import complete
from ..ratings import bot_rating
from . import arena
from .arguments import number, option

GAMES_A_PAIR = 40


def add_arguments(parser: argparse.ArgumentParser) -> None:
    levels = parser.add_argument_group("levels")
    levels.add_argument(
        "--cmd", default="builtin", metavar="CMD", help="an engine with the option Skill (default builtin)"
    )
    levels.add_argument(
        "--levels", type=_levels, default=ladder.LEVELS, metavar="N,N,…", help="the skills (default 0,10,…,100)"
    )
    levels.add_argument(
        "--each", nargs="+", action="append", default=[], metavar="KEY=VALUE",
        help="limits and options of all levels, as in a match (default: the engine's own budget)",
    )  # fmt: skip
    what = parser.add_argument_group("what is played")
    what.add_argument("--variant", default="skyclaim", choices=GAMES, help="the game (default skyclaim)")
    what.add_argument("--option", action="append", type=option, default=[], metavar="NAME=VALUE", help="of the rules")
    what.add_argument(
        "--games", type=number(1, arena.MOST), default=GAMES_A_PAIR, metavar="N",
        help=f"for each pair of neighbours and next neighbours, in whole blocks (default {GAMES_A_PAIR})",
    )  # fmt: skip
    what.add_argument("--seed", type=number(0, 2**64 - 1), metavar="N", help="of everything; printed if not given")
    what.add_argument("--max-turns", type=number(1, arena.MOST), metavar="N", help="a longer game is a draw")
    arena.add_arguments(parser, "the measured ratings over the declared ones")


def _levels(text: str) -> tuple[int, ...]:
    try:
        return ladder.read_levels(text)
    except SkyclaimError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def run(args: argparse.Namespace) -> int:
    """Play the ladder; 0 when it was played, 1 if a fault aborted it, 130 after Ctrl-C, when it can be resumed."""
    try:
        plan = read_plan(args)
    except SkyclaimError as error:
        print(f"skyclaim ladder: {error}; see 'skyclaim ladder --help'", file=sys.stderr)
        return 2
    _draw(args, Ratings({}, (), ()))  # now, so that what is wrong with it is told before the games
    summary, ending = arena.carry_out(plan, {**plan.header(), "sprt": None}, args)
    measured = Ladder.measured(summary, args.levels)
    if args.json:
        print(json.dumps({**measured.json(), "match": summary.json()}, allow_nan=False))
    else:
        facts = f"{summary.games} games, {summary.blocks.total()} complete blocks, seed {plan.schedule.seed}"
        print(f"ladder of {args.variant}: {facts}")
        print(measured.text())
        for (engine, kind), games in sorted(summary.faults.items()):
            print(f"fault of {engine}: {kind}, {games} games")
    if measured.ratings:
        _draw(args, measured.ratings)
    return arena.STATUS[ending]


def read_plan(args: argparse.Namespace) -> Plan:
    """What the command line asks for; raises SkyclaimError."""
    engines = ladder.read_ladder(args.levels, args.cmd, args.each)
    rules = complete(find_game(args.variant).options, dict(args.option))
    seats = find_game(args.variant).start(1, rules).seats
    meetings = ladder.encounters(len(engines))
    schedule = Schedule(meetings, seats, arena.seed(args), rounds_for_games(args.games, seats))
    return Plan(args.variant, rules, engines, schedule, ladder.KIND, terms=Terms(args.max_turns))


def _draw(args: argparse.Namespace, ratings: Ratings) -> None:
    if args.plot:
        from ..arena.plot import plot_ladder

        plot_ladder(args.plot, ratings, {ladder.name(level): bot_rating(level) for level in args.levels})
