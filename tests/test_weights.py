"""Files of weights, and the option that takes one."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from skyclaim_engine import game
from skyclaim_engine.errors import SkyclaimError
from skyclaim_engine.protocol.session import Session
from skyclaim_engine.weights import MAX_FILE, MAX_WEIGHT, read

SKYCLAIM = game("skyclaim")


@pytest.fixture(autouse=True)
def own_weights() -> Iterator[None]:
    yield
    SKYCLAIM.use(None)


def write(path: Path, **changes: object) -> Path:
    content = {"version": 1, "game": "skyclaim", "weights": {"land": 2.0}}
    path.write_text(json.dumps({**content, **changes}))
    return path


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"version": 2}, "it is not a file of weights of version 1"),
        ({"game": 3}, "game or weights is missing"),
        ({"weights": [1]}, "game or weights is missing"),
        ({"weights": {"land": "2"}}, "'land' '\"2\"' is not a number"),
        ({"weights": {"land": True}}, "'land' 'true' is not a number"),
        ({"weights": {"land": float("inf")}}, "'land' 'Infinity' is not a number"),
        ({"weights": {"land": float("nan")}}, "'land' 'NaN' is not a number"),
        ({"weights": {"land": 1e308}}, "'land' '1e+308' is not a number in -1000000..1000000"),
        ({"weights": {"land": -(10**400)}}, "is not a number in -1000000..1000000"),
    ],
)
def test_a_wrong_file_is_refused(tmp_path: Path, changes: dict[str, object], complaint: str) -> None:
    with pytest.raises(SkyclaimError) as refused:
        read(write(tmp_path / "w.json", **changes))
    assert complaint in str(refused.value)


def test_what_is_no_json_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SkyclaimError, match="No such file"):
        read(tmp_path / "missing")
    (tmp_path / "w.json").write_bytes(b"\xff")
    with pytest.raises(SkyclaimError, match="not a text in UTF-8"):
        read(tmp_path / "w.json")
    (tmp_path / "w.json").write_text("{")
    with pytest.raises(SkyclaimError, match="it is not JSON"):
        read(tmp_path / "w.json")


def test_a_file_that_would_not_end_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "deep").write_text("[" * 200_000)
    (tmp_path / "long").write_text(" " * (MAX_FILE + 1))
    for name, complaint in (
        ("pipe", "it is not an ordinary file"),
        ("deep", "it is not JSON"),
        ("long", f"it is longer than {MAX_FILE} bytes"),
        (".", "Is a directory"),
    ):
        with pytest.raises(SkyclaimError, match=complaint):
            read(tmp_path / name)


def test_the_largest_weights_give_an_evaluation(tmp_path: Path) -> None:
    name, weights = read(write(tmp_path / "w.json", weights=dict.fromkeys(SKYCLAIM.scales, MAX_WEIGHT)))
    SKYCLAIM.use(weights)
    assert name == "skyclaim"
    assert all(math.isfinite(value) for _, value in SKYCLAIM.start(1).observe(1).evaluate())


def test_the_option_changes_the_evaluation_and_back(tmp_path: Path) -> None:
    lines: list[str] = []
    session = Session(lambda *told: lines.extend(told))

    def say(line: str) -> list[str]:
        lines.clear()
        session.handle(line)
        return list(lines)

    say("position startpos seed 1")
    session.handle("apply claim:e1")
    before = say("eval")
    assert say(f"setoption name Weights value {write(tmp_path / 'w.json')}") == []
    assert "eval land -4.000" in say("eval")  # two squares fewer, each worth two
    assert "eval sum -4.000" in say("eval")
    for bad in (write(tmp_path / "a", game="chess"), write(tmp_path / "b", weights={"lend": 1.0}), tmp_path / "none"):
        (answer,) = say(f"setoption name Weights value {bad}")
        assert answer.startswith("error bad-option option Weights: ")
        assert "eval sum -4.000" in say("eval")
    assert say("setoption name Weights value <empty>") == []
    assert say("eval") == before
