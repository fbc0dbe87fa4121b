"""An engine's process: started on a leash, and ended with all that it has started.

The child has a session and process group of its own, and the kernel ends it with this process. What it starts carries
a tag in its environment, by which it is found (on Linux) even when it has left the group.
"""

from __future__ import annotations

import errno
import functools
import os
import secrets
import select
import shutil
import signal
import subprocess
import sys
import time
import weakref
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from ..errors import quote

#: the variable that an engine and all that it starts have in their environment
TAG = "SKYCLAIM_ENGINE"
#: seconds between one way to end a process and the next, harder one
STEP = 1.0
#: seconds for which a process that is between two programs is waited for
EXEC = 0.1
#: bits of a process's flags in `/proc/PID/stat`
_EXITING, _KERNEL_THREAD = 0x4, 0x200000


class Child:
    """A process and our ends of its pipes, which do not block. Raises OSError if it cannot be started."""

    def __init__(self, command: Sequence[str], cwd: str | None = None) -> None:
        if cwd is not None and not os.path.isdir(cwd):
            raise OSError(errno.ENOTDIR, f"there is no folder {quote(cwd)}")
        path = os.path.join(cwd or "", command[0]) if command and "/" in command[0] else "".join(command[:1])
        if shutil.which(path) is None:
            is_there = "/" in path and os.path.isfile(path)
            raise OSError(errno.ENOENT, "it may not be executed" if is_there else "there is no such program")
        self._token = secrets.token_hex(16)
        process = _spawner(os.getpid()).submit(_spawn, command, cwd, self._token).result()
        assert process.stdin and process.stdout and process.stderr
        self._process = process
        self.pid = process.pid
        self.stdin, self.stdout, self.stderr = (s.fileno() for s in (process.stdin, process.stdout, process.stderr))
        for descriptor in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(descriptor, False)
        #: a descriptor that is readable once the process has ended, whoever holds its pipes; None where there is none
        self.end_seen = _watch(process.pid)
        # also when this object is forgotten, and when Python ends
        self._finish = weakref.finalize(self, _finish, process, self._token, self.end_seen)

    @property
    def open(self) -> bool:
        """Whether there may still be something to end."""
        return self._finish.alive

    @property
    def status(self) -> int | None:
        """The exit status (negative: the signal) once the end was seen by ``wait`` or ``kill``."""
        return self._process.returncode

    def wait(self, seconds: float) -> int | None:
        """Wait for the process to end by itself; its exit status, or None if it has not."""
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def close_input(self) -> None:
        """End the process's input."""
        assert self._process.stdin
        self._process.stdin.close()
        self.stdin = -1  # the number may soon be another file's

    def terminate(self) -> None:
        """Ask the process and its group to end, by SIGTERM."""
        _kill_group(self.pid, signal.SIGTERM)

    def interrupt(self) -> None:
        """End the process and its group, from any thread; the pipes stay open until ``kill``."""
        _kill_group(self.pid, signal.SIGKILL)

    def kill(self) -> None:
        """End the process and all that it has started, at once, and close the pipes."""
        self._finish()

    def family(self) -> list[int]:
        """The processes that run and carry the tag: this one, and what it has started, directly or not."""
        return _tagged(self._token)


@functools.cache
def _spawner(process: int) -> ThreadPoolExecutor:
    """The thread that starts all engines of this ``process``.

    The kernel ends a child with a parent-death signal when the *thread* that started it ends; this one never does.
    """
    return ThreadPoolExecutor(1, "engine-spawner")


def _spawn(command: Sequence[str], cwd: str | None, token: str) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    # an engine may be a host of engines itself: what they start is ours, too
    tag = f"{os.environ.get(TAG, '')} {token}".strip()
    return subprocess.Popen(
        [*_leash(), *command],
        cwd=cwd,
        env={**os.environ, TAG: tag},
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        bufsize=0,
        start_new_session=True,
    )


@functools.cache
def _leash() -> tuple[str, ...]:
    """The words before a command that make the kernel end it with its parent; none where there is no such program.

    A program, since Python can set this only between fork and exec, which is not safe in a process with threads.
    """
    setpriv = shutil.which("setpriv")
    return (setpriv, "--pdeathsig", "KILL", "--") if setpriv and sys.platform == "linux" else ()


def _watch(pid: int) -> int | None:
    if sys.platform != "linux":
        return None
    try:
        return os.pidfd_open(pid)
    except OSError:
        return None


def _finish(process: subprocess.Popen[bytes], token: str, watch: int | None) -> None:
    _kill_group(process.pid, signal.SIGKILL)
    process.wait()
    _sweep(token)
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream:
            stream.close()
    if watch is not None:
        os.close(watch)


def _sweep(token: str) -> None:
    """Kill what carries the tag, again and again: it may be about to start more."""
    end = time.monotonic() + STEP
    while (pids := _tagged(token)) and time.monotonic() < end:
        for pid in pids:
            _end(pid)


def _end(pid: int) -> None:
    """Kill a process that is no child of ours, and wait until it is gone."""
    watch = _watch(pid)
    try:
        os.kill(pid, signal.SIGKILL)
        if watch is not None:
            poll = select.poll()
            poll.register(watch, select.POLLIN)
            poll.poll(STEP * 1000)
    except (ProcessLookupError, PermissionError):
        pass
    finally:
        if watch is not None:
            os.close(watch)


def _tagged(token: str) -> list[int]:
    """The processes whose environment has the tag; of one that has ended and not been waited for it is empty."""
    names = os.listdir("/proc") if sys.platform == "linux" else ()
    return [int(name) for name in names if name.isdigit() and token.encode() in _environment(name)]


def _environment(pid: str) -> bytes:
    """What a process was given as its environment; empty if it is not ours to know."""
    end = time.monotonic() + EXEC
    try:
        while True:
            with open(f"/proc/{pid}/environ", "rb", 0) as file:
                if (environment := file.read()) or not _in_exec(pid) or time.monotonic() > end:
                    return environment
            time.sleep(0.001)
    except OSError:
        return b""


def _in_exec(pid: str) -> bool:
    """Whether a process is about to become another program: it has no environment then, for a moment."""
    with open(f"/proc/{pid}/stat", "rb", 0) as file:
        fields = file.read().rpartition(b")")[2].split()
    state, flags, env_end = fields[0], int(fields[6]), int(fields[48])
    return state not in b"ZX" and not flags & (_EXITING | _KERNEL_THREAD) and env_end == 0


def _kill_group(group: int, number: int) -> None:
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        pass
