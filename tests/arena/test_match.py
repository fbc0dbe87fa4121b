"""Matches with real processes: any order, any interruption and any bad engine give the same set of games."""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import random
import signal
import socketserver
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from skyclaim_engine import game
from skyclaim_engine.arena.engines import Spec, read_engines
from skyclaim_engine.arena.ledger import read_games, read_header
from skyclaim_engine.arena.match import Plan, check, games_of_block, play_block, play_locally, tasks
from skyclaim_engine.arena.player import Players
from skyclaim_engine.arena.records import Record
from skyclaim_engine.arena.referee import Terms
from skyclaim_engine.arena.schedule import Schedule, encounters
from skyclaim_engine.errors import SkyclaimError
from skyclaim_engine.options import complete
from skyclaim_engine.protocol.client import Client
from skyclaim_engine.protocol.session import Session
from tests.doubles.engine import KINDS

ENGINES = ["name=a cmd=builtin nodes=1 option.Skill=50", "name=b cmd=builtin nodes=40"]
DOUBLE = f"{sys.executable} {Path(__file__).parents[1] / 'doubles' / 'engine.py'}"
SKYCLAIM = [sys.executable, "-m", "skyclaim_engine.cli"]


def plan_of(*engines: str, name: str = "skyclaim", rounds: int = 2, terms: Terms | None = None, **more: Any) -> Plan:
    rules = complete(game(name).options, more.pop("rules", {}))
    specs = read_engines([[engine] for engine in engines or ENGINES])
    seats = game(name).start(1, rules).seats
    schedule = Schedule(encounters("roundrobin", len(specs), seats), seats, 7, rounds)
    return Plan(name, rules, specs, schedule, terms=terms or Terms(max_turns=20), **more)


def without_times(records: Iterator[Record] | list[Record]) -> list[Record]:
    """What must be the same whenever and wherever a game is played, in the order of the games."""
    found = [{**record, "times": len(record["times"])} for record in records]
    return sorted(found, key=lambda record: (record["block"], record["game"]))


def local(plan: Plan, concurrency: int = 1) -> list[Record]:
    return without_times(play_locally(plan, tasks(plan, []), concurrency))


@pytest.fixture
def clean() -> Iterator[None]:
    """Nothing is left behind: no process, no zombie, no descriptor."""
    Client([sys.executable, "-c", "input()"]).quit()  # what is made once and kept, such as the thread that spawns
    before = descriptors()
    yield
    assert descriptors() == before
    assert not [thread for thread in threading.enumerate() if thread.name == "referee"]
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def descriptors() -> set[str]:
    return set(os.listdir("/proc/self/fd"))


@pytest.mark.parametrize(
    ("name", "rules"), [("skyclaim", {"Fog": "dark"}), ("islands", {"Seats": "3"}), ("rockets", {"Pilots": 3})]
)
def test_any_concurrency_and_order_give_the_same_games(name: str, rules: dict[str, object], clean: None) -> None:
    plan = plan_of(name=name, rules=rules)
    one = local(plan)
    assert [(r["block"], r["game"]) for r in one] == [(b, g) for b in range(2) for g in range(plan.schedule.seats)]
    assert not [record for record in one if record["ended"] == "fault"]
    assert local(plan, 2) == one
    alone = pickle.loads(pickle.dumps(plan))
    assert without_times(play_block(alone, 1, [1])) == [r for r in one if (r["block"], r["game"]) == (1, 1)]


def test_games_of_a_block_share_what_they_should() -> None:
    plan = plan_of(random_plies=4, rounds=3)
    games = local(plan)
    for first, second in zip(games[::2], games[1::2], strict=True):
        assert first["start"] == second["start"]
        assert first["seed"] == second["seed"]
        assert first["engines"] == second["engines"][::-1]
    assert len({record["start"] for record in games}) == 3


