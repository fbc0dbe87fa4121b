"""The sequential probability ratio test of two hypotheses about Elo, generalised to block scores (GSPRT).

The log-likelihood ratio is that of two fits of the whole distribution of block scores, each the most likely one under
its hypothesis: that the mean is a given score (model `logistic`), or that (mean - ½) over the deviation is a given
value (model `normalized`). After Van den Bergh, "Comments on normalized Elo" and "The generalized maximum likelihood
ratio for the expectation value of a distribution"; the way of solving is derived below.

Both fits have the form p(a) = q(a) / (1 + θ f(a)), with q the data and f a function whose mean under p is to be 0.

For the mean s, f = a - s, and θ is the root of a falling function between two poles.

For the value t, let b = a - ½. The condition, mean(b) = t·deviation, is the same as mean(b²) = (1 + t²)σ² with
mean(b) = tσ. Linearised at a deviation σ,

    f = b - tσ/2 - t b² / (2 (1 + t²) σ),

and p with mean(f) = 0 is a fit exactly where σ is its own deviation. So one more root, that of mean(b²) - (1 + t²)σ²,
is all there is to find. It lies between the σ at which the last score on t's side loses f > 0, where all mass comes to
stand on that score, and the largest deviation there is: both signs are known, so halving the bracket cannot fail.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Literal

from ..errors import OptionError, quote
from .elo import LOGISTIC, NORMALISED, Histogram, weights

#: the largest hypothesis, in points
MOST_ELO = 400.0
#: relative widths at which θ and σ are found (an error of σ counts by its square), and more steps than a root takes
CLOSE, ENOUGH, STEPS = 1e-15, 1e-9, 400
#: what is left of 1 + θ f next to a pole, where rounding leaves nothing
LEAST = 1e-16
MODELS = ("normalized", "logistic")

State = Literal["H0", "H1"]
#: (score, probability), the score counted from somewhere
Points = list[tuple[float, float]]


@dataclass(frozen=True)
class Sprt:
    """The test of H0, A is ``elo0`` points over B, against H1, it is ``elo1``.

    ``alpha`` is the probability to accept H1 though H0 is true, ``beta`` the other way round. The points are those
    of ``model``: normalised Elo a game, or logistic Elo. Raises OptionError for values out of range.
    """

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    beta: float = 0.05
    model: str = "normalized"

    def __post_init__(self) -> None:
        for name in ("elo0", "elo1"):
            value = getattr(self, name)
            if not abs(value) <= MOST_ELO:
                raise OptionError(f"sprt {name} {quote(f'{value:g}')} is not in -{MOST_ELO:g}..{MOST_ELO:g}")
        if not self.elo0 < self.elo1:
            raise OptionError(f"sprt elo1 {quote(f'{self.elo1:g}')} is not over elo0, {self.elo0:g}")
        for name in ("alpha", "beta"):
            value = getattr(self, name)
            if not 1e-9 <= value <= 0.5 - 1e-9:
                raise OptionError(f"sprt {name} {quote(f'{value:g}')} is not between 0 and 0.5")
        if self.model not in MODELS:
            raise OptionError(f"sprt model {quote(self.model)} is not one of {', '.join(MODELS)}")

    @classmethod
    def parse(cls, words: str) -> Sprt:
        """The test that `elo0=0 elo1=10 alpha=0.05 beta=0.05 model=normalized` describes; these are the defaults.

        Raises OptionError in one sentence for a word that is not understood.
        """
        values: dict[str, float | str] = {}
        for word in words.split():
            name, _, value = word.partition("=")
            if name not in cls.__dataclass_fields__:
                raise OptionError(f"sprt {quote(word)} is not one of {', '.join(cls.__dataclass_fields__)}")
            if name in values:
                raise OptionError(f"sprt {name} {quote(value)} is given twice")
            if name != "model" and not re.fullmatch(r"[+-]?[0-9]*\.?[0-9]+", value, re.ASCII):
                raise OptionError(f"sprt {name} {quote(value)} is not a number")
            values[name] = value if name == "model" else float(value)
        return cls(**values)  # type: ignore[arg-type]

    def __str__(self) -> str:
        return " ".join(
            f"{name}={value if isinstance(value, str) else format(value, 'g')}" for name, value in vars(self).items()
        )

    @property
    def bounds(self) -> tuple[float, float]:
        """Wald's bounds: at or under the first H0 is accepted, at or over the second H1."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, histogram: Histogram, games: float) -> float:
        """The log-likelihood ratio of H1 to H0, of blocks of ``games`` games. Finite for every histogram."""
        blocks = sum(histogram.values())
        if not blocks:
            return 0.0
        data = weights(histogram, games)
        total = sum(count for _, count in data)
        if self.model == "logistic":
            scores = [(score, count / total) for score, count in data]
            fits = [mean_fit(scores, 1 / (1 + math.exp(-elo / LOGISTIC))) for elo in (self.elo0, self.elo1)]
        else:
            scores = [(score - 0.5, count / total) for score, count in data]
            scale = math.sqrt(games) / NORMALISED
            fits = [t_fit(scores, elo * scale) for elo in (self.elo0, self.elo1)]
        zero, one = fits
        return total * (_likelihood(scores, one) - _likelihood(scores, zero))

    def verdict(self, llr: float) -> State | None:
        """What a log-likelihood ratio decides; None while the test goes on."""
        lower, upper = self.bounds
        return "H0" if llr <= lower else "H1" if llr >= upper else None

    def state(self, histogram: Histogram, games: float) -> State | None:
        """What the blocks decide; None while the test goes on."""
        return self.verdict(self.llr(histogram, games))


