"""The client: against a good engine, and against every kind of bad one."""

from __future__ import annotations

import gc
import os
import select
import signal
import socketserver
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from skyclaim_engine.protocol.client import (
    Client,
    EngineDied,
    EngineError,
    EngineMalformed,
    EngineRefused,
    EngineTimeout,
)
from skyclaim_engine.protocol.dialogue import BACKLOG
from skyclaim_engine.protocol.session import Session
from tests.doubles import KINDS, double
from tests.doubles.engine import LATE

from .host import GUARD
from .processes import ENGINES, ROOT


def bad(kind: str, at: int = 1) -> Client:
    """A bad engine with a position before it."""
    client = Client(double(kind, at))
    assert client.uci(GUARD)[0].startswith("id name ")
    client.send("position startpos seed 1\nsetoption name Seed value 1")
    return client


def script(text: str) -> Client:
    """An engine that is nothing but a few lines of Python."""
    return Client([sys.executable, "-c", text])


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


def descriptors() -> set[str]:
    """The files that this process has open, but for the one through which they are listed."""
    return {name for name in os.listdir("/proc/self/fd") if os.path.exists(f"/proc/self/fd/{name}")}


def children() -> set[str]:
    """The children of this process, those included that have ended and were not waited for."""
    return {pid for task in Path("/proc/self/task").iterdir() for pid in (task / "children").read_text("ascii").split()}


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


def test_a_second_answer_is_not_taken_for_that_of_the_next_search() -> None:
    with bad("doubled", 2) as client:
        assert client.go("nodes 5").step
        assert client.go("nodes 5").step
        assert client.oddities == []
        answer = client.go("nodes 5")
        assert client.ask("position startpos seed 2") == []
        assert [kind for kind, _ in client.oddities] == ["doubled", "doubled"]
        assert [line.split()[-1] for _, line in client.oddities] == ["2", "3"]
        assert answer.infos
        assert client.go("nodes 5").step
        client.isready()
        assert len(client.oddities) == 3


def test_a_late_answer_is_not_taken_for_that_of_the_next_search() -> None:
    with bad("late") as client:
        with pytest.raises(EngineTimeout):
            client.go("nodes 5", 0.3)
        client.send("stop\nposition startpos seed 1 moves claim:e1")
        answer = client.go("nodes 7")
        [(kind, line)] = client.oddities
        assert kind == "late" and line.endswith(" id 1")
        assert answer.step and answer.step not in line


def test_the_seconds_of_an_answer_are_the_search_and_not_the_way_to_it() -> None:
    with bad("slow") as client:
        begin = time.perf_counter()
        answer = client.go("nodes 5", GUARD)
        assert LATE <= answer.seconds <= time.perf_counter() - begin


def test_line_ends_and_blanks_are_tolerated() -> None:
    with bad("crlf") as client:
        answer = client.go("nodes 5")
        assert answer.step == "claim:e1"
        assert answer.infos[0].startswith("depth ") and answer.infos[0].endswith("claim:e1")


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("binary", "bytes that are no UTF-8"),
        ("long-line", "more than 65536 bytes"),
        ("no-id", "'bestmove claim:e1' does not end this search"),
        ("misspelt", "'bestmovex claim:e1 id 1' does not end this search"),
        ("no-step", "'bestmove id 1' has no step"),
    ],
)
def test_what_is_no_answer(kind: str, words: str) -> None:
    with bad(kind) as client:
        with pytest.raises(EngineMalformed, match=words) as caught:
            client.go("nodes 5", GUARD)
        assert len(str(caught.value)) < 10_000


def test_control_characters_are_no_text() -> None:
    with script(r"print('info string \x1b[2Jgone')") as client, pytest.raises(EngineMalformed, match="control char"):
        client.receive(GUARD)


def test_what_an_engine_logs_does_nothing_to_a_terminal() -> None:
    code = "import sys; print(chr(27) + '[2J' + chr(0x9b) + 'red', file=sys.stderr)"
    with pytest.raises(EngineDied) as caught, Client([sys.executable, "-c", code]) as client:
        client.uci(GUARD)
    assert str(caught.value).endswith(r"\x1b[2J\x9bred")


