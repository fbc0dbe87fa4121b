"""The records of a ledger: what a game becomes, and how a record is played again, for any program.

``check_header`` and ``check_game`` are the door for what stands in a file. ``replay`` is all that is needed to show a
game: it follows the record's steps with the keyed chance of its seed.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import SkyclaimError, quote
from ..game import Event, Game, Position
from ..games import game as find_game
from ..options import complete
from .referee import Played, key_chance
from .sprt import Sprt

VERSION = 1
ENDED = ("rules", "adjudication", "limit", "fault")

#: one line of a ledger
Record = dict[str, Any]


@dataclass(frozen=True)
class Moment:
    """A position of a game (``number`` 0: the start) and what led to it: the steps by seat, and the events.

    ``turn`` is the turn in which the steps were made. The position is the replay's own: copy it to keep it.
    """

    number: int
    turn: int
    steps: Mapping[int, str]
    events: list[Event]
    position: Position


def game_record(block: int, game: int, seed: int, engines: list[str], start: str, played: Played) -> Record:
    """The line for a game that was played; ``engines`` are names by seat."""
    record: Record = {
        "record": "game", "block": block, "game": game, "seed": seed, "engines": engines, "start": start,
        "steps": played.steps, "seats": played.seats, "times": played.times, "result": list(played.result),
        "ended": played.ended, "how": played.how, "turns": played.turns,
    }  # fmt: skip
    if fault := played.fault:
        culprit = engines[fault.seat - 1]
        record["fault"] = {"seat": fault.seat, "engine": culprit, "kind": fault.kind, "text": fault.text}
    return record


def check_header(header: Mapping[str, Any]) -> None:
    """Raise SkyclaimError if the first line of a ledger lacks what its readers need."""
    if header.get("record") != "match":
        raise SkyclaimError("its first line is not about a match")
    if header.get("version") != VERSION:
        raise SkyclaimError(f"version {quote(json.dumps(header.get('version')))} is not {VERSION}")
    _check(header, _HEADER, 0)
    game, rules = rules_of(header)
    complete(game.options, rules)
    if header.get("sprt") is not None:
        Sprt.parse(str(header["sprt"]))


def check_game(record: Mapping[str, Any], header: Mapping[str, Any]) -> None:
    """Raise SkyclaimError if a record is not of a game of the match of ``header``, whose fields are good."""
    seats = header["seats"]
    _check(record, _GAME, seats)
    names = {engine["name"] for engine in header["engines"]}
    if stranger := next((name for name in record["engines"] if name not in names), None):
        raise SkyclaimError(f"engines {quote(stranger)} is not one of the match")
    if record["block"] >= header["blocks"]:
        raise SkyclaimError(f"block {quote(str(record['block']))} is not one of the match's {header['blocks']}")
    if not len(record["steps"]) == len(record["seats"]) == len(record["times"]):
        raise SkyclaimError("steps, seats and times are not equally many")
    if fault := record.get("fault"):
        _check(fault, _FAULT, seats)


def _whole(value: Any, end: int = 1 << 64) -> bool:
    return type(value) is int and 0 <= value < end


def _real(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value < 1e15


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _all(good: Callable[[Any], bool], value: Any) -> bool:
    return isinstance(value, list) and all(map(good, value))


def _are_engines(value: Any) -> bool:
    return _all(lambda engine: isinstance(engine, dict) and _text(engine.get("name")), value) and len(value) > 1


def _is_result(value: Any, seats: int) -> bool:
    return _all(_real, value) and len(value) == seats and math.isclose(sum(value), 1, abs_tol=1e-6)


_Fields = Mapping[str, tuple[str, Callable[[Any, int], bool]]]

#: for each field that readers need: what it must be, and whether a value is that, with so many seats
_HEADER: _Fields = {
    "game": ("a text", lambda value, seats: _text(value)),
    "seed": ("a whole number of 64 bits", lambda value, seats: _whole(value)),
    "blocks": ("a whole number", lambda value, seats: _whole(value)),
    "seats": ("a number of seats", lambda value, seats: _whole(value, 100) and value > 1),
    "engines": ("a list of two engines or more with names", lambda value, seats: _are_engines(value)),
}
_GAME: _Fields = {
    "block": ("a whole number", lambda value, seats: _whole(value)),
    "game": ("the number of a game in a block", _whole),
    "seed": ("a whole number of 64 bits", lambda value, seats: _whole(value)),
    "engines": ("a name for each seat", lambda value, seats: _all(_text, value) and len(value) == seats),
    "start": ("a text", lambda value, seats: _text(value)),
    "steps": ("a list of texts", lambda value, seats: _all(_text, value)),
    "seats": ("a list of seats", lambda value, seats: _all(lambda seat: _whole(seat, seats + 1) and seat > 0, value)),
    "times": ("a list of milliseconds", lambda value, seats: _all(_real, value)),
    "result": ("a share of the win for each seat", _is_result),
    "ended": (f"one of {', '.join(ENDED)}", lambda value, seats: value in ENDED),
    "how": ("a text", lambda value, seats: _text(value)),
    "turns": ("a whole number", lambda value, seats: _whole(value)),
    "fault": ("an object", lambda value, seats: value is None or isinstance(value, dict)),
}
_FAULT: _Fields = {
    "seat": ("a seat", lambda value, seats: _whole(value, seats + 1) and value > 0),
    "engine": ("a text", lambda value, seats: _text(value)),
    "kind": ("a text", lambda value, seats: _text(value)),
    "text": ("a text", lambda value, seats: _text(value)),
}


def _check(record: Mapping[str, Any], fields: _Fields, seats: int) -> None:
    for name, (what, good) in fields.items():
        if not good(record.get(name), seats):
            if name not in record:
                raise SkyclaimError(f"{name} is missing")
            raise SkyclaimError(f"{name} {quote(json.dumps(record[name]))} is not {what}")


def replay(record: Mapping[str, Any], header: Mapping[str, Any]) -> Iterator[Moment]:
    """The moments of a game in order, the start first; ``header`` is the ledger's first line.

    Raises SkyclaimError where the record does not follow the rules.
    """
    game, rules = rules_of(header)
    try:
        position, seed = game.parse(record["start"], rules), record["seed"]
        yield Moment(0, position.turn, {}, [], position)
        decisions = iter(zip(record["seats"], record["steps"], strict=True))
        turn, number = -1, 0
        while chosen := dict(step for _, step in zip(position.deciders, decisions, strict=False)):
            if position.turn != turn:
                turn = position.turn
                key_chance(position, seed)
            events = position.apply(position.joint(chosen))
            number += 1
            yield Moment(number, turn, chosen, events, position)
    except (KeyError, TypeError, ValueError) as error:
        where = f"game {record.get('block')}.{record.get('game')}"
        raise SkyclaimError(f"{where}: the record does not follow the rules of {game.info.name}: {error}") from None


def rules_of(header: Mapping[str, Any]) -> tuple[Game, dict[str, object]]:
    """The game of a ledger and its rule options; raises SkyclaimError."""
    rules = header.get("rules")
    if not isinstance(rules, dict):
        raise SkyclaimError(f"the ledger's rules {quote(str(rules))} are not options by name")
    return find_game(str(header.get("game"))), rules
