"""The suites of counts in perft/, by the command that anyone would use."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from skyclaim_engine import game
from skyclaim_engine.cli import main
from skyclaim_engine.commands.perft import SUITES, read_suite
from skyclaim_engine.errors import LimitError, SkyclaimError
from skyclaim_engine.perft import divide, perft
from skyclaim_engine.search import StopFlag

SKYCLAIM = game("skyclaim")
START = SKYCLAIM.start(1)


def test_all_suites_agree(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", "--max-nodes", "400000", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["agreed"] > 250


def test_suites_are_not_empty() -> None:
    for path in sorted((SUITES / "skyclaim").glob("*.perft")):
        rows = list(read_suite(path, SKYCLAIM, {}))
        assert len(rows) > 10, path
        assert all(row.counts for row in rows), path


def test_a_wrong_count_is_found_and_walked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite = tmp_path / "wrong.perft"
    suite.write_text(f"{START.line()} ;D1 {len(START.legal()) + 1}\n", encoding="utf-8")
    assert main(["perft", str(suite)]) == 1
    out = capsys.readouterr().out
    assert "wrong.perft:1: D1 expected 84, found 83" in out
    assert START.line() in out
    assert "claim:e1: 1" in out
    assert "the fast core and the slow model agree" in out


def test_a_line_that_cannot_be_read_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite = tmp_path / "bad.perft"
    suite.write_text(f"# a comment\n{START.line()} ;D1 83 ;Fog thick\n", encoding="utf-8")
    assert main(["perft", str(suite)]) == 1
    assert "bad.perft:2" in capsys.readouterr().err


def test_what_is_neither_suite_nor_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", "nothing.perft"]) == 1
    assert "'nothing.perft'" in capsys.readouterr().err


def test_divide_sums_to_perft_and_threads_agree() -> None:
    one, two = divide(START, 3), divide(START, 3, threads=2)
    assert one == two
    assert list(one) == START.legal()
    assert sum(one.values()) == perft(START, 3) == perft(START, 3, leaves=True) == 649950


def test_depth_0_and_1() -> None:
    assert perft(START, 0) == 1
    assert perft(START, 1) == len(START.legal())


def test_limits() -> None:
    assert perft(START, 2, max_nodes=8000) == 7265
    with pytest.raises(LimitError, match="over the limit of 50 nodes"):
        perft(START, 3, max_nodes=50)
    stop = StopFlag()
    stop.set()
    with pytest.raises(LimitError, match="stopped"):
        perft(START, 3, stop=stop)


def test_an_unknown_stream_is_refused() -> None:
    observation = START.observe(1)
    with pytest.raises(SkyclaimError, match="stream"):
        perft(observation, 2)


def test_against_the_reference(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", START.line(), "--depth", "1", "--against", "reference"]) == 0
    assert "84 positions, 1 deep" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--depth", "-1"], "'-1'"),
        (["--depth", "99999999999999"], "'99999999999999'"),
        (["--threads", "x"], "'x'"),
        (["--max-nodes", "-5"], "'-5'"),
        (["--option", "Fog"], "'Fog'"),
    ],
)
def test_wrong_arguments_are_misuse(words: list[str], named: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["perft", *words])
    assert ended.value.code == 2
    assert named in capsys.readouterr().err


def test_a_file_that_is_no_suite(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number, content in enumerate((b"", bytes(range(128, 256)), b"# nothing\n")):
        path = tmp_path / f"{number}.perft"
        path.write_bytes(content)
        assert main(["perft", str(path)]) == 1
        assert path.name in capsys.readouterr().err
