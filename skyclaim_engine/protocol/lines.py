"""Bytes to lines, with bounded memory whatever comes in."""

from __future__ import annotations

from collections.abc import Iterator

from .grammar import MAX_LINE


class Lines:
    """Cuts a stream of chunks into lines.

    A line is given without its `\\n`. Of one that is longer than ``limit`` only the first ``limit`` + 2 bytes are
    kept: enough for the reader to see that it is too long, even if one of them is the `\\r` of a line's end.
    """

    def __init__(self, limit: int = MAX_LINE) -> None:
        self._keep = limit + 2
        self._rest = bytearray()

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """The lines that end in ``chunk``."""
        start = 0
        while (end := chunk.find(b"\n", start)) >= 0:
            self._append(chunk, start, end)
            yield self._take()
            start = end + 1
        self._append(chunk, start, len(chunk))

    def finish(self) -> Iterator[bytes]:
        """What stands after the last `\\n` at the end of the input, if anything does."""
        if self._rest:
            yield self._take()

    @property
    def rest(self) -> bytes:
        """The line that has begun and not ended, as far as it is kept."""
        return bytes(self._rest)

    def _append(self, chunk: bytes, start: int, end: int) -> None:
        room = self._keep - len(self._rest)
        self._rest += chunk[start : min(end, start + room)]

    def _take(self) -> bytes:
        line = bytes(self._rest)
        self._rest.clear()
        return line
