"""Steps as something done, `taking the scout on f6 with the raider from c3`, to stand inside a sentence."""

from __future__ import annotations

from collections.abc import Callable

from .squares import squares_of

#: by kind, with the squares as {a} and {b} and what stands on them as {A} and {B}
PHRASES = {
    "fire": "firing a missile from {a} at {b}",
    "turret": "building a turret on {a}",
    "swap": "swapping {a} and {b}",
    "move": "moving the {A} from {a} to {b}",
    "take": "taking the {B} on {b} with the {A} from {a}",
    "stack": "stacking the {A} from {a} onto the {B} on {b}",
    "bomb": "setting off the bomb from {a} on {b}",
    "claim": "claiming with the {A} on {a}",
    "warp": "jumping with the {A} from {a} to {b}",
    "siege": "opening {b} with the {A} on {a}",
    "ram": "ramming the {B} on {b} with the {A} from {a}",
    "pass": "passing",
}


def doing(step: str, standing: Callable[[str], str]) -> str:
    """A step's text as a phrase; ``standing`` names the drone on a square."""
    words = dict(zip("ab", squares_of(step), strict=False))
    words |= {key.upper(): standing(square) for key, square in words.items()}
    return PHRASES[step.partition(":")[0]].format_map(words)
