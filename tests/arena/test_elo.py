"""Error bars against golden values of other runners and against values worked out by hand."""

from __future__ import annotations

import math
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skyclaim_engine.arena import elo as stats
from skyclaim_engine.arena.elo import Estimate, elo, los, mirrored, normalised_elo, pair_ratio, pentanomial

COUNTS = st.lists(st.integers(0, 10_000), min_size=5, max_size=5)


@pytest.mark.parametrize(
    ("counts", "want"),
    [
        ("10 20 40 20 10", "+0.00 ± 37.44"),
        ("5 20 40 30 5", "+17.39 ± 32.29"),
        ("50 0 0 0 50", "+0.00 ± 68.99"),
        ("39 8843 26675 9240 44", "+1.58 ± 1.03"),
        ("3270 5763 3415", "+4.05 ± 4.47"),
    ],
)
def test_golden_elo(counts: str, want: str) -> None:
    histogram = pentanomial([int(word) for word in counts.split()])
    estimate = elo(histogram, 2 if len(counts.split()) == 5 else 1)
    assert estimate
    assert f"{stats.points(estimate.value, 2)} ± {estimate.error:.2f}" == want


def test_golden_elo_of_one_sided_data() -> None:
    estimate = elo(pentanomial([144, 3, 1, 0, 0]), 2)
    assert estimate
    assert (round(estimate.value, 1), round(estimate.error)) == (-827.6, 248)


@pytest.mark.parametrize("count", [100, 1000, 10_000])
def test_draws_alone_are_an_elo_of_0(count: int) -> None:
    estimate = elo(pentanomial([0, 0, count, 0, 0]), 2)
    assert estimate
    assert estimate.value == 0
    # 0.05^(1/n) of the blocks at least are level, which leaves the score open by half the rest: 400/ln 10 · 4 of that
    rest = (1 - 0.05 ** (1 / count)) / 2
    assert estimate.error == pytest.approx(400 / math.log(10) * 4 * rest, rel=0.01)
    assert normalised_elo(pentanomial([0, 0, count, 0, 0]), 2) is None


@pytest.mark.parametrize("count", [1, 10, 100, 1000])
def test_wins_alone_are_a_bound(count: int) -> None:
    estimate = elo(pentanomial([0, 0, 0, 0, count]), 2)
    assert estimate
    assert (round(estimate.value, 2), estimate.bound, str(estimate)) == (1199.83, "≥", "≥ +1200")
    assert estimate.low == pytest.approx(stats.elo_of(0.05 ** (1 / count)))
    lost = elo(pentanomial([count, 0, 0, 0, 0]), 2)
    assert lost == -estimate
    assert str(lost) == "≤ -1200"


def test_normalised_elo_by_hand() -> None:
    histogram = pentanomial([5, 20, 40, 30, 5])
    mean = (20 * 0.25 + 40 * 0.5 + 30 * 0.75 + 5) / 100
    variance = (20 * 0.25**2 + 40 * 0.5**2 + 30 * 0.75**2 + 5) / 100 - mean**2
    estimate = normalised_elo(histogram, 2)
    assert estimate
    assert estimate.value == pytest.approx((mean - 0.5) / math.sqrt(2 * variance) * 800 / math.log(10), rel=1e-3)
    # at 0 the error is 1.96 / √games standard deviations
    level = normalised_elo(pentanomial([10, 20, 40, 20, 10]), 2)
    assert level
    assert level.error == pytest.approx(1.96 / math.sqrt(200) * 800 / math.log(10), rel=1e-4)


def test_interval_of_normalised_elo_covers() -> None:
    # the deviation is estimated too: with a strong skew the plain 1.96/√n would cover much less or more than 95 %
    random, chances = Random(4), [0.02, 0.03, 0.1, 0.25, 0.6]
    mean = sum(p * i / 4 for i, p in enumerate(chances))
    deviation = math.sqrt(sum(p * (i / 4 - mean) ** 2 for i, p in enumerate(chances)))
    truth = (mean - 0.5) / (deviation * math.sqrt(2)) * stats.NORMALISED
    inside = 0
    for _ in range(400):
        drawn = random.choices(range(5), chances, k=300)
        estimate = normalised_elo(pentanomial([drawn.count(i) for i in range(5)]), 2)
        assert estimate
        inside += estimate.low <= truth <= estimate.high
    assert 0.92 <= inside / 400 <= 0.98


def test_likelihood_of_superiority() -> None:
    assert los({}) is None
    assert los(pentanomial([0, 0, 7, 0, 0])) == 0.5
    assert los(pentanomial([2, 3, 4, 3, 2])) == 0.5
    # wins less losses over the root of their sum, which is cutechess's: (30 - 20) / √50 = 1.4142 -> 0.92135
    assert los(pentanomial([20, 100, 30])) == pytest.approx(0.92135, abs=1e-5)
    # one win: 1 standard error
    assert los(pentanomial([0, 0, 1])) == pytest.approx(0.84134, abs=1e-5)


def test_pair_ratio() -> None:
    assert pair_ratio(pentanomial([1, 3, 9, 4, 4])) == 2
    assert pair_ratio(pentanomial([0, 0, 9, 4, 4])) is None


def test_scores_that_no_two_seats_give() -> None:
    # three seats, three games: the histogram keeps fractions of its own beside the possible ones
    histogram = {Fraction(5, 9): 10, Fraction(4, 9): 10}
    assert [score for score, _ in stats.weights(histogram, 3)] == sorted(
        {*(i / 6 for i in range(7)), 5 / 9, 4 / 9},
    )
    estimate = elo(histogram, 3)
    assert estimate
    assert estimate.value == pytest.approx(0, abs=1e-9)


def test_signs() -> None:
    assert stats.points(-0.04) == "+0.0"
    assert stats.points(-0.06) == "-0.1"
    assert stats.shown(None) == "n/a"
    assert Estimate(1.0, 0.0, 2.0, "≥").json() == {"value": 1.0, "low": 0.0, "high": 2.0, "bound": ">="}


@given(COUNTS, st.sampled_from([1, 2, 6]))
def test_everything_is_finite_and_symmetric(counts: list[int], games: int) -> None:
    histogram = pentanomial(counts)
    for figure in (elo, normalised_elo):
        estimate, other = figure(histogram, games), figure(mirrored(histogram), games)
        if estimate is None:
            assert other is None
            assert len(histogram) < 2
        else:
            assert other
            assert estimate.low <= estimate.value <= estimate.high
            assert [estimate.value, estimate.low] == pytest.approx([-other.value, -other.high], abs=1e-6)
            assert all(math.isfinite(x) for x in (estimate.value, estimate.low, estimate.high, estimate.error))
    chance = los(histogram)
    assert (chance is None) == (not histogram)
    assert chance is None or 0 <= chance <= 1


def test_the_example_of_the_document() -> None:
    text = (Path(__file__).resolve().parents[2] / "docs" / "statistics.md").read_text(encoding="utf-8")
    code, shown = re.findall(r"^```\w*\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == shown
