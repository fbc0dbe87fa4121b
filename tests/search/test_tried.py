"""What was tried in a situation and led back to it is not tried again by the side that is behind."""

from __future__ import annotations

from typing import cast

import pytest

from skyclaim_engine import game
from skyclaim_engine.game import Position
from skyclaim_engine.search import Bot, Limits, Settings, StopFlag
from skyclaim_engine.search import tried as module
from skyclaim_engine.search.tried import Tried
from tests.tactics.test_tactics import BY_CLASS

SKYCLAIM = game("skyclaim")
START = SKYCLAIM.start(7).line()
#: South has more land, less land
AHEAD = START.replace("4NNN4/4NNN4/4NNN4", "4NNN4/4NNN4/5NN4")
BEHIND = START.replace("4SSS4/4SSS4/4SSS4", "4SSS4/4SSS4/5SS4")


def at(line: str, turn: int) -> Position:
    """The position, as of a later turn."""
    words = line.split()
    words[7] = str(turn)
    return SKYCLAIM.parse(" ".join(words))


def decide(bot: Bot, line: str, turn: int, nodes: int = 2000) -> str:
    return cast("str", bot.decide(at(line, turn), Limits(nodes=nodes), StopFlag(), lambda told: None))


def test_a_situation_is_all_but_the_turn_and_the_stream() -> None:
    assert at(START, 1).key != at(START, 3).key
    assert at(START, 1).situation == at(START, 3).situation
    other = SKYCLAIM.start(8)
    assert other.situation != at(START, 1).situation
    other.restream(5)
    assert other.situation == SKYCLAIM.start(8).situation
    assert {name: game(name).start(1).situation for name in ("islands", "rockets")} == {
        "islands": None,
        "rockets": None,
    }


@pytest.mark.parametrize("line", [START, BEHIND], ids=["even", "behind"])
def test_each_turn_in_the_same_situation_has_another_step(line: str) -> None:
    bot = Bot(Settings(seed=3))
    steps = [decide(bot, line, turn) for turn in range(1, 20, 2)]
    assert len(set(steps)) == 10
    assert [decide(bot, line, turn) for turn in range(1, 20, 2)] == steps  # asked again, it says the same
    bot.new_game()
    assert decide(bot, line, 19) == decide(Bot(Settings(seed=3)), line, 19)


def test_who_is_ahead_stays() -> None:
    bot = Bot(Settings(seed=3))
    steps = [decide(bot, AHEAD, turn) for turn in (1, 3, 5, 7)]
    alone = [decide(Bot(Settings(seed=3)), AHEAD, turn) for turn in (1, 3, 5, 7)]
    assert steps == alone


def test_below_skill_50_steps_are_tried_again() -> None:
    bot = Bot(Settings(seed=3, skill=40))
    turns = [turn for turn in range(1, 60, 2) if bot.level.plays_best(3, turn, 1)]
    alone = [decide(Bot(Settings(seed=3, skill=40)), START, turn) for turn in turns]
    assert [decide(bot, START, turn) for turn in turns] == alone


def test_the_only_defence_is_played_again() -> None:
    met = 0
    for good, line in BY_CLASS["defence"]:
        view = SKYCLAIM.parse(line)
        seat, land = view.seat, view.tally
        assert land is not None
        if len(good) == 1 and land[seat - 1] <= land[2 - seat]:
            bot = Bot(Settings(seed=1))
            assert decide(bot, line, 51, 20_000) == good[0]
            assert decide(bot, line, 53, 20_000) == good[0]
            met += 1
    assert met >= 4


def test_what_has_all_been_tried_may_be_tried_again() -> None:
    position, tried = at(START, 1), Tried()
    numbers = position.steps()
    for number in numbers.values():
        tried.played(position, 1, number)
    later = at(START, 3)
    assert tried.in_vain(position, 1, numbers.values()) == frozenset()
    assert tried.in_vain(later, 1, numbers.values()) == frozenset(numbers.values())
    assert tried.in_vain(later, 2, numbers.values()) == frozenset()
    bot = Bot(Settings(seed=3))
    bot._tried = tried
    assert decide(bot, START, 3) in numbers


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LONGEST", 5)
    tried, position = Tried(), at(START, 1)
    numbers = list(position.steps().values())[:8]
    for number in numbers:
        tried.played(position, 1, number)
    assert tried.in_vain(at(START, 3), 1, numbers) == frozenset(numbers[3:])
    tried.clear()
    assert tried.in_vain(at(START, 3), 1, numbers) == frozenset()
