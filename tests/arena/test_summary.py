"""The report on a match: what it counts, in which order, and how it is written."""

from __future__ import annotations

import itertools
import json
import math
from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skyclaim_engine.arena.elo import elo, pentanomial
from skyclaim_engine.arena.sprt import Sprt
from skyclaim_engine.arena.summary import Record, Summary, share
from skyclaim_engine.arena.tables import table, width
from tests.arena.records import drawn, game, header, pair


def _summary(first: Record, *records: Record) -> Summary:
    summary = Summary(first)
    for record in records:
        summary.add(record)
    return summary


def _numbers(value: Any) -> list[float]:
    if isinstance(value, dict):
        return [number for part in value.values() for number in _numbers(part)]
    if isinstance(value, list):
        return [number for part in value for number in _numbers(part)]
    return [value] if isinstance(value, float) else []


def test_a_game_is_scored_over_all_pairs_of_seats() -> None:
    assert share("ab", [1, 0], "a", "b") == 1
    assert share("ab", [0.5, 0.5], "b", "a") == Fraction(1, 2)
    # a holds seats 1 and 4: the winner beats both of b, the loser ties with both
    assert share("abba", [1, 0, 0, 0], "a", "b") == Fraction(3, 4)
    assert share("abba", [1, 0, 0, 0], "b", "a") == Fraction(1, 4)
    assert share("abc", [0, 0.5, 0.5], "b", "c") == Fraction(1, 2)


def test_counts_of_two_engines() -> None:
    words = ["11", "1=", "10", "==", "01", "0=", "00", "00"]
    summary = _summary(header("a", "b"), *itertools.chain(*(pair(i, "a", "b", word) for i, word in enumerate(words))))
    found = summary.pairs["a", "b"]
    assert (found.wins, found.draws, found.losses) == (5, 4, 7)
    assert found.blocks == pentanomial([2, 1, 3, 1, 1])
    assert found.score == 7 / 16
    assert found.draw_rate == 1 / 4
    assert found.elo == elo(pentanomial([2, 1, 3, 1, 1]), 2)
    # the first seat won 11 10 1= and the like: a's first games 1 1 1 = 0 0 0 0, and b's 0 = 1 = 0 = 1 1
    assert (summary.first_seat.wins, summary.first_seat.draws, summary.first_seat.losses) == (6, 4, 6)
    assert summary.ratings is None
    assert summary.step_times == {"a": 1.5, "b": 1.5}


def test_the_blocks_that_are_not_complete_count_as_games_only() -> None:
    summary = _summary(header("a", "b"), *pair(0, "a", "b", "11"), pair(1, "a", "b", "00")[0])
    found = summary.pairs["a", "b"]
    assert (found.wins, found.losses, found.blocks) == (2, 1, {Fraction(1): 1})
    assert summary.json()["blocks"] == 1


def test_a_record_that_comes_twice_counts_once() -> None:
    records = [*pair(0, "a", "b", "11"), *pair(2, "a", "b", "00"), pair(3, "a", "b", "==")[0]]
    once, twice = _summary(header("a", "b"), *records), _summary(header("a", "b"), *records, *records)
    assert once.json() == twice.json()


@pytest.mark.parametrize("names", [("a", "b"), ("a", "b", "c")])
def test_the_order_of_records_does_not_matter(names: tuple[str, ...]) -> None:
    first = header(*names, sprt=str(Sprt(0, 400))) if len(names) == 2 else header(*names)
    records = list(drawn(names, 60, 3))
    want = _summary(first, *records)
    for seed in range(5):
        Random(seed).shuffle(records)
        summary = _summary(first, *records)
        assert summary.text() == want.text()
        assert summary.json() == want.json()


def test_the_test_takes_blocks_in_order_and_keeps_its_verdict() -> None:
    sprt = Sprt(-200, 200)
    words = ["11"] * 30 + ["00"] * 90
    records = [pair(i, "a", "b", word) for i, word in enumerate(words)]
    summary = Summary(header("a", "b", sprt=str(sprt)))
    for record in itertools.chain(*records[1:30]):
        summary.add(record)
    assert (summary.llr, summary.decided) == (0, None)  # block 0 is not there yet
    needed = next(n for n in range(1, 31) if sprt.state({Fraction(1): n}, 2))
    for record in records[0]:
        summary.add(record)
    assert summary.decided == "H1"
    assert summary.llr == sprt.llr({Fraction(1): needed}, 2)
    for record in itertools.chain(*records[30:]):
        summary.add(record)
    assert summary.decided == "H1"
    assert summary.llr == sprt.llr({Fraction(1): needed}, 2)
    assert "H1 accepted after" in summary.text()
    assert "naive after early stopping" in summary.text()
    assert summary.json()["naive"] is True


def test_level_blocks_alone_are_explained() -> None:
    records = list(itertools.chain(*(pair(i, "a", "b", "10") for i in range(20))))
    for model, said in (("normalized", True), ("logistic", False)):
        text = _summary(header("a", "b", sprt=f"model={model}"), *records).text()
        assert ("all blocks are level" in text) == said
        assert f"model={model}" in text


