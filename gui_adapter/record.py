"""A match as a ledger of the arena with one game: its two lines, written and read.

The format is the arena's own (`skyclaim_engine.arena.records`), so that every tool that reads ledgers reads these.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from skyclaim_engine.arena.records import VERSION, check_game, check_header
from skyclaim_engine.errors import SkyclaimError, quote

from .errors import Refused
from .facts import Facts, Json, Outcome, Seat
from .readers import reader


def header(facts: Facts) -> Json:
    """The first line of the ledger: what was agreed on."""
    engines = [
        {"name": name, **({"skill": seat.skill} if seat.is_bot else {"rating": seat.rating})}
        for name, seat in zip(_names(facts.seats), facts.seats, strict=True)
    ]
    return {
        "record": "match", "version": VERSION, "game": facts.game, "rules": dict(facts.options), "seed": facts.seed,
        "schedule": "single", "blocks": 1, "seats": 2, "encounters": [[0, 1]], "engines": engines,
        "timers": facts.clocks is not None, "weight": facts.weight,
    }  # fmt: skip


def game(facts: Facts, outcome: Outcome) -> Json:
    """The second line: the game that was played. The arena's tools pass over ``hints``, which is a word of our own."""
    moves = facts.moves
    return {
        "record": "game", "block": 0, "game": 0, "seed": facts.seed, "engines": _names(facts.seats),
        "start": facts.start, "steps": [move.step for move in moves], "seats": [move.seat for move in moves],
        "times": [move.ms for move in moves], "result": list(outcome.scores), "ended": outcome.ended,
        "how": outcome.how, "turns": len({move.turn for move in moves}), "hints": facts.hints,
    }  # fmt: skip


def text(header: Json, game: Json) -> str:
    """The ledger's two lines."""
    return "".join(f"{json.dumps(line, separators=(',', ':'), allow_nan=False)}\n" for line in (header, game))


def parse(text: str) -> tuple[Json, Json]:
    """The header and the first game of a ledger; raises Refused with what is wrong.

    Whether the game's steps follow the rules is not known before it is played again.
    """
    lines = [_object(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    first = next((line for line in lines[1:] if line.get("record") == "game"), None)
    if first is None:
        raise Refused("bad-record", "There is no game in it: a ledger has a line about the match, then one for a game.")
    try:
        check_header(lines[0])
        reader(lines[0]["game"])
        check_game(first, lines[0])
    except SkyclaimError as error:
        raise Refused("bad-record", f"It is no record of a game: {error}.") from None
    if lines[0]["seats"] != 2:
        raise Refused("bad-record", f"seats {quote(str(lines[0]['seats']))}: games of two can be shown here.")
    return lines[0], first


def _object(number: int, line: str) -> dict[str, Any]:
    try:
        value = json.loads(line, parse_constant=_no_number)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise Refused("bad-record", f"Line {number} is not a JSON object: {quote(line)}.")
    return value


def _no_number(word: str) -> None:
    raise ValueError(word)


def _names(seats: tuple[Seat, Seat]) -> list[str]:
    """A name for each seat, not twice the same."""
    first, second = (seat.name for seat in seats)
    return [first, second if second != first else f"{second} (2)"]


def won(game: Mapping[str, Any], seat: int) -> str:
    """`won`, `lost` or `drawn`, as ``seat`` sees the result of a game."""
    share = game["result"][seat - 1]
    return "drawn" if share == 0.5 else "won" if share > 0.5 else "lost"
