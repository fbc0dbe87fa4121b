"""The sequential test against golden values of fishtest and fastchess, by simulation, and where solvers break."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skyclaim_engine.arena.elo import NORMALISED, mirrored, pentanomial
from skyclaim_engine.arena.sprt import Sprt, t_fit
from skyclaim_engine.errors import OptionError

COUNTS = st.lists(st.sampled_from([0, 0, 1, 3, 40, 2_000, 100_000]), min_size=5, max_size=5)
BOUNDS = st.sampled_from([(0, 5), (-5, 0), (-3, 1), (0, 10), (-400, 400), (0, 400), (-400, -399), (200, 400)])


@pytest.mark.parametrize(
    ("counts", "normalised", "logistic"),
    [
        ("0 0 0 0 0", "0.0000", "0.0000"),
        ("0 0 100 0 0", "-0.0375", "-1.4416"),
        ("0 0 1000 0 0", "-0.408", "-14.485"),
        ("0 0 10000 0 0", "-4.133", "-144.9"),
        ("0 0 0 0 1", "0.0202", "0.0143"),
        ("0 0 0 0 10", "0.2014", "0.1429"),
        ("0 0 0 0 100", "2.0144", "1.4288"),
        ("0 0 0 0 1000", "20.1437", "14.2876"),
        ("100 0 0 0 0", "-2.0558", "-1.4495"),
        ("144 3 1 0 0", "-3.0169", "-2.1452"),
        ("10 20 40 20 10", "-0.0207", "-0.0345"),
        ("5 20 40 30 5", "0.1922", "0.2705"),
        ("50 0 0 0 50", "-0.0207", "-0.0104"),
        ("39 8843 26675 9240 44", "3.6399", "-16.6987"),
        ("3270 5763 3415", "1.5586", "1.4855"),
        ("4218 7481 4413", "2.1659", "2.1243"),
        ("0 5 5", "0.1008", "0.1428"),
    ],
)
def test_golden_llr(counts: str, normalised: str, logistic: str) -> None:
    numbers = [int(word) for word in counts.split()]
    histogram, games = pentanomial(numbers), 2 if len(numbers) == 5 else 1
    for model, want in (("normalized", normalised), ("logistic", logistic)):
        places = len(want.partition(".")[2])
        assert round(Sprt(0, 5, model=model).llr(histogram, games), places) == float(want)


def test_golden_llr_of_other_bounds() -> None:
    llr = Sprt(0.764, 3.439).llr(pentanomial([39, 2226, 31451, 2412, 40]), 2)
    assert round(llr, 4) == 2.1629


def test_pairs_won_alone_agree_with_fastchess() -> None:
    # its figure, 111.82, comes of a floor and a tolerance of its own; 5.55 times our value for 1000 pairs is 111.798
    llr = Sprt(0, 5).llr(pentanomial([0, 0, 0, 0, 5550]), 2)
    assert llr == pytest.approx(111.82, abs=0.03)
    assert llr == pytest.approx(5.55 * 20.1437, abs=1e-3)


def test_bounds_are_walds() -> None:
    assert [round(bound, 3) for bound in Sprt().bounds] == [-2.944, 2.944]
    assert [round(bound, 3) for bound in Sprt(beta=0.1).bounds] == [-2.251, 2.89]
    sprt = Sprt()
    lower, upper = sprt.bounds
    assert [sprt.verdict(llr) for llr in (lower, lower + 0.01, upper - 0.01, upper)] == ["H0", None, None, "H1"]
    assert sprt.state(pentanomial([900, 0, 0, 0, 100]), 2) == "H0"
    assert sprt.state(pentanomial([100, 0, 0, 0, 900]), 2) == "H1"
    assert sprt.state({}, 2) is None


def test_words() -> None:
    assert Sprt.parse("") == Sprt(0, 10, 0.05, 0.05, "normalized")
    sprt = Sprt.parse("elo0=-1.5 elo1=+.5 alpha=0.1 model=logistic")
    assert sprt == Sprt(-1.5, 0.5, 0.1, 0.05, "logistic")
    assert str(sprt) == "elo0=-1.5 elo1=0.5 alpha=0.1 beta=0.05 model=logistic"
    assert Sprt.parse(str(sprt)) == sprt


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("elo2=3", "sprt 'elo2=3' is not one of elo0, elo1, alpha, beta, model"),
        ("parse=1", "sprt 'parse=1' is not one of elo0, elo1, alpha, beta, model"),
        ("elo0=nan", "sprt elo0 'nan' is not a number"),
        ("elo0=1e2", "sprt elo0 '1e2' is not a number"),
        ("elo1=", "sprt elo1 '' is not a number"),
        ("elo0=0 elo0=1", "sprt elo0 '1' is given twice"),
        ("elo1=401", "sprt elo1 '401' is not in -400..400"),
        ("elo0=-1000", "sprt elo0 '-1000' is not in -400..400"),
        ("elo0=5 elo1=5", "sprt elo1 '5' is not over elo0, 5"),
        ("alpha=0", "sprt alpha '0' is not between 0 and 0.5"),
        ("beta=0.5", "sprt beta '0.5' is not between 0 and 0.5"),
        ("model=bayes", "sprt model 'bayes' is not one of normalized, logistic"),
    ],
)
def test_a_wrong_word_is_refused_in_one_sentence(words: str, sentence: str) -> None:
    with pytest.raises(OptionError) as caught:
        Sprt.parse(words)
    assert str(caught.value) == sentence


def _decided(random: Random, chances: list[float], sprt: Sprt) -> str:
    """What a match of pairs with these chances ends in; the test is asked every 50 pairs."""
    counts = [0] * 5
    while True:
        for score in random.choices(range(5), chances, k=50):
            counts[score] += 1
        if state := sprt.state(pentanomial(counts), 2):
            return state


def _chances(elo: float) -> list[float]:
    """Pairs of a drawish game between engines that normalised Elo puts ``elo`` apart."""
    level = [0.1, 0.2, 0.4, 0.2, 0.1]
    deviation = math.sqrt(sum(p * (i / 4 - 0.5) ** 2 for i, p in enumerate(level)))
    shift = elo / NORMALISED * math.sqrt(2) * deviation
    return [level[0] - shift / 2, level[1] - shift, level[2], level[3] + shift, level[4] + shift / 2]


def test_equal_engines_are_found_equal() -> None:
    random = Random(1)
    assert [_decided(random, _chances(0), Sprt(0, 10)) for _ in range(100)].count("H0") >= 90


def test_the_better_engine_is_found_better() -> None:
    random = Random(2)
    assert [_decided(random, _chances(10), Sprt(0, 10)) for _ in range(100)].count("H1") >= 90


@pytest.mark.parametrize("elo", [-400, -50, 0, 5, 120, 400])
@pytest.mark.parametrize("counts", ["0 0 1 0 0", "7 0 0 0 0", "1 0 100000 5 0", "3 9 20 11 4", "0 1 0 100000 3"])
def test_a_fit_meets_its_condition_and_no_other_is_likelier(elo: int, counts: str) -> None:
    numbers = [float(word) or 1e-3 for word in counts.split()]
    data = [(i / 4 - 0.5, count / sum(numbers)) for i, count in enumerate(numbers)]
    t = elo / NORMALISED * math.sqrt(2)
    best = t_fit(data, t)
    assert sum(best) == pytest.approx(1)
    mean = sum(b * p for (b, _), p in zip(data, best, strict=True))
    deviation = math.sqrt(sum((b - mean) ** 2 * p for (b, _), p in zip(data, best, strict=True)))
    assert mean == pytest.approx(t * deviation, abs=1e-7)

    # others with this t: near ones, in which mass is moved between two scores until the condition is met
    likelihood = sum(q * math.log(p) for (_, q), p in zip(data, best, strict=True))
    random, others = Random(elo), 0
    for _ in range(300):
        near = [p * math.exp(random.gauss(0, random.choice([1e-4, 1e-2, 0.5]))) for p in best]
        low, high = sorted(random.sample(range(5), 2))
        other = _moved([b for b, _ in data], [p / sum(near) for p in near], t, low, high)
        if other:
            others += 1
            assert sum(q * math.log(p) for (_, q), p in zip(data, other, strict=True)) <= likelihood + 1e-7
    assert others > 30


def _moved(scores: list[float], chances: list[float], t: float, low: int, high: int) -> list[float] | None:
    """``chances`` with so much moved from score ``low`` to ``high`` that mean = t·deviation; None if that cannot be."""
    least, most = -chances[high], chances[low]
    for _ in range(100):
        moved = chances.copy()
        moved[low] -= (least + most) / 2
        moved[high] += (least + most) / 2
        mean = sum(b * p for b, p in zip(scores, moved, strict=True))
        deviation = math.sqrt(sum((b - mean) ** 2 * p for b, p in zip(scores, moved, strict=True)))
        least, most = (least, (least + most) / 2) if mean > t * deviation else ((least + most) / 2, most)
    return moved if min(moved) > 0 and abs(mean - t * deviation) < 1e-12 else None


@given(COUNTS, BOUNDS, st.sampled_from(["normalized", "logistic"]))
def test_finite_and_symmetric(counts: list[int], elos: tuple[int, int], model: str) -> None:
    histogram = pentanomial(counts)
    llr = Sprt(*elos, model=model).llr(histogram, 2)
    assert math.isfinite(llr)
    mirror = Sprt(-elos[1], -elos[0], model=model).llr(mirrored(histogram), 2)
    assert llr == pytest.approx(-mirror, rel=1e-6, abs=1e-6)


@given(st.lists(st.integers(1, 500), min_size=5, max_size=5), st.sampled_from([(0, 5), (-10, 10), (-5, 0)]))
def test_better_scores_raise_the_logistic_llr(counts: list[int], elos: tuple[int, int]) -> None:
    sprt = Sprt(*elos, model="logistic")
    better = [counts[0] - 1, counts[1], counts[2], counts[3], counts[4] + 1]
    assert sprt.llr(pentanomial(better), 2) > sprt.llr(pentanomial(counts), 2)


@given(st.dictionaries(st.fractions(0, 1, max_denominator=18), st.integers(0, 1000), max_size=5), st.integers(1, 6))
def test_any_fractions_are_scores(histogram: dict[Fraction, int], games: int) -> None:
    for model in ("normalized", "logistic"):
        assert math.isfinite(Sprt(-400, 400, model=model).llr(histogram, games))


@pytest.mark.parametrize("counts", list(itertools.product([0, 1, 10**15], repeat=3)))
@pytest.mark.parametrize("elos", [(-400, 400), (0, 5), (-5, 0)])
def test_counts_beyond_all_precision_come_to_an_end(counts: tuple[int, ...], elos: tuple[int, int]) -> None:
    for model in ("normalized", "logistic"):
        assert math.isfinite(Sprt(*elos, model=model).llr(pentanomial(counts), 1))