def test_faults_and_ends_are_told_apart() -> None:
    hang = {"seat": 2, "engine": "b", "kind": "hang", "text": "no answer"}
    crash = {"seat": 1, "engine": "b", "kind": "crash", "text": "status 3"}
    summary = _summary(
        header("a", "b"),
        game(0, 0, "ab", [1, 0], ended="fault", fault=hang),
        game(0, 1, "ba", [0, 1], ended="fault", fault=crash),
        game(1, 0, "ab", [1, 0], ended="fault", fault=hang),
        game(1, 1, "ba", [0.5, 0.5], ended="limit", turns=400),
    )
    text = summary.text()
    assert "ended by fault: 3, limit: 1" in text
    assert "fault of b: crash, 1 games\nfault of b: hang, 2 games" in text
    assert "turns a game: 122.5" in text
    assert summary.json()["faults"] == [
        {"engine": "b", "kind": "crash", "games": 1},
        {"engine": "b", "kind": "hang", "games": 2},
    ]


def test_three_seats() -> None:
    first = header("a", "b")
    # a sits on seats 1 and 2, then turned; it wins on the first seat, the second one, and not at all
    records = [
        game(0, 0, "aab", [1, 0, 0]),
        game(0, 1, "aba", [0, 0.5, 0.5]),
        game(0, 2, "baa", [1, 0, 0]),
    ]
    summary = _summary(first, *records)
    # 1 and ½, ½ and 0, 0 and 0
    assert summary.pairs["a", "b"].blocks == {(Fraction(3, 4) + Fraction(1, 4)) / 3: 1}
    assert summary.pairs["a", "b"].size == 3
    assert summary.ratings
    assert len(summary.ratings.seats) == 3
    assert "ratings of all at once" in summary.text()


def test_three_engines_and_anchors() -> None:
    records = list(drawn("abc", 90, 1))
    assert list(_summary(header("a", "b", "c"), *reversed(records)).pairs) == [
        ("a", "b"), ("a", "c"), ("b", "c"),
    ]  # fmt: skip
    summary = Summary(header("a", "b", "c"), {"b": 1000, "c": 900})
    for record in records[:2]:
        summary.add(record)
    assert summary.ratings  # c has not played yet
    assert summary.ratings.engines.keys() == {"a", "b"}
    assert "relative to the anchors" in summary.text()


def test_headlines() -> None:
    assert _summary(header("a", "b")).headline() == "a n/a, Elo n/a"
    records = list(itertools.chain(*(pair(i, "a", "b", "1=") for i in range(2)), pair(2, "a", "b", "==")))
    assert _summary(header("a", "b"), *records).headline().startswith("a 66.7 %, Elo +120.")
    tested = _summary(header("a", "b", sprt="elo0=0 elo1=10"), *records).headline()
    assert tested.endswith(f"LLR {Sprt(0, 10).llr(pentanomial([0, 0, 1, 2, 0]), 2):.2f} [-2.94, 2.94]")
    level = _summary(header("a", "b", sprt="elo0=0 elo1=10"), *pair(0, "a", "b", "=="))
    assert level.llr < 0
    assert level.headline().endswith("LLR 0.00 [-2.94, 2.94]")  # no zero has a sign
    assert _summary(header("a", "b", "c"), *records).headline() == "a leads with 66.7 %"


def test_a_report_on_nothing() -> None:
    summary = Summary(header("a", "b"))
    assert summary.text() == "skyclaim: 0 games, 0 complete blocks, seed 7"
    assert json.loads(json.dumps(summary.json(), allow_nan=False))["turns"] is None


@pytest.mark.parametrize("result", ["1", "=", "0"])
@pytest.mark.parametrize("games", [1, 2, 20])
def test_nothing_that_is_not_finite_is_printed(result: str, games: int) -> None:
    records = list(itertools.chain(*(pair(i, "a", "b", 2 * result) for i in range(games))))[:games]
    summary = _summary(header("a", "b", sprt="elo1=5"), *records)
    text = summary.text().lower()
    assert not any(word in text.replace("engine", "") for word in ("nan", "inf", "none,"))
    json.dumps(summary.json(), allow_nan=False)


NAMES = st.text(st.characters(codec="utf-8"), min_size=1, max_size=40)


@given(st.lists(NAMES, min_size=2, max_size=3, unique=True), st.integers(0, 12), st.integers(0, 9))
def test_any_name_leaves_the_lines_whole(names: list[str], blocks: int, seed: int) -> None:
    summary = _summary(header(*names), *drawn(names, blocks, seed))
    plain = _summary(header(*"abc"[: len(names)]), *drawn("abc"[: len(names)], blocks, seed))
    assert len(summary.text().splitlines()) == len(plain.text().splitlines())
    assert all(c.isprintable() or c == "\n" for c in summary.text())
    assert all(math.isfinite(number) for number in _numbers(summary.json()))
    assert len(summary.headline().splitlines()) == 1


def test_tables_are_aligned_by_width() -> None:
    lines = table([["name", "n"], ["星の船", "12"], ["e\u0301", "3"]])
    assert lines == ["name     n", "星の船  12", "e\u0301        3"]
    assert Counter(map(width, lines)) == {10: 3}


def test_memory_does_not_grow_with_games() -> None:
    summary = Summary(header("a", "b"))
    for block, word in zip(range(400), itertools.cycle(map("".join, itertools.product("1=0", repeat=2))), strict=False):
        for record in pair(block, "a", "b", word):
            summary.add(record)
    assert len(summary.blocks) == 9
    assert len(summary.pairs["a", "b"].blocks) == 5
    assert not summary._open
    assert not summary._waiting
