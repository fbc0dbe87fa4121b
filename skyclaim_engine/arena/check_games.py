"""Checks of play: whole games, repeatability, honesty, and the commands of a referee."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from random import Random

from ..errors import quote
from ..game import Game, Position
from ..options import Option, Value
from ..protocol.session import CountsOrders
from .examiner import Examiner, Fail, Search, Skip, illegal, random_step, single, walk

#: nodes for each step of a whole game, and where an answer is compared with another
NODES, COMPARED = 30, 200
#: the steps from the start at which positions are compared
DEPTHS = (0, 3, 10)
#: the steps that a referee is asked to carry out from each of them
STEPS = 3
#: a number in a rule option up to which there are few of something: seats, shields
FEW = 6
#: commands that every engine has
NEEDED = ("uci", "isready", "setoption", "ucinewgame", "position", "go", "stop", "quit")
STREAMS = (0, 0x0123456789ABCDEF, (1 << 64) - 1)


def plain_game(engine: Examiner, game: Game) -> None:
    """A whole game by the default rules: every seat sees what it may see, and answers with a legal step."""
    _whole_game(engine, game, {})


def full_game(engine: Examiner, game: Game) -> None:
    """A whole game with every rule option switched on, fog included."""
    _whole_game(engine, game, {option.name: _other(option) for option in game.options})


def _other(option: Option) -> Value:
    """A value that changes the game: on, the last choice, the most of what there are few of, or else the default."""
    if option.kind == "check":
        return True
    if option.choices:
        return option.choices[-1]
    return option.high if option.high <= FEW else option.default


def _whole_game(engine: Examiner, game: Game, values: dict[str, Value]) -> None:
    rules = engine.use(game, values)
    engine.quiet("ucinewgame")
    position = game.start(3, rules)
    while position.deciders:
        steps = {}
        for seat in position.deciders:
            engine.quiet(f"position obs {position.observe(seat).line()}")
            search = engine.search(f"nodes {NODES}")
            engine.legal(position, search, seat)
            steps[seat] = search.step
        position.apply(position.joint(steps))
    engine.quiet(f"position fen {position.line()}")
    search = engine.search(f"nodes {NODES}")
    if search.step != "none":
        raise Fail(search.sent, "'bestmove none', since the game is over", [search.last])


def repeatability(engine: Examiner) -> None:
    """The same `Seed` and `nodes` give the same answer."""
    engine.seeded()
    for position in _samples(engine):
        answers = []
        for _ in range(3):
            engine.quiet("ucinewgame")
            engine.quiet(f"position fen {position.line()}")
            answers.append(engine.search(f"nodes {COMPARED}"))
        _same(answers, "the same answer as before")


def honesty(engine: Examiner) -> None:
    """Positions that differ only in the stream of chance get the same answer."""
    engine.seeded()
    for position in _samples(engine):
        answers = []
        for stream in STREAMS:
            position.restream(stream)
            engine.quiet("ucinewgame")
            engine.quiet(f"position fen {position.line()}")
            answers.append(engine.search(f"nodes {COMPARED}"))
        _same(answers, "the same answer whatever chance will bring")


def _samples(engine: Examiner) -> Iterator[Position]:
    """Positions of every game, which the engine has been sent."""
    if not engine.variants:
        raise Skip("the engine offers none of the games that are asked for")
    for game in engine.variants:
        engine.use(game)
        for steps in DEPTHS:
            position = walk(game.start(4), steps, steps)
            engine.quiet(f"position fen {position.line()}")
            yield position


def _same(searches: Sequence[Search], expected: str) -> None:
    for search in searches[1:]:
        if search.step != searches[0].step:
            raise Fail(search.sent, f"{expected}, {quote(searches[0].step)}", [search.last])


# --- the referee -----------------------------------------------------------------------------------------------------


def legal(engine: Examiner) -> None:
    """`legal` lists the legal steps on one line, sorted."""
    for position in _samples(engine):
        [line] = _lines(engine, "legal", "legal")
        steps, number = line.split()[1:], len(position.legal())
        if steps != sorted(steps) or len(steps) != number:
            raise Fail("legal", f"{number} steps, sorted", [line])
        own = set(position.legal())
        for step in steps:
            if step not in own and (position.game.info.simultaneous or illegal(position, step, position.seat)):
                raise Fail("legal", f"legal steps of {position.line()}", [step])


def orders(engine: Examiner) -> None:
    """`orders SEAT` counts the order sets of a game with orders."""
    found = False
    for position in _samples(engine):
        if isinstance(position, CountsOrders):
            found = True
            for seat in position.deciders:
                count = f"orders {position.orders(seat)}"
                if (came := engine.offered(f"orders {seat}")) != [count]:
                    raise Fail(f"orders {seat}", quote(count), came)
    if not found:
        raise Skip("the engine offers no game with orders")


def apply(engine: Examiner) -> None:
    """`apply STEP` tells events, then the position, then the result of a game that is over; a wrong step changes
    nothing."""
    for position in _samples(engine):
        random = Random(position.key)
        for _ in range(STEPS):
            if not position.deciders:
                break
            chosen = {seat: random_step(position, seat, random) for seat in position.deciders}
            _apply(engine, position, position.joint(chosen))
        engine.refuse("apply nonsense", "illegal-step")


def _apply(engine: Examiner, position: Position, step: str) -> None:
    text = f"apply {step}"
    came = engine.offered(text)
    position.apply(step)
    expected = [f"fen {position.line()}", *(position.result.lines if position.result else ())]
    events = came[: -len(expected)]
    if came[len(events) :] != expected:
        raise Fail(text, f"{quote(expected[0], 200)} after the events", came[len(events) :])
    for event in events:
        try:
            known = isinstance(json.loads(event.removeprefix("event "))["type"], str)
        except (ValueError, KeyError, TypeError):
            known = False
        if not known or not event.startswith("event "):
            raise Fail(text, "lines 'event {\"type\":…}'", [event])


def observe(engine: Examiner) -> None:
    """`observe SEAT` tells what the seat sees."""
    for position in _samples(engine):
        for seat in position.deciders:
            text, expected = f"observe {seat}", f"obs {position.observe(seat).line()}"
            if (came := engine.offered(text)) != [expected]:
                raise Fail(text, quote(expected, 200), came)


def draw(engine: Examiner) -> None:
    """`d` draws the board, and `fen LINE` is its last line."""
    for position in _samples(engine):
        came = engine.offered("d")
        if len(came) < 2 or came[-1] != f"fen {position.line()}":
            raise Fail("d", f"a picture and {quote(f'fen {position.line()}', 200)}", came[-1:])


def evaluate(engine: Examiner) -> None:
    """`eval` gives lines `eval TERM VALUE`."""
    for _ in _samples(engine):
        for line in _lines(engine, "eval", "eval"):
            if not re.fullmatch(r"eval \S.* [-+]?[0-9]+(\.[0-9]+)?", line):
                raise Fail("eval", "lines 'eval TERM VALUE'", [line])


def explain(engine: Examiner) -> None:
    """`explain STEP` says in words what a legal step does."""
    for position in _samples(engine):
        _lines(engine, f"explain {single(position.legal()[0])}", "explain")
        engine.refuse("explain nonsense")


def listing(engine: Examiner) -> None:
    """`help` lists the commands."""
    came = "\n".join(engine.offered("help"))
    if missing := [word for word in NEEDED if not re.search(rf"\b{word}\b", came)]:
        raise Fail("help", f"the commands, {missing[0]} among them", came.splitlines())


def _lines(engine: Examiner, text: str, word: str) -> list[str]:
    """The answer to ``text``, each line of which must begin with ``word``; raises Fail and Skip."""
    came = engine.offered(text)
    if not came or any(line.split(maxsplit=1)[:1] != [word] for line in came):
        raise Fail(text, f"lines that begin with {word}", came)
    return came
