"""The same games on a Dask cluster as on this machine, whoever dies; and nothing is left behind.

Dask runs in processes of its own here: it leaves helpers in a process that other tests would find.
"""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import psutil
import pytest
from distributed import CancelledError, KilledWorker
from distributed.client import ClosedClientError
from distributed.comm.core import CommClosedError

from skyclaim_engine import game
from skyclaim_engine.arena import cluster
from skyclaim_engine.arena.ledger import read_games
from skyclaim_engine.arena.match import play_block
from skyclaim_engine.arena.records import Record
from skyclaim_engine.errors import SkyclaimError
from skyclaim_engine.protocol.version import version
from tests.arena.test_match import plan_of, without_times

LADDER = [sys.executable, "-m", "skyclaim_engine.cli", "ladder", "--levels", "0,50,100", "--seed", "7"]
SHORT = ["--each", "nodes=20", "--max-turns", "16"]
DASK = [str(Path(sys.executable).with_name("dask"))]


def wait_until(condition: Callable[[], Any], process: subprocess.Popen[str]) -> Any:
    """What ``condition`` gives once it is true."""
    while not (found := condition()):
        assert process.poll() is None, process.stderr and process.stderr.read()
        time.sleep(0.02)
    return found


@contextlib.contextmanager
def ladder(ledger: Path, *more: str) -> Iterator[subprocess.Popen[str]]:
    """The command, which is killed if it has not ended."""
    command = [*LADDER, *SHORT, "--ledger", str(ledger), *more]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, start_new_session=True) as played:
        try:
            yield played
        finally:
            played.kill()


def games(ledger: Path) -> list[Record]:
    return without_times(read_games(ledger))


def lines(ledger: Path) -> int:
    return ledger.read_bytes().count(b"\n") if ledger.exists() else 0


def descendants(pid: int) -> list[psutil.Process]:
    return psutil.Process(pid).children(recursive=True)


def playing(pid: int) -> tuple[psutil.Process, list[psutil.Process]] | None:
    """A process under ``pid`` that plays a game, and its engines."""
    for worker in descendants(pid):
        with contextlib.suppress(psutil.Error):
            engines = [child for child in worker.children() if child.cmdline()[1:] == ["-m", "skyclaim_engine"]]
            if len(engines) == 2:
                return worker, engines
    return None


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> list[Record]:
    """The games as they are without a cluster."""
    ledger = tmp_path_factory.mktemp("whole") / "ledger.jsonl"
    with ladder(ledger, "--games", "6", "--concurrency", "2") as played:
        played.communicate(timeout=300)
    assert played.returncode == 0
    return games(ledger)


@contextlib.contextmanager
def dask_of(folder: Path, count: int) -> Iterator[tuple[str, subprocess.Popen[str], subprocess.Popen[str]]]:
    """The address of a scheduler, the process under which its workers are, and its own; all of them end afterwards."""
    place = folder / "scheduler.json"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "text": True, "cwd": folder}
    common = ["--host", "127.0.0.1", "--no-dashboard", "--dashboard-address", "127.0.0.1:0"]
    first = [*DASK, "scheduler", *common, "--port", "0", "--scheduler-file", str(place)]
    with subprocess.Popen(first, **quiet) as boss:
        wait_until(place.exists, boss)
        address = json.loads(place.read_text())["address"]
        second = [*DASK, "worker", address, *common, "--nworkers", str(count), "--nthreads", "1"]
        with subprocess.Popen([*second, "--local-directory", str(folder)], **quiet) as workers:
            family: list[psutil.Process] = []
            try:
                yield address, workers, boss
                with contextlib.suppress(psutil.NoSuchProcess):
                    family = descendants(workers.pid)
            finally:
                workers.terminate()
                boss.terminate()
    assert psutil.wait_procs(family, timeout=30)[1] == []


