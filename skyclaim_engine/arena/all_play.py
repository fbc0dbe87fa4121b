"""Ratings of all engines of a match at once, in Elo, with the advantage of each seat as parameters of their own.

The strength of a seat is the rating of its engine and the advantage of the seat; placements follow the Plackett–Luce
model, which for two seats is the logistic one with draws as half a win. Fitted by the most likely ratings (Newton's
method). The errors are those of the sandwich estimator with the block as its unit (Huber, White), since the games of a
block depend on each other.

Ratings exist only up to a shift: the mean is 0, or anchors stand where they were put. Errors are relative to that.
Where an engine, or a set of engines, has won against the others and never lost (or the other way), the most likely
rating has no end; it is given as a bound. Engines that no chain of games connects form groups that cannot be compared.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import SkyclaimError, quote
from .elo import CLAMP, FLOOR, LOGISTIC, Estimate, Z, elo_of
from .plackett_luce import UNPLACED, Array, Placement, likelihood

Block = tuple[Placement, ...]
"""The games of a block, sorted."""

#: a rating that has no end is shown at most this far from the others
MOST = elo_of(1 - CLAMP)
MOST_ANCHOR = 10_000.0
#: eigenvalues of this size, relative to the largest, are rounding errors of 0
NOTHING = 1e-12
#: of Newton's method, in units of log-odds: far from the end the curvature promises too much
LONGEST_STEP = 3.0
#: what a step promises to add to the likelihood when it is not worth taking: 1e-6 standard errors
CLOSE = 1e-12


@dataclass(frozen=True)
class Ratings:
    """``engines``: the rating of each, best first, those that nothing can be said of (None) last.

    ``seats``: the advantage of each seat over the mean of all, None where it cannot be told from the ratings.
    ``groups``: engines that can be compared, the largest group first; each group without an anchor has its own zero.
    """

    engines: dict[str, Estimate | None]
    seats: tuple[Estimate | None, ...]
    groups: tuple[tuple[str, ...], ...]

    @property
    def first_seat(self) -> Estimate | None:
        """The advantage of the first seat over the mean of the others, None where it cannot be told."""
        stretch, first = len(self.seats) / (len(self.seats) - 1), self.seats[0]
        if first is None or stretch * first.error > MOST:
            return None
        value = stretch * first.value
        if first.bound:
            value = min(max(value, -MOST), MOST)
        return Estimate(value, value - stretch * first.error, value + stretch * first.error, first.bound)

    def json(self) -> dict[str, object]:
        """For machines."""
        return {
            "engines": {name: rating and rating.json() for name, rating in self.engines.items()},
            "seats": [seat and seat.json() for seat in self.seats],
            "groups": [list(group) for group in self.groups],
        }


def rate(blocks: Mapping[Block, int], anchors: Mapping[str, float] | None = None) -> Ratings | None:
    """The ratings that ``blocks`` (games of a block -> how often they came) amount to; None without games.

    All games have the same number of seats, two or more. Raises SkyclaimError for an anchor that has not played
    or is out of range.
    """
    # in order, so that the order in which games ended does not show in the last digit
    blocks = dict(sorted(blocks.items()))
    games = sorted({game for block in blocks for game in block})
    if not games:
        return None
    names = sorted({name for game in games for name in game.engines})
    for name, rating in (anchors or {}).items():
        if name not in names:
            raise SkyclaimError(f"anchor {quote(name)} is no engine that has played")
        if not abs(rating) <= MOST_ANCHOR:
            raise SkyclaimError(f"anchor {quote(f'{name}={rating:g}')} is not in -{MOST_ANCHOR:g}..{MOST_ANCHOR:g}")
    fixed = {name: rating / LOGISTIC for name, rating in (anchors or {}).items()}
    values, covariance = _fit(blocks, names, fixed)
    reach = _reach(names, ((game.engines, game.places) for game in games))
    found: dict[str, Estimate | None] = {}
    groups = []
    for group in _parts(_closed(reach | reach.T)):
        core = max(_parts(reach & reach.T, group), key=lambda part: (sum(names[i] in fixed for i in part), len(part)))
        zero = np.zeros(len(values))
        if not any(names[i] in fixed for i in group):
            zero[core] = 1 / len(core)
        for i in group:
            over, under = bool(reach[i, core[0]]), bool(reach[core[0], i])
            if (over and under) or names[i] in fixed:
                found[names[i]] = _estimate(np.eye(len(values))[i] - zero, values, covariance)
            elif over or under:
                # the fit is finite, thanks to the floor, but says nothing beyond this
                least, most = values[core].min() - MOST / LOGISTIC, values[core].max() + MOST / LOGISTIC
                value = LOGISTIC * float(np.clip(values[i], least, most) - zero @ values)
                found[names[i]] = Estimate(value, value, value, "≥" if over else "≤")
            else:
                found[names[i]] = None
        groups.append(tuple(names[i] for i in group))
    order = sorted(names, key=lambda name: -(found[name] or Estimate(-math.inf, 0, 0)).value)
    return Ratings(
        {name: found[name] for name in order},
        _seats(len(names), games, values, covariance),
        tuple(sorted(groups, key=len, reverse=True)),
    )


def _fit(blocks: Mapping[Block, int], names: Sequence[str], fixed: Mapping[str, float]) -> tuple[Array, Array]:
    """(strengths of the engines and then of the seats, their covariance), in units of log-odds.

    Each seating that was played counts as `FLOOR` games more in which all tie, so that there is always an end.
    """
    counts: dict[Placement, float] = {}
    for block, number in blocks.items():
        for game in block:
            counts[game] = counts.get(game, 0) + number
    for engines in sorted({game.engines for game in counts}):
        tie = Placement(engines, (0,) * len(engines))
        counts[tie] = counts.get(tie, 0) + FLOOR
    seats = len(next(iter(counts)).engines)
    index = {name: i for i, name in enumerate(names)}
    who = {game: np.array([index[name] for name in game.engines]) for game in counts}
    chairs = len(names) + np.arange(seats)
    size = len(names) + seats
    free = np.array([i for i in range(size) if i >= len(names) or names[i] not in fixed])
    start = sum(fixed.values()) / max(len(fixed), 1)
    values = np.array([fixed.get(name, start) for name in names] + [0.0] * seats)

    def at(values: Array) -> tuple[float, Array, Array, dict[Placement, Array]]:
        total, hessian = 0.0, np.zeros((size, size))
        gradients: dict[Placement, Array] = {}
        for game, count in counts.items():
            value, slope, bend = likelihood(game.places).at(values[who[game]] + values[chairs])
            total += count * value
            gradient = gradients[game] = np.zeros(size)
            np.add.at(gradient, who[game], slope)
            gradient[chairs] += slope
            for rows in (who[game], chairs):
                for columns in (who[game], chairs):
                    np.add.at(hessian, (rows[:, None], columns[None, :]), count * bend)
        return total, sum((counts[game] * g for game, g in gradients.items()), np.zeros(size)), hessian, gradients

    total, slope, hessian, gradients = at(values)
    for _ in range(100):
        inverse = np.linalg.pinv(-hessian[np.ix_(free, free)], rcond=NOTHING, hermitian=True)
        step = inverse @ slope[free]
        if slope[free] @ step < CLOSE:
            break
        step *= min(1.0, LONGEST_STEP / float(np.abs(step).max()))
        for _ in range(40):
            tried = values.copy()
            tried[free] += step
            if (better := at(tried))[0] >= total:
                values, (total, slope, hessian, gradients) = tried, better
                break
            step /= 2
        else:
            break
    inverse = np.linalg.pinv(-hessian[np.ix_(free, free)], rcond=NOTHING, hermitian=True)
    # One block's worth of the model's own variance is added: a few blocks that agree do not make an error of 0.
    middle = -hessian[np.ix_(free, free)] / sum(blocks.values())
    for block, times in blocks.items():
        residual = sum((gradients[game] for game in block), np.zeros(size))[free]
        middle = middle + times * np.outer(residual, residual)
    covariance = np.zeros((size, size))
    covariance[np.ix_(free, free)] = inverse @ middle @ inverse
    return values, covariance


def _estimate(contrast: Array, values: Array, covariance: Array) -> Estimate | None:
    """The contrast in points; None where its error is so large that nothing is known of it."""
    value = LOGISTIC * float(contrast @ values)
    error = LOGISTIC * Z * math.sqrt(max(float(contrast @ covariance @ contrast), 0.0))
    return Estimate(value, value - error, value + error) if error <= MOST else None


def _seats(engines: int, games: Iterable[Placement], values: Array, covariance: Array) -> tuple[Estimate | None, ...]:
    """The advantage of each seat over the mean seat; a bound where some seats never lose to the others."""
    seats = len(values) - engines
    reach = _reach(range(seats), ((range(seats), game.places) for game in games))
    found: list[Estimate | None] = []
    for seat in range(seats):
        contrast = np.zeros(len(values))
        contrast[engines:] = -1 / seats
        contrast[engines + seat] += 1
        if reach.all():
            found.append(_estimate(contrast, values, covariance))
        else:
            value = float(np.clip(LOGISTIC * (contrast @ values), -MOST, MOST))
            found.append(Estimate(value, value, value, "≥" if value > 0 else "≤"))
    return tuple(found)


def _reach(labels: Sequence[Hashable], games: Iterable[tuple[Sequence[Hashable], Sequence[int]]]) -> NDArray[np.bool_]:
    """Whether a chain of results leads from one label to another, each link at least a tie."""
    number = {label: i for i, label in enumerate(labels)}
    beats = np.eye(len(labels), dtype=bool)
    for sitting, places in games:
        for winner, place in zip(sitting, places, strict=True):
            for loser, other in zip(sitting, places, strict=True):
                if place != UNPLACED and (place <= other or other == UNPLACED):
                    beats[number[winner], number[loser]] = True
    return _closed(beats)


def _closed(links: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The transitive closure (Warshall)."""
    links = links.copy()
    for middle in range(len(links)):
        links |= np.outer(links[:, middle], links[middle])
    return links


def _parts(same: NDArray[np.bool_], within: Iterable[int] | None = None) -> list[list[int]]:
    """The classes of an equivalence, each ascending."""
    left = list(range(len(same)) if within is None else within)
    parts = []
    while left:
        parts.append([i for i in left if same[left[0], i]])
        left = [i for i in left if not same[left[0], i]]
    return parts
