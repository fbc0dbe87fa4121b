"""How much time a step gets."""

from __future__ import annotations

import pytest

from skyclaim_engine.search.clock import allowance
from skyclaim_engine.search.settings import Limits


def test_no_time_is_set() -> None:
    assert allowance(Limits(), 1, 30) is None
    assert allowance(Limits(nodes=10), 1, 30) is None
    assert allowance(Limits(infinite=True, clocks=(1000, 1000)), 1, 30) is None
    assert allowance(Limits(clocks=(1000,)), 2, 30) is None


def test_a_fixed_time_less_the_overhead() -> None:
    assert allowance(Limits(movetime=1000), 1, 30) == 970
    assert allowance(Limits(movetime=10), 1, 30) == 1


@pytest.mark.parametrize("left", [0, 1, 5, 20, 100, 1000, 60_000, 1_200_000])
@pytest.mark.parametrize("increment", [0, 100, 60_000])
@pytest.mark.parametrize("steps", [None, 1, 5, 40])
def test_a_clock_never_runs_out(left: int, increment: int, steps: int | None) -> None:
    """What a step uses, overhead added, is within what is left, unless nothing is."""
    overhead = 30
    given = allowance(Limits(clocks=(7, left), incs=(0, increment), movestogo=steps), 2, overhead)
    assert given is not None
    assert given >= 1
    assert given <= max(1, left / 2)
    if left > 100:
        assert given + overhead <= left


def test_more_time_left_gives_more_time() -> None:
    given = [allowance(Limits(clocks=(left, 0)), 1, 30) for left in range(100, 100_000, 500)]
    assert given == sorted(given)
