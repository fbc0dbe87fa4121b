"""Runs a match: the plan, the blocks as units of work, and the local runner that plays them in threads.

``play_block`` is a function of its arguments alone, which can be sent to another machine; so it does not matter where
a block is played, in which order, or how often, as long as a game counts once.
"""

from __future__ import annotations

import hashlib
import queue
import threading
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..errors import SkyclaimError, quote
from ..game import Position
from ..games import game as find_game
from ..options import Option, Value
from ..protocol.client import EngineError
from . import schedule as schedules
from .engines import Spec
from .player import Halted, Players
from .records import VERSION, Record, game_record
from .referee import Terms, play, random_start
from .schedule import Schedule

#: a block and those of its games that are to be played
Task = tuple[int, tuple[int, ...]]


@dataclass(frozen=True)
class Plan:
    """Everything that decides what is played, in a form that can be pickled.

    ``rules`` are all rule options of ``game``; ``openings`` are position lines, one for each block of a pair in turn;
    ``kind`` names the schedule.
    """

    game: str
    rules: dict[str, Value]
    engines: tuple[Spec, ...]
    schedule: Schedule
    kind: str = "roundrobin"
    openings: tuple[str, ...] = ()
    random_plies: int = 0
    terms: Terms = field(default_factory=Terms)

    @property
    def options(self) -> list[tuple[Option, Value]]:
        """The rule options of the game, each with its value."""
        return [(option, self.rules[option.name]) for option in find_game(self.game).options]

    def start(self, block: int, seed: int) -> Position:
        """The position at which all games of a block begin."""
        game = find_game(self.game)
        if self.openings:
            position = game.parse(self.openings[self.schedule.cycle(block) % len(self.openings)], self.rules)
        else:
            position = game.start(seed, self.rules)
        return random_start(position, self.random_plies, seed) if self.random_plies else position

    def header(self) -> Record:
        """The first line of the match's ledger."""
        terms = self.terms
        digest = hashlib.sha256("\n".join(self.openings).encode()).hexdigest()[:16] if self.openings else None
        return {
            "record": "match", "version": VERSION, "game": self.game, "rules": dict(self.rules),
            "seed": self.schedule.seed, "schedule": self.kind, "blocks": self.schedule.blocks,
            "seats": self.schedule.seats, "encounters": [list(engines) for engines in self.schedule.encounters],
            "engines": [spec.record() for spec in self.engines],
            "openings": digest, "random_plies": self.random_plies, "max_turns": terms.max_turns,
            "adjudication": [f"{rule.kind}={rule.figure:g} turns={rule.turns}" for rule in terms.adjudication],
            "ceiling": terms.ceiling,
        }  # fmt: skip


def check(plan: Plan) -> None:
    """Start each engine once and set its options; raises SkyclaimError that names the engine, before any game."""
    for line in plan.openings:
        if fault := _opening_fault(plan, line):
            raise SkyclaimError(f"opening {quote(line)}: {fault}")
    with Players(plan.game, plan.options) as players:
        for player in players.take(plan.engines):
            try:
                player.begin(1)
            except EngineError as error:
                raise SkyclaimError(f"engine {quote(player.spec.name)} cannot play: {error}") from None
            player.close()


def _opening_fault(plan: Plan, line: str) -> str:
    seats = plan.schedule.seats
    try:
        position = find_game(plan.game).parse(line, plan.rules)
    except SkyclaimError as error:
        return str(error)
    if position.stream is None:
        return "the stream of chance is not known"
    if not position.deciders:
        return "the game is over"
    return "" if position.seats == seats else f"it is not for {seats} seats"


def play_block(plan: Plan, number: int, missing: Sequence[int], players: Players | None = None) -> list[Record]:
    """The records of the ``missing`` games of a block; with engines of its own if there are no ``players``."""
    if players is not None:
        return list(games_of_block(plan, number, missing, players))
    with Players(plan.game, plan.options) as own:
        return list(games_of_block(plan, number, missing, own))


def games_of_block(plan: Plan, number: int, missing: Sequence[int], players: Players) -> Iterator[Record]:
    """The same, each record as soon as its game has ended."""
    block = plan.schedule.block(number)
    start = plan.start(number, block.seed)
    for game in missing:
        seating = block.seatings[game]
        seats = players.take(plan.engines[engine] for engine in seating)
        seeds = [plan.schedule.engine_seed(number, engine) for engine in seating]
        played = play(start, block.seed, seats, seeds, plan.terms)
        names = [plan.engines[engine].name for engine in seating]
        yield game_record(number, game, block.seed, names, start.line(), played)


def play_locally(plan: Plan, tasks: Iterable[Task], concurrency: int = 1) -> Generator[Record, None, None]:
    """Play the ``tasks`` in so many threads, each with engines of its own; the records as the games end.

    Whoever closes the iterator before its end, by an exception say, ends all engines; games under way are dropped.
    """
    halt, ended = threading.Event(), queue.SimpleQueue[Any]()
    work, taking = iter(tasks), threading.Lock()
    teams = [Players(plan.game, plan.options, halt) for _ in range(concurrency)]

    def run(players: Players) -> None:
        try:
            with players:
                while True:
                    with taking:
                        task = next(work, None)
                    if task is None:
                        break
                    for record in games_of_block(plan, *task, players):
                        if halt.is_set():  # its engines may have been killed in the middle of the game
                            raise Halted
                        ended.put(record)
            ended.put(None)
        except BaseException as error:
            ended.put(error)

    threads = [threading.Thread(target=run, args=(players,), name="referee", daemon=True) for players in teams]
    try:
        for thread in threads:
            thread.start()
        running = len(threads)
        while running:
            item = ended.get()
            if isinstance(item, BaseException):
                raise item
            if item is None:
                running -= 1
            else:
                yield item
    finally:
        halt.set()
        for thread, players in zip(threads, teams, strict=True):
            while thread.is_alive():
                players.interrupt()
                thread.join(0.05)


def tasks(plan: Plan, done: Iterable[tuple[int, int]]) -> Iterator[Task]:
    """What is still to be played, where the games in ``done`` (block, game) have been."""
    return schedules.missing(done, plan.schedule)
