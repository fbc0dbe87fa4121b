"""Simultaneous perturbation stochastic approximation: all parameters are moved at once, by the results of games.

In each iteration every parameter goes up or down by its width, at random; two players, one with these values and one
with the opposite ones, play a pair of games; and the values take a step toward the winner. After Spall, "Multivariate
stochastic approximation using a simultaneous perturbation gradient approximation" (1992).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

#: a width, and a step as a part of it, at the first and at the last iteration
WIDTH = (0.8, 0.5)
STEP = (0.06, 0.015)
#: what a new value weighs in the running mean of them, which is the result
MEMORY = 0.01


@dataclass
class Spsa:
    """``values`` in units of ``scales``, after so many iterations ``done``; ``mean`` is their running mean.

    All three are vectors of the number of parameters; ``total`` is how many iterations there are to be.
    """

    values: Vector
    scales: Vector
    mean: Vector
    seed: int
    total: int
    done: int = 0

    @classmethod
    def begin(cls, values: Vector, scales: Vector, seed: int, total: int) -> Spsa:
        """Before the first iteration."""
        return cls(values.copy(), scales, values.copy(), seed, total)

    def _between(self, ends: tuple[float, float], iteration: int) -> float:
        return ends[0] + (ends[1] - ends[0]) * min(iteration / self.total, 1.0)

    def signs(self, iteration: int) -> Vector:
        """Which way each parameter goes in that iteration: a vector of ±1, the same whenever it is asked."""
        return np.random.default_rng((self.seed, iteration)).choice([-1.0, 1.0], len(self.values))

    def candidates(self, iteration: int) -> tuple[Vector, Vector]:
        """The values of the two players."""
        shift = self._between(WIDTH, iteration) * self.signs(iteration) * self.scales
        return self.values + shift, self.values - shift

    def learn(self, iteration: int, result: float) -> None:
        """Take a step: ``result`` is what the first player scored less what the second did, over the games, -1..1."""
        self.values = self.values + self._between(STEP, iteration) * result * self.signs(iteration) * self.scales
        weight = max(MEMORY, 1 / (self.done + 1))
        self.mean = self.mean + weight * (self.values - self.mean)
        self.done += 1
