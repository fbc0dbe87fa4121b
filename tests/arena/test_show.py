"""`skyclaim show`: the table, the games, one game step by step; and the replay behind it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from skyclaim_engine import cli, game
from skyclaim_engine.arena.engines import read_engines
from skyclaim_engine.arena.ledger import Ledger
from skyclaim_engine.arena.match import Plan, play_block
from skyclaim_engine.arena.records import Record, replay
from skyclaim_engine.arena.referee import Terms
from skyclaim_engine.arena.schedule import Schedule, encounters
from skyclaim_engine.errors import SkyclaimError
from skyclaim_engine.options import complete

VARIANTS: dict[str, dict[str, object]] = {"skyclaim": {}, "islands": {"Seats": "3"}, "rockets": {"Pilots": 3}}


@pytest.fixture(scope="module", params=VARIANTS)
def ledger(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One block of short games of each variant."""
    name: str = request.param
    rules = complete(game(name).options, VARIANTS[name])
    seats = game(name).start(1, rules).seats
    specs = read_engines([["name=a cmd=builtin nodes=1"], ["name=b cmd=builtin nodes=1"]])
    schedule = Schedule(encounters("roundrobin", 2, seats), seats, 7, 1)
    plan = Plan(name, rules, specs, schedule, terms=Terms(max_turns=3))
    path = tmp_path_factory.mktemp(name) / "match.jsonl"
    with Ledger(path, plan.header()) as book:
        for record in play_block(plan, 0, range(seats)):
            book.append(record)
    return path


def lines(path: Path) -> tuple[Record, list[Record]]:
    header, *games = map(json.loads, path.read_text().splitlines())
    return header, games


def show(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    assert cli.main(["show", *map(str, words)]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    return said.out


def test_the_table(ledger: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, games = lines(ledger)
    assert f"{len(games)} games, 1 complete blocks" in show(capsys, ledger)
    assert json.loads(show(capsys, ledger, "--json"))["games"] == len(games)


def test_the_games(ledger: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, games = lines(ledger)
    said = show(capsys, ledger, "--games").splitlines()
    assert [line.split()[0] for line in said] == [f"0.{number}" for number in range(len(games))]
    assert all("3 turns" in line and "(limit)" in line and "a 0." in line for line in said)
    assert [json.loads(line) for line in show(capsys, ledger, "--games", "--json").splitlines()] == games


def test_a_game_step_by_step(ledger: Path, capsys: pytest.CaptureFixture[str]) -> None:
    header, games = lines(ledger)
    said = show(capsys, ledger, "--game", "0.1")
    moments = list(replay(games[1], header))
    assert said.startswith("The start\n")
    assert said.count("\nStep ") == len(moments) - 1
    for step in games[1]["steps"]:
        assert step in said
    assert moments[-1].position.picture() in said
    assert said.splitlines()[-1].startswith("0.1  ")
    part = show(capsys, ledger, "--game", "0.1", "--steps", "1..2")
    assert "The start" not in part
    assert part.count("Step ") == 2
    facts = [json.loads(line) for line in show(capsys, ledger, "--game", "0.1", "--json").splitlines()]
    assert [fact["number"] for fact in facts] == list(range(len(moments)))
    assert facts[0]["position"] == games[1]["start"]
    assert facts[-1]["position"] == moments[-1].position.line()
    assert all(event["type"] for fact in facts[1:] for event in fact["events"])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"steps": ["nonsense"] * 40}, "nonsense"),
        ({"start": "nonsense"}, "line 'nonsense'"),
        ({"seats": None}, "NoneType"),
        ({"seed": "x"}, "str"),
    ],
)
def test_a_record_that_does_not_follow_the_rules(ledger: Path, change: Record, words: str) -> None:
    header, games = lines(ledger)
    with pytest.raises(SkyclaimError, match=rf"game 0\.0: the record .*{words}"):
        list(replay({**games[0], **change}, header))


def test_a_step_that_is_not_legal_there(ledger: Path) -> None:
    header, games = lines(ledger)
    steps = [*games[0]["steps"]]
    steps[-1] = "swap:a1k11"
    with pytest.raises(SkyclaimError, match=r"game 0\.0: the record does not follow the rules of .*swap:a1k11"):
        list(replay({**games[0], "steps": steps}, header))


@pytest.mark.parametrize(
    ("words", "status", "expected"),
    [
        (["--game", "9.9"], 1, "game '9.9' is not in"),
        (["--game", "9"], 2, "'9' is not BLOCK.GAME"),
        (["--game", "0.0", "--steps", "a..b"], 2, "'a..b' is not FROM..TO"),
        (["--game", "0.0", "--steps", "5..2"], 2, "'5..2' ends before it begins"),
        (["--steps", "1..2"], 2, "--steps needs a --game"),
        (["--games", "--game", "0.0"], 2, "not allowed with"),
    ],
)
def test_what_is_not_there(
    ledger: Path, words: list[str], status: int, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        sys.exit(cli.main(["show", str(ledger), *words]))
    assert stop.value.code == status
    assert expected in capsys.readouterr().err


def test_what_is_no_ledger(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["show", str(tmp_path / "none")]) == 1
    assert "No such file" in capsys.readouterr().err
    (tmp_path / "odd").write_text("{}\n")
    assert cli.main(["show", str(tmp_path / "odd")]) == 1
    assert "its first line is not about a match" in capsys.readouterr().err
