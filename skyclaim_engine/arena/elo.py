"""What a histogram of block scores says about two engines: score, Elo, normalised Elo, LOS.

A block is a set of games over one seed with the seats exchanged. Its games are not independent of each other, blocks
are; so the block is the unit of every variance here. A block's score for engine A is a fraction of 0..1, exact: two
seats and two games give 0, ¼, ½, ¾, 1, the pentanomial. Blocks of one game are the trinomial.

Scores that were possible but never came count as `FLOOR` blocks, so that no likelihood is zero.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist
from typing import Literal

Histogram = Mapping[Fraction, int]
"""Score of A in a block -> number of blocks."""

FLOOR = 1e-3
#: the score is kept this far from 0 and 1, so that Elo stays within about 1200
CLAMP = 1e-3
#: points of Elo in one unit of log-odds
LOGISTIC = 400 / math.log(10)
#: points of normalised Elo in one standard deviation of a game (Van den Bergh)
NORMALISED = 800 / math.log(10)
CONFIDENCE = 0.95
#: standard errors on each side of a 95 % interval
Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


@dataclass(frozen=True)
class Estimate:
    """A figure with its 95 % interval, in points; all three are finite.

    ``bound`` says that the data are one-sided: the best estimate has no end, and ``value`` stands for "at least" (≥)
    or "at most" (≤).
    """

    value: float
    low: float
    high: float
    bound: Literal["", "≥", "≤"] = ""

    @property
    def error(self) -> float:
        """Half the width of the interval, which need not be symmetric."""
        return (self.high - self.low) / 2

    def __neg__(self) -> Estimate:
        other: dict[str, Literal["", "≥", "≤"]] = {"": "", "≥": "≤", "≤": "≥"}
        return Estimate(-self.value, -self.high, -self.low, other[self.bound])

    def __str__(self) -> str:
        return f"{self.bound} {points(self.value, 0)}" if self.bound else f"{points(self.value)} ± {self.error:.1f}"

    def json(self) -> dict[str, float | str | None]:
        """For machines; ``bound`` is null, `>=` or `<=`."""
        bound = {"": None, "≥": ">=", "≤": "<="}[self.bound]
        return {"value": self.value, "low": self.low, "high": self.high, "bound": bound}


def points(value: float, places: int = 1) -> str:
    """A signed figure in points, `+17.4`; never `-0.0`."""
    return f"{round(value, places) + 0.0:+.{places}f}"


def shown(value: object) -> str:
    """``value`` as text; `n/a` for None."""
    return "n/a" if value is None else str(value)


def pentanomial(counts: Sequence[int]) -> dict[Fraction, int]:
    """The histogram of ``counts`` of equally spaced scores from 0 to 1: LL, LD, DD and WL, WD, WW, or L, D, W."""
    return {Fraction(i, len(counts) - 1): count for i, count in enumerate(counts) if count}


def mirrored(histogram: Histogram) -> dict[Fraction, int]:
    """The histogram as the other engine sees it."""
    return {1 - score: count for score, count in histogram.items()}


def weights(histogram: Histogram, games: float) -> list[tuple[float, float]]:
    """(score, number of blocks) of every score seen or possible with wins, draws and losses, ascending.

    ``games`` is the number of games in a block, or its mean.
    """
    halves = 2 * max(round(games), 1)
    support = {Fraction(i, halves) for i in range(halves + 1)} | set(histogram)
    return [(float(score), histogram.get(score, 0) or FLOOR) for score in sorted(support)]


def elo_of(score: float) -> float:
    """The difference in rating that an expected score stands for (logistic, base 10, 400), within ±1200."""
    score = min(max(score, CLAMP), 1 - CLAMP)
    return LOGISTIC * math.log(score / (1 - score))


def mean_score(histogram: Histogram) -> float | None:
    """The mean score of A; None without blocks."""
    blocks = sum(histogram.values())
    return float(sum(score * count for score, count in histogram.items()) / blocks) if blocks else None


def elo(histogram: Histogram, games: float) -> Estimate | None:
    """Elo of A over B: a normal interval for the mean of blocks of ``games`` games, its ends through the logistic map.

    Where all blocks have one score there is no variance to go by. That score then has at least the probability whose
    power of the number of blocks is 5 %, and the interval is what this leaves open. None without blocks.
    """
    seen = [score for score, count in histogram.items() if count]
    if not seen:
        return None
    blocks, mean, variance, *_ = _moments(weights(histogram, games))
    if len(seen) > 1:
        error = Z * math.sqrt(variance / blocks)
        low, high = mean - error, mean + error
    else:
        sure = (1 - CONFIDENCE) ** (1 / histogram[seen[0]])
        low = sure * float(seen[0])
        high = low + 1 - sure
        mean = float(seen[0])
    bound: Literal["", "≥", "≤"] = "≥" if mean >= 1 - CLAMP else "≤" if mean <= CLAMP else ""
    return Estimate(elo_of(mean), elo_of(low), elo_of(high), bound)


def normalised_elo(histogram: Histogram, games: float) -> Estimate | None:
    """Normalised Elo: (score - ½) over the standard deviation of a game, times 800/ln 10.

    A game's deviation is that of a block times √games. The interval is the delta method's for a mean over a deviation,
    which takes in that the deviation is estimated too. None where all blocks have one score.
    """
    if sum(1 for count in histogram.values() if count) < 2:
        return None
    blocks, mean, variance, skewness, kurtosis = _moments(weights(histogram, games))
    t = (mean - 0.5) / math.sqrt(variance)
    spread = max(1 - t * skewness + t * t * (kurtosis - 1) / 4, 0.0)
    scale = NORMALISED / math.sqrt(games)
    error = Z * math.sqrt(spread / blocks)
    return Estimate(scale * t, scale * (t - error), scale * (t + error))


def los(histogram: Histogram) -> float | None:
    """The likelihood of superiority: the normal probability that A is the stronger one; None without blocks.

    The standard error is that of equal engines, about ½, so that one-sided data have one too.
    """
    if not sum(histogram.values()):
        return None
    excess = float(sum((score - Fraction(1, 2)) * count for score, count in histogram.items()))
    square = float(sum((score - Fraction(1, 2)) ** 2 * count for score, count in histogram.items()))
    return NormalDist().cdf(excess / math.sqrt(square)) if square else 0.5


def pair_ratio(histogram: Histogram) -> float | None:
    """Blocks that A won over blocks that A lost; None when it lost none."""
    won = sum(count for score, count in histogram.items() if score > Fraction(1, 2))
    lost = sum(count for score, count in histogram.items() if score < Fraction(1, 2))
    return won / lost if lost else None


def _moments(data: list[tuple[float, float]]) -> tuple[float, float, float, float, float]:
    """(number of blocks, mean, variance, skewness, kurtosis), of the sample as it is."""
    blocks = sum(count for _, count in data)
    mean = sum(score * count for score, count in data) / blocks
    variance, third, fourth = (
        sum((score - mean) ** power * count for score, count in data) / blocks for power in (2, 3, 4)
    )
    return blocks, mean, variance, third / variance**1.5, fourth / variance**2
