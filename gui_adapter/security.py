"""Who may talk to the server, and how much: hosts, origins, the token, the headers of every answer, the limits.

The dangers are a hostile page in the same browser (origins, hosts against DNS rebinding, the token), other people on
the same network, and clients that send or hold too much.
"""

from __future__ import annotations

import hmac
import secrets
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from tornado.httputil import HTTPServerRequest
from tornado.web import HTTPError, RequestHandler

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


@dataclass(frozen=True)
class Caps:
    """How much of everything there may be; sizes are in bytes, times in seconds.

    ``rate`` messages a second on average, ``burst`` at once; ``at_once``: requests of a socket under way together;
    ``queue``: what may wait to be written to a socket; ``write``: how long a message may take, and longer at ``pace``
    bytes a second if it is big; ``silence``: nothing was heard from a socket, not even the answer to a ping.
    """

    message: int = 64 << 10
    headers: int = 16 << 10
    body: int = 64 << 10
    rate: float = 20
    burst: float = 40
    sockets: int = 64
    sockets_of_one: int = 8
    games: int = 200
    at_once: int = 8
    hello: float = 5
    queue: int = 1 << 20
    write: float = 2
    pace: int = 100 << 10
    silence: float = 30


class Gate:
    """The hosts and origins that this server goes by, and the token of this start."""

    def __init__(self, addresses: Iterable[str], port: int) -> None:
        names = ("localhost", *addresses)
        self.hosts = frozenset(f"{name}:{port}" for name in names) | frozenset(names if port == 80 else ())
        self.origins = frozenset(f"http://{host}" for host in self.hosts)
        self.token = secrets.token_urlsafe(18)

    def host_fits(self, request: HTTPServerRequest) -> bool:
        """Whether there is one `Host`, and it is one of ours."""
        return ",".join(request.headers.get_list("Host")).lower() in self.hosts

    def origin_fits(self, request: HTTPServerRequest) -> bool:
        """Whether the `Origin`, if there is one, is that of one of our own pages to the letter."""
        named = request.headers.get_list("Origin")
        return not named or ",".join(named) in self.origins

    def token_fits(self, token: object) -> bool:
        """Whether it is the token, found in a time that does not depend on where it differs."""
        return isinstance(token, str) and hmac.compare_digest(token.encode("utf-8", "replace"), self.token.encode())


class Guarded(RequestHandler):
    """A handler that answers nobody who asks for another host, and with our headers whatever it answers."""

    gate: Gate

    def set_default_headers(self) -> None:
        for name, value in HEADERS.items():
            self.set_header(name, value)
        self.clear_header("Server")

    def prepare(self) -> None:
        if not self.gate.host_fits(self.request):
            raise HTTPError(421)

    def write_error(self, status_code: int, **details: object) -> None:
        """The status in words, and nothing of what was asked for or of what went wrong inside."""
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(f"{status_code} {self._reason}\n")


class Bucket:
    """Lets ``rate`` things a second through on average, and ``burst`` at once."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._left, self._at = burst, time.monotonic()

    def take(self) -> bool:
        """Whether there is room for one more now."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Crowd:
    """The sockets that are open, by address."""

    def __init__(self, caps: Caps) -> None:
        self._caps = caps
        self._of: Counter[str] = Counter()

    def enter(self, address: str) -> bool:
        """Whether there is room for one more from there; it is counted then."""
        if self._of.total() >= self._caps.sockets or self._of[address] >= self._caps.sockets_of_one:
            return False
        self._of[address] += 1
        return True

    def leave(self, address: str) -> None:
        self._of[address] -= 1
        self._of += Counter()  # forgets who has none left
