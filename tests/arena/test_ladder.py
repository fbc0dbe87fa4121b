"""The ladder of skills: who meets whom, the ratings beside the declared ones, and the command from end to end."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from skyclaim_engine.arena.elo import LOGISTIC, Estimate
from skyclaim_engine.arena.ladder import (
    LEVELS,
    REACH,
    TOLERANCE,
    Ladder,
    Rung,
    encounters,
    name,
    read_ladder,
    read_levels,
)
from skyclaim_engine.arena.ledger import read_games, read_header
from skyclaim_engine.arena.summary import Summary
from skyclaim_engine.errors import SkyclaimError
from skyclaim_engine.ratings import bot_rating
from tests.arena.records import header, pair

COMMAND = [sys.executable, "-m", "skyclaim_engine.cli", "ladder"]
SHORT = ["--levels", "0,50,100", "--games", "3", "--each", "nodes=1", "--max-turns", "10", "--seed", "7"]


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *words], capture_output=True, text=True, timeout=300)


def played(levels: tuple[int, ...], true: dict[int, float], rounds: int, seed: int) -> Summary:
    """A ladder with results drawn by the logistic model for ``true`` ratings."""
    summary, random = Summary(header(*map(name, levels))), Random(seed)
    meetings = encounters(len(levels)) * rounds
    for block, (low, high) in enumerate(meetings):
        gap = true[levels[low]] - true[levels[high]]
        wins = ["1" if random.random() < 1 / (1 + math.exp(-gap / LOGISTIC)) else "0" for _ in range(2)]
        for record in pair(block, name(levels[low]), name(levels[high]), "".join(wins)):
            summary.add(record)
    return summary


def test_each_level_meets_its_neighbour_and_the_next() -> None:
    meetings = encounters(len(LEVELS))
    assert len(set(meetings)) == len(meetings) == 19
    assert {high - low for low, high in meetings} == {1, REACH}
    assert {place for meeting in meetings for place in meeting} == set(range(11))
    assert encounters(2) == ((0, 1),)


def test_the_true_ratings_are_found_on_the_declared_scale() -> None:
    true = {level: bot_rating(level) + 20 * (-1) ** (level // 10) for level in LEVELS}
    ladder = Ladder.measured(played(LEVELS, true, 300, 1), LEVELS)
    gaps = [rung.difference for rung in ladder.rungs]
    assert sum(gaps) == pytest.approx(0, abs=1e-6)
    shift = sum(true.values()) / 11 - sum(map(bot_rating, LEVELS)) / 11
    missed = 0
    for rung in ladder.rungs:
        assert rung.measured
        assert rung.measured.error < 40
        missed += not rung.measured.low <= true[rung.skill] - shift <= rung.measured.high
    assert missed <= 2
    assert [rung.games for rung in ladder.rungs] == [600 * n for n in (2, 3, *[4] * 7, 3, 2)]
    assert (ladder.falls, ladder.off) == ([], [])


def test_a_level_without_a_loss_has_a_bound_and_moves_no_other() -> None:
    summary = Summary(header("skill-0", "skill-10", "skill-20"))
    for block, results in enumerate(["10", "01", "=="]):
        for record in pair(block, "skill-0", "skill-10", results):
            summary.add(record)
    for record in pair(3, "skill-10", "skill-20", "00"):
        summary.add(record)
    ladder = Ladder.measured(summary, (0, 10, 20))
    low, middle, top = ladder.rungs
    assert top.measured
    assert top.measured.bound == "≥"
    assert low.measured
    assert middle.measured
    assert low.measured.value == pytest.approx(860)
    assert middle.measured.value == pytest.approx(860)
    assert 20 in ladder.off
    assert "≥" in ladder.text()


def test_nothing_played_yet() -> None:
    ladder = Ladder.measured(Summary(header("skill-0", "skill-10")), (0, 10))
    assert ladder.ratings is None
    assert ladder.text().splitlines()[1].split() == ["0", "800", "n/a", "n/a", "0"]
    assert json.loads(json.dumps(ladder.json(), allow_nan=False))["levels"][0]["measured"] is None


def test_levels_that_nobody_has_compared_keep_their_own_zero() -> None:
    summary = Summary(header("skill-0", "skill-10", "skill-20", "skill-30"))
    meetings = [("skill-0", "skill-10"), ("skill-20", "skill-30")]
    for block, (one, other) in enumerate(meetings * 2):
        for record in pair(block, one, other, "10" if block < 2 else "01"):
            summary.add(record)
    assert [r.measured and round(r.measured.value) for r in Ladder.measured(summary, (0, 10, 20, 30)).rungs] == [
        860, 860, 1100, 1100,
    ]  # fmt: skip


def test_the_verdicts() -> None:
    def ladder(*values: float | None) -> Ladder:
        found = [None if value is None else Estimate(value, value - 10, value + 10) for value in values]
        rungs = [Rung(10 * i, bot_rating(10 * i), rating, 8) for i, rating in enumerate(found)]
        return Ladder(tuple(rungs), None)

    good = ladder(800, 921, 1040)
    assert "strictly rising: yes" in good.text()
    assert f"within ±{TOLERANCE} of the declared: yes" in good.text()
    assert good.json()["strictly_rising"] is good.json()["within_tolerance"] is True
    assert ladder(800, 800, 1040).falls == [10]
    assert ladder(800, None, 1040).falls == [10, 20]
    assert ladder(749, 970, 1091).off == [0, 20]
    assert ladder(800, None, 1040).off == [10]
    assert "no, not at 0, 20" in ladder(749, 970, 1091).text()


@pytest.mark.parametrize("text", ["", "0", "0,0", "10,0", "0,101", "0,-1", "0;10"])
def test_levels_that_are_none(text: str) -> None:
    with pytest.raises(SkyclaimError):
        read_levels(text)


def test_the_engines_of_the_levels() -> None:
    engines = read_ladder((0, 100), "./mine --fast", [["nodes=5 option.Fast=on"]])
    assert [engine.name for engine in engines] == ["skill-0", "skill-100"]
    assert engines[1].argv == ["./mine", "--fast"]
    assert engines[1].options == {"Fast": "on", "Skill": "100"}
    assert engines[1].limits.nodes == 5
    with pytest.raises(SkyclaimError, match=r"--each: option.Skill is what the levels differ in"):
        read_ladder((0, 100), "builtin", [["option.skill=5"]])


def test_the_command(tmp_path: Path) -> None:
    ledger, plot = tmp_path / "ladder.jsonl", tmp_path / "ladder.svg"
    words = [*SHORT, "--ledger", str(ledger)]
    ran = run(*words, "--plot", str(plot), "--concurrency", "2")
    assert (ran.returncode, ran.stderr) == (0, "")
    first, titles, *rows, rising, within = ran.stdout.splitlines()
    assert first == "ladder of skyclaim: 12 games, 6 complete blocks, seed 7"
    assert titles.split() == ["skill", "declared", "measured", "difference", "games"]
    assert [row.split()[:2] for row in rows] == [["0", "800"], ["50", "1400"], ["100", "2000"]]
    assert rising.startswith("strictly rising: ")
    assert within.startswith("within ±50 of the declared: ")
    assert plot.read_text().startswith("<?xml")
    kept = ledger.read_text().splitlines(keepends=True)
    ledger.write_text("".join(kept[:5]))  # as if it had been interrupted
    again = run(*words, "--resume", "--json")
    report = json.loads(again.stdout)
    assert [level["games"] for level in report["levels"]] == [8, 8, 8]
    assert report["match"]["games"] == len(list(read_games(ledger))) == 12
    assert read_header(ledger)["schedule"] == "ladder"
    shown = run(*words, "--resume")
    assert shown.stdout == ran.stdout


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--levels", "10,5"], "levels '10,5' are not two or more skills"),
        (["--levels", "0,1000"], "Skill: '1000' is not in 0..100"),
        (["--each", "option.Skill=3"], "option.Skill is what the levels differ in"),
        (["--option", "Fog=thick"], "option Fog: 'thick'"),
        (["--resume"], "--resume needs a --ledger"),
        (["--cluster", "nowhere"], "cluster 'nowhere' is not tcp://HOST:PORT"),
    ],
)
def test_a_wrong_command_line(words: list[str], expected: str) -> None:
    ran = run(*words)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert expected in ran.stderr
    assert ran.stderr.count("\n") == 1


def test_more_than_two_seats() -> None:
    words = ["--levels", "0,100", "--games", "3", "--variant", "rockets", "--option", "Pilots=3", "--max-turns", "9"]
    ran = run(*words, "--each", "nodes=1", "--seed", "7", "--json")
    assert ran.returncode == 0, ran.stderr
    assert [level["games"] for level in json.loads(ran.stdout)["levels"]] == [3, 3]
