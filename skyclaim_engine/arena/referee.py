"""Plays one game: the referee holds the true position, the stream of chance and the clocks.

An engine is told nothing but what its seat sees (`position obs LINE`), in every game alike. Chance is keyed: when a
turn begins, the stream is set from the seed of the block, the number of the turn and the seat, so that the games of a
block meet the same chance as long as they play the same, and the same dice afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..errors import IllegalStep, SkyclaimError, quote
from ..game import Position
from ..protocol.client import EngineError
from ..search.onestep import random_step
from ..search.skill import mix
from .adjudicate import Adjudicator, Rule
from .clocks import Clock, deadline, go_words
from .player import Player

#: attempts to find a start by random steps that is not the end already
ATTEMPTS = 100
#: characters of a fault's text that are kept: its sentence and the last lines exchanged
LONGEST_TEXT = 6_000


@dataclass(frozen=True)
class Terms:
    """What holds for every game of a match: ``ceiling`` is in seconds, for a step without a limit of time."""

    max_turns: int | None = None
    adjudication: tuple[Rule, ...] = ()
    ceiling: float = 60.0


class Fault(Exception):
    """What ``seat`` did that ends the game: crash, hang, time, illegal, malformed, refused, doubled or late."""

    def __init__(self, seat: int, kind: str, text: str) -> None:
        self.seat, self.kind = seat, kind
        self.text = text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}…"
        super().__init__(text)


@dataclass
class Played:
    """A game that has ended. ``steps``, ``seats`` and ``times`` (ms) have an entry for each decision of a seat.

    ``ended`` is rules, adjudication, limit or fault; ``result`` the share of the win by seat.
    """

    steps: list[str] = field(default_factory=list)
    seats: list[int] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    turns: int = 0
    result: tuple[float, ...] = ()
    ended: str = "rules"
    how: str = ""
    fault: Fault | None = None


def key_chance(position: Position, seed: int) -> None:
    """Set the stream for the turn that begins: the rule of keyed chance, for referees and for replays."""
    position.restream(mix(seed, position.turn, position.seat))


def random_start(start: Position, plies: int, seed: int) -> Position:
    """``start`` after ``plies`` random decisions of all seats, drawn from ``seed``; another draw if that is the end.

    Raises SkyclaimError where no draw goes on for so long.
    """
    for attempt in range(ATTEMPTS):
        position, source = start.copy(), mix(seed, attempt, plies)
        turn = 0
        for ply in range(plies):
            if position.turn != turn:
                turn = position.turn
                key_chance(position, source)
            drawn = {
                seat: position.text(random_step(position.observe(seat), seat, mix(source, ply, seat)))
                for seat in position.deciders
            }
            position.apply(position.joint(drawn))
            if not position.deciders:
                break
        if position.deciders:
            return position
    raise SkyclaimError(f"random-plies '{plies}': no game goes on for so long")


def play(start: Position, seed: int, players: Sequence[Player], seeds: Sequence[int], terms: Terms) -> Played:
    """One game from ``start`` with a player for each seat, whose own chance has the seed in ``seeds``.

    Whatever the engines do, the game comes to an end; raises only Halted, and SkyclaimError for a wrong option.
    """
    game = _Game(start, seed, players, terms)
    try:
        game.begin(seeds)
        game.play()
    except Fault as fault:
        game.lose(fault)
    game.settle()
    return game.played


class _Game:
    def __init__(self, start: Position, seed: int, players: Sequence[Player], terms: Terms) -> None:
        self.position, self.seed, self.players, self.terms = start.copy(), seed, players, terms
        self.clocks = [Clock(player.spec.limits) for player in players]
        self.adjudicator = Adjudicator(terms.adjudication, len(players))
        self.played = Played()

    def begin(self, seeds: Sequence[int]) -> None:
        for seat, (player, seed) in enumerate(zip(self.players, seeds, strict=True), 1):
            try:
                player.begin(seed)
            except EngineError as error:
                raise self.fault_of(seat, error) from None

    def play(self) -> None:
        position, played = self.position, self.played
        moved: set[int] = set()
        key_chance(position, self.seed)
        while position.deciders:
            turn, chosen = position.turn, {}
            for seat in position.deciders:
                chosen[seat], elapsed = self.decide(seat)
                played.times.append(elapsed)
            self.apply(chosen)
            played.steps += chosen.values()
            played.seats += chosen
            moved.update(chosen)
            if position.turn == turn and position.deciders:
                continue
            played.turns += 1
            for seat in moved:
                self.clocks[seat - 1].end_turn()
            moved.clear()
            if position.deciders and self.stop():
                return
            if position.deciders:
                key_chance(position, self.seed)
        assert position.result, "nobody decides"
        played.result, played.how = position.result.scores, position.result.lines[0].removeprefix("result ")

    def decide(self, seat: int) -> tuple[str, float]:
        """The step of ``seat`` and the ms that it took; raises Fault."""
        player, clock = self.players[seat - 1], self.clocks[seat - 1]
        view, words = self.position.observe(seat).line(), go_words(self.clocks, seat)
        allowed = clock.allowed()
        try:
            answer = player.choose(view, words, deadline(clock, self.terms.ceiling))
        except EngineError as error:
            raise self.fault_of(seat, error) from None
        elapsed = round(1000 * answer.seconds, 1)
        self.check_oddity(seat)
        if not clock.spend(elapsed):
            forgiven = f"{allowed:.0f} ms and a margin of {clock.limits.margin}"
            raise self.fault(seat, "time", f"took {elapsed:.0f} ms, which is over {forgiven}")
        if answer.step is None:
            raise self.fault(seat, "illegal", "says that the game is over")
        if len(self.position.deciders) > 1:
            try:
                self.position.number(answer.step, seat)
            except IllegalStep as error:
                raise self.fault(seat, "illegal", str(error)) from None
        self.adjudicator.hear(seat, answer.infos)
        return answer.step, elapsed

    def apply(self, chosen: dict[int, str]) -> None:
        try:
            self.position.apply(self.position.joint(chosen))
        except IllegalStep as error:
            raise self.fault(next(iter(chosen)), "illegal", str(error)) from None

    def stop(self) -> bool:
        """Whether the game is ended before its end by the rules, here at the end of a turn."""
        played, seats = self.played, len(self.players)
        if decided := self.adjudicator.end_turn(self.position):
            winner, played.how = decided
            played.ended, played.result = "adjudication", tuple(float(s == winner) for s in range(1, seats + 1))
        elif self.terms.max_turns is not None and played.turns >= self.terms.max_turns:
            played.ended, played.how, played.result = "limit", f"{played.turns} turns", (1 / seats,) * seats
        return bool(played.result)

    def check_oddity(self, seat: int) -> None:
        if oddity := self.players[seat - 1].oddity():
            kind, line = oddity
            raise self.fault(seat, kind, f"answered once more: {quote(line)}")

    def fault(self, seat: int, kind: str, sentence: str) -> Fault:
        client = self.players[seat - 1].client
        return Fault(seat, kind, f"{sentence}{client.details() if client else ''}")

    def fault_of(self, seat: int, error: EngineError) -> Fault:
        """The engine cannot be talked to any more: end it now, the next game starts it anew."""
        self.players[seat - 1].drop()
        return Fault(seat, error.kind, str(error))

    def lose(self, fault: Fault) -> None:
        """The seat at fault has nothing, the others share the win alike."""
        played, others = self.played, len(self.players) - 1
        played.fault, played.ended = fault, "fault"
        played.how = f"{self.position.game.seat_name(fault.seat)} loses by {fault.kind}"
        played.result = tuple(0.0 if seat == fault.seat else 1 / others for seat in range(1, others + 2))
        del played.times[len(played.steps) :]

    def settle(self) -> None:
        """Whatever is still to come of the last steps comes before the next game, and counts for this one."""
        for seat, player in enumerate(self.players, 1):
            try:
                try:
                    player.settle()
                except EngineError as error:
                    raise self.fault_of(seat, error) from None
                self.check_oddity(seat)
            except Fault as fault:
                if not self.played.fault:
                    self.lose(fault)
