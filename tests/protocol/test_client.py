"""The client: against a good engine, and against every kind of bad one."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from skyclaim_engine.protocol.client import Client, EngineDied, EngineError, EngineRefused, EngineTimeout

from .host import GUARD
from .processes import ENGINES, ROOT


def double(kind: str) -> Client:
    client = Client([sys.executable, "-m", "tests.protocol.doubles", kind], cwd=str(ROOT))
    assert client.uci(GUARD) == [f"id name {kind}"]
    return client


def alive(pid: int) -> bool:
    """Whether a process runs (one that has ended and waits for its parent does not)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def wait_until_dead(pid: int) -> None:
    """Wait for the end of a process that is no child of ours."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        assert poll.poll(GUARD * 1000), "the process lives"
    finally:
        os.close(descriptor)


@pytest.fixture(params=ENGINES)
def client(request: pytest.FixtureRequest) -> Iterator[Client]:
    with Client(ENGINES[request.param], cwd=str(ROOT)) as client:
        yield client


def test_a_conversation(client: Client) -> None:
    assert client.uci(GUARD)[0].startswith("id name ")
    client.isready()
    assert client.ask("position startpos seed 1") == []
    [legal] = client.ask("legal")
    answer = client.go("nodes 50")
    assert answer.step in legal.split()[1:]
    assert answer.infos
    assert not any(" id " in info for info in answer.infos)
    *_, fen = client.ask(f"apply {answer.step}")
    assert fen.startswith("fen ")
    with pytest.raises(EngineRefused, match="'joho'") as caught:
        client.ask("position joho")
    assert caught.value.code == "bad-argument"
    with pytest.raises(EngineRefused):
        client.go("depth x")
    assert client.quit() == 0
    assert client.quit() == 0


def test_a_search_that_is_stopped(client: Client) -> None:
    client.ask("position startpos seed 1")
    client.send("go infinite id 7")
    client.isready()
    last = client.request("stop", lambda line: line.startswith("bestmove"))[-1]
    assert last.endswith(" id 7")


def test_a_stale_answer_is_not_taken_for_the_new_one() -> None:
    with double("stale") as client:
        assert client.go().step == "step"
        assert client.stale == 2


def test_line_ends_and_blanks_are_tolerated() -> None:
    with double("crlf") as client:
        assert client.go().step == "a b"


def test_bytes_that_are_no_text_and_lines_without_end() -> None:
    with double("binary") as client:
        answer = client.go()
        assert answer.step == "step"
        assert answer.infos == ["string \ufffd\0"]


def test_a_full_stderr_does_not_block_the_engine() -> None:
    with double("noisy") as client:
        assert client.go(deadline=GUARD).step == "step"


def test_a_refusal() -> None:
    with double("refuses") as client, pytest.raises(EngineRefused, match="'go': no") as caught:
        client.go()
    assert caught.value.code == "busy"


@pytest.mark.parametrize("kind", ["mute", "chatty", "half"])
def test_no_answer_is_a_timeout(kind: str) -> None:
    with double(kind) as client:
        with pytest.raises(EngineTimeout, match="> go id 1"):
            client.go(deadline=0.3)
        pid = client.pid
    assert not alive(pid)


def test_an_engine_that_does_not_read_is_a_timeout() -> None:
    with (
        Client([sys.executable, "-m", "tests.protocol.doubles", "deaf"], cwd=str(ROOT)) as client,
        pytest.raises(EngineTimeout, match="does not read"),
    ):
        client.send("x" * 1_000_000, deadline=0.3)


@pytest.mark.parametrize(
    ("kind", "words"),
    [("exits", "ended with status 7"), ("killed", "ended with status -11"), ("closes", "closed its output")],
)
def test_the_end_of_an_engine(kind: str, words: str) -> None:
    with double(kind) as client:
        with pytest.raises(EngineDied, match=words) as caught:
            client.go(deadline=GUARD)
        assert "> go id 1" in str(caught.value)
        assert "< uciok" in str(caught.value)
        if kind == "exits":
            assert "I have had enough" in str(caught.value)
            with pytest.raises(EngineDied):
                client.isready()


def test_an_engine_that_does_not_exist() -> None:
    with pytest.raises(EngineError, match="/no/such/engine"), Client("/no/such/engine") as client:
        client.uci()


def test_what_does_not_want_to_end_is_ended_with_all_it_started() -> None:
    client = Client([sys.executable, "-m", "tests.protocol.doubles", "stays"], cwd=str(ROOT))
    child = int(client.receive(GUARD).split()[-1])
    assert alive(child)
    assert client.quit() == -signal.SIGKILL
    wait_until_dead(child)


def test_an_engine_outlives_the_thread_that_started_it() -> None:
    started: list[Client] = []
    thread = threading.Thread(target=lambda: started.append(Client(ENGINES["toy"], cwd=str(ROOT))))
    thread.start()
    thread.join(GUARD)
    with started[0] as client:
        client.isready()


@pytest.mark.parametrize("end", ["raise SystemExit", "os.kill(os.getpid(), 9)", "os._exit(0)"])
def test_no_engine_outlives_its_host(end: str) -> None:
    # The engine is one that would stay; only what the client does can end it.
    script = f"""
import os, sys
from skyclaim_engine.protocol.client import Client
client = Client([sys.executable, "-m", "tests.protocol.doubles", "mute"])
client.uci()
client.send("go id 1")
print(client.pid, flush=True)
{end}
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, timeout=GUARD, text=True)
    wait_until_dead(int(done.stdout))
