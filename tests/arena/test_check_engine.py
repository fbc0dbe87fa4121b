"""`check-engine`: the own engine passes, and each bad one fails in what it does wrong and in nothing else."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path

import pytest

from skyclaim_engine.arena.check import CHECKS, FAIL, OK, SKIP, Outcome, examine
from skyclaim_engine.cli import main
from skyclaim_engine.errors import SkyclaimError
from skyclaim_engine.games import GAMES, game
from tests.doubles import KINDS, double
from tests.doubles import bent as bent_engine

OWN = [sys.executable, "-m", "skyclaim_engine"]
ONE_GAME = {"skyclaim": game("skyclaim")}
#: what each bad engine fails in, and the `go` from which on it is bad
FAILURES = {
    **dict.fromkeys(KINDS, (2, {"go"})),  # the first is that of the check no-position
    "never-ready": (1, {"isready"}),
    "slow": (4, {"in-time"}),
    "no-id": (1, {"id"}),
    "doubled": (1, {"one-bestmove", "stop"}),
    "crlf": (1, set()),
    "noisy": (1, set()),
    "fork": (1, {"nothing-left"}),
    "fork-away": (1, {"nothing-left"}),
    "fickle": (1, {"searchmoves", "repeatability"}),
    "peeks": (1, {"searchmoves", "honesty"}),
    "absent": (1, {"isready-in-search"}),
    "ignores-stop": (1, {"infinite"}),
    "ignores-quit": (1, {"end-of-input", "end-of-input-in-search", "quit-in-search", "nothing-left"}),
}
#: what is left out where it takes long and brings nothing new
LONG = {check.name for check in CHECKS if check.name.startswith("game-")}
#: a check, and what of the conversation is bent so that it must fail
BENT = [
    ("handshake", "say", "id author .*", "hello"),
    ("handshake", "say", "min 0 max 100$", "min 101 max 100"),
    ("handshake", "say", "type check default false", "type check"),
    ("handshake", "say", "type combo default skyclaim", "type combo default chess"),
    ("handshake", "say", "type spin default", "type number default"),
    ("isready", "say", "readyok", "readyok\nreadyok"),
    ("unknown-command", "say", "unknown-command", "what"),
    ("white-space", "hear", "joho isready", "joho"),
    ("too-long", "hear", "x{66000,}", ""),
    ("options", "hear", "FOG", "mist"),
    ("option-errors", "hear", "value maybe", "value true"),
    ("option-errors", "say", "bad-option", "bad-argument"),
    ("no-position", "say", "error no-position.*", "bestmove none"),
    ("position", "hear", "position obs .*", "position joho"),
    ("go", "say", "^(bestmove.*)", r"thinking is hard\n\1"),
    ("limits", "hear", "clocks .*", "joho"),
    ("limit-errors", "hear", "nodes -5", "nodes 5"),
    ("searchmoves", "hear", " searchmoves .*", ""),
    ("moves", "hear", " moves (?!nonsense).*", ""),
    ("position-errors", "hear", "(position fen .*) moves nonsense", r"\1\njoho"),
    ("position-errors", "say", "illegal-step", "bad-argument"),
    ("infinite", "hear", "infinite", "nodes 1"),
    ("stop", "hear", "^stop$", "stop\njoho"),
    ("busy", "say", "error busy", "error limit"),
    ("errors-in-search", "hear", "position joho", "position joho\nstop"),
    ("changes-in-search", "hear", "ucinewgame", ""),
    ("hint", "hear", "(go .*)hint ", r"position startpos moves claim:e1\n\1"),
    ("perft", "say", "searched: ", "searched: 9"),
    ("perft", "say", "^claim:", "claims:"),
    ("legal", "say", r"^legal (\S+) (\S+)", r"legal \2 \1"),
    ("legal", "say", r"^legal \S+", "legal"),
    ("orders", "say", "orders ", "orders 1"),
    ("apply", "say", "^fen (.*)", r"fen \1 x"),
    ("apply", "say", '"type"', '"kind"'),
    ("observe", "say", "obs (.*)", r"obs \1 x"),
    ("d", "say", "^fen (.*)", r"fen \1 x"),
    ("eval", "say", r"eval (\S+) .*", r"eval \1"),
    ("explain", "say", "explain (.*)", r"\1"),
    ("help", "say", "^stop", "halt"),
]


def bent(direction: str, pattern: str, replacement: str) -> list[str]:
    return [sys.executable, bent_engine.__file__, direction, pattern, replacement]


def failed(outcomes: list[Outcome]) -> set[str]:
    return {outcome.check for outcome in outcomes if outcome.verdict == FAIL}


def left() -> tuple[set[str], set[str]]:
    """The open files of this process and its children."""
    files = {name for name in os.listdir("/proc/self/fd") if os.path.exists(f"/proc/self/fd/{name}")}
    tasks = Path("/proc/self/task").iterdir()
    return files, {pid for task in tasks for pid in (task / "children").read_text("ascii").split()}


def test_the_own_engine_passes(capsys: pytest.CaptureFixture[str]) -> None:
    before = left()
    assert main(["check-engine", f"{sys.executable} -m skyclaim_engine"]) == 0
    *lines, last = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines] == [["ok", check.name] for check in CHECKS]
    assert last == f"{len(CHECKS)} ok, 0 failed, 0 skipped"
    assert left() == before


def test_every_check_says_what_should_be() -> None:
    assert all(re.fullmatch(r"\S.*\.", check.rule) or check.rule.endswith("uciok.") for check in CHECKS)
    assert len({check.name for check in CHECKS}) == len(CHECKS)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_bad_engine_fails_in_what_it_does_wrong(kind: str) -> None:
    before = left()
    at, expected = FAILURES[kind]
    silent = KINDS[kind] == "hang" or kind in ("absent", "ignores-stop", "misspelt")
    timeout = 1.5 if silent else 10.0
    only = {"in-time"} if kind == "slow" else {check.name for check in CHECKS} - LONG
    outcomes = list(examine(double(kind, at), timeout=timeout, games=ONE_GAME, only=only))
    assert failed(outcomes) == expected
    for outcome in outcomes:
        assert outcome.verdict in (OK, FAIL, SKIP)
        if outcome.verdict == FAIL:
            assert re.fullmatch(r"sent .*; expected .*; came .*", outcome.text)
    assert left() == before


@pytest.mark.parametrize(("check", "direction", "pattern", "replacement"), BENT)
def test_each_check_can_fail(check: str, direction: str, pattern: str, replacement: str) -> None:
    outcomes = list(examine(bent(direction, pattern, replacement), timeout=4.0, only=[check]))
    assert failed(outcomes) == {check}


@pytest.mark.parametrize("name", sorted(GAMES))
@pytest.mark.parametrize("rules", ["", "-options"])
def test_an_illegal_step_late_in_a_game_is_found(name: str, rules: str) -> None:
    outcomes = list(examine(double("liar", 25), timeout=10.0, only=[f"game-{name}{rules}"]))
    assert failed(outcomes) == {f"game-{name}{rules}"}
    assert "a legal step in" in outcomes[-1].text


def test_what_an_engine_need_not_have_is_skipped() -> None:
    """An engine that plays one game and is no referee."""
    outcomes = list(
        examine(
            bent("hear", r"^(legal|orders|apply|observe|d|eval|explain|help)\b.*", "joho"),
            timeout=2.0,
            only=["legal", "d"],
        )
    )
    assert [outcome.verdict for outcome in outcomes] == [OK, OK, SKIP, SKIP]
    outcomes = list(examine(bent("hear", "go perft 1", "go nodes 5"), only=["perft"]))
    assert outcomes[-1] == Outcome("perft", SKIP, "the engine does not count in this game")
    outcomes = list(examine(bent("say", "option name UCI_Variant .*", "info none"), only=["game-islands"]))
    assert outcomes[-1].verdict == SKIP and "islands" in outcomes[-1].text
    outcomes = list(examine(bent("say", "option name Seed .*", "info none"), only=["repeatability"]))
    assert outcomes[-1] == Outcome("repeatability", SKIP, "the engine has no option 'Seed'")


def test_a_command_that_is_no_engine(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-engine", "/no/such/engine", "--json"]) == 1
    first, *rest, last = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert first["check"] == "handshake" and first["verdict"] == FAIL and "/no/such/engine" in first["text"]
    assert {outcome["verdict"] for outcome in rest} == {SKIP}
    assert last == {"ok": 0, "failed": 1, "skipped": len(CHECKS) - 1}


def test_the_word_for_the_own_engine(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-engine", "builtin", "--only", "handshake"]) == 0
    assert capsys.readouterr().out.endswith("1 ok, 0 failed, 0 skipped\n")


@pytest.mark.parametrize("words", [["--timeout", "0"], ["--timeout", "nan"], ["--only", "joho"], []])
def test_misuse(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["check-engine", *(["true"] if words else []), *words])
    assert caught.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_names_that_are_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-engine", "true", "--game", "chess"]) == 1
    assert "'chess'" in capsys.readouterr().err
    with pytest.raises(SkyclaimError, match="'joho'"):
        list(examine("true", only=["joho"]))
