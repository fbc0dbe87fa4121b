"""Drives any engine that speaks the protocol, as a child process.

The child has a session and process group of its own, so that nothing it starts outlives it; its stderr is drained
into a ring; every request has one absolute deadline, whether lines arrive or not; and it dies with this process.
"""

from __future__ import annotations

import atexit
import functools
import os
import select
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from types import TracebackType

from .lines import Lines

#: seconds that the engine gets to answer, where a request does not say otherwise
DEADLINE = 10.0
#: lines of the engine that may wait to be read; an engine that says more waits, too
BACKLOG = 10_000
#: how many of the last lines exchanged, and of stderr, an exception shows
REMEMBERED = 30
#: seconds between `quit`, SIGTERM and SIGKILL
STEP = 1.0


class EngineError(Exception):
    """Something is wrong with an engine; the text has the last lines exchanged and the end of its stderr."""


class EngineDied(EngineError):
    """The engine has ended, or closed its output, without answering."""


class EngineTimeout(EngineError):
    """The engine has not answered before the deadline."""


class EngineRefused(EngineError):
    """The engine has answered `error CODE TEXT`."""

    def __init__(self, line: str, details: str) -> None:
        self.code, _, self.text = line.removeprefix("error ").partition(" ")
        super().__init__(f"{line}{details}")


@dataclass(frozen=True)
class Answer:
    """What a `go` brought: the step (None for `bestmove none`) and the `info` lines without that word."""

    step: str | None
    infos: list[str] = field(default_factory=list)


