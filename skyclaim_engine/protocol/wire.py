"""An engine at the other end of a TCP connection, `tcp://HOST:PORT`, with the same face as one in a child process."""

from __future__ import annotations

import os
import socket
import time
import weakref

PREFIX = "tcp://"
#: seconds to connect
PATIENCE = 10.0


class Wire:
    """A connection. Raises OSError if there is none to be had. Whether the engine itself ends is not ours to say."""

    #: there is no process of ours at the other end, so no log and no exit status
    pid = 0
    stderr: int | None = None
    end_seen: int | None = None
    status: int | None = None

    def __init__(self, address: str) -> None:
        host, colon, port = address.removeprefix(PREFIX).rpartition(":")
        if not (colon and port.isascii() and port.isdigit() and 0 < int(port[:6]) < 1 << 16):
            raise OSError(0, "the address is not tcp://HOST:PORT")
        self._socket = socket.create_connection((host.strip("[]"), int(port)), PATIENCE)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.setblocking(False)
        self.stdout = self._socket.fileno()
        self.stdin = os.dup(self.stdout)  # so that each can be polled for what it is for
        self._finish = weakref.finalize(self, _finish, self._socket, self.stdin)

    @property
    def open(self) -> bool:
        """Whether the connection is ours still."""
        return self._finish.alive

    def wait(self, seconds: float) -> int | None:
        """Wait for the other end to close; 0 then, None if it has not."""
        end = time.monotonic() + seconds
        blocking = self._socket.dup()
        try:
            while (left := end - time.monotonic()) > 0:
                blocking.settimeout(left)
                if not blocking.recv(1 << 16):
                    self.status = 0
                    break
        except OSError:
            pass
        finally:
            blocking.close()
            self._socket.setblocking(False)
        return self.status

    def close_input(self) -> None:
        """Say that nothing will follow."""
        self._socket.shutdown(socket.SHUT_WR)

    def terminate(self) -> None:
        """Close both directions."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    interrupt = terminate

    def kill(self) -> None:
        """Close the connection."""
        self._finish()

    def family(self) -> list[int]:
        """None of the processes here."""
        return []


def _finish(connection: socket.socket, copy: int) -> None:
    connection.close()
    os.close(copy)
