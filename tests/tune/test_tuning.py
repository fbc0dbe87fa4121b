"""Tuning as a whole: its games, what is kept, and how it goes on."""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from skyclaim_engine import game
from skyclaim_engine.cli import main
from skyclaim_engine.errors import SkyclaimError
from skyclaim_engine.games.skyclaim.evaluate import NAMES
from skyclaim_engine.tune import run
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


def tuning(total: int = 8, seed: int = 3, concurrency: int = 1) -> Tuning:
    return Tuning.begin(SKYCLAIM, dict(SKYCLAIM.weights), seed, total, concurrency)


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


@pytest.mark.parametrize("played", range(1, 9))
def test_a_batch_that_is_interrupted_counts_for_nothing(
    played: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its pairs are played with the same values, so that it can only be played again as a whole."""
    monkeypatch.setattr(run, "_players", lambda concurrency: contextlib.nullcontext(run._Here()))
    monkeypatch.setattr(run, "play_pair", quickly)
    whole = tuning(concurrency=3)
    whole.play(tmp_path / "whole.json")
    jobs: list[object] = []

    def stop_after_some(job: object) -> float:
        jobs.append(job)
        if len(jobs) == played:
            raise KeyboardInterrupt
        return quickly(job)

    monkeypatch.setattr(run, "play_pair", stop_after_some)
    first = tuning(concurrency=3)
    with pytest.raises(KeyboardInterrupt):
        first.play(tmp_path / "part.json")
    monkeypatch.setattr(run, "play_pair", quickly)
    rest = tuning(concurrency=3)
    rest.load(tmp_path / "part.json")
    assert rest.spsa.done == (played - 1) // 3 * 3
    rest.play(tmp_path / "part.json")
    assert (tmp_path / "part.json").read_text() == (tmp_path / "whole.json").read_text()


def test_where_nothing_can_be_kept_nothing_is_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs: list[object] = []
    monkeypatch.setattr(run, "play_pair", jobs.append)
    with pytest.raises(FileNotFoundError):
        tuning().play(tmp_path / "missing" / "tuned.json")
    assert not jobs


def test_players_end_with_a_parent_that_is_killed() -> None:
    """They would keep its output open for ever, and this would not return."""
    program = (
        "import os; from skyclaim_engine.tune.run import _players\n"
        "with _players(2) as players: print(list(players.map(abs, (-1, -2))), flush=True); os.kill(os.getpid(), 9)"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stdout) == (-signal.SIGKILL, "[1, 2]\n")


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
    path.write_text("[" * 200_000)
    with pytest.raises(SkyclaimError, match="there is no tuning to go on with"):
        tuning().load(path)
    tuning(seed=3).save(path)
    with pytest.raises(SkyclaimError, match="which is not this tuning"):
        tuning(seed=4).load(path)
    with pytest.raises(SkyclaimError, match="variant 'islands' has no weights to tune"):
        Tuning.begin(game("islands"), {}, 1, 1, 1)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"pairs": -1}, "pairs '-1' is not in 0..8"),
        ({"pairs": 9}, "pairs '9' is not in 0..8"),
        ({"pairs": float("inf")}, "there is no tuning to go on with"),
        ({"pairs": None}, "there is no tuning to go on with"),
        ({"state": []}, "there is no tuning to go on with"),
        ({"state": {"values": [1.0], "mean": [1.0]}}, "its state is not"),
        ({"state": {"values": [[1.0]], "mean": 1.0}}, "its state is not"),
        ({"nan": "mean"}, "its state is not"),
        ({"nan": "values"}, "its state is not"),
    ],
)
def test_a_spoilt_file_is_not_gone_on_with(tmp_path: Path, changes: dict[str, object], complaint: str) -> None:
    path = tmp_path / "tuned.json"
    tuning().save(path)
    content = json.loads(path.read_text())
    if "nan" in changes:
        content["state"][changes["nan"]][0] = float("nan")
    path.write_text(json.dumps({**content, **changes}))
    with pytest.raises(SkyclaimError, match=complaint):
        tuning().load(path)


def test_the_beginning_has_to_be_weights_of_the_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    begin = tmp_path / "begin.json"
    for name, weights, complaint in (
        ("islands", {}, "it is for 'islands', not for 'skyclaim'"),
        ("skyclaim", {"lend": 1.0}, "weight 'lend' is not known"),
    ):
        begin.write_text(json.dumps({"version": 1, "game": name, "weights": weights}))
        out = tmp_path / "tuned.json"
        assert main(["tune", "--out", str(out), "--pairs", "1", "--concurrency", "1", "--begin", str(begin)]) == 1
        assert complaint in capsys.readouterr().err
        assert not out.exists()


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
