"""The session on the standard streams: `python -m skyclaim_engine` and `skyclaim engine`.

A thread of its own reads, so that the end of the input is seen whatever else goes on; the main thread holds the
conversation; a search has its own thread. The engine ends with status 0 after `quit` or at the end of the input.
"""

from __future__ import annotations

import argparse
import os
import queue
import sys
import threading
from collections.abc import Callable, Iterator

from .lines import Lines
from .session import PATIENCE, Session
from .writer import Writer

#: seconds that a running search gets to end by itself at the end of the input, so that
#: `printf 'position startpos\ngo perft 2\n' | skyclaim engine` prints its answer
GRACE = 0.4
#: seconds without progress, once the host is gone or has quit, after which the process ends in any case: a host that
#: reads no answers can block the conversation, but it cannot keep an engine alive
HANG = 2.0
#: lines read ahead; a host that is further ahead waits
AHEAD = 256


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """`skyclaim engine` takes no arguments."""


def run(args: argparse.Namespace | None = None, make: Callable[[Callable[..., None]], Session] = Session) -> int:
    """Hold one conversation on stdin and stdout; the exit status."""
    writer = Writer(_keep_stdout())
    session = make(writer.send)
    lines = _Reader()
    try:
        for line in lines:
            if not session.handle(line) or writer.closed:
                break
        else:
            session.wait(GRACE)
    except KeyboardInterrupt:
        os._exit(130)
    if not session.close(PATIENCE):
        os._exit(0)  # a search that does not obey must not keep the process
    lines.done.set()
    return 0


def _keep_stdout() -> int:
    """A descriptor of stdout for the writer alone; whatever else prints from now on does so to stderr."""
    try:
        ours = os.dup(1)
        os.dup2(2, 1)
    except OSError:
        return 1  # closed: the writer finds out
    sys.stdout = sys.stderr
    return ours


class _Reader:
    """The lines of stdin, read in a thread; after the last one, or a `quit`, it sees to it that the process ends."""

    def __init__(self) -> None:
        self.done = threading.Event()
        self._taken = 0
        self._queue: queue.Queue[bytes | None] = queue.Queue(AHEAD)
        threading.Thread(target=self._read, name="reader", daemon=True).start()

    def __iter__(self) -> Iterator[bytes]:
        while (line := self._queue.get()) is not None:
            self._taken += 1
            yield line

    def _read(self) -> None:
        lines = Lines()
        quitting = False
        while not quitting and (chunk := _chunk()):
            for line in lines.feed(chunk):
                self._queue.put(line)
                quitting = quitting or line.strip() == b"quit"
        for line in lines.finish():
            self._queue.put(line)
        self._queue.put(None)
        taken = self._taken
        while not self.done.wait(HANG):
            if taken == self._taken:
                os._exit(0)
            taken = self._taken


def _chunk() -> bytes:
    """What stdin has now, b"" at its end."""
    try:
        return os.read(0, 1 << 16)
    except OSError:
        return b""
