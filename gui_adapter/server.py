"""The web server: where it listens, what it answers, how it starts and ends."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import sqlite3
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tornado.httpserver import HTTPServer
from tornado.web import Application, HTTPError

from skyclaim_engine.errors import SkyclaimError, quote

from . import assets
from .engines import COMMAND, Engines
from .hub import Hub
from .security import Caps, Crowd, Gate, Guarded
from .sockets import Socket
from .store import Store

log = logging.getLogger(__name__)

LOOPBACK = "127.0.0.1"
#: how many ports after the one wanted are tried
PORTS = 20
#: seconds between looks at who is silent and what is idle; between the server's pings
TICK, PING = 2.0, 10.0
#: seconds that the pages get to take their leave
PARTING = 1.0
#: the file in the data folder
FILE = "skyclaim.db"


@dataclass(frozen=True)
class Config:
    """How to serve. ``port`` 0 is any; ``data`` is a folder, None: nothing is kept.

    ``lan``: also on this machine's address in its network. ``command`` and ``bots`` start the referee and the bots.
    """

    port: int = 0
    lan: bool = False
    data: Path | None = None
    caps: Caps = field(default_factory=Caps)
    command: Sequence[str] = COMMAND
    bots: Sequence[str] = COMMAND


class Server:
    """The whole of it: bound by ``start``, ended by ``stop``."""

    def __init__(self, config: Config) -> None:
        self.config = config

    async def start(self) -> None:
        """Bind and serve; raises SkyclaimError or OSError."""
        config = self.config
        addresses = [LOOPBACK, lan_address()] if config.lan else [LOOPBACK]
        bound = bind(addresses, config.port, config.lan)
        self.port = int(bound[0].getsockname()[1])
        self.gate = Gate(addresses, self.port)
        self.urls = [f"http://{address}:{self.port}/#k={self.gate.token}" for address in addresses]
        self.store = Store(config.data / FILE if config.data else ":memory:")
        self.engines = Engines(self._report, command=config.command, bots=config.bots)
        self.hub = Hub(self.store, self.engines, caps=config.caps, lan=config.lan)
        self.sockets: set[Socket] = set()
        try:
            await self.hub.start()
        except BaseException as error:
            for each in bound:
                each.close()
            await self.engines.close()
            await self.store.close()
            if isinstance(error, sqlite3.Error):
                raise SkyclaimError(f"the data in {config.data} cannot be used: {error}") from error
            raise
        application = make_app(self.gate, config.caps, self.hub, self.sockets)
        self._http = HTTPServer(
            application,
            max_header_size=config.caps.headers,
            max_body_size=config.caps.body,
            idle_connection_timeout=config.caps.silence,
            body_timeout=config.caps.silence,
        )
        self._http.add_sockets(bound)
        self._ticker = asyncio.create_task(self._tick())

    async def stop(self) -> None:
        """End everything within three seconds. Matches stay in the store, and pages are told to come back."""
        self._ticker.cancel()
        self._http.stop()
        under_way = [task for each in self.sockets for task in each.tasks]
        for each in list(self.sockets):
            each.close(1001, "The server ends. Come back when it runs again.")
        await asyncio.gather(self.hub.close(), self.engines.close())
        end = time.monotonic() + PARTING
        while (self.sockets or not all(task.done() for task in under_way)) and time.monotonic() < end:
            await asyncio.sleep(0.01)
        try:
            await asyncio.wait_for(self._http.close_all_connections(), PARTING / 2)
        except TimeoutError:
            pass
        await self.store.close()

    def _report(self, state: str, text: str) -> None:
        self.hub.engine_state(state, text)

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TICK)
            try:
                now = time.monotonic()
                for each in list(self.sockets):
                    if now - each.heard > self.config.caps.silence:
                        each.close(1001, "Nothing was heard for too long.")
                self.hub.tick()
                await self.engines.end_idle()
            except Exception:
                log.exception("in the ticker")


class NotFound(Guarded):
    """What no route fits."""

    def initialize(self, gate: Gate) -> None:
        self.gate = gate

    def prepare(self) -> None:
        super().prepare()
        raise HTTPError(404)


def make_app(gate: Gate, caps: Caps, hub: Hub, sockets: set[Socket]) -> Application:
    """The routes: the socket, and the table of assets for all else."""
    parts = {"gate": gate, "caps": caps, "crowd": Crowd(caps), "front": hub, "sockets": sockets}
    return Application(
        [(r"/ws", Socket, parts), (r"/.*", assets.Page, {"gate": gate, "table": assets.load()})],
        default_handler_class=NotFound,
        default_handler_args={"gate": gate},
        log_function=lambda handler: None,  # who asked for what is nobody's business
        websocket_max_message_size=caps.message,
        websocket_ping_interval=PING,
    )


def bind(addresses: Sequence[str], port: int, lan: bool = False) -> list[socket.socket]:
    """Listen at all ``addresses`` on one port: ``port``, or if it is taken one of the next, or any (0).

    Raises SkyclaimError for an address of the network without ``lan``, or one that means all networks.
    """
    for address in addresses:
        if address != LOOPBACK and (not lan or address in ("", "0.0.0.0", "::")):
            raise SkyclaimError(f"address {quote(address)}: only {LOOPBACK} is served, and with --lan one address more")
    for number in [*range(port, min(port + PORTS, 1 << 16)), 0] if port else [0]:
        bound: list[socket.socket] = []
        try:
            for address in addresses:
                bound.append(socket.create_server((address, number)))
                bound[-1].setblocking(False)
                number = number or int(bound[0].getsockname()[1])
            return bound
        except OSError as error:
            for each in bound:
                each.close()
            if error.errno != errno.EADDRINUSE:
                raise
    raise SkyclaimError(f"port {port}: it is taken, and so are the next {PORTS}")


def lan_address() -> str:
    """This machine's address in its network; raises SkyclaimError if it is in none."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))  # an address that is nobody's; nothing is sent
            address = str(probe.getsockname()[0])
    except OSError:
        address = LOOPBACK
    if address.startswith(("127.", "0.")):
        raise SkyclaimError("--lan: this machine is in no network")
    return address
