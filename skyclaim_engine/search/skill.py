"""The ladder of skills (rulebook, and docs/skill.md): which turns are random, and what a level knows.

Whether a turn is the bot's best or a random one follows from the seed, the turn and the seat alone, so that it is the
same however often it is asked, and for every step of the turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..game import Plan
from ..ratings import BASE, STEP

MASK = (1 << 64) - 1


def mix(*numbers: int) -> int:
    """A 64-bit hash of some numbers: SplitMix64's finish over each in turn."""
    z = 0
    for number in numbers:
        z = (z ^ number & MASK) + 0x9E3779B97F4A7C15 & MASK
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
        z ^= z >> 31
    return z


#: the highest skill
EXPERT = 100


def plan_of(plans: Mapping[int, Plan], knowledge: int) -> Plan:
    """The plan of a skill, from a game's table."""
    return plans[max(skill for skill in plans if skill <= knowledge)]


@dataclass(frozen=True)
class Level:
    """``percent`` of the turns are the best that ``knowledge`` (a ten, 0..100) can find, the others random."""

    percent: float
    knowledge: int

    @classmethod
    def of_skill(cls, skill: int) -> Level:
        """Skill is used in tens."""
        ten = skill // 10 * 10
        return cls(ten, ten)

    @classmethod
    def of_rating(cls, rating: int) -> Level:
        """The level of a rating: between two tens the lower one's knowledge, used more often."""
        skill = (rating - BASE) / STEP
        return cls(skill, int(skill) // 10 * 10)

    def plays_best(self, seed: int, turn: int, seat: int) -> bool:
        """Whether this turn is one of the best ones."""
        return mix(seed, turn, seat) % 100 < self.percent


def random_seed(seed: int, turn: int, seat: int, key: int) -> int:
    """What a step of a random turn is drawn from; ``key`` tells the decisions of one turn apart."""
    return mix(seed, turn, seat, key)