def test_the_same_engine_plays_both_games_of_a_block_alike() -> None:
    """Equal strength and the same chance: the two games differ only in the seeds of the engines."""
    plan = plan_of("name=a cmd=builtin nodes=9 option.Seed=5", "name=b cmd=builtin nodes=9 option.Seed=5")
    games = local(plan)
    assert games[0]["steps"] == games[1]["steps"]
    assert games[0]["result"] == games[1]["result"]


def test_each_pair_plays_the_openings_in_turn() -> None:
    starts = [game("skyclaim").start(seed).line() for seed in (1, 2)]
    plan = plan_of(*ENGINES, "name=c cmd=builtin nodes=1", openings=tuple(starts), rounds=3, terms=Terms(1))
    for one, other in (("a", "b"), ("a", "c"), ("b", "c")):
        blocks = [record for record in local(plan)[::2] if record["engines"] == [one, other]]
        assert [record["start"] for record in blocks] == [*starts, starts[0]]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (game("skyclaim").start(1).observe(1).line(), "the stream of chance is not known"),
        ("nonsense", "opening 'nonsense': line 'nonsense'"),
    ],
)
def test_openings_that_are_none(line: str, words: str) -> None:
    with pytest.raises(SkyclaimError, match=words):
        check(plan_of(openings=(line,)))


@pytest.mark.parametrize(
    ("engine", "words"),
    [
        ("name=x cmd=builtin option.Skil=1", "engine 'x': option 'Skil' is not one of the engine's"),
        ("name=x cmd=builtin option.Skill=101", "engine 'x': option Skill: '101' is not in 0..100"),
        ("name=x cmd=/no/such/program", "engine 'x' cannot play"),
        ("name=x cmd=false", "engine 'x' cannot play: .*ended with status 1"),
        ("name=x cmd=builtin dir=/no/such/folder", "engine 'x' cannot play: .* there is no folder '/no/such/folder'"),
        ("name=x cmd=/etc/passwd", "engine 'x' cannot play: .* it may not be executed"),
        ("name=x cmd=builtin option.UCI_Variant=islands", "option 'UCI_Variant' is of the match, not of one engine"),
        ("name=x cmd=builtin option.fog=dark", "engine 'x': option 'fog' is of the match"),
        ("name=x cmd=tcp://127.0.0.1:9", "engine 'x' cannot play: .*cannot be started"),
    ],
)
def test_an_engine_that_cannot_play_is_told_before_any_game(engine: str, words: str, clean: None) -> None:
    with pytest.raises(SkyclaimError, match=words):
        check(plan_of(ENGINES[0], engine))


def test_an_engine_that_does_not_know_the_game() -> None:
    plan = plan_of()
    with Players("chess", plan.options) as players:
        [player] = players.take(plan.engines[:1])
        with pytest.raises(SkyclaimError, match="engine 'a' does not say that it plays 'chess'"):
            player.begin(1)


def test_an_engine_behind_a_socket(clean: None) -> None:
    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            session = Session(lambda *lines: self.wfile.write("".join(f"{line}\n" for line in lines).encode()))
            for line in self.rfile:
                if not session.handle(line.rstrip(b"\n")):
                    break
            session.close()

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,)).start()
        far = f"name=a cmd=tcp://127.0.0.1:{server.server_address[1]} nodes=1 option.Skill=50"
        try:
            assert local(plan_of(far, ENGINES[1]), 2) == local(plan_of())
        finally:
            server.shutdown()


# --- bad engines


def double(kind: str, at: int = 3) -> str:
    return f"name=bad cmd='{DOUBLE} {kind} {at}'"


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "never-ready"])
def test_bad_engines_are_named_rightly_and_the_match_goes_on(kind: str, clean: None) -> None:
    limit = "st=0.3 timemargin=500" if KINDS[kind] == "time" else "nodes=1"
    terms = Terms(max_turns=6, ceiling=2.0)
    games = local(plan_of(f"{double(kind)} {limit}", "name=good cmd=builtin nodes=1", rounds=1, terms=terms))
    assert len(games) == 2
    assert tagged(kind) == []
    for record in games:
        if KINDS[kind] is None:
            assert record["ended"] == "limit", record
            continue
        assert record["ended"] == "fault", record
        fault = record["fault"]
        assert (fault["engine"], fault["kind"]) == ("bad", KINDS[kind]), record
        assert record["result"][fault["seat"] - 1] == 0
        assert "last lines exchanged" in fault["text"]


