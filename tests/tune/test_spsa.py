"""The method by itself, on games whose best values are known."""

from __future__ import annotations

import numpy as np

from skyclaim_engine.tune.spsa import Spsa

BEST = np.array([3.0, -1.0, 0.5])
SCALES = np.array([1.0, 0.5, 0.2])


def play(spsa: Spsa, until: int) -> Spsa:
    """Noisy games in which whoever is nearer to BEST wins more often."""
    for iteration in range(spsa.done, until):
        one, other = (np.sum(((values - BEST) / SCALES) ** 2) for values in spsa.candidates(iteration))
        chance = 1 / (1 + np.exp(0.3 * (one - other)))
        won = np.random.default_rng(iteration + 77).random(2) < chance
        spsa.learn(iteration, float(won.sum() - 1))
    return spsa


def test_it_finds_the_values_that_win() -> None:
    spsa = play(Spsa.begin(np.zeros(3), SCALES, seed=1, total=4000), 4000)
    assert np.all(np.abs(spsa.mean - BEST) < 0.35 * SCALES), spsa.mean


def test_without_results_nothing_moves() -> None:
    spsa = Spsa.begin(np.ones(3), SCALES, seed=1, total=100)
    for iteration in range(100):
        spsa.learn(iteration, 0.0)
    assert np.array_equal(spsa.values, np.ones(3))
    assert np.array_equal(spsa.mean, np.ones(3))


def test_the_players_of_an_iteration_are_opposite_and_always_the_same() -> None:
    spsa = Spsa.begin(np.ones(3), SCALES, seed=5, total=100)
    one, other = spsa.candidates(7)
    assert np.allclose((one + other) / 2, spsa.values)
    assert np.allclose(np.abs(one - other), np.abs(one - other)[0] / SCALES[0] * SCALES)
    again = Spsa.begin(np.ones(3), SCALES, seed=5, total=100).candidates(7)
    assert np.array_equal(one, again[0])
    assert not np.array_equal(one, Spsa.begin(np.ones(3), SCALES, seed=6, total=100).candidates(7)[0])


def test_a_winner_pulls_the_values_its_way() -> None:
    spsa = Spsa.begin(np.zeros(3), SCALES, seed=1, total=10)
    one, _ = spsa.candidates(0)
    spsa.learn(0, 1.0)
    assert np.array_equal(np.sign(spsa.values), np.sign(one))
