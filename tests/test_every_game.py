"""What every registered game must survive: random games under random options, all promises kept at every position."""

from __future__ import annotations

import contextlib
import copy
import json
import math
import pickle
import random

import pytest

from skyclaim_engine import GAMES, Game, IllegalStep, Position, RulesError, SkyclaimError
from skyclaim_engine.errors import StreamUnknown
from skyclaim_engine.options import Option
from skyclaim_engine.search import Bot, Limits, Settings, StopFlag
from skyclaim_engine.search.onestep import random_step
from skyclaim_engine.search.skill import mix

#: random games of each game, and the steps after which one is left to itself
PLAYED, LONGEST = 12, 3_000
#: positions of a game at which everything is checked; between them only the cheap promises are
THOROUGH = 25

#: games whose legal steps are listed whole; of the others' single orders steps are made, which their own tests play
LISTED = [name for name, game in GAMES.items() if not game.info.simultaneous]


def some_value(option: Option, rng: random.Random) -> object:
    """A value of an option, the default and the ends more often than others."""
    if option.kind == "check":
        return rng.random() < 0.5
    if option.kind == "combo":
        return rng.choice(option.choices)
    some = rng.randint(option.low, option.high)
    return rng.choice((option.default, option.low, min(option.high, option.low + 400), some))


def random_choice(position: Position, seed: int) -> str:
    """A whole step as random players choose it, one or all at once."""
    chosen = {
        seat: position.text(random_step(position.observe(seat), seat, mix(seed, seat))) for seat in position.deciders
    }
    return position.joint(chosen)


def check_cheap(position: Position) -> None:
    """What holds at every position and costs little."""
    result = position.result
    assert bool(position.deciders) == (result is None)
    assert position.seat == (position.deciders[0] if position.deciders else 0)
    assert list(position.deciders) == sorted(set(position.deciders))
    if result is not None:
        assert all(0 <= score <= 1 for score in result.scores)
        assert sum(result.scores) == pytest.approx(1)
        assert result.lines[0].startswith("result ")
        assert position.legal() == []


def check_texts(game: Game, position: Position) -> None:
    """The line comes back as the same position, with the same key."""
    again = game.parse(position.line(), position.options)
    assert again.line() == str(position) == position.line()
    assert again == position
    assert again.key == position.key
    assert again.result == position.result
    assert position.picture()
    assert "\x1b" not in position.picture()
    for name, value in position.evaluate():
        assert name
        assert math.isfinite(value)


def check_copies(position: Position) -> None:
    """Copies are equal, and independent."""
    twins = (position.copy(), copy.copy(position), copy.deepcopy(position), pickle.loads(pickle.dumps(position)))
    line = position.line()
    for twin in twins:
        assert twin == position
        assert hash(twin) == hash(position)
        assert twin.line() == line
        assert twin.raw() == position.raw()
        if position.deciders:
            twin.apply(random_choice(position, 1))
            assert twin != position
        assert position.line() == line


def check_steps(position: Position) -> None:
    """Legal steps are sorted, unique, and numbered one to one; others are refused and change nothing."""
    for seat in position.deciders:
        steps = position.steps(seat)
        assert list(steps) == sorted(set(steps)) == position.legal(seat)
        assert len(set(steps.values())) == len(steps)
    line = position.line()
    for wrong in ("", "nonsense", "swap:", "1:nonsense | 2:-", "\x00", "fly:" + "9," * 500):
        with pytest.raises(IllegalStep):
            position.apply(wrong)
    assert position.line() == line


def check_observations(game: Game, position: Position) -> None:
    """An observation keeps the decider's steps, knows no stream, plays nothing and comes back from its text."""
    for seat in range(1, seats_of(position) + 1):
        seen = position.observe(seat)
        assert seen.stream is None
        assert seen.turn == position.turn
        if seat in position.deciders:
            assert seen.steps(seat) == position.steps(seat)
            assert game.parse(seen.line(), position.options, observation=True) == seen
            with pytest.raises(StreamUnknown):
                seen.apply(random_choice(position, 2))
        with pytest.raises(RulesError):
            game.parse(seen.line() + " more", position.options)


def play(game: Game, options: dict[str, object], seed: int) -> Position:
    """One random game with every check on the way; returns its end."""
    position = game.start(seed, options)
    turn, rng = position.turn, random.Random(seed)
    for number in range(LONGEST):
        check_cheap(position)
        if number < 3 or rng.random() < THOROUGH / LONGEST or position.result is not None:
            check_texts(game, position)
            check_copies(position)
            check_steps(position)
            check_observations(game, position)
        if position.result is not None:
            return position
        before = position.key
        events = position.apply(random_choice(position, mix(seed, number)))
        assert events
        assert all(event["type"] for event in json.loads(json.dumps(events)))
        assert position.key != before
        assert position.turn >= turn
        turn = position.turn
    return position