def tagged(kind: str) -> list[str]:
    """The command lines of processes that are, or were started by, a double of this kind."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if "doubles/engine.py" in (line := (folder / "cmdline").read_text()) and kind in line:
                found.append(line)
    return found


def test_an_engine_that_is_never_ready(monkeypatch: pytest.MonkeyPatch, clean: None) -> None:
    monkeypatch.setattr("skyclaim_engine.arena.player.START", 1.0)
    with pytest.raises(SkyclaimError, match=r"engine 'bad' cannot play: .*did not answer in time"):
        check(plan_of(double("never-ready", 0), ENGINES[0]))


def test_a_new_process_for_each_game_where_that_is_wanted() -> None:
    plan = plan_of("name=a cmd=builtin nodes=1 restart=on", "name=b cmd=builtin nodes=1", terms=Terms(2))
    with Players(plan.game, plan.options) as players:
        mine, other = players.take(plan.engines)
        list(games_of_block(plan, 0, [0], players))
        assert mine.client
        assert other.client
        before = mine.client.pid, other.client.pid
        list(games_of_block(plan, 0, [1], players))
        assert mine.client.pid != before[0]
        assert other.client.pid == before[1]


def test_an_engine_with_several_seats_has_a_process_for_each() -> None:
    plan = plan_of(name="rockets", rules={"Pilots": 4}, terms=Terms(2))
    specs = [Spec(name, "builtin") for name in ("a", "b", "a", "b")]
    with Players(plan.game, plan.options) as players:
        assert len(set(map(id, players.take(specs)))) == 4
        assert list(map(id, players.take(specs[::-1]))) != list(map(id, players.take(specs)))
        assert set(map(id, players.take(specs[::-1]))) == set(map(id, players.take(specs)))


# --- the end


def test_who_closes_the_iterator_ends_everything_at_once(clean: None) -> None:
    plan = plan_of("name=a cmd=builtin st=100", "name=b cmd=builtin nodes=1", terms=Terms())
    games = play_locally(plan, tasks(plan, []), 2)
    timer = threading.Timer(1.0, signal.pthread_kill, [threading.main_thread().ident, signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt), contextlib.closing(games):
        next(games)
    timer.join()


def match_command(ledger: Path, *more: str) -> list[str]:
    engines = [word for engine in ENGINES for word in ("--engine", engine)]
    return [*SKYCLAIM, "match", *engines, "--seed", "7", "--max-turns", "20", "--ledger", str(ledger), *more]


def run(command: list[str], **more: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, timeout=300, **more)


def test_a_match_that_is_killed_again_and_again_has_the_same_games(tmp_path: Path) -> None:
    games = ("--games", "40", "--concurrency", "2")
    whole, torn, chance = tmp_path / "whole.jsonl", tmp_path / "torn.jsonl", random.Random(1)
    assert run(match_command(whole, *games)).returncode == 0
    kills = 0
    while kills < 6:
        process = subprocess.Popen(match_command(torn, *games, "--resume"), stderr=subprocess.DEVNULL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.6 + chance.random())
        if process.returncode is not None:
            break
        process.kill()
        process.wait()
        kills += 1
    assert kills
    with open(torn, "ab") as file:
        file.write(b'{"record":"game","blo')
    last = run(match_command(torn, *games, "--resume"))
    assert last.returncode == 0
    assert "torn" in last.stderr
    assert without_times(read_games(torn)) == without_times(read_games(whole))
    assert read_header(torn) == read_header(whole)
    again = run(match_command(torn, *games, "--resume"))
    assert again.stdout == last.stdout
    refused = run(match_command(torn, *games))
    assert (refused.returncode, "is there already" in refused.stderr) == (1, True)
    other = run(match_command(torn, *games, "--resume", "--option", "Fog=dark"))
    assert (other.returncode, "rules.Fog was" in other.stderr) == (1, True)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("times", [1, 20])
def test_ctrl_c_shows_the_table_and_can_be_resumed(number: int, times: int, tmp_path: Path) -> None:
    ledger = tmp_path / "m.jsonl"
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen(match_command(ledger, "--blocks", "500"), **pipes, text=True)  # type: ignore[call-overload]
    while not ledger.exists() or ledger.read_bytes().count(b"\n") < 4:
        time.sleep(0.02)
    for _ in range(times):
        process.send_signal(number)
        time.sleep(0.002)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "")
    assert "a" in out.split()
    assert len(list(read_games(ledger))) >= 3


def test_a_test_that_is_decided_ends_the_match(tmp_path: Path) -> None:
    engines = ["--engine", "name=a cmd=builtin nodes=2000", "--engine", "name=b cmd=builtin option.Skill=0"]
    words = [*engines, "--sprt", "elo0=0", "elo1=400", "model=logistic", "--seed", "7", "--max-turns", "200"]
    command = [*SKYCLAIM, "match", *words, "--ledger", str(tmp_path / "m.jsonl"), "--json"]
    ran = run(command)
    assert ran.returncode == 0
    report = json.loads(ran.stdout)
    assert report["sprt"]["decided"] == "H1"
    assert report["naive"] is True
    again = run([*command, "--resume"])
    assert (again.returncode, json.loads(again.stdout)) == (0, report)


def test_the_report_as_json(tmp_path: Path) -> None:
    ran = run(match_command(tmp_path / "m.jsonl", "--games", "2", "--json"))
    assert ran.returncode == 0
    report = json.loads(ran.stdout)
    assert "NaN" not in ran.stdout
    assert report


def test_abort_on_error(tmp_path: Path) -> None:
    ledger = tmp_path / "m.jsonl"
    ran = run(match_command(ledger, "--engine", f"{double('crasher')} nodes=1", "--on-error", "abort"))
    assert ran.returncode == 1
    assert "loses by crash" in ran.stderr
    assert "I have had enough" in ran.stderr
    *_, last = read_games(ledger)
    assert last["fault"]["kind"] == "crash"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--engine", "name=a cmd=builtin"], "two engines or more"),
        (["--engine", "name=a"], "engine 'a': cmd is missing"),
        ([*["--engine", "cmd=builtin"] * 2, "--sprt", "elo0=5", "elo1=1"], "sprt elo1"),
        ([*["--engine", "cmd=builtin"] * 3, "--sprt"], "is for two engines"),
        ([*["--engine", "cmd=builtin"] * 2, "--option", "Fog=thick"], "option Fog: 'thick'"),
        ([*["--engine", "cmd=builtin"] * 2, "--resume"], "--resume needs a --ledger"),
        (
            [*["--engine", "cmd=builtin"] * 2, "--variant", "rockets", "--adjudicate", "lead=5 turns=2"],
            "nothing in rockets that a side leads by",
        ),
        ([*["--engine", "cmd=builtin"] * 2, "--adjudicate", "lead=5"], "adjudicate 'lead=5' is neither"),
        ([*["--engine", "cmd=builtin"] * 2, "--games", "0"], "'0' is not a number 1.."),
        ([*["--engine", "cmd=builtin"] * 2, "--ledger", ""], "argument --ledger: '' is not the name of a file"),
        ([*["--engine", "cmd=builtin"] * 2, "--plot", ""], "argument --plot: '' is not the name of a file"),
        ([*["--engine", "cmd=builtin"] * 2, "--openings", sys.executable], "it is not a text in UTF-8"),
    ],
)
def test_a_wrong_command_line(words: list[str], expected: str) -> None:
    ran = run([*SKYCLAIM, "match", *words])
    assert ran.returncode == 2
    assert expected in ran.stderr
    assert ran.stderr.count("\n") == 1
    assert ran.stdout == ""
