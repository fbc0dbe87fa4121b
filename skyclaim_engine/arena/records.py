"""The records of a ledger: what a game becomes, and how a record is played again, for any program.

``replay`` is all that is needed to show a game: it follows the record's steps with the keyed chance of its seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import SkyclaimError, quote
from ..game import Event, Game, Position
from ..games import game as find_game
from .referee import Played, key_chance

VERSION = 1

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