def seats_of(position: Position) -> int:
    """How many seats this position has: its observations exist for these and no more."""
    highest = position.game.info.seats[1]
    for seat in range(1, highest + 1):
        try:
            position.observe(seat)
        except SkyclaimError:
            return seat - 1
    return highest


@pytest.mark.parametrize("name", GAMES)
def test_random_games(name: str) -> None:
    game, rng = GAMES[name], random.Random(name)
    ended = 0
    for seed in range(PLAYED):
        options = {option.name: some_value(option, rng) for option in game.options} if seed else {}
        ended += play(game, options, seed).result is not None
    assert ended > PLAYED / 2


@pytest.mark.parametrize("name", GAMES)
def test_the_same_seed_gives_the_same_game(name: str) -> None:
    game = GAMES[name]
    one, other = game.start(5), game.start(5)
    for number in range(20):
        if one.result is not None:
            break
        step = random_choice(one, number)
        assert one.apply(step) == other.apply(step)
    assert one == other
    assert one.line() == other.line()
    assert one.line() != game.start(6).line()


@pytest.mark.parametrize("name", GAMES)
def test_what_a_bot_is_told_is_an_observation(name: str) -> None:
    """The stream changed, the answer stays: it is drawn from the bot's seed and what the seat sees."""
    game = GAMES[name]
    position = game.start(3)
    for number in range(6):
        position.apply(random_choice(position, number))
    seat = position.seat
    answers = set()
    for source in (position, position.observe(seat)):
        bot = Bot(Settings(seed=11))
        answers.add(bot.decide(source, Limits(nodes=300), StopFlag(), lambda told: None))
    assert len(answers) == 1


@pytest.mark.parametrize("name", GAMES)
def test_seats_have_names(name: str) -> None:
    game = GAMES[name]
    for seat in range(1, game.info.seats[1] + 1):
        assert game.seat(game.seat_name(seat)) == seat
    for wrong in ("", "0", "99", "seat", "-1"):
        with pytest.raises(SkyclaimError):
            game.seat(wrong)


@pytest.mark.parametrize("name", GAMES)
def test_wrong_options_are_named(name: str) -> None:
    game = GAMES[name]
    with pytest.raises(SkyclaimError, match="'Colour'"):
        game.start(1, {"Colour": "red"})
    for option in game.options:
        with pytest.raises(SkyclaimError, match=option.name):
            game.start(1, {option.name: "wrong"})
    for seed in (-1, 1 << 64):
        with pytest.raises(SkyclaimError, match="seed"):
            game.start(seed)


@pytest.mark.parametrize("name", LISTED)
def test_every_legal_step_can_be_played_and_explained(name: str) -> None:
    game = GAMES[name]
    position = game.start(2)
    for number in range(30):
        position.apply(random_choice(position, number))
        if number % 10:
            continue
        for step in position.legal():
            after = position.copy()
            after.apply(step)
            assert after != position
            assert position.explain(step)


@pytest.mark.parametrize("name", GAMES)
def test_a_bot_explains_every_step_of_every_seat(name: str) -> None:
    game, bot = GAMES[name], Bot(Settings(seed=3))
    for seed, played in ((1, 3), (2, 20)):
        position = game.start(seed)
        for number in range(played):
            if position.deciders:
                position.apply(random_choice(position, number))
        for seat in position.deciders:
            view = position.observe(seat)
            for step in view.legal(seat):
                told = bot.explain(view, step)
                assert told.endswith(".")
                assert "\n" not in told
                assert not {"None", "nan", "{", "-0.0"}.intersection(told.split())


@pytest.mark.parametrize("name", GAMES)
def test_numbers_that_are_no_steps(name: str) -> None:
    position = GAMES[name].start(1)
    for number in (-1, 1 << 64, 1 << 70):
        with pytest.raises(SkyclaimError, match="step"):
            position.text(number)
    for number in ((1 << 64) - 1, 1 << 63, 255 << 16):
        with contextlib.suppress(SkyclaimError):  # it stands for a step, or is refused
            assert position.text(number)


@pytest.mark.parametrize("name", GAMES)
def test_wrong_types_are_told(name: str) -> None:
    game = GAMES[name]
    for seed in (1.5, "1", None):
        with pytest.raises(SkyclaimError, match="seed"):
            game.start(seed)  # type: ignore[arg-type]
