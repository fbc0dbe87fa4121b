"""Ratings of all engines at once: by hand, found again in simulated games, and where they have no end."""

from __future__ import annotations

import math
from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skyclaim_engine.arena.all_play import Block, rate
from skyclaim_engine.arena.elo import LOGISTIC
from skyclaim_engine.arena.plackett_luce import placement
from skyclaim_engine.errors import SkyclaimError

SHARES = {"1": [1.0, 0.0], "=": [0.5, 0.5], "0": [0.0, 1.0]}


def _block(one: str, other: str, results: str) -> Block:
    """Two games, ``one`` first and then ``other``; the results are those of ``one``: `1`, `=` or `0`."""
    first = placement((one, other), SHARES[results[0]])
    second = placement((other, one), SHARES[results[1]][::-1])
    return tuple(sorted((first, second)))


def test_two_engines_by_hand() -> None:
    # a: 75 % on the first seat, 60 % on the second
    blocks = {
        _block("a", "b", "11"): 50,
        _block("a", "b", "10"): 25,
        _block("a", "b", "01"): 10,
        _block("a", "b", "00"): 15,
    }
    ratings = rate(blocks)
    assert ratings
    first, second = math.log(75 / 25), math.log(60 / 40)
    gap, seat = LOGISTIC * (first + second) / 2, LOGISTIC * (first - second) / 2
    a, b = ratings.engines["a"], ratings.engines["b"]
    assert a
    assert b
    assert a.value == pytest.approx(gap / 2, abs=0.01)
    assert b == -a
    assert ratings.first_seat.value == pytest.approx(seat, abs=0.01)

    # the sandwich: the gap is the mean of two log-odds, each moved by residual / (p q), and they move together
    moves = {"11": (0.25, 0.4), "10": (0.25, -0.6), "01": (-0.75, 0.4), "00": (-0.75, -0.6)}
    counts = {"11": 50, "10": 25, "01": 10, "00": 15}
    variance = (
        sum(
            count * ((moves[word][0] / (0.75 * 0.25) + moves[word][1] / (0.6 * 0.4)) / 2) ** 2
            for word, count in counts.items()
        )
        / 100**2
    )
    # and one block's worth of the model's own variance
    model = (1 / (0.75 * 0.25) + 1 / (0.6 * 0.4)) / 4 / 100
    error = LOGISTIC * 1.959964 * math.sqrt(variance + model / 100)
    assert a.error == pytest.approx(error / 2, rel=1e-3)


def test_draws_are_half() -> None:
    drawn = rate({_block("a", "b", "1="): 10, _block("a", "b", "0="): 10})
    played = rate(
        {_block("a", "b", "11"): 5, _block("a", "b", "00"): 5, _block("a", "b", "10"): 5, _block("a", "b", "01"): 5}
    )
    assert drawn
    assert played
    for ratings in (drawn, played):
        a = ratings.engines["a"]
        assert a
        assert a.value == pytest.approx(0, abs=1e-6)
        assert ratings.first_seat.value == pytest.approx(0, abs=1e-6)


def _simulated(truth: dict[str, float], advantage: float, rounds: int, seed: int) -> Counter[Block]:
    random, blocks, names = Random(seed), Counter[Block](), sorted(truth)
    for _ in range(rounds):
        for i, one in enumerate(names):
            for other in names[i + 1 :]:
                games = []
                luck = random.random()  # both games of a block meet the same chance: they are far from independent
                for first, second in ((one, other), (other, one)):
                    chance = 1 / (1 + math.exp(-(truth[first] - truth[second] + advantage) / LOGISTIC))
                    games.append(placement((first, second), [1.0, 0.0] if luck < chance else [0.0, 1.0]))
                blocks[tuple(sorted(games))] += 1
    return blocks


def test_ratings_are_found_again_with_honest_errors() -> None:
    truth, inside, seats = {"a": 90.0, "b": 10.0, "c": -20.0, "d": -80.0}, 0, 0
    for seed in range(40):
        ratings = rate(_simulated(truth, 50, 60, seed))
        assert ratings
        inside += sum(rating.low <= truth[name] <= rating.high for name, rating in ratings.engines.items() if rating)
        seats += ratings.first_seat.low <= 50 <= ratings.first_seat.high
    assert 0.91 <= inside / 160 <= 0.99
    assert seats / 40 >= 0.85


def test_the_block_is_the_unit_of_the_errors() -> None:
    blocks = _simulated({"a": 50.0, "b": 0.0, "c": -50.0}, 30, 400, 1)
    games: Counter[Block] = Counter()
    for block, number in blocks.items():
        for game in block:
            games[(game,)] += number
    paired, alone = rate(blocks), rate(games)
    assert paired
    assert alone
    # with the same luck the first seat wins both games or none: seldom an edge for an engine, always one for the seat
    for name in "abc":
        one, other = paired.engines[name], alone.engines[name]
        assert one
        assert other
        assert one.value == pytest.approx(other.value, abs=0.01)
        assert one.error < 0.7 * other.error
    assert paired.first_seat.error > 1.25 * alone.first_seat.error


