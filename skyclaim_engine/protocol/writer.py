"""The only place that prints answers: whole lines, one at a time, from any thread, each sent at once."""

from __future__ import annotations

import os
import threading


class Writer:
    """Writes lines to a file descriptor.

    Lines given in one call stay together. When the other end is gone the writer falls silent instead of raising:
    who hears nothing needs no answer, and the transport ends the session when it sees ``closed``.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lock = threading.Lock()
        self.closed = False

    def send(self, *lines: str) -> None:
        """Write ``lines``, each ended by `\\n`."""
        data = "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")
        with self._lock:
            while data and not self.closed:
                try:
                    data = data[os.write(self._descriptor, data) :]
                except OSError:
                    self.closed = True
