"""Styles of play for random games: which of the legal steps of a pair comes next."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from tests.lockstep import Choose, Pair


def by_kind(weights: Mapping[str, float]) -> Choose:
    """A kind of step by weight (0 for one that is not named) among those that there are, then any step of it."""

    def choose(pair: Pair, legal: list[str], rng: Random) -> str:
        kinds: dict[str, list[str]] = {}
        for step in legal:
            kinds.setdefault(step.partition(":")[0], []).append(step)
        chances = [weights.get(kind, 0) for kind in kinds]
        if not any(chances):
            return rng.choice(legal)
        return rng.choice(kinds[rng.choices(list(kinds), chances)[0]])

    return choose


def any_step(pair: Pair, legal: list[str], rng: Random) -> str:
    """Every step alike."""
    return rng.choice(legal)


def greedy(pair: Pair, legal: list[str], rng: Random) -> str:
    """Of some swaps the one with the longest cascade, for many stars cleared in a turn and drift after it."""
    swaps = [step for step in legal if step.startswith("swap")]
    if not swaps or rng.random() < 0.2:
        return rng.choice(legal)

    def stars_cleared(step: str) -> int:
        after = pair.core.copy()
        waves = [event for event in after.apply(step) if event["type"] == "clear"]
        return sum(len(group["squares"]) for wave in waves for group in wave["groups"])

    return max(rng.sample(swaps, min(8, len(swaps))), key=stars_cleared)


STYLES: dict[str, Choose] = {
    "any": any_step,
    "claimer": by_kind({"claim": 9, "warp": 9, "move": 5, "swap": 4, "stack": 1}),
    "fighter": by_kind({"take": 9, "bomb": 9, "ram": 9, "siege": 4, "fire": 2, "move": 4, "swap": 4}),
    "shooter": by_kind({"fire": 9, "swap": 6, "move": 3, "take": 3}),
    "stacker": by_kind({"stack": 9, "swap": 6, "move": 2}),
    "builder": by_kind({"turret": 9, "swap": 6, "take": 4, "fire": 1, "move": 1, "claim": 1}),
    "bomber": by_kind({"bomb": 9, "swap": 5, "move": 4, "turret": 1, "claim": 1}),
    "passive": by_kind({"pass": 9, "move": 9, "claim": 1}),
    "greedy": greedy,
}
