"""How long a step may take: pure functions of the limits, no clock is read here."""

from __future__ import annotations

from .settings import Limits

#: steps that a game is taken to go on for where nobody says how many
STEPS_LEFT = 40
#: the part of the time left that one step may use at most
LARGEST_PART = 0.5
#: the part of the increment that is spent at once
INCREMENT_PART = 0.8


def allowance(limits: Limits, seat: int, overhead: int) -> float | None:
    """Milliseconds that the search may use for this step, None where no time is set.

    ``overhead`` is taken off for what happens outside the search. A time limit leaves at least 1 ms.
    """
    if limits.infinite:
        return None
    if limits.movetime is not None:
        return max(1.0, limits.movetime - overhead)
    if seat > len(limits.clocks):
        return None
    left = limits.clocks[seat - 1]
    increment = limits.incs[seat - 1] if seat <= len(limits.incs) else 0
    share = left / (limits.movestogo or STEPS_LEFT) + INCREMENT_PART * increment
    return max(1.0, min(share, LARGEST_PART * left, left - overhead) - overhead / STEPS_LEFT)