def mean_fit(data: Points, mean: float) -> list[float]:
    """The most likely probabilities of the scores of ``data`` with that mean, which lies between two of them."""
    return _tilted(data, [score - mean for score, _ in data])


def t_fit(data: Points, t: float) -> list[float]:
    """The most likely probabilities with mean = ``t``·deviation; scores are counted from ½, -½ and ½ are among them."""
    squares = [b * b for b, _ in data]
    growth = 1 + t * t
    root = math.sqrt(growth)
    nearest = min(abs(b) for b, _ in data if b * t > 0 or (t == 0 and b))
    lowest = nearest * abs(t) / (root * (root + 1))
    highest = 0.5 / max(abs(t), 1.0)

    def fit(deviation: float) -> tuple[list[float], float]:
        half, square = t * deviation / 2, t / (2 * growth * deviation)
        p = _tilted(data, [b - half - square * b2 for (b, _), b2 in zip(data, squares, strict=True)])
        return p, math.sqrt(sum(b2 * x for b2, x in zip(squares, p, strict=True)) / growth)

    def settled(deviation: float) -> list[float]:
        # the map from a deviation to that of its fit moves toward the root; halving where it is slow or overshoots
        low, high = lowest, highest
        for step in range(1, STEPS):
            p, wanted = fit(deviation)
            if abs(wanted - deviation) <= ENOUGH * deviation:
                break
            low, high = (deviation, high) if wanted > deviation else (low, deviation)
            deviation = wanted if low < wanted < high and step % 16 else (low + high) / 2
        return p

    mean = sum(b * q for b, q in data)
    deviation = math.sqrt(sum((b - mean) ** 2 * q for b, q in data))
    starts = [min(max(deviation, 1.01 * lowest), 0.99 * highest)]
    if (mean - t * deviation) * t < 0:
        # Data short of the condition can meet it by more of this score or of that one, and each way is a peak of the
        # likelihood: near the deviation of that score and ½ alone. Beyond the condition there is one peak.
        starts += [abs(b * t) / growth for b, _ in data if b * t > 0]
    return max((settled(start) for start in starts), key=lambda p: _likelihood(data, p))


def _likelihood(data: Points, p: list[float]) -> float:
    return sum(q * math.log(x) for (_, q), x in zip(data, p, strict=True))


def _tilted(data: Points, f: list[float]) -> list[float]:
    """q / (1 + θ f) with mean(f) = 0, ``f`` of both signs.

    θ lies between the poles; Newton's steps find it, and halving where one would leave the bracket.
    """
    low, high, theta = -1 / max(f), -1 / min(f), 0.0
    terms = [(q, value) for (_, q), value in zip(data, f, strict=True)]
    for step in range(1, STEPS):
        mean = slope = 0.0
        for q, value in terms:
            part = value / max(1 + theta * value, LEAST)
            mean += q * part
            slope += q * part * part
        low, high = (theta, high) if mean > 0 else (low, theta)
        better = theta + mean / slope
        if not low < better < high or step % 8 == 0:
            better = (low + high) / 2
        if abs(better - theta) <= CLOSE * abs(better) or not low < better < high:
            break
        theta = better
    raw = [q / max(1 + theta * value, LEAST) for q, value in terms]
    total = sum(raw)
    return [p / total for p in raw]
