"""Drawings: that they are there, the same each time, and that nothing in a name disturbs them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from skyclaim_engine.arena.all_play import Ratings
from skyclaim_engine.arena.elo import Estimate
from skyclaim_engine.arena.plot import plot_ladder, plot_match
from skyclaim_engine.errors import SkyclaimError
from tests.arena.records import drawn, header

STARTS = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
NAMES = ("_first", "$x_{", "星の船\x1b[31m")


@pytest.mark.parametrize("kind", STARTS)
def test_a_match_is_drawn_the_same_each_time(tmp_path: Path, kind: str) -> None:
    files = []
    for name in ("one", "two"):
        path = tmp_path / f"{name}.{kind}"
        plot_match(path, header("a", "b", sprt="elo1=5"), drawn("ab", 100, 1))
        files.append(path.read_bytes())
    assert files[0].startswith(STARTS[kind])
    assert files[0] == files[1]


def test_a_test_has_a_drawing_of_its_own(tmp_path: Path) -> None:
    for path, more in (("plain.svg", {}), ("test.svg", {"sprt": "elo1=5"})):
        plot_match(tmp_path / path, header("a", "b", **more), drawn("ab", 20, 1))
    assert [(tmp_path / path).read_text().count('id="axes_') for path in ("plain.svg", "test.svg")] == [2, 3]


@pytest.mark.parametrize("blocks", [0, 1, 30])
def test_any_names_and_any_length(tmp_path: Path, blocks: int) -> None:
    path = tmp_path / "match.svg"
    plot_match(path, header(*NAMES), drawn(NAMES, blocks, 1))
    assert path.stat().st_size > 1000


def test_a_ladder_is_drawn(tmp_path: Path) -> None:
    path = tmp_path / "ladder.svg"
    engines = {"10": Estimate(930, 900, 960), "$0": Estimate(2000, 2000, 2000, "≥"), "20": None}
    plot_ladder(path, Ratings(engines, (), ()), {"10": 920, "$0": 800, "20": 1040})
    assert path.read_bytes().startswith(STARTS["svg"])


def test_wrong_files_are_refused_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(SkyclaimError, match=r"plot 'match.jpeg' does not end in .png, .svg, .pdf"):
        plot_match("match.jpeg", header("a", "b"), [])
    with pytest.raises(SkyclaimError, match=r"plot '.*' cannot be written: No such file or directory"):
        plot_match(tmp_path / "none" / "x.png", header("a", "b"), [])


def test_the_extra_is_named_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(SkyclaimError) as caught:
        plot_match("x.png", header("a", "b"), [])
    assert str(caught.value) == "a plot needs matplotlib: pip install skyclaim-engine[plot]"
