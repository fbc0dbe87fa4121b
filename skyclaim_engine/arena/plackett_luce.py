"""The Plackett–Luce model of placements, with ties: how likely an order of seats is, given the strength of each.

The winner is drawn among all seats in proportion to exp(strength), the second among the rest, and so on. Seats that
share a place share it in the model too: the logarithm is the mean over every order of them, so that a draw of two
counts as half a win of each. Seats with nothing of the win have no order, and nothing is drawn among them. With two
seats this is the logistic model of Elo.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


#: the place of a seat with nothing of the win
UNPLACED = -1


class Placement(NamedTuple):
    """How a game came out: the engine of each seat, and its place, 0 for the best, `UNPLACED` for no share at all."""

    engines: tuple[str, ...]
    places: tuple[int, ...]


def placement(engines: Sequence[str], result: Sequence[float]) -> Placement:
    """The placement that shares of the win amount to."""
    shares = sorted({share for share in result if share > 0}, reverse=True)
    return Placement(tuple(engines), tuple(shares.index(share) if share > 0 else UNPLACED for share in result))


@dataclass(frozen=True)
class Likelihood:
    """The log-likelihood of a placement: Σ x[placed] - Σ weight · log Σ exp(x[members]), x the strengths by seat.

    ``placed`` is a flag for each seat; ``members`` is choices × seats, the seats that each place is drawn from.
    """

    placed: NDArray[np.bool_]
    weights: Array
    members: NDArray[np.bool_]

    def at(self, strengths: Array) -> tuple[float, Array, Array]:
        """(value, gradient by seat, Hessian by pairs of seats); the Hessian has no positive eigenvalue."""
        present = np.where(self.members, strengths, -np.inf)
        top = present.max(axis=1)
        parts = np.exp(present - top[:, None])
        sums = parts.sum(axis=1)
        shares = parts / sums[:, None]
        drawn = self.weights @ shares
        value = float(strengths[self.placed].sum() - self.weights @ (np.log(sums) + top))
        return value, self.placed - drawn, shares.T @ (self.weights[:, None] * shares) - np.diag(drawn)


@functools.cache
def likelihood(places: tuple[int, ...]) -> Likelihood:
    """The model's likelihood of seats that came in at ``places``, at most six of a kind or so: it goes over subsets."""
    weights, members = [], []
    for place in sorted(set(places) - {UNPLACED}):
        tied = [seat for seat, other in enumerate(places) if other == place]
        below = [seat for seat, other in enumerate(places) if other > place or other == UNPLACED]
        for size in range(len(tied), 0, -1):
            # of all orders of the tied seats, this many leave just these seats to draw from
            weight = 1 / math.comb(len(tied), size)
            for chosen in itertools.combinations(tied, size):
                weights.append(weight)
                members.append([seat in chosen or seat in below for seat in range(len(places))])
    placed = np.array([place != UNPLACED for place in places])
    return Likelihood(placed, np.array(weights), np.array(members, dtype=bool))
