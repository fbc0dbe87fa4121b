"""Matches in whatever order things happen: acts, repeats, lost connections, tabs, clocks, undo, restarts.

What must hold after each: nobody misses a message or is sent one twice, the two boards are the same, every step that
was acknowledged is there once, no clock gains time, and the store has the match as it is.
"""

from __future__ import annotations

import asyncio
import itertools
import random
from collections.abc import Coroutine, Iterator
from typing import Any, ClassVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from gui_adapter.errors import Refused
from gui_adapter.match import Match
from gui_adapter.store import Store
from skyclaim_engine.arena.referee import key_chance
from skyclaim_engine.games.skyclaim.position import GAME
from tests.gui.stage import Phone, Stage, quiet

#: the boards and the chance of the matches, so that an example can be repeated
CHANCE = random.Random()
SEATS = st.sampled_from((1, 2))


class PairMachine(RuleBasedStateMachine):
    """Ann and Bob, each with the pages that they have opened."""

    stage: ClassVar[Stage]

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self.stage.loop.run_until_complete(work)

    @initialize(timers=st.booleans(), fog=st.sampled_from(("off", "seam", "dark")), seed=st.integers(0, 99))
    def begin(self, timers: bool, fog: str, seed: int) -> None:
        self.stage.time = 0.0
        CHANCE.seed(seed)
        self.stage.store = Store(":memory:")
        self.match: Match = self.run(self.stage.pair(timers=timers, options={"Fog": fog}))
        self.pages: dict[int, Phone | None] = {seat: Phone(self.match, seat) for seat in (1, 2)}
        self.silent: list[tuple[Phone, int]] = []  # pages that must hear nothing more, and what they had heard
        self.numbers = itertools.count()
        self.acknowledged: list[tuple[int, str]] = []
        self.requests: dict[tuple[int, str], tuple[int, str, int | str]] = {}
        self.clocks = self.clock_times()

    def be(self, seat: int, presence: str) -> None:
        async def work() -> None:  # it sets an alarm, which needs the loop
            self.match.presence(seat, presence)

        self.run(work())

    def clock_times(self) -> list[int]:
        clocks = self.match.view(1)["clocks"]
        return list(clocks["ms"]) if clocks else [0, 0]

    def answer(self, seat: int, ident: str, seq: int, step: str) -> int | str:
        try:
            return int(self.run(self.match.act(seat, ident, seq, step)))
        except Refused as error:
            return error.code

    @rule(seat=SEATS, pick=st.integers(0, 200))
    def act(self, seat: int, pick: int) -> None:
        """A step that the page offers, or any at all where it is not on turn."""
        page = self.pages[seat]
        seq = page.seq if page else self.match.facts.seqs[seat]
        legal = (page.state if page else self.match.view(seat))["legal"]
        step = legal[pick % len(legal)] if legal else "claim:e1"
        ident = f"n{next(self.numbers)}"
        answer = self.answer(seat, ident, seq, step)
        self.requests[seat, ident] = (seq, step, answer)
        if isinstance(answer, int):
            assert legal and answer == seq + 1
            self.acknowledged.append((seat, step))
        else:
            assert answer in ("not-your-turn", "over")

    @precondition(lambda self: self.requests)
    @rule(data=st.data())
    def repeat(self, data: st.DataObject) -> None:
        """The same request comes once more, since its answer got lost."""
        seat, ident = data.draw(st.sampled_from(sorted(self.requests)))
        seq, step, answer = self.requests[seat, ident]
        assert self.answer(seat, ident, seq, step) == answer

    @rule(seat=SEATS, behind=st.integers(1, 3))
    def act_on_an_old_board(self, seat: int, behind: int) -> None:
        seq = self.match.facts.seqs[seat] - behind
        expected = "over" if self.match.over else "stale" if self.match.facts.mover == seat else "not-your-turn"
        assert self.answer(seat, f"old{next(self.numbers)}", seq, "claim:e1") == expected

    @rule(seat=SEATS)
    def drop(self, seat: int) -> None:
        if page := self.pages[seat]:
            self.match.unlisten(seat, page.hear)
            self.be(seat, "lost")
            self.silent.append((page, len(page.got)))
            self.pages[seat] = None

    @rule(seat=SEATS)
    def open_a_page(self, seat: int) -> None:
        """After a lost connection, or as a second tab."""
        if old := self.pages[seat]:
            self.silent.append((old, len(old.got)))
        self.pages[seat] = Phone(self.match, seat)
        self.be(seat, "here")

    @rule(seconds=st.sampled_from((1, 7, 31)))
    def wait(self, seconds: int) -> None:
        self.stage.time += seconds
        self.run(self.match.tick())

    @precondition(lambda self: not self.match.over)
    @rule(seat=SEATS, how=st.sampled_from(("leave", "resign")), really=st.integers(0, 5))
    def give_up(self, seat: int, how: str, really: int) -> None:
        if really == 0:
            ident = f"{how}{next(self.numbers)}"
            answers = [self.run(getattr(self.match, how)(seat, ident)) for _ in range(2)]
            assert answers[0] == answers[1] and self.match.over
            assert self.match.facts.outcome.scores[seat - 1] == 0.0

    @precondition(lambda self: not self.match.over)
    @rule()
    def restart(self) -> None:
        """The server ends and begins again; the pages come back."""
        self.run(self.match.close())
        [self.match] = self.run(Match.load(self.stage.host()))
        self.requests.clear()
        for seat, page in self.pages.items():
            if page:
                state, seq = page.state, page.seq
                self.pages[seat] = again = Phone(self.match, seat)
                self.be(seat, "here")
                assert (again.seq, again.state["hash"], again.state["legal"]) == (seq, state["hash"], state["legal"])

    @invariant()
    def pages_are_up_to_date(self) -> None:
        facts = self.match.facts
        for seat, page in self.pages.items():
            if page:
                state = self.match.view(seat)
                assert page.seq == facts.seqs[seat]
                for name in ("line", "legal", "hash", "moves", "mover", "result", "turn"):
                    assert page.state[name] == state[name]
        assert all(len(page.got) == heard for page, heard in self.silent)

    @invariant()
    def boards_agree(self) -> None:
        one, other = self.match.view(1), self.match.view(2)
        if not self.match.facts.hidden:
            assert (one["hash"], one["moves"]) == (other["hash"], other["moves"])
        assert one["turn"] == other["turn"] and one["mover"] == other["mover"] and not (one["legal"] and other["legal"])

    @invariant()
    def steps_are_there_once(self) -> None:
        assert [(move.seat, move.step) for move in self.match.facts.moves] == self.acknowledged

    @invariant()
    def no_clock_gains(self) -> None:
        clocks = self.clock_times()
        assert all(now <= before for now, before in zip(clocks, self.clocks, strict=True))
        self.clocks = clocks

    @invariant()
    def the_store_has_it(self) -> None:
        kept = self.run(self.stage.store.matches())
        if self.match.over:
            assert kept == []
        else:
            [(facts, moves)] = kept
            assert facts["line"] == self.match.facts.line and len(moves) == len(self.acknowledged)

    def teardown(self) -> None:
        if hasattr(self, "match"):
            if self.match.over:
                before = [seat.rating for seat in self.match.facts.seats]
                after = [self.run(self.stage.person(name)).rating for name in ("Ann", "Bob")]
                assert sum(after) == pytest.approx(sum(before)) and len(asyncio.all_tasks(self.stage.loop)) == 0
            self.run(self.match.close())
            self.run(self.stage.store.close())


