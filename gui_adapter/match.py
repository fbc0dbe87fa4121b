"""A match: its seats, its secret position and chance, its clocks, what may be done to it, and who is told.

The chance of a match is keyed like that of the arena: when a turn begins, the stream is set from the match's seed, the
turn and the seat. So an undone step that is made again brings the same, and the game becomes a record that replays.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import sqlite3
import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass, replace

from skyclaim_engine import ratings
from skyclaim_engine.errors import quote
from skyclaim_engine.search.skill import mix

from . import asking, record, view
from .clocks import Clocks
from .engines import Engines
from .errors import EngineDown, Refused
from .facts import Facts, Json, Move, Outcome, Point, Seat
from .once import Once
from .readers import Event
from .store import Place, Player, Store
from .terms import Terms
from .view import Message

#: what the bot gets for the first two steps of a turn; for the next two half of it, then a quarter, so that even a
#: long turn is over within 2 s
BOT_MS = 400
#: the longest pause before an engine that is down is asked again, in seconds
PAUSE = 5.0
UNPLAYABLE = "The bot's step cannot be played. It tries again."
#: decisions that can be taken back
BACK = 20
#: seconds after which a person without a connection has left a match against a person: with timers, and without
LOST = {True: 60.0, False: 86_400.0}
#: the guided game's board and chance: its first view has three swaps that pay a drone, and room for the scout
GUIDED_SEED = 347
PRESENCES = ("here", "away", "lost", "gone")

log = logging.getLogger(__name__)

Callback = Callable[[Message], None]


@dataclass(frozen=True)
class Host:
    """What a match needs of the server; ``now`` is a monotonic clock in seconds."""

    engines: Engines
    store: Store
    now: Callable[[], float] = time.monotonic


class Match:
    """One match, under way or just over. Its methods are for the event loop; all may raise Refused."""

    def __init__(self, host: Host, facts: Facts) -> None:
        self.host, self.facts = host, facts
        self._lease = host.engines.lease(self._report_engine, mix(facts.seed, 3) >> 2 | 1)
        self._lock = asyncio.Lock()
        self._listeners: dict[int, Callback] = {}
        self._requests = Once()
        self._thinker: asyncio.Task[None] | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self._ticks: set[asyncio.Task[None]] = set()
        self._version = 0  # of the position: counts whatever makes a thought about it idle
        self._hinted = -1  # the version that a hint was given for
        self._since = host.now()  # when the seat on turn was asked
        self._lost = {number: host.now() for number, seat in enumerate(facts.seats, 1) if seat.presence == "lost"}

    # --- how a match begins ------------------------------------------------------------------------------------------

    @classmethod
    async def new_bot(
        cls, host: Host, person: Player, terms: Terms, *,
        seat: int = 1, start: str | None = None, seed: int | None = None,
    ) -> Match:  # fmt: skip
        """A match of a person against the bot, which counts as its skill has it, and for practice not at all.

        With ``start``, a position with its stream, and the ``seed`` of its chance, it goes on from there.
        """
        bot = Seat("the bot", ratings.bot_rating(terms.skill), skill=terms.skill)
        human = Seat(person.name, person.rating, person.ident)
        seats = (human, bot) if seat == 1 else (bot, human)
        practice = terms.practice or terms.guided or start is not None
        weight = 0.0 if practice else ratings.bot_weight(terms.skill)
        return await cls._new(host, seats, terms, weight, start, seed)

    @classmethod
    async def new_pair(cls, host: Host, south: Player, north: Player, terms: Terms) -> Match:
        """A match of two people, which counts in full."""
        seats = Seat(south.name, south.rating, south.ident), Seat(north.name, north.rating, north.ident)
        terms = replace(terms, guided=False, practice=False)
        return await cls._new(host, seats, terms, ratings.PERSON_WEIGHT)

    @classmethod
    async def _new(
        cls, host: Host, seats: tuple[Seat, Seat], terms: Terms, weight: float,
        start: str | None = None, seed: int | None = None,
    ) -> Match:  # fmt: skip
        if start is None:
            terms = terms.against(seats[0].rating, seats[1].rating)
            # the stars are in plain sight, so what they were made from must not tell what comes
            board = GUIDED_SEED if terms.guided else secrets.randbits(64)
            start = await host.engines.start(terms.game, terms.options, board)
        if seed is None:
            seed = GUIDED_SEED if terms.guided else secrets.randbits(64)
        facts = Facts(
            ident=secrets.token_hex(8), game=terms.game, options=terms.options, seed=seed, start=start, line=start,
            seats=seats, gap=terms.gap, weight=weight, guided=terms.guided,
            clocks=Clocks() if terms.timers else None, seen={}, legal={},
        )  # fmt: skip
        match = cls(host, facts)
        facts.line = match._keyed(start, None)
        facts.seen, facts.legal = await match._survey(facts.line)
        if not facts.legal[facts.mover]:
            raise Refused("over", "The game is over there, so it cannot go on.")
        if facts.clocks:
            facts.clocks.run(facts.mover, host.now())
        await match._save(0)
        match._go_on()
        return match

    @classmethod
    async def load(cls, host: Host) -> list[Match]:
        """The matches that were under way when the server ended.

        Nobody is connected to them yet, and their clocks stand until somebody is.
        """
        matches = []
        for saved, moves in await host.store.matches():
            try:
                facts = Facts.load(saved, moves, host.now())
            except (AttributeError, KeyError, TypeError, ValueError):
                log.exception("a match in the store cannot be read and stays there")
                continue
            for seat in facts.seats:
                seat.presence = "here" if seat.is_bot else "lost"
            matches.append(cls(host, facts))
            matches[-1]._go_on()
        return matches

    # --- who looks on ------------------------------------------------------------------------------------------------

    @property
    def ident(self) -> str:
        return self.facts.ident

    @property
    def over(self) -> bool:
        return self.facts.outcome is not None

    def seat_of(self, player: int) -> int:
        """The seat of a player, 0 if they have none."""
        return next((number for number, seat in enumerate(self.facts.seats, 1) if seat.player == player), 0)

    def listen(self, seat: int, callback: Callback) -> None:
        """Send what happens to ``seat`` from now on there, and nowhere else."""
        self._listeners[seat] = callback

    def unlisten(self, seat: int, callback: Callback) -> None:
        """Send nothing there any more; somebody else's callback stays."""
        if self._listeners.get(seat) == callback:
            del self._listeners[seat]

    def snapshot(self, seat: int) -> Message:
        """The whole state as a message to ``seat``."""
        return view.snapshot(self.facts, seat, self.host.now())

    def view(self, seat: int) -> Message:
        """The state alone."""
        return view.view(self.facts, seat, self.host.now())

    def presence(self, seat: int, word: str) -> None:
        """A person is here, away, lost or gone; the other one is told."""
        person = self.facts.seats[seat - 1]
        if person.is_bot or person.presence == word:
            return
        assert word in PRESENCES
        person.presence, now = word, self.host.now()
        if word in ("lost", "gone"):
            self._lost.setdefault(seat, now)
        elif self._lost.pop(seat, None) is not None:
            self._lost = dict.fromkeys(self._lost, now)  # who comes back waits for the other from now on
            if self.facts.clocks:
                self.facts.clocks.resume(now)
        self._tell_all({"t": "presence", "match": self.ident, "seats": view.seats(self.facts)})
        self._arm()

    # --- what a person does ------------------------------------------------------------------------------------------

    async def act(self, seat: int, ident: str, seq: int, step: str) -> int:
        """Play a step of ``seat``, whose page has seen what was sent up to ``seq``. The new number."""
        return await self._once(seat, ident, lambda: self._act(seat, seq, step))

    async def undo(self, seat: int, ident: str) -> int:
        """Take back to the person's previous decision, chance and clocks included."""
        return await self._once(seat, ident, lambda: self._undo(seat))

    async def resign(self, seat: int, ident: str) -> int:
        """Give the match up."""
        return await self._once(seat, ident, lambda: self._give_up(seat, "resign"))

    async def leave(self, seat: int, ident: str) -> int:
        """Leave the match, which loses it if it is under way."""
        return await self._once(seat, ident, lambda: self._give_up(seat, "left"))

    async def about(self, seat: int, square: str) -> Message:
        """What stands on a square and what it could do, as far as ``seat`` can know."""
        return await asking.about(self.host.engines, self.facts, seat, square)

    async def preview(self, seat: int, step: str) -> Message:
        """What a legal step of ``seat`` would do, as far as that is certain."""
        return await asking.preview(self.host.engines, self.facts, seat, step)

    async def hint(self, seat: int) -> Message:
        """A good step for ``seat``, counted once for a position; where the match is guided, it is part of that."""
        answer = await asking.hint(self.host.engines, self._lease, self.facts, seat)
        if answer["step"] and self._hinted != self._version and not self.facts.guided:
            self._hinted = self._version
            self.facts.hints += 1
        return answer

    async def close(self) -> None:
        """End what runs for the match, which stays in the store as it is, with the time that has passed."""
        if self._alarm:
            self._alarm.cancel()
        tasks = [task for task in (self._thinker, *self._ticks) if task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, self._requests.settle(), return_exceptions=True)
        if not self.over:
            await self._save(len(self.facts.moves))

    async def tick(self) -> None:
        """End the match if somebody has run out of time or has been away for too long."""
        async with self._lock:
            if not self.over:
                await self._check_time()
        self._arm()

    # --- inside: requests --------------------------------------------------------------------------------------------

    async def _once(self, seat: int, ident: str, work: Callable[[], Awaitable[None]]) -> int:
        """Do ``work`` unless it was done under this name; the seat's number after it."""

        async def do() -> int:
            async with self._lock:
                await work()
                return self.facts.seqs[seat]

        return await self._requests.do((seat, ident), do)

    async def _act(self, seat: int, seq: int, step: str) -> None:
        facts, now = self.facts, self.host.now()
        await self._check_time()
        asking.need_turn(facts, seat)
        if seq != facts.seqs[seat]:
            self._tell(seat, self.snapshot(seat))
            raise Refused("stale", f"The page was at number {quote(str(seq))}, but the match is at {facts.seqs[seat]}.")
        point = Point(len(facts.moves), facts.line, facts.clocks.save(now) if facts.clocks else None)
        await self._play(seat, step, now, point)

    async def _undo(self, seat: int) -> None:
        facts = self.facts
        await self._check_time()
        if not facts.can_undo or facts.seats[seat - 1].is_bot:
            raise Refused("no-undo", asking.why_no_undo(facts))
        point = facts.past[-1]
        seen, legal = await self._survey(point.line)
        facts.past.pop()
        del facts.moves[point.count :]
        facts.line, facts.seen, facts.legal = point.line, seen, legal
        facts.clocks = Clocks.load(point.clocks, self.host.now()) if point.clocks else None
        facts.seqs = {seat: seq + 1 for seat, seq in facts.seqs.items()}
        self._turned()
        await self._save(len(facts.moves))
        self._snapshots()
        self._go_on()

    async def _give_up(self, seat: int, how: str) -> None:
        if not self.over:
            await self._end(seat, how)
        elif how == "resign":
            raise Refused("over", "The match is over.")

    # --- inside: the course of the match -----------------------------------------------------------------------------

    async def _play(self, seat: int, step: str, now: float, point: Point | None = None) -> None:
        """Carry out a step that ``seat`` chose at the time ``now``; nothing changes if an engine refuses or fails."""
        facts, engines = self.facts, self.host.engines
        before, turn = facts.seen, facts.turn
        text = await engines.explain(facts.game, facts.options, before[seat], step, seen=True)
        events, line, result = await engines.apply(facts.game, facts.options, facts.line, step)
        chance = facts.reader.stream(line) != facts.reader.stream(facts.line)
        try:
            line = line if result else self._keyed(line, turn)
            outcome = Outcome(result, facts.reader.scores(result), "rules", result) if result else None
            seen, legal = await self._survey(line)
        except (LookupError, ValueError):
            raise EngineDown("The referee has answered what cannot be read.", PAUSE) from None
        other = 3 - seat
        noticed = facts.reader.noticed(before[other], seen[other], other) if facts.hidden else ""
        facts.moves.append(Move(turn, seat, step, text, round(1000 * (now - self._since)), chance, noticed))
        facts.line, facts.seen, facts.legal = line, seen, legal
        if point:
            facts.past = [*facts.past, point][-BACK:]
        facts.outcome = outcome
        if facts.clocks:
            facts.clocks.run(facts.mover, now)
        told = [number for number in (1, 2) if view.notices(facts, number, before)]
        for number in told:
            facts.seqs[number] += 1
        self._turned()
        await (self._finish() if result else self._save(len(facts.moves) - 1))
        self._tell_event(told, before, events)
        self._go_on()

    async def _check_time(self) -> None:
        """End the match for who has no time left, or has been away for too long."""
        facts, now = self.facts, self.host.now()
        due = facts.clocks.due(now) if facts.clocks and not self.over else None
        if due is not None and due <= 0:
            await self._end(facts.mover, "time")
        elif (lost := self._lost_due()) and lost[0] <= 0 and not self.over:
            await self._end(lost[1], "left")

    def _lost_due(self) -> tuple[float, int] | None:
        """In how many seconds which seat has been away for too long; None where no person waits for another."""
        if self.facts.bot or len(self._lost) != 1:
            return None
        [(seat, since)] = self._lost.items()
        return since + LOST[self.facts.clocks is not None] - self.host.now(), seat

    async def _end(self, loser: int, how: str) -> None:
        """End the match otherwise than by the rules."""
        facts = self.facts
        scores = (0.0, 1.0) if loser == 1 else (1.0, 0.0)
        words = {"resign": "resigns", "time": "loses on time", "left": "leaves"}
        line = f"{facts.reader.sides[2 - loser]} wins {how}"
        facts.outcome = Outcome(line, scores, "adjudication", f"{facts.reader.sides[loser - 1]} {words[how]}")
        if facts.clocks:
            facts.clocks.run(0, self.host.now())
        facts.seqs = {seat: seq + 1 for seat, seq in facts.seqs.items()}
        self._turned()
        await self._finish()
        self._snapshots()
        self._go_on()

    async def _finish(self) -> None:
        """Keep the game that has ended, and move the ratings."""
        facts, outcome = self.facts, self.facts.outcome
        assert outcome
        places = []
        for seat, gap, score in zip(facts.seats, (facts.gap, -facts.gap), outcome.scores, strict=True):
            change = ratings.change(gap, score, facts.weight) if facts.weight and not seat.is_bot else None
            places.append(Place(seat.player, seat.name, seat.skill, change))
        try:
            header, game = record.header(facts), record.game(facts, outcome)
            number, moved = await self.host.store.finish(facts.ident, header, game, places)
        except sqlite3.Error as error:
            self._tell_all({"t": "notice", "text": f"The game could not be kept: {error}."})
            return
        facts.outcome = replace(outcome, ratings=tuple(moved), game=number)

    async def _think(self) -> None:
        """Play the bot's steps until somebody else is on turn."""
        facts = self.facts
        while facts.mover and facts.mover == facts.bot:
            version, bot = self._version, facts.bot
            skill = facts.seats[bot - 1].skill or 0
            steps = sum(1 for move in facts.moves[-20:] if (move.turn, move.seat) == (facts.turn, bot))
            limits = f"movetime {BOT_MS >> min(steps // 2, 2)}"
            try:
                seen = facts.seen[bot]
                answer = await self.host.engines.go(self._lease, facts.game, facts.options, seen, limits, skill)
                async with self._lock:
                    await self._check_time()
                    if version == self._version and answer.step:
                        await self._play(bot, answer.step, self.host.now())
            except Refused as error:
                # until it plays again; what it tried to play is nobody's business
                down = error if isinstance(error, EngineDown) else EngineDown(UNPLAYABLE, PAUSE)
                self._lease.tell("down", down.text)
                await asyncio.sleep(min(down.seconds, PAUSE))

    def _turned(self) -> None:
        """The position is another one than before."""
        self._version += 1
        self._since = self.host.now()

    def _go_on(self) -> None:
        """Let the bot think if it is on turn, and watch the time."""
        facts = self.facts
        if facts.mover and facts.mover == facts.bot and (self._thinker is None or self._thinker.done()):
            self._thinker = asyncio.create_task(self._think())
        self._arm()

    def _arm(self) -> None:
        if self._alarm:
            self._alarm.cancel()
            self._alarm = None
        if self.over:
            return
        due = self.facts.clocks.due(self.host.now()) if self.facts.clocks else None
        lost = self._lost_due()
        waits = [wait for wait in (due, lost[0] if lost else None) if wait is not None]
        if waits:
            self._alarm = asyncio.get_running_loop().call_later(max(0.02, min(waits)), self._ring)

    def _ring(self) -> None:
        task = asyncio.create_task(self.tick())
        self._ticks.add(task)
        task.add_done_callback(self._ticks.discard)

    # --- inside: positions, messages, the store ----------------------------------------------------------------------

    def _keyed(self, line: str, before: int | None) -> str:
        """The position with the stream of its turn, if it is another turn than the one ``before``."""
        turn, seat = self.facts.reader.turn(line)
        return line if turn == before else self.facts.reader.rekeyed(line, mix(self.facts.seed, turn, seat))

    async def _survey(self, line: str) -> tuple[dict[int, str], dict[int, list[str]]]:
        """What each seat sees of a position, and its legal steps."""
        facts = self.facts
        seen, legal = await self.host.engines.survey(facts.game, facts.options, line, (1, 2))
        if facts.hidden:
            seen = {seat: facts.reader.veiled(text, seat) for seat, text in seen.items()}
        return seen, legal

    async def _save(self, begin: int) -> None:
        """Keep the facts, and the moves from the number ``begin`` on."""
        facts = self.facts
        moves: list[tuple[int, Json]] = [(begin + i, asdict(move)) for i, move in enumerate(facts.moves[begin:])]
        try:
            await self.host.store.save(facts.ident, facts.save(self.host.now()), len(facts.moves), moves)
        except sqlite3.Error as error:
            self._tell_all({"t": "notice", "text": f"The match could not be saved: {error}."})

    def _tell(self, seat: int, message: Message) -> None:
        if callback := self._listeners.get(seat):
            callback(message)

    def _tell_all(self, message: Message) -> None:
        for seat in list(self._listeners):
            self._tell(seat, message)

    def _tell_event(self, told: list[int], before: dict[int, str], events: list[Event]) -> None:
        for seat in told:
            if seat in self._listeners:
                self._tell(seat, view.event(self.facts, seat, before, events, self.host.now()))

    def _snapshots(self) -> None:
        for seat in list(self._listeners):
            self._tell(seat, self.snapshot(seat))

    def _report_engine(self, state: str, text: str) -> None:
        self._tell_all({"t": "engine", "state": state, "text": text})