class Client:
    """One engine process. All methods are for one thread at a time."""

    def __init__(self, command: str | Sequence[str], cwd: str | None = None) -> None:
        self.command = shlex.split(command) if isinstance(command, str) else list(command)
        #: `bestmove` lines of other searches than the one asked for
        self.stale = 0
        self._searches = 0
        self._exchange: deque[str] = deque(maxlen=REMEMBERED)
        self._last_sent = ""
        self._stderr: deque[str] = deque(maxlen=REMEMBERED)
        self._lines: deque[str] = deque()
        self._arrived = threading.Condition()
        self._eof = False
        self._closing = False
        try:
            self._process = _spawner(os.getpid()).submit(_spawn, self.command, cwd).result()
        except OSError as error:
            raise EngineDied(f"{self._name()} cannot be started: {error.strerror}") from error
        assert self._process.stdin and self._process.stdout and self._process.stderr
        os.set_blocking(self._process.stdin.fileno(), False)
        self._threads = [
            threading.Thread(target=self._read, args=(self._process.stdout.fileno(), self._hear), daemon=True),
            threading.Thread(target=self._read, args=(self._process.stderr.fileno(), self._note), daemon=True),
        ]
        for thread in self._threads:
            thread.start()
        _alive.add(self)

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.quit()

    @property
    def pid(self) -> int:
        return self._process.pid

    # --- lines -------------------------------------------------------------------------------------------------------

    def send(self, line: str, deadline: float = DEADLINE) -> None:
        """Send one line; raises EngineDied, or EngineTimeout if the engine does not read for ``deadline`` seconds."""
        self._send(line, time.monotonic() + deadline)

    def request(self, line: str, until: Callable[[str], bool], deadline: float = DEADLINE) -> list[str]:
        """Send ``line`` and return the lines that come, up to and with the first that satisfies ``until``."""
        end = time.monotonic() + deadline
        self._send(line, end)
        lines = []
        while True:
            lines.append(self._receive(end))
            if until(lines[-1]):
                return lines

    def receive(self, deadline: float = DEADLINE) -> str:
        """The next line; raises EngineDied or EngineTimeout."""
        return self._receive(time.monotonic() + deadline)

    # --- requests ----------------------------------------------------------------------------------------------------

    def uci(self, deadline: float = DEADLINE) -> list[str]:
        """The handshake: the lines of the engine's answer before `uciok`."""
        return self.request("uci", _is("uciok"), deadline)[:-1]

    def isready(self, deadline: float = DEADLINE) -> None:
        """Wait until everything sent before has taken effect."""
        self.request("isready", _is("readyok"), deadline)

    def ask(self, line: str, deadline: float = DEADLINE) -> list[str]:
        """The answer to any command but `go`, found by an `isready` behind it; raises EngineRefused."""
        lines = self.request(f"{line}\nisready", _is("readyok"), deadline)[:-1]
        for answer in lines:
            if _is("error")(answer):
                raise EngineRefused(answer, self._details())
        return lines

    def go(self, limits: str = "", deadline: float = DEADLINE) -> Answer:
        """Search within ``limits`` (the words after `go`); raises EngineRefused.

        The search has an id, and an answer to an older one is counted in ``stale`` and not taken for this one's.
        """
        self._searches += 1
        ending = f" id {self._searches}"
        infos: list[str] = []

        def done(line: str) -> bool:
            if _is("info")(line):
                infos.append(line.removeprefix("info ").removesuffix(ending))
            elif _is("bestmove")(line):
                if line.endswith(ending):
                    return True
                self.stale += 1
            return _is("error")(line)

        last = self.request(f"go{ending} {limits}".rstrip(), done, deadline)[-1]
        if _is("error")(last):
            raise EngineRefused(last, self._details())
        step = last.removesuffix(ending).removeprefix("bestmove").strip()
        return Answer(None if step == "none" else step, infos)

    def quit(self) -> int:
        """End the engine: `quit`, then SIGTERM, then SIGKILL for it and all it has started. The exit status."""
        process = self._process
        if self in _alive:
            with self._arrived:
                self._closing = True
                self._arrived.notify_all()
            try:
                self._send("quit", time.monotonic() + STEP)
            except EngineError:
                pass
            for number in (signal.SIGTERM, signal.SIGKILL):
                try:
                    process.wait(STEP)
                    break
                except subprocess.TimeoutExpired:
                    _kill_group(process.pid, number)
            process.wait()
            _kill_group(process.pid, signal.SIGKILL)  # whatever it has left behind
            for thread in self._threads:
                thread.join(STEP)
            if not any(thread.is_alive() for thread in self._threads):  # else something has kept the pipes
                for stream in (process.stdin, process.stdout, process.stderr):
                    if stream:
                        stream.close()
            _alive.discard(self)
        return int(process.returncode)

    # --- inside ------------------------------------------------------------------------------------------------------

    def _send(self, text: str, end: float) -> None:
        assert self._process.stdin
        descriptor = self._process.stdin.fileno()
        data = f"{text}\n".encode()
        for line in text.split("\n"):
            self._last_sent = f"> {line}"
            self._exchange.append(self._last_sent)
        while data:
            try:
                data = data[os.write(descriptor, data) :]
            except BlockingIOError:
                if (left := end - time.monotonic()) <= 0:
                    raise EngineTimeout(f"{self._name()} does not read{self._details()}") from None
                poll = select.poll()
                poll.register(descriptor, select.POLLOUT)
                poll.poll(left * 1000)
            except OSError:
                raise self._died() from None

    def _receive(self, end: float) -> str:
        with self._arrived:
            while not self._lines:
                if self._eof:
                    raise self._died()
                if (left := end - time.monotonic()) <= 0:
                    raise EngineTimeout(f"{self._name()} did not answer in time{self._details()}")
                self._arrived.wait(left)
            line = self._lines.popleft()
            self._arrived.notify_all()
        self._exchange.append(f"< {line}")
        # Checked with every line: an engine that talks without end is out of time as well as one that is silent.
        if time.monotonic() > end:
            raise EngineTimeout(f"{self._name()} did not answer in time{self._details()}")
        return line

    def _read(self, descriptor: int, take: Callable[[str], None]) -> None:
        lines = Lines()
        while chunk := _chunk(descriptor):
            for line in lines.feed(chunk):
                take(line.decode("utf-8", "replace").strip())
        for line in lines.finish():
            take(line.decode("utf-8", "replace").strip())
        if take == self._hear:
            with self._arrived:
                self._eof = True
                self._arrived.notify_all()

    def _hear(self, line: str) -> None:
        with self._arrived:
            self._arrived.wait_for(lambda: self._closing or len(self._lines) < BACKLOG)
            if not self._closing:
                self._lines.append(line)
                self._arrived.notify_all()

    def _note(self, line: str) -> None:
        self._stderr.append(line)

    def _name(self) -> str:
        return shlex.join(self.command)

    def _died(self) -> EngineDied:
        try:
            how = f"ended with status {self._process.wait(STEP)}"
            self._threads[1].join(STEP)  # its last words may still be on their way
        except subprocess.TimeoutExpired:
            how = "closed its output"
        return EngineDied(f"{self._name()} {how}{self._details()}")

    def _details(self) -> str:
        """The last lines exchanged and the end of stderr, for a person."""
        parts = ["", "last lines exchanged:"]
        if self._last_sent not in self._exchange:
            parts += [self._last_sent, "…"]
        parts += self._exchange
        if self._stderr:
            parts += ["stderr:", *self._stderr]
        return "\n  ".join(parts)


#: the clients whose engine may still run
_alive: weakref.WeakSet[Client] = weakref.WeakSet()


@atexit.register
def _end_all() -> None:
    for client in list(_alive):
        _kill_group(client.pid, signal.SIGKILL)


@functools.cache
def _spawner(process: int) -> ThreadPoolExecutor:
    """The thread that starts all engines of this ``process``.

    The kernel ends a child with a parent-death signal when the *thread* that started it ends; this one never does.
    """
    return ThreadPoolExecutor(1, "engine-spawner")


def _spawn(command: Sequence[str], cwd: str | None) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [*_leash(), *command], cwd=cwd, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, start_new_session=True
    )


@functools.cache
def _leash() -> tuple[str, ...]:
    """The words before a command that make the kernel end it with its parent; none where there is no such program.

    A program, since Python can set this only between fork and exec, which is not safe in a process with threads.
    """
    setpriv = shutil.which("setpriv")
    return (setpriv, "--pdeathsig", "KILL", "--") if setpriv and sys.platform == "linux" else ()


def _kill_group(group: int, number: int) -> None:
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        pass


def _chunk(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 1 << 16)
    except OSError:
        return b""


def _is(word: str) -> Callable[[str], bool]:
    """Whether a line begins with ``word``, as a whole."""
    return lambda line: line == word or line.startswith(word + " ")