def test_anchors_stand_and_errors_are_relative_to_them() -> None:
    blocks = _simulated({"a": 90.0, "b": 10.0, "c": -100.0}, 20, 300, 5)
    free, held = rate(blocks), rate(blocks, {"b": 1400})
    assert free
    assert held
    b = held.engines["b"]
    assert b
    assert (b.value, b.error) == (1400, 0)
    for name in "ac":
        one, other, zero = held.engines[name], free.engines[name], free.engines["b"]
        assert one
        assert other
        assert zero
        assert one.value - 1400 == pytest.approx(other.value - zero.value, abs=0.01)
        assert one.error > other.error
    two = rate(blocks, {"b": 1400, "c": 1000})
    assert two
    assert [two.engines[name] and round(two.engines[name].value, 9) for name in "bc"] == [1400, 1000]  # type: ignore[union-attr]


def test_only_wins_are_a_bound() -> None:
    blocks = {
        _block("a", "b", "11"): 4,
        _block("b", "c", "10"): 5,
        _block("c", "b", "11"): 2,
        _block("c", "d", "11"): 1,
    }
    blocks[_block("b", "c", "11")] = 2
    ratings = rate(blocks)
    assert ratings
    a, b, c, d = (ratings.engines[name] for name in "abcd")
    assert b
    assert c
    assert a
    assert d
    assert (a.bound, b.bound, c.bound, d.bound) == ("≥", "", "", "≤")
    assert a.value == pytest.approx(max(b.value, c.value) + 1199.83, abs=0.01)
    assert d.value == pytest.approx(min(b.value, c.value) - 1199.83, abs=0.01)
    assert b.value + c.value == pytest.approx(0)


def test_nothing_can_be_said_without_a_chain_of_results() -> None:
    # both lost to a alone, and a and c and d are as strong as each other
    blocks = {
        _block("x", "a", "11"): 3,
        _block("x", "y", "11"): 3,
        _block("a", "c", "10"): 9,
        _block("a", "c", "01"): 9,
    }
    ratings = rate(blocks)
    assert ratings
    assert ratings.engines["y"] is None
    assert list(ratings.engines)[-1] == "y"
    assert ratings.json()["engines"]["y"] is None  # type: ignore[index]


def test_groups_that_never_met_are_reported() -> None:
    level = {_block(one, other, "10"): 5 for one, other in (("a", "b"), ("b", "c"), ("x", "y"))}
    level |= {_block(one, other, "01"): 5 for one, other in (("a", "b"), ("b", "c"), ("x", "y"))}
    ratings = rate(level)
    assert ratings
    assert ratings.groups == (("a", "b", "c"), ("x", "y"))
    assert all(rating and abs(rating.value) < 1e-6 for rating in ratings.engines.values())
    anchored = rate(level, {"x": 500})
    assert anchored
    values = {name: rating and round(rating.value, 3) for name, rating in anchored.engines.items()}
    assert values["y"] == 500
    assert values["a"] == 0


def test_a_seat_of_which_nothing_is_known() -> None:
    """Each pair has a winner that never loses: the seats may matter much or not at all."""
    ratings = rate({_block("a", "b", "11"): 3, _block("a", "c", "11"): 3, _block("b", "c", "11"): 3})
    assert ratings
    assert ratings.first_seat is None


def test_a_seat_that_always_wins_is_a_bound() -> None:
    many = rate({_block("a", "b", "10"): 1000})
    assert many
    assert str(many.first_seat) == "≥ +1200"
    ratings = rate({_block("a", "b", "10"): 10})
    assert ratings
    assert ratings.first_seat.bound == "≥"
    assert ratings.engines == {"a": None, "b": None}  # the seat explains all there is


def test_a_few_blocks_that_agree_have_an_error() -> None:
    ratings = rate({_block("a", "b", "1="): 3, _block("b", "c", "=0"): 3, _block("c", "a", "0="): 3})
    assert ratings
    assert all(rating and rating.error > 10 for rating in ratings.engines.values())


def test_wrong_anchors() -> None:
    blocks = {_block("a", "b", "10"): 1}
    with pytest.raises(SkyclaimError, match="anchor 'z' is no engine that has played"):
        rate(blocks, {"z": 0})
    for value in (math.nan, math.inf, 20_000):
        with pytest.raises(SkyclaimError, match=r"anchor 'a=.*' is not in -10000\.\.10000"):
            rate(blocks, {"a": value})
    assert rate({}) is None


@given(
    st.dictionaries(
        st.tuples(st.sampled_from("abcde"), st.sampled_from("abcde"), st.sampled_from("1=0"), st.sampled_from("1=0"))
        .filter(lambda word: word[0] != word[1])
        .map(lambda word: _block(word[0], word[1], word[2] + word[3])),
        st.integers(1, 1000),
        max_size=8,
    ),
    st.dictionaries(st.sampled_from("abcde"), st.sampled_from([0.0, 900.0, -10_000.0, 10_000.0]), max_size=2),
)
def test_whatever_was_played_comes_to_an_end_and_is_finite(blocks: dict[Block, int], anchors: dict[str, float]) -> None:
    played = {name for block in blocks for game in block for name in game.engines}
    ratings = rate(blocks, {name: value for name, value in anchors.items() if name in played})
    if ratings is None:
        assert not blocks
        return
    assert set(ratings.engines) == played == {name for group in ratings.groups for name in group}
    for estimate in (*ratings.engines.values(), *ratings.seats, ratings.first_seat):
        if estimate:
            assert all(math.isfinite(x) for x in (estimate.value, estimate.low, estimate.high))
            assert estimate.low <= estimate.value <= estimate.high