def test_a_full_stderr_does_not_block_the_engine() -> None:
    with bad("noisy") as client:
        assert client.go("nodes 5", GUARD).step == "claim:e1"


def test_a_refusal() -> None:
    with bad("refuses") as client, pytest.raises(EngineRefused, match="'go': not today") as caught:
        client.go("nodes 5")
    assert caught.value.code == "limit"


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("mute", "did not answer in time\n"),
        ("deaf", "did not answer in time\n"),
        ("chatty", "did not answer in time, though it said 'info string still thinking'"),
        ("half-line", "but said 'bestmo' without a line's end"),
    ],
)
def test_no_answer_is_a_timeout(kind: str, words: str) -> None:
    with bad(kind) as client:
        with pytest.raises(EngineTimeout, match=words) as caught:
            client.go("nodes 5", 0.3)
        assert "> go id 1 nodes 5" in str(caught.value)
        pid = client.pid
        client.kill()
    assert not alive(pid)


def test_an_engine_that_does_not_read_is_a_timeout() -> None:
    with (
        script("import time; time.sleep(600)") as client,
        pytest.raises(EngineTimeout, match="does not read"),
    ):
        client.send("x" * 1_000_000, 0.3)


def test_neither_side_blocks_the_other_by_talking() -> None:
    """It says more than a pipe holds before it reads, and we send more than a pipe holds before we read."""
    text = "import sys; print('x\\n' * 200_000, flush=True); print(len(sys.stdin.readline()), flush=True)"
    with script(text) as client:
        client.send("y" * 400_000, GUARD)
        lines = []
        while not lines or lines[-1] != "400001":
            lines.append(client.receive(GUARD))
        assert lines.count("x") == 200_000


def test_what_waits_to_be_read_is_bounded() -> None:
    """It talks and never reads; what is sent to it waits, and what it says is not hoarded meanwhile."""
    with script("while True: print('x' * 1000)") as client:
        with pytest.raises(EngineTimeout, match="does not read"):
            client.send("y" * 1_000_000, 0.5)
        assert BACKLOG <= client._dialogue.waiting < 2 * BACKLOG
        assert client.receive(GUARD) == "x" * 1000
        for _ in range(2 * BACKLOG // 1000):
            assert client.receive(GUARD) == "x" * 1000


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("crasher", "ended with status 3"),
        ("killed", "ended with status -11"),
        ("closes", "closed its output"),
        ("orphans", "ended with status 4"),
    ],
)
def test_the_end_of_an_engine(kind: str, words: str) -> None:
    with bad(kind) as client:
        with pytest.raises(EngineDied, match=words) as caught:
            client.go("nodes 5", GUARD)
        assert "> go id 1" in str(caught.value)
        if kind == "crasher":
            assert "I have had enough" in str(caught.value)
            with pytest.raises(EngineDied):
                client.isready()


def test_every_fault_has_its_word() -> None:
    kinds = {error.kind for error in (EngineDied, EngineTimeout, EngineMalformed, EngineRefused)}
    assert kinds == {"crash", "hang", "malformed", "refused"}
    assert kinds | {"time", "illegal", "doubled", None} == set(KINDS.values())


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("/no/such/engine -x", "'/no/such/engine -x' cannot be started: there is no such program"),
        ("no-such-engine", "there is no such program"),
        ("/etc/passwd", "it may not be executed"),
        ("", "there is no such program"),
        ("'engine", "No closing quotation"),
    ],
)
def test_an_engine_that_does_not_exist(command: str, words: str) -> None:
    with pytest.raises(EngineDied, match=words):
        Client(command)


def test_a_folder_to_work_in(tmp_path: Path) -> None:
    (tmp_path / "engine").write_text("#!/bin/sh\npwd\n")
    (tmp_path / "engine").chmod(0o755)
    with Client("./engine", cwd=str(tmp_path)) as client:
        assert client.receive(GUARD) == str(tmp_path)
    with pytest.raises(EngineDied, match="cannot be started"):
        Client("sh", cwd=str(tmp_path / "nowhere"))


