"""The ladder of skills: levels of one engine against each other, and the rating of each beside the declared one."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..errors import SkyclaimError, quote
from ..options import Option
from ..ratings import bot_rating
from .all_play import Ratings, rate
from .elo import Estimate, points
from .engines import Spec, read_engines
from .summary import Summary
from .tables import table

KIND = "ladder"
SKILL = Option("Skill", "spin", 100, 0, 100)
LEVELS = tuple(range(0, 101, 10))
#: a level meets those that are at most so many rungs away
REACH = 2
#: points by which a measured rating may be off
TOLERANCE = 50


def read_levels(text: str) -> tuple[int, ...]:
    """The skills of `0,10,20`: two or more, rising; raises SkyclaimError."""
    levels = tuple(int(SKILL.check(word)) for word in text.split(","))
    if len(levels) < 2 or any(level >= above for level, above in itertools.pairwise(levels)):
        raise SkyclaimError(f"levels {quote(text)} are not two or more skills, each above the one before")
    return levels


def name(level: int) -> str:
    """What the engine of that skill is called in a ladder's ledger."""
    return f"skill-{level}"


def read_ladder(levels: Sequence[int], command: str, each: Sequence[Sequence[str]] = ()) -> tuple[Spec, ...]:
    """An engine for each level, with the words of `--each` for all of them; raises SkyclaimError."""
    (probe,) = read_engines([["name=each"]], [["cmd=builtin"], *each])
    if SKILL.name.lower() in map(str.lower, probe.options):
        raise SkyclaimError(f"--each: option.{SKILL.name} is what the levels differ in")
    engines = [[f"name={name(level)}", f"cmd={command}", f"option.{SKILL.name}={level}"] for level in levels]
    return read_engines(engines, each)


def encounters(levels: int) -> tuple[tuple[int, int], ...]:
    """Who meets whom, by place: each level its neighbour and the next one."""
    return tuple((low, low + step) for low in range(levels) for step in range(1, REACH + 1) if low + step < levels)


@dataclass(frozen=True)
class Rung:
    """A level: its ``declared`` rating and the ``measured`` one (None: nothing can be said), from so many games."""

    skill: int
    declared: int
    measured: Estimate | None
    games: int

    @property
    def difference(self) -> float | None:
        """Measured less declared, in points."""
        return None if self.measured is None else self.measured.value - self.declared

    def json(self) -> dict[str, object]:
        """For machines."""
        measured = self.measured and self.measured.json()
        return {**vars(self), "measured": measured, "difference": self.difference}


@dataclass(frozen=True)
class Ladder:
    """The rungs from the lowest to the highest, and the ``ratings`` that they stand for, on the declared scale."""

    rungs: tuple[Rung, ...]
    ratings: Ratings | None

    @classmethod
    def measured(cls, summary: Summary, levels: Sequence[int]) -> Ladder:
        """The ladder that the games of a summary amount to.

        Ratings exist only up to a shift. It is chosen so that the differences from the declared ratings are 0 in the
        mean, over all levels whose rating has an end.
        """
        ratings = _shifted(rate(summary.blocks), {name(level): bot_rating(level) for level in levels})
        known = ratings.engines if ratings else {}
        games = {name(level): 0 for level in levels}
        for pair, histograms in summary.pairs.items():
            for engine in pair:
                games[engine] += histograms.games
        rungs = (Rung(level, bot_rating(level), known.get(name(level)), games[name(level)]) for level in levels)
        return cls(tuple(rungs), ratings)

    @property
    def falls(self) -> list[int]:
        """The skills that are not measured above the one before."""
        return [
            rung.skill
            for before, rung in itertools.pairwise(self.rungs)
            if not (before.measured and rung.measured and before.measured.value < rung.measured.value)
        ]

    @property
    def off(self) -> list[int]:
        """The skills that are not measured within the tolerance of what is declared."""
        return [
            rung.skill
            for rung in self.rungs
            if rung.measured is None or rung.measured.bound or abs(rung.measured.value - rung.declared) > TOLERANCE
        ]

    def text(self) -> str:
        """The table and what follows from it, in lines."""
        rows = [["skill", "declared", "measured", "difference", "games"]]
        for rung in self.rungs:
            gap = "n/a" if rung.difference is None else points(rung.difference, 0)
            rows.append([str(rung.skill), str(rung.declared), _rating(rung.measured), gap, str(rung.games)])
        falls = f"no, not at {_list(self.falls)}" if self.falls else "yes"
        off = f"no, not at {_list(self.off)}" if self.off else "yes"
        return "\n".join(
            [*table(rows, left=0), f"strictly rising: {falls}", f"within ±{TOLERANCE} of the declared: {off}"]
        )

    def json(self) -> dict[str, object]:
        """For machines: finite numbers, or null."""
        return {
            "levels": [rung.json() for rung in self.rungs],
            "strictly_rising": not self.falls,
            "tolerance": TOLERANCE,
            "within_tolerance": not self.off,
        }


def _shifted(ratings: Ratings | None, declared: dict[str, int]) -> Ratings | None:
    """The ratings of each group of engines that can be compared, shifted to the declared ones."""
    if not ratings:
        return None
    engines = dict(ratings.engines)
    for group in ratings.groups:
        known = {engine: rating for engine in group if (rating := ratings.engines[engine])}
        gaps = [declared[engine] - rating.value for engine, rating in known.items() if not rating.bound]
        shift = sum(gaps) / len(gaps) if gaps else 0.0
        for engine, rating in known.items():
            low, high = rating.low + shift, rating.high + shift
            engines[engine] = replace(rating, value=rating.value + shift, low=low, high=high)
    return replace(ratings, engines=engines)


def _rating(rating: Estimate | None) -> str:
    if rating is None:
        return "n/a"
    return f"{rating.bound} {rating.value:.0f}" if rating.bound else f"{rating.value:.0f} ± {rating.error:.0f}"


def _list(skills: Sequence[int]) -> str:
    return ", ".join(map(str, skills))
