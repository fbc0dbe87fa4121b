"""What others could do about a step: all of their replies, and what each of them leaves."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import count

import pytest

from skyclaim_engine import game
from skyclaim_engine.facts import Reply
from skyclaim_engine.search import inquiry
from skyclaim_engine.search.algorithms import ALGORITHMS
from skyclaim_engine.search.replies import gain, is_free, replies
from tests.games.skyclaim.test_explain import place
from tests.scenes_islands import Scene

SKYCLAIM, ISLANDS, ROCKETS = game("skyclaim"), game("islands"), game("rockets")


#: how far off a result is at most that comes from a sum told with three decimals
ROUNDED = 0.0005 / 12 / 4


def win(sum_of_terms: float) -> float:
    return 1 / (1 + math.exp(-sum_of_terms / 12))


def test_the_replies_are_the_legal_steps_of_the_position_after() -> None:
    position = place("Me1,Gd4,rh9,mk11")
    number = position.steps()["move:d4d5"]
    worth, after = replies(position.observe(1), 1, number, 7)
    position.apply("move:d4d5")
    assert set(after) == {(2, reply) for reply in position.steps().values()}
    assert worth == pytest.approx(win(-dict(position.evaluate())["sum"]), abs=ROUNDED)
    reply = position.steps()["take:h9d5"]
    position.apply("take:h9d5")
    assert after[2, reply] == pytest.approx(win(dict(position.evaluate())["sum"]), abs=ROUNDED)


def test_nobody_replies_to_a_free_step_or_to_the_end() -> None:
    position = SKYCLAIM.start(1)
    fire = next(number for step, number in position.steps().items() if step.startswith("fire"))
    assert replies(position.observe(1), 1, fire, 7)[1] == {}
    assert is_free(SKYCLAIM.table, fire)
    position = place("Me1,Xj9,mk11")
    assert replies(position.observe(1), 1, position.steps()["move:j9j10"], 7) == (1.0, {})
    assert not is_free(SKYCLAIM.table, position.steps()["move:j9j10"])


def test_where_all_decide_at_once_the_replies_are_the_others_orders() -> None:
    position = ISLANDS.start(1, {"Seats": 3})
    worth, after = replies(position.observe(2), 2, 0, 7)
    assert 0 < worth < 1
    assert {seat for seat, _ in after} == {1, 3}
    assert {number for seat, number in after if seat == 3} == set(position.steps(3).values())


def test_a_gain_is_what_a_step_adds() -> None:
    position = place("Me1,Rc3,sf6,mk11")
    step = position.steps()["move:c3b4"]
    before = win(dict(position.evaluate())["sum"])
    position.apply("move:c3b4")
    after = win(-dict(position.evaluate())["sum"])
    again = place("Me1,Rc3,sf6,mk11").observe(1)
    assert gain(again, 1, step, 3, 5) == pytest.approx(after - before, abs=2 * ROUNDED)


@pytest.mark.parametrize("name", ["onestep", "expectimax"])
def test_the_costliest_reply_and_the_best_other_step(name: str) -> None:
    search = ALGORITHMS[name]
    view = place("Me1,Xc1,Wd4,rh9,mk11").observe(1)
    steps = view.steps()
    facts = inquiry.of_a_question(view, 1, steps["move:d4d5"], steps, search, 5)
    assert facts == inquiry.of_a_question(view, 1, steps["move:d4d5"], steps, search, 5)
    assert facts.chosen is not None
    assert facts.other is not None
    assert facts.chosen.step == "move:d4d5"
    assert facts.other.step in steps
    assert facts.margin < 0
    assert facts.reply is not None
    assert facts.reply.step == "take:h9d5"
    worth, after = replies(view, 1, steps["move:d4d5"], 1)
    assert facts.reply.cost == pytest.approx(worth - min(after.values()))


def prevented(knowledge: int, late: Callable[[], bool]) -> Reply | None:
    """What a step is found to prevent that stands in the way of a siege."""
    view = place("Me1,Gd3,xf3,mk11").observe(1)
    search = ALGORITHMS["onestep"]
    return inquiry.of_a_choice(view, 1, "move:d3e2", [], view.steps(), "played", knowledge, search, 5, late).prevented


def test_the_reply_is_not_thought_of_below_its_skill() -> None:
    found = {knowledge: prevented(knowledge, lambda: False) for knowledge in (10, 40, 50, 100)}
    assert found[10] is found[40] is None
    assert isinstance(found[50], Reply)
    assert found[50] == found[100]
    assert found[50].step == "move:f3e2"


def test_when_it_is_late_the_reply_is_thought_of_no_longer() -> None:
    """Whenever it gets late, little more is looked at, and nothing is said that is not sure."""

    def late_after(time: int) -> tuple[Reply | None, int]:
        """What is found when it is late at the question of that number, and how many there are."""
        clock = count()
        return prevented(100, lambda: next(clock) >= time), next(clock)

    found, questions = late_after(1000)
    assert found is not None
    for time in range(questions):
        found, asked = late_after(time)
        assert found is None
        assert asked <= time + 8


def test_in_islands_only_marches_of_squads_that_are_seen_are_told() -> None:
    held = {7: (1, 3), 1: (1, 1), 0: (2, 6), 11: (2, 3), 15: (3, 2)}
    position = ISLANDS.parse(Scene(held, (), ()).model().line())
    view = position.observe(1)
    facts = inquiry.of_a_question(view, 1, 0, {"-": 0}, ALGORITHMS["onestep"], 5)
    assert facts.other is None
    assert facts.reply is not None
    assert facts.reply.seat == 2
    assert facts.reply.step.startswith("march:0>")
    orders = position.steps(2)
    shown = {order for order, number in orders.items() if view.sees(number, 2)}
    assert shown == {order for order in orders if order.startswith("march:0>")}
    assert len(shown) < len(orders)


def test_rockets_answer_when_it_is_another_pilots_turn() -> None:
    position = ROCKETS.start(3, {"Pilots": 2})
    number = next(iter(position.steps().values()))
    worth, after = replies(position.observe(1), position.seat, number, 7)
    assert 0 < worth < 1
    assert {seat for seat, _ in after} == {3 - position.seat}
