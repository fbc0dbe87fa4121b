"""`skyclaim show`: what is in a match's ledger: its table, its games, or one game step by step."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator

from ..arena.ledger import read_games, read_header
from ..arena.records import Moment, Record, replay
from ..arena.summary import Summary
from ..errors import SkyclaimError, quote
from .arguments import file


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "ledger", type=file, metavar="LEDGER", help="the file that 'skyclaim match --ledger' has written"
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--games", action="store_true", help="one line for each game")
    what.add_argument("--game", type=_game, metavar="BLOCK.GAME", help="this game, step by step, with the board")
    parser.add_argument("--steps", type=_span, metavar="FROM..TO", help="of the game (0: the start)")
    parser.add_argument("--json", action="store_true", help="JSON: one object, or one a line for games and steps")


def _game(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d{1,9})\.(\d{1,9})", text, re.ASCII)
    if not found:
        raise argparse.ArgumentTypeError(f"{quote(text)} is not BLOCK.GAME, as in 17.1")
    return int(found[1]), int(found[2])


def _span(text: str) -> tuple[int, int | None]:
    found = re.fullmatch(r"(\d{0,9})(\.\.(\d{0,9}))?", text, re.ASCII)
    if not found or not text:
        raise argparse.ArgumentTypeError(f"{quote(text)} is not FROM..TO, as in 10..20")
    first = int(found[1] or 0)
    last = first if found[2] is None else int(found[3]) if found[3] else None
    if last is not None and last < first:
        raise argparse.ArgumentTypeError(f"{quote(text)} ends before it begins")
    return first, last


def run(args: argparse.Namespace) -> int:
    if args.steps and not args.game:
        print("skyclaim show: --steps needs a --game; see 'skyclaim show --help'", file=sys.stderr)
        return 2
    first, last = args.steps or (0, None)
    header = read_header(args.ledger)
    if args.game is not None:
        record = find(args.ledger, *args.game)
        for moment in replay(record, header):
            if first <= moment.number and (last is None or moment.number <= last):
                print(*(_moment_json(moment),) if args.json else moment_lines(moment, record), sep="\n")
        if not args.json:
            print(ending(record))
        return 0
    if args.games:
        for record in read_games(args.ledger):
            print(json.dumps(record) if args.json else game_line(record))
        return 0
    summary = Summary(header)
    for record in read_games(args.ledger):
        summary.add(record)
    print(json.dumps(summary.json(), allow_nan=False) if args.json else summary.text())
    return 0


def find(path: str, block: int, game: int) -> Record:
    """A game of a ledger; raises SkyclaimError if it is not there."""
    for record in read_games(path):
        if (record["block"], record["game"]) == (block, game):
            return record
    raise SkyclaimError(f"game {quote(f'{block}.{game}')} is not in {quote(path)}; --games lists those that are")


def game_line(record: Record) -> str:
    """`17.1  a 1 – b 0  S wins land  212 turns`: the number, who played, the result, how it ended."""
    sides = " – ".join(f"{name} {share:g}" for name, share in zip(record["engines"], record["result"], strict=True))
    ended = "" if record["ended"] == "rules" else f"  ({record['ended']})"
    return f"{record['block']}.{record['game']}  {sides}  {record['how']}{ended}  {record['turns']} turns"


def moment_lines(moment: Moment, record: Record) -> Iterator[str]:
    """What was played and by whom, what happened, and the board after it."""
    position, game = moment.position, moment.position.game
    if moment.steps:
        yield f"Step {moment.number}, turn {moment.turn}"
        for seat, step in moment.steps.items():
            yield f"{game.seat_name(seat)} ({record['engines'][seat - 1]}): {step}"
        yield from (f"  {sentence}" for sentence in game.narrate(moment.events, next(iter(moment.steps))))
    else:
        yield "The start"
    yield from ("", position.picture(), "")


def ending(record: Record) -> str:
    """The end of a game, with the words of a fault."""
    fault = record.get("fault")
    return "\n".join([game_line(record), *([fault["text"]] if fault else [])])


def _moment_json(moment: Moment) -> str:
    facts = {"number": moment.number, "turn": moment.turn, "steps": moment.steps, "events": moment.events}
    return json.dumps({**facts, "position": moment.position.line()})