def test_what_does_not_want_to_end_is_ended() -> None:
    client = bad("ignores-quit")
    client.go("nodes 5", GUARD)
    assert client.quit() == -signal.SIGKILL


@pytest.mark.parametrize("kind", ["fork", "fork-away", "orphans"])
def test_nothing_that_an_engine_started_outlives_it(kind: str) -> None:
    with bad(kind) as client:
        try:
            client.go("nodes 5", GUARD)
        except EngineDied:
            pass
        [child] = set(client.family()) - {client.pid}
        assert alive(child)
    assert not alive(child)
    assert client.family() == []


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_no_file_and_no_process_is_left(kind: str) -> None:
    before = descriptors(), children()
    client = bad(kind)
    try:
        client.go("nodes 5", 0.2)
    except EngineError:
        pass
    client.kill()
    assert (descriptors(), children()) == before
    assert client.family() == []


def test_a_client_that_is_forgotten_ends_its_engine() -> None:
    before = descriptors(), children()
    client = bad("ignores-quit")
    pid = client.pid
    del client
    gc.collect()
    assert not alive(pid)
    assert (descriptors(), children()) == before


def test_an_engine_at_an_address() -> None:
    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            session = Session(self.say)
            while (line := self.rfile.readline()) and session.handle(line.rstrip(b"\n")):
                pass
            session.close()

        def say(self, *lines: str) -> None:
            self.wfile.write("".join(f"{line}\n" for line in lines).encode())

    before = descriptors()
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        address = f"tcp://127.0.0.1:{server.server_address[1]}"
        try:
            with Client(address) as client:
                assert client.uci(GUARD)
                client.ask("position startpos seed 1")
                assert client.go("nodes 5").step
                assert client.quit() == 0
            with Client(address) as client:
                client.close_input()
                with pytest.raises(EngineDied, match="ended with status 0"):
                    client.receive(GUARD)
        finally:
            server.shutdown()
            thread.join(GUARD)
    with pytest.raises(EngineDied, match="cannot be started"):
        Client(address)
    with pytest.raises(EngineDied, match="the address is not tcp://HOST:PORT"):
        Client("tcp://here")
    assert descriptors() == before


def test_an_engine_outlives_the_thread_that_started_it() -> None:
    started: list[Client] = []
    thread = threading.Thread(target=lambda: started.append(Client(ENGINES["toy"], cwd=str(ROOT))))
    thread.start()
    thread.join(GUARD)
    with started[0] as client:
        client.isready()


def test_a_request_is_interrupted_from_another_thread() -> None:
    with bad("mute") as client, ThreadPoolExecutor(1) as pool:
        answer = pool.submit(client.go, "nodes 5", GUARD)
        while not client.details().endswith("> go id 1 nodes 5"):
            time.sleep(0.001)
        client.interrupt()
        with pytest.raises(EngineDied, match="ended with status -9"):
            answer.result(GUARD)


def test_clients_of_several_threads_do_not_disturb_each_other() -> None:
    """Each thread starts, asks and ends engines of its own, and gets the answers of its own positions."""

    def play(seed: int) -> list[str | None]:
        steps = []
        for _ in range(2):
            with Client(ENGINES["real"], cwd=str(ROOT)) as client:
                client.ask(f"setoption name Seed value 1\nposition startpos seed {seed}")
                steps += [client.go("nodes 20", GUARD).step for _ in range(50)]
        return steps

    before = descriptors(), children()
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(play, range(4)))
    assert (descriptors(), children()) == before
    assert together == [play(seed) for seed in range(4)]


@pytest.mark.parametrize("end", ["raise SystemExit", "os.kill(os.getpid(), 9)", "os._exit(0)"])
def test_no_engine_outlives_its_host(end: str) -> None:
    # The engine is one that would stay; only what the client does can end it.
    script = f"""
import os, sys
from skyclaim_engine.protocol.client import Client
from tests.doubles import double
client = Client(double("deaf", 1))
client.uci()
client.send("go id 1")
print(client.pid, flush=True)
{end}
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, timeout=GUARD, text=True)
    wait_until_dead(int(done.stdout))