class BotMachine(RuleBasedStateMachine):
    """Ann against a bot for practice: what is taken back, and what comes when it is played again."""

    stage: ClassVar[Stage]

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self.stage.loop.run_until_complete(work)

    @initialize(timers=st.booleans(), fog=st.sampled_from(("off", "dark")), seed=st.integers(0, 99))
    def begin(self, timers: bool, fog: str, seed: int) -> None:
        self.stage.time, self.stage.store = 0.0, Store(":memory:")
        CHANCE.seed(seed)
        settings = {"timers": timers, "practice": True, "options": {"Fog": fog}}
        self.match: Match = self.run(self.stage.against_bot(quiet, **settings))
        self.page = Phone(self.match, 1)
        self.numbers = itertools.count()
        self.known: dict[tuple[str, ...], str] = {}  # the position after the steps so far
        self.clocks: dict[int, list[int]] = {}  # what they showed when so many steps had been played

    @precondition(lambda self: not self.match.over)
    @rule(pick=st.integers(0, 200), seconds=st.integers(0, 5))
    def act(self, pick: int, seconds: int) -> None:
        """A step, and the bot's turn after it."""
        self.stage.time += seconds
        count, legal = len(self.match.facts.moves), self.page.state["legal"]
        if clocks := self.match.view(1)["clocks"]:
            self.clocks[count] = clocks["ms"]
        self.run(self.page.act(legal[pick % len(legal)], f"n{next(self.numbers)}"))
        self.run(self.page.mine())

    @precondition(lambda self: not self.match.over)
    @rule(seconds=st.integers(0, 5))
    def undo(self, seconds: int) -> None:
        points = [point.count for point in self.match.facts.past]
        assert self.page.state["undo"] == bool(points)
        ident = f"u{next(self.numbers)}"
        if not points:  # and no time passes, or the turn's would run out
            with pytest.raises(Refused, match="nothing to take back"):
                self.run(self.match.undo(1, ident))
            return
        self.stage.time += seconds
        assert self.run(self.match.undo(1, ident)) == self.run(self.match.undo(1, ident)) == self.page.seq
        assert len(self.match.facts.moves) == points[-1] and self.page.state["mover"] == 1
        if clocks := self.page.state["clocks"]:
            assert clocks["ms"] == self.clocks[points[-1]]

    @precondition(lambda self: not self.match.over)
    @rule()
    def restart(self) -> None:
        self.run(self.match.close())
        [self.match] = self.run(Match.load(self.stage.host(quiet)))
        self.page = Phone(self.match, 1)

    @invariant()
    def the_steps_lead_to_the_position(self) -> None:
        """Played again with the chance of the match, and whichever way it was reached."""
        facts = self.match.facts
        steps = tuple(move.step for move in facts.moves)
        position = GAME.parse(facts.start, facts.options)
        key_chance(position, facts.seed)
        for step in steps:
            turn = position.turn
            position.apply(step)
            if position.turn != turn and not position.result:
                key_chance(position, facts.seed)
        assert position.line() == facts.line == self.known.setdefault(steps, facts.line)
        assert self.page.state["line"] == facts.seen[1]

    def teardown(self) -> None:
        if hasattr(self, "match"):
            self.run(self.match.close())
            self.run(self.stage.store.close())


@pytest.fixture(autouse=True)
def _on_stage(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("gui_adapter.match.secrets.randbits", CHANCE.getrandbits)
    PairMachine.stage = BotMachine.stage = stage
    yield
    del PairMachine.stage, BotMachine.stage


TestPair, TestBot = PairMachine.TestCase, BotMachine.TestCase
TestPair.settings = settings(max_examples=40, stateful_step_count=40)
TestBot.settings = settings(max_examples=15, stateful_step_count=20)