def test_a_worker_is_killed_and_the_games_are_the_same(whole: list[Record], tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.jsonl"
    with (
        dask_of(tmp_path, 2) as (address, workers, _),
        ladder(ledger, "--games", "6", "--cluster", address) as played,
    ):
        wait_until(lambda: lines(ledger) > 2, played)
        victim, engines = wait_until(lambda: playing(workers.pid), played)
        victim.kill()
        assert psutil.wait_procs(engines, timeout=30)[1] == [], "engines live on without their worker"
        _, errors = played.communicate(timeout=300)
    assert (played.returncode, errors) == (0, "")
    assert games(ledger) == whole
    assert lines(ledger) == 1 + len(whole), "a block that was played twice counts once"


def test_the_scheduler_is_lost(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.jsonl"
    with (
        dask_of(tmp_path, 1) as (address, _, boss),
        ladder(ledger, "--games", "1000", "--cluster", address) as played,
    ):
        wait_until(lambda: lines(ledger) > 1, played)
        boss.kill()
        _, errors = played.communicate(timeout=60)
    assert (played.returncode, errors) == (1, f"skyclaim: cluster '{address}': the scheduler is lost\n")


def test_workers_of_this_machine_are_interrupted_and_others_go_on(whole: list[Record], tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.jsonl"
    with ladder(ledger, "--games", "6", "--workers", "2") as played:
        wait_until(lambda: lines(ledger) > 1, played)
        family = descendants(played.pid)
        listening = [address for process in (psutil.Process(played.pid), *family) for address in ports(process)]
        os.killpg(played.pid, signal.SIGINT)  # as a terminal does it: the workers get it too
        out, errors = played.communicate(timeout=60)
    assert (played.returncode, errors) == (130, "")
    assert "skill" in out
    assert set(listening) == {"127.0.0.1"}
    assert psutil.wait_procs(family, timeout=30)[1] == []
    with ladder(ledger, "--games", "6", "--concurrency", "2", "--resume") as rest:
        rest.communicate(timeout=300)
    assert games(ledger) == whole


def ports(process: psutil.Process) -> list[str]:
    """The addresses on which a process listens."""
    with contextlib.suppress(psutil.Error):
        return [c.laddr.ip for c in process.net_connections("inet") if c.status == psutil.CONN_LISTEN]
    return []


def test_nobody_survives_a_match_that_is_killed(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.jsonl"
    with ladder(ledger, "--games", "1000", "--workers", "2") as played:
        wait_until(lambda: lines(ledger) > 1, played)
        family = descendants(played.pid)
        played.kill()
        played.communicate()
    assert len(family) > 3
    assert psutil.wait_procs(family, timeout=30)[1] == []


def test_a_worker_of_another_version() -> None:
    with pytest.raises(SkyclaimError) as caught:
        cluster._play_block("9.9", b"", 0, ())
    assert str(caught.value) == f"a worker has version {version()} of skyclaim-engine, and this is 9.9"


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        ("9.9", f"a worker has version 9.9 of skyclaim-engine, and this is {version()}"),
        (ModuleNotFoundError("No module"), "worker tcp://b cannot play: No module"),
    ],
)
def test_a_worker_that_cannot_play_is_told_before_any_game(found: str | Exception, sentence: str) -> None:
    class Client:
        def run(self, function: Callable[[], str], on_error: str) -> dict[str, str | Exception]:
            return {"tcp://a": function(), "tcp://b": found}

    with pytest.raises(SkyclaimError) as caught:
        cluster._check_workers(Client())  # type: ignore[arg-type]
    assert str(caught.value) == sentence


def test_a_block_travels_with_its_own_opening_only() -> None:
    openings = tuple(game("skyclaim").start(seed).line() for seed in (1, 2, 3))
    plan = plan_of(openings=openings, rounds=4)
    for block in range(4):
        packed = cluster._packed(plan, block)
        assert len(packed) < len(pickle.dumps(plan))
        assert pickle.loads(packed).start(block, 5).line() == plan.start(block, 5).line()
    played = cluster._play_block(version(), cluster._packed(plan, 3), 3, (1,))
    assert without_times(played) == without_times(play_block(plan, 3, [1]))


class Failed:
    """A task that ended with an error."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def result(self) -> list[Record]:
        raise self.error


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (SkyclaimError("engine 'a' is not there"), "engine 'a' is not there"),
        (KilledWorker("block-1", None, 3), "block 7 could not be played: 4 workers died while they played it"),
        (ModuleNotFoundError("No\nmodule"), "block 7 could not be played: ModuleNotFoundError: No module"),
    ],
)
def test_what_can_go_wrong_is_said_in_a_sentence(error: BaseException, sentence: str) -> None:
    with pytest.raises(SkyclaimError) as caught:
        cluster._result(Failed(error), 7)  # type: ignore[arg-type]
    assert str(caught.value) == sentence


def test_the_extra_is_named_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(SkyclaimError) as caught:
        list(cluster.play_on_workers(plan_of(), [], 1))
    assert str(caught.value) == "a cluster needs Dask: pip install skyclaim-engine[cluster]"


def test_nobody_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 0.5)
    with pytest.raises(SkyclaimError, match=r"cluster 'tcp://127.0.0.1:9' does not answer"):
        list(cluster.play_on_cluster(plan_of(), [], "tcp://127.0.0.1:9"))


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        ("wait_for_workers", TimeoutError(), "cluster 'tcp://a:1' has no workers"),
        ("wait_for_workers", CommClosedError(), "cluster 'tcp://a:1' does not answer"),
        ("nthreads", CommClosedError(), "cluster 'tcp://a:1': the scheduler is lost"),
        ("nthreads", TimeoutError(), "cluster 'tcp://a:1': the scheduler is lost"),
        ("nthreads", CancelledError(), "cluster 'tcp://a:1': the scheduler is lost"),
        ("submit", ClosedClientError(), "cluster 'tcp://a:1': the scheduler is lost"),
    ],
)
def test_a_line_that_breaks_at_any_moment(
    monkeypatch: pytest.MonkeyPatch, call: str, error: Exception, words: str
) -> None:
    client = mock.MagicMock()
    client.__enter__.return_value = client
    client.run.return_value = {}
    client.nthreads.return_value = {"tcp://w": 1}
    getattr(client, call).side_effect = error
    monkeypatch.setattr("distributed.Client", lambda *_, **__: client)
    with pytest.raises(SkyclaimError) as caught:
        list(cluster.play_on_cluster(plan_of(), [(0, (0,))], "tcp://a:1"))
    assert str(caught.value) == words


@pytest.mark.parametrize("address", ["tcp://node-1:8786", "tls://10.0.0.1:8786", "tcp://[::1]:8786"])
def test_addresses(address: str) -> None:
    assert cluster.check_address(address) == address


@pytest.mark.parametrize("address", ["", "node-1:8786", "tcp://node-1", "http://node-1:80", "tcp://a b:1"])
def test_wrong_addresses(address: str) -> None:
    with pytest.raises(SkyclaimError, match=r"cluster '.*' is not tcp://HOST:PORT or tls://HOST:PORT"):
        cluster.check_address(address)


def test_one_place_only() -> None:
    ran = subprocess.run([*LADDER, "--workers", "2", "--concurrency", "2"], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "not allowed with argument" in ran.stderr
