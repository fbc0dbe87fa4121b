"""Tuning as a whole: its games, what is kept, and how it goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from skyclaim_engine import game
from skyclaim_engine.cli import main
from skyclaim_engine.errors import SkyclaimError
from skyclaim_engine.games.skyclaim.evaluate import NAMES
from skyclaim_engine.tune.quick import duel
from skyclaim_engine.tune.run import Tuning, play_pair

SKYCLAIM = game("skyclaim")
SHORT = {"TurnLimit": 12}


@pytest.fixture(autouse=True)
def own_weights() -> Iterator[None]:
    """Whatever a test sets, the next one finds the game's own weights."""
    yield
    SKYCLAIM.use(None)
    SKYCLAIM.use(SKYCLAIM.weights, rival=True)


def tuning(total: int = 8, seed: int = 3) -> Tuning:
    return Tuning.begin(SKYCLAIM, dict(SKYCLAIM.weights), seed, total, concurrency=1)


def test_every_parameter_is_a_weight_and_every_feature_has_one() -> None:
    for name in SKYCLAIM.scales:
        SKYCLAIM.use({name: 1.0})
    assert {name.partition(".")[0] for name in SKYCLAIM.scales} == set(NAMES)
    with pytest.raises(SkyclaimError, match="weight 'lend' is not known"):
        SKYCLAIM.use({"lend": 1.0})
    with pytest.raises(SkyclaimError, match=r"weight 'land\.often' is not known"):
        SKYCLAIM.use({"land.often": 1.0})


def test_a_duel_depends_on_its_seed_alone() -> None:
    start = SKYCLAIM.start(4, SHORT)
    SKYCLAIM.use({"land": 1.0}, rival=True)
    assert duel(start, 9, 1) == duel(start, 9, 1)
    SKYCLAIM.use(SKYCLAIM.weights, rival=True)
    results = {tuple(duel(SKYCLAIM.start(seed, SHORT), seed, 1)) for seed in range(12)}
    assert len(results) > 1  # between equals it is the seed that decides


def test_a_rival_with_the_same_weights_plays_the_same_game() -> None:
    SKYCLAIM.use(SKYCLAIM.weights, rival=True)
    for seed in range(4):
        start = SKYCLAIM.start(seed, SHORT)
        assert duel(start, seed, 1) == duel(start, seed, 2) == duel(start, seed, 0)


def test_who_shuns_land_loses() -> None:
    shy = {name: -value for name, value in SKYCLAIM.weights.items()}
    results = [play_pair(("skyclaim", dict(SKYCLAIM.weights), shy, seed)) for seed in range(5)]
    assert results == [1.0] * 5


def test_resumed_is_as_good_as_played_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("skyclaim_engine.tune.run.play_pair", quickly)
    whole = tuning()
    whole.play(tmp_path / "whole.json")
    first = tuning()

    def stop_at_five(job: object) -> float:
        if first.spsa.done == 5:
            raise KeyboardInterrupt
        return quickly(job)

    monkeypatch.setattr("skyclaim_engine.tune.run.play_pair", stop_at_five)
    with pytest.raises(KeyboardInterrupt):
        first.play(tmp_path / "part.json")
    monkeypatch.setattr("skyclaim_engine.tune.run.play_pair", quickly)
    rest = tuning()
    rest.load(tmp_path / "part.json")
    assert rest.spsa.done == 5
    rest.play(tmp_path / "part.json")
    assert (tmp_path / "part.json").read_text() == (tmp_path / "whole.json").read_text()


def quickly(job: object) -> float:
    """A result without a game, different for each seed."""
    assert isinstance(job, tuple)
    return float(np.random.default_rng(job[3]).choice([-1.0, 0.0, 1.0]))


def test_what_is_no_tuning_of_ours_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "tuned.json"
    with pytest.raises(SkyclaimError, match="there is no tuning to go on with"):
        tuning().load(path)
    path.write_text("[]")
    with pytest.raises(SkyclaimError, match="there is no tuning to go on with"):
        tuning().load(path)
    tuning(seed=3).save(path)
    with pytest.raises(SkyclaimError, match="which is not this tuning"):
        tuning(seed=4).load(path)
    with pytest.raises(SkyclaimError, match="variant 'islands' has no weights to tune"):
        Tuning.begin(game("islands"), {}, 1, 1, 1)


def test_the_command_writes_weights_that_the_engine_takes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "tuned.json"
    words = ["tune", "--out", str(path), "--pairs", "1", "--concurrency", "1", "--games", "0", "--seed", "5"]
    assert main(words) == 0
    assert json.loads(path.read_text())["pairs"] == 1
    assert main(words) == 1
    assert "is there already; --resume goes on with it" in capsys.readouterr().err
    assert main([*words, "--resume"]) == 0
    assert json.loads(path.read_text())["pairs"] == 1
    assert SKYCLAIM.weights == json.loads(_built_in().read_text())["weights"]


def _built_in() -> Path:
    from skyclaim_engine.games import skyclaim

    return Path(skyclaim.__path__[0]) / "weights.json"
