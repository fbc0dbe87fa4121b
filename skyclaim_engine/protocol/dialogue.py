"""Lines to and from an engine, without threads: who waits for it takes what it says meanwhile."""

from __future__ import annotations

import os
import select
import time
from collections import deque
from collections.abc import Iterator

from .child import Child
from .lines import Lines
from .wire import Wire

#: bytes that may wait to be read while something is written; an engine that says more waits
BACKLOG = 1 << 22
#: the last lines of its log that are kept
KEPT = 30

_CHUNK = 1 << 16


class Dialogue:
    """Our side of a conversation. All times are absolute, as of ``time.monotonic``.

    Whatever is waited for, both outputs of the engine are drained: its log into a ring, its answers into a backlog
    that is bounded.
    """

    def __init__(self, channel: Child | Wire) -> None:
        self._channel = channel
        self._lines = Lines()
        self._log_lines = Lines()
        #: what was read and not yet cut into lines, its bytes, and the lines of the chunk at hand
        self._chunks: deque[bytes] = deque()
        self._waiting = 0
        self._cut: Iterator[bytes] = iter(())
        #: when the last answers were read, as of ``time.perf_counter``
        self.read_at = 0.0
        #: the engine has ended or closed its output
        self.ended = False
        self.log: deque[str] = deque(maxlen=KEPT)
        self._poll = select.poll()
        for descriptor in (channel.stdout, channel.stderr, channel.end_seen):
            if descriptor is not None:
                self._poll.register(descriptor, select.POLLIN)

    @property
    def waiting(self) -> int:
        """The bytes that were read and not yet asked for."""
        return self._waiting

    @property
    def half(self) -> bytes:
        """The line that has begun and not ended."""
        return self._lines.rest

    def write(self, data: bytes, end: float) -> None:
        """Write all of ``data``; raises TimeoutError if the engine does not read, and OSError if it has ended."""
        descriptor = self._channel.stdin
        while data:
            try:
                data = data[os.write(descriptor, data) :]
            except BlockingIOError:
                self._poll.register(descriptor, select.POLLOUT)
                try:
                    self._listen(end)
                finally:
                    self._ignore(descriptor)

    def read(self, end: float) -> bytes:
        """The next line, without its end; raises TimeoutError, and EOFError where none can come any more."""
        while (line := self._next_line()) is None:
            if self.ended:
                raise EOFError
            self._listen(end)
        return line

    def drain(self, end: float) -> None:
        """Forget all that is said until the engine ends or closes its output; raises TimeoutError."""
        while not self.ended:
            self._listen(end)
            while self._next_line() is not None:
                pass

    def drain_log(self) -> None:
        """Take the last words of the log. What the engine has started may go on for ever, so not all of them."""
        for _ in range(KEPT):
            if not self._note():
                break

    def close(self) -> None:
        """Touch no descriptor again: their numbers may soon be another engine's."""
        self.ended = True
        self._poll = select.poll()

    def _next_line(self) -> bytes | None:
        """The next line of what was read; None if there is no whole one."""
        while True:
            for line in self._cut:
                return line
            if self._chunks:
                chunk = self._chunks.popleft()
                if self._waiting >= BACKLOG > self._waiting - len(chunk) and not self.ended:
                    self._poll.register(self._channel.stdout, select.POLLIN)
                self._waiting -= len(chunk)
                self._cut = self._lines.feed(chunk)
            elif self.ended and self._lines.rest:
                self._cut = self._lines.finish()
            else:
                return None

    def _listen(self, end: float) -> None:
        """Wait until something happens, and take what the engine says; raises TimeoutError at ``end``."""
        left = end - time.monotonic()
        events = self._poll.poll(left * 1000) if left > 0 else ()
        if not events:
            raise TimeoutError
        gone = False
        for descriptor, _ in events:
            if descriptor == self._channel.stdout:
                self._hear()
            elif descriptor == self._channel.stderr:
                self._note()
            elif descriptor == self._channel.end_seen:
                gone = True
        if gone and not self.ended:
            # Its last words are all in the pipe, which something that it has started may keep open.
            while self._waiting < BACKLOG and self._hear():
                pass
            self._ignore(self._channel.end_seen)
            self._ignore(self._channel.stdout)
            self.ended = True

    def _hear(self) -> bool:
        """Read some of stdout; False if there is nothing (more)."""
        chunk = _chunk(self._channel.stdout)
        self.read_at = time.perf_counter()
        if chunk:
            self._chunks.append(chunk)
            self._waiting += len(chunk)
            if self._waiting >= BACKLOG:
                self._ignore(self._channel.stdout)  # until it is asked for
        elif chunk is not None:
            self._ignore(self._channel.stdout)
            self.ended = True
        return bool(chunk)

    def _note(self) -> bool:
        """Read some of stderr; False if there is nothing (more)."""
        if self._channel.stderr is None:
            return False
        chunk = _chunk(self._channel.stderr)
        lines = self._log_lines.feed(chunk) if chunk else self._log_lines.finish() if chunk is not None else ()
        self.log.extend(line.decode("utf-8", "replace").strip() for line in lines)
        if chunk == b"":
            self._ignore(self._channel.stderr)
        return bool(chunk)

    def _ignore(self, descriptor: int | None) -> None:
        """Wait for it no more."""
        try:
            self._poll.unregister(-1 if descriptor is None else descriptor)
        except (KeyError, ValueError):
            pass


def _chunk(descriptor: int) -> bytes | None:
    """What can be read now: b"" at the end, None if there is nothing yet."""
    try:
        return os.read(descriptor, _CHUNK)
    except BlockingIOError:
        return None
    except OSError:
        return b""
